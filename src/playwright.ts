import { test as base, expect as baseExpect, type Page } from "@playwright/test";
import { SettingsError } from "./library/errors.ts";
import { type DeclineOptions, decline, type Poll, type SignOptions, sign, type Visit } from "./library/kit/signing-page.ts";
import { createSandbox } from "./library/sandbox.ts";
import { endTest, verdicts } from "./library/testing.ts";
import type { Sandbox, SandboxDocument, SandboxOptions } from "./library/types.ts";

export type * from "./library/kit/matchers/types.ts";
export type { DeclineOptions, SignOptions };

/** The fixtures that `test` adds. */
export interface SandboxFixtures {
  /** A sandbox with a free port for each worker. It resets after each test. */
  sandbox: Sandbox;
  /** Options of the sandbox: `test.use({ sandboxOptions: { clock: "frozen" } })`, or `use` in the configuration. */
  sandboxOptions: SandboxOptions;
}

let current: Sandbox | undefined;

/**
 * Playwright's `test` with a `sandbox`.
 *
 * @example
 * test("Pat signs", async ({ page, sandbox }) => {
 *   const document = await sandbox.documents.create({ template: "One signer", status: "document.sent" });
 *   await signAs(page, document, "Client", { fields: { Company: "Client Ltd" } });
 *   expect(sandbox).toHaveDocument({ id: document.id, status: "document.completed" });
 * });
 */
export const test = base.extend<{ resetSandbox: undefined }, SandboxFixtures>({
  sandboxOptions: [{}, { option: true, scope: "worker" }],
  sandbox: [
    async ({ sandboxOptions }, use) => {
      const sandbox = await createSandbox({ port: 0, ...sandboxOptions });
      current = sandbox;
      await use(sandbox);
      current = undefined;
      await sandbox.close();
    },
    { scope: "worker" },
  ],
  resetSandbox: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from this pattern
    async ({}, use, info) => {
      await use(undefined);
      if (current) await endTest(current, info.errors);
    },
    { auto: true },
  ],
});

/** Playwright's `expect` with docdouble's matchers. */
export const expect = baseExpect.extend(verdicts);

/**
 * Lets a recipient sign on the real signing page, in the page itself or in a frame. This includes the official `pandadoc-signing`
 * library. An empty page opens the recipient's link. Signatures without a value get the recipient's name.
 * @param role the recipient's role or email address
 * @example
 * await signAs(page, document, "Client", { fields: { Company: "Client Ltd", Agree: true } });
 */
export async function signAs(
  page: Page,
  document: string | { readonly id: string },
  role: string,
  options: SignOptions = {},
): Promise<SandboxDocument> {
  return sign(visitOf("signAs", page, document, role, options));
}

/** Lets a recipient decline on the real signing page. It finds the page as `signAs` does. */
export async function declineAs(
  page: Page,
  document: string | { readonly id: string },
  role: string,
  options: DeclineOptions = {},
): Promise<SandboxDocument> {
  return decline(visitOf("declineAs", page, document, role, options));
}

function visitOf(
  method: Visit["method"],
  page: Page,
  document: Visit["document"],
  role: string,
  options: SignOptions & DeclineOptions,
): Visit {
  const sandbox = options?.sandbox ?? current;
  if (!sandbox)
    throw new SettingsError(
      `${method}: there is no sandbox. Use the fixture: test("…", async ({ page, sandbox }) => …), or pass { sandbox }.`,
    );
  const url = (sandbox as Partial<Sandbox>).url ?? current?.url ?? "";
  return { method, page, document, role, options, sandbox, url, poll };
}

/** Playwright polls in real time, so no clock of a test stops it. */
const poll: Poll = async (read, isEnd, timeout) => {
  let last = await read();
  const isAtEnd = async () => {
    last = await read();
    return isEnd(last);
  };
  if (!isEnd(last))
    await baseExpect
      .poll(isAtEnd, { timeout })
      .toBe(true)
      .catch(() => {});
  return last;
};
