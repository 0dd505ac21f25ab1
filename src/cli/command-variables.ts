/** What a command finds around it: variables that send its calls to docdouble, and that make its sleeps move docdouble's clock. */
import { tmpdir } from "node:os";
import { requireFolder } from "../engine/core/regular-file.ts";
import { SettingsError } from "../library/errors.ts";
import type { ClockMode, Sandbox } from "../library/types.ts";
import { makePreloads, type Preloads, type Sleeps } from "./sleep/virtual-sleep.ts";

/** For helpers of tests, which otherwise use a key for each test. Each of these keys selects another tenant. */
export const ONE_WORLD = { DOCDOUBLE_ONE_WORLD: "1" };

export interface Around {
  env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

export class Surroundings {
  readonly #isIntercepted: boolean;
  readonly #preloads: Preloads | undefined;

  constructor({ isIntercepted, sleeps }: { isIntercepted: boolean; sleeps: Sleeps }) {
    this.#isIntercepted = isIntercepted;
    if (isIntercepted || sleeps === "virtual") requireTemporaryFolder();
    this.#preloads = sleeps === "virtual" ? makePreloads() : undefined;
  }

  /** @param own variables of the user, which win */
  async of(sandbox: Sandbox, own: NodeJS.ProcessEnv = {}): Promise<Around> {
    const interception = this.#isIntercepted ? await (await import("./interception.ts")).intercepting(sandbox.url) : undefined;
    const variables = interception?.env ?? {};
    return {
      env: { ...variables, ...this.#preloads?.envFor(sandbox, variables), ...own },
      close: async () => interception?.close(),
    };
  }

  close(): void {
    this.#preloads?.remove();
  }
}

/** The command reads files of docdouble there. @throws SettingsError */
function requireTemporaryFolder(): void {
  try {
    requireFolder(tmpdir());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(
      `Cannot write to the folder for temporary files, ${tmpdir()}: ${code}. Set TMPDIR to another folder.`,
    );
  }
}

/** @throws SettingsError when a clock that nobody moves would stop each sleep */
export function sleepsOf(wanted: Sleeps | undefined, mode: ClockMode): Sleeps {
  if (wanted === "virtual" && mode !== "auto")
    throw new SettingsError(
      `--sleep virtual needs an automatic clock, and this clock is ${mode}. Add --clock auto, or leave --sleep out.`,
    );
  return wanted ?? (mode === "auto" ? "virtual" : "real");
}

/** Fills in the address, the key and the admin API of docdouble. */
export function filled(
  env: Readonly<Record<string, string>>,
  { url, apiKey }: Pick<Sandbox, "url" | "apiKey">,
): NodeJS.ProcessEnv {
  const values: Record<string, string> = { url, key: apiKey, admin: `${url}/__admin` };
  const fill = (text: string) => text.replace(/\{(url|key|admin)\}/g, (_, name: string) => values[name] ?? "");
  return Object.fromEntries(Object.entries(env).map(([name, text]) => [name, fill(text)]));
}

export const UNSEEN =
  "No call of the API came to docdouble, so its calls may have reached the real host. A program with its own transport uses no proxy: in Go, set Proxy to http.ProxyFromEnvironment. Or give it the address in DOCDOUBLE_URL.";
