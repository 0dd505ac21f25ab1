import { clean } from "./kit/matchers/clean.ts";
import { received } from "./kit/matchers/requests.ts";
import { underName } from "./kit/matchers/search.ts";
import { delivered, hasDocument, mailed, receivedEvent } from "./kit/matchers/tables.ts";
import { inspect } from "node:util";
import { SettingsError } from "./errors.ts";
import { INTERCEPT } from "./kit/hosts.ts";
import { storyOf, tellIn } from "./kit/story.ts";
import { createSandbox, hostOf } from "./sandbox.ts";
import type { Sandbox, SandboxOptions } from "./types.ts";

export interface Hooks {
  before(run: () => Promise<void>): void;
  /** `failures` are the errors of the test that ended. A report shows what the hook adds to them. */
  afterEach(run: (failures: readonly unknown[]) => Promise<void>): void;
  after(run: () => Promise<void>): void;
}

/** Adds what happened to the failures of a test, and resets. */
export async function endTest(sandbox: Sandbox, failures: readonly unknown[]): Promise<void> {
  if (failures.length > 0) {
    const story = storyOf(hostOf(sandbox).tenants());
    for (const one of failures) tellIn(one, story);
  }
  await sandbox.reset();
}

export function sandboxOfFile(options: SandboxOptions, hooks: Hooks): Sandbox {
  let sandbox: Sandbox | undefined;
  hooks.before(async () => {
    sandbox = await createSandbox({ ...options, port: options.port ?? 0 });
  });
  hooks.afterEach(async (failures) => {
    if (sandbox) await endTest(sandbox, failures);
  });
  hooks.after(async () => {
    await sandbox?.close();
  });
  const shown = { [inspect.custom]: () => (sandbox ? inspect(sandbox) : "Sandbox that starts before the first test") };
  return new Proxy(shown as unknown as Sandbox, {
    get(_, name) {
      if (!sandbox) {
        // Runners and `console.log` look for symbols.
        if (typeof name === "symbol" && name !== INTERCEPT) return undefined;
        throw new SettingsError(
          `${typeof name === "string" ? `sandbox.${name}` : "intercept"}: the sandbox of useSandbox starts before the first test. Use it inside a test or a hook such as beforeAll.`,
        );
      }
      const value: unknown = Reflect.get(sandbox, name);
      return typeof value === "function" ? value.bind(sandbox) : value;
    },
  });
}

export const verdicts = {
  toHaveReceived: underName("toHaveReceived", received),
  toHaveDelivered: underName("toHaveDelivered", delivered),
  toHaveReceivedEvent: underName("toHaveReceivedEvent", receivedEvent),
  toHaveDocument: underName("toHaveDocument", hasDocument),
  toHaveMailed: underName("toHaveMailed", mailed),
  toBeClean: underName("toBeClean", clean),
};
