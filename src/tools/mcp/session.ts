import { lookup } from "node:dns/promises";
import { addressRefusal } from "../../engine/jobs/address-policy.ts";
import { createSandbox } from "../../library/sandbox.ts";
import type { Sandbox, SandboxOptions } from "../../library/types.ts";
import type { BytesAnswer } from "../remote/http-call.ts";
import { detailOf, type RemoteFlags, type Reply, Server, ServerError } from "../remote/server.ts";

export class Session {
  #server: Server | undefined;
  #key: string | undefined;
  #sandbox: Sandbox | undefined;

  constructor(attachedUrl: string | undefined, flags: RemoteFlags) {
    if (attachedUrl !== undefined) this.#use(new Server(attachedUrl, flags), flags.key);
  }

  /** Keeps the server in use when no docdouble answers at the address. @throws ServerError */
  async attach(url: string, flags: RemoteFlags): Promise<void> {
    const server = new Server(url, flags);
    const reply = await server.call("GET", "/__admin/version");
    if (!reply.ok || reply.body === undefined) throw new ServerError(detailOf(reply));
    this.#use(server, flags.key);
  }

  #use(server: Server, key: string | undefined): void {
    this.#server = server;
    this.#key = key;
  }

  /** Ends the earlier world of this session. @throws SettingsError, ScenarioError */
  async start(options: SandboxOptions): Promise<Sandbox> {
    const sandbox = await createSandbox({ clock: "auto", ...options, port: 0 });
    await this.#sandbox?.close();
    this.#sandbox = sandbox;
    this.#use(new Server(sandbox.url, { key: sandbox.apiKey }), sandbox.apiKey);
    return sandbox;
  }

  async connection(): Promise<{ url: string; api_key: string | null; inspector: string; reference: string }> {
    const { url } = await this.#open();
    return { url, api_key: this.#key ?? null, inspector: `${url}/__admin/`, reference: `${url}/docs` };
  }

  /** @throws ServerError with the reason of a refusal */
  async admin(method: string, path: string, body?: unknown): Promise<Reply["body"]> {
    const reply = await this.tried(method, path, body);
    if (!reply.ok) throw new ServerError(detailOf(reply));
    return reply.body;
  }

  /** @param scenario YAML or JSON. @throws ServerError with its mistakes */
  async load(scenario: string): Promise<Reply["body"]> {
    const reply = await (await this.#open()).send("POST", "/__admin/scenarios", scenario);
    if (!reply.ok) throw new ServerError(detailOf(reply));
    return reply.body;
  }

  async tried(method: string, path: string, body?: unknown): Promise<Reply> {
    refuseSteps(path);
    return (await this.#open()).call(method, `/__admin${path}`, body);
  }

  /** Sends and takes bytes below `/__admin`, such as a world. */
  async bytes(method: string, path: string, body?: Uint8Array): Promise<BytesAnswer> {
    return (await this.#open()).bytes(method, `/__admin${path}`, body);
  }

  async close(): Promise<void> {
    await this.#sandbox?.close();
  }

  async #open(): Promise<Server> {
    if (!this.#server) await this.start({});
    return this.#server as Server;
  }
}

/** An id such as `..` or an empty one would lead to another path. @throws ServerError */
function refuseSteps(path: string): void {
  const [, ...parts] = (path.split("?")[0] ?? "").split("/");
  const bad = parts.find((part) => part === "" || /^(\.|%2e){1,2}$/i.test(part));
  if (bad !== undefined) throw new ServerError(`"${decodeURIComponent(bad)}" is not an id. Copy the id from an earlier answer.`);
}

/** @throws ServerError for link-local addresses, metadata services of clouds and names of them */
export async function refuseUnsafeHost(url: string): Promise<void> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, "");
  const addresses = await lookup(host, { all: true }).catch(() => []);
  for (const { address } of addresses) {
    const why = addressRefusal(address, "all");
    if (why !== undefined) throw new ServerError(`Cannot attach to ${url}: ${why}.`);
  }
}
