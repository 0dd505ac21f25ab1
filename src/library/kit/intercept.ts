import { SettingsError } from "../errors.ts";
import { checkHosts, INTERCEPT, type Interceptable, OFFICIAL_HOSTS } from "./hosts.ts";
import { redirect } from "./redirect.ts";
import { noSuch } from "../../engine/core/text.ts";
import type { Sandbox } from "../types.ts";

export interface InterceptOptions {
  /** Host names only. Links in answers use the first name. Default: `api.pandadoc.com` and `app.pandadoc.com`. */
  hosts?: readonly string[] | undefined;
}

/**
 * Sends calls of this process to PandaDoc's hosts to the sandbox instead. Works for fetch, http, https, undici, axios and libraries
 * that use them. Links in answers name the intercepted host, and also lead to the sandbox. No call reaches the real host, even
 * after the sandbox closes. Call the returned function to stop.
 * @example
 * const stop = intercept(sandbox);
 * await fetch("https://api.pandadoc.com/public/v1/documents", { headers: { authorization: `API-Key ${sandbox.apiKey}` } });
 * stop();
 */
export function intercept(sandbox: Sandbox, options: InterceptOptions = {}): () => void {
  const { inner, hosts, withdraw } = begin("intercept", sandbox, options);
  const end = redirect({ hosts, target: () => inner.target() });
  return () => {
    end();
    withdraw();
  };
}

/** For `docdouble/msw`. A network fault returns no answer. */
export function answerForMsw(
  sandbox: Sandbox,
  options: InterceptOptions,
): { hosts: readonly string[]; answer(request: Request): Promise<Response | undefined> } {
  const { hosts } = begin("msw handlers", sandbox, options);
  return {
    hosts,
    answer: (request) =>
      sandbox.fetch(request).catch((error: unknown) => {
        if (error instanceof TypeError) return undefined;
        throw error;
      }),
  };
}

function begin(method: string, sandbox: Sandbox, options: InterceptOptions) {
  const runtime = ["bun", "deno"].find((name) => process.versions[name] !== undefined);
  if (runtime !== undefined && method === "intercept")
    throw new SettingsError(
      `intercept: ${runtime} opens connections that docdouble cannot redirect. Set the base URL of your client to the address of the sandbox.`,
    );
  const inner = (sandbox as Partial<Interceptable> | undefined)?.[INTERCEPT];
  if (!inner) throw new SettingsError(`${method}: the first argument is a sandbox of createSandbox or useSandbox`);
  for (const name of Object.keys(options))
    if (name !== "hosts") throw new SettingsError(`${method}: ${noSuch("option", name, ["hosts"])}`);
  const hosts = checkHosts(options.hosts ?? OFFICIAL_HOSTS, method);
  return { inner, hosts, withdraw: inner.advertise(`https://${hosts[0]}`) };
}
