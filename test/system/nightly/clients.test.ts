/** The official clients of Python, Java and PHP: their code blocks in docs/languages.md, and the answers that a strict client can read. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environment, runIn } from "../../../docs/programs.ts";
import { blocksOf, README_URL, type Snippet } from "../../../docs/snippets.ts";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { type ClientLanguage, isClientLanguage, makeClient, missingFor } from "../../support/official-clients.ts";
import { temporary } from "../../support/package.ts";
import { PROGRAM_MS } from "../../support/patience.ts";
import type { Sandbox } from "../../../src/library/types.ts";

const page = readFileSync("docs/languages.md", "utf8");
const { slow } = blocksOf(page);
const snippets = slow.filter((one): one is Snippet & { language: ClientLanguage } => isClientLanguage(one.language));
const { folder, remove } = temporary();
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z", port: 0, strict: true });
});
afterAll(async () => {
  await sandbox.close();
  remove();
});

test("docs/languages.md has one slow block for each official client", () => {
  expect(slow.map(({ language, place }) => [language, place])).toEqual([
    ["python", "client"],
    ["java", "client"],
    ["php", "client"],
  ]);
});

// One after the other, because a generator uses one and a half processors.
describe.each(snippets.map((one) => [one.language, one] as const))(
  "the official client of %s",
  (_, { line, language, code, output }) => {
    const lacks = missingFor(language);
    const home = join(folder, language);
    const skipped = lacks ? ` (skipped: there is no ${lacks} on this machine)` : "";
    let settings: Record<string, string>;

    test.skipIf(lacks)(`is made by its generator${skipped}`, async () => {
      mkdirSync(home);
      settings = await makeClient(language, home);
    });

    test.skipIf(lacks)(`docs/languages.md, line ${line}, prints the stated output${skipped}`, async () => {
      expect(await run(code)).toBe(output);
    });

    if (language === "python")
      test.skipIf(lacks)(`reads the answers of as many operations as the page states${skipped}`, async () => {
        const [said] = /\d+ of the \d+ operations/.exec(page.replaceAll("\n", " ")) ?? [];
        expect(await run(readFileSync("test/support/read-everything.py", "utf8"))).toBe(`${said}\n`);
      });

    function run(program: string): Promise<string> {
      return runIn(home, language, program.replaceAll(README_URL, sandbox.url), environment(settings), PROGRAM_MS);
    }
  },
);
