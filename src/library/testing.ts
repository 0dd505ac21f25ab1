import { clean } from "./kit/matchers/clean.ts";
import { hasDocument } from "./kit/matchers/documents.ts";
import { underName } from "./kit/matchers/verdict.ts";
import { mailed } from "./kit/matchers/mails.ts";
import { received } from "./kit/matchers/requests.ts";
import { delivered, receivedEvent } from "./kit/matchers/webhooks.ts";
import { SettingsError } from "./errors.ts";
import { createSandbox } from "./sandbox.ts";
import type { Sandbox, SandboxOptions } from "./types.ts";

export interface Hooks {
  before(run: () => Promise<void>): void;
  afterEach(run: () => Promise<void>): void;
  after(run: () => Promise<void>): void;
}

export function sandboxOfFile(options: SandboxOptions, hooks: Hooks): Sandbox {
  let sandbox: Sandbox | undefined;
  hooks.before(async () => {
    sandbox = await createSandbox({ port: 0, ...options });
  });
  hooks.afterEach(async () => {
    await sandbox?.reset();
  });
  hooks.after(async () => {
    await sandbox?.close();
  });
  return new Proxy({} as Sandbox, {
    get(_, name) {
      if (!sandbox)
        throw new SettingsError(
          `${typeof name === "symbol" ? "intercept" : `sandbox.${name}`}: the sandbox of useSandbox starts before the first test. Use it inside a test or a hook.`,
        );
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
