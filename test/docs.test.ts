/** The documentation is true: the README's commands print what it says, and its scenarios are read without a mistake. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { assumptionsOf, titlesOf } from "../docs/gather.ts";
import { between } from "../docs/pages.ts";
import { blocksOf, idOf, README_SERVER, run } from "../docs/snippets.ts";
import { catalogue } from "../src/control/catalogue.ts";
import { createSandbox, type Sandbox } from "../src/sandbox.ts";
import { readScenario } from "../src/scenario/load.ts";

const { prelude, snippets, scenarios } = blocksOf(readFileSync("README.md", "utf8"));

describe("README", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox({ ...README_SERVER, port: 0, strict: true });
  });
  afterAll(() => sandbox.close());

  test("has commands in shell and JavaScript", () => {
    expect(new Set(snippets.map((one) => one.language))).toEqual(new Set(["sh", "js"]));
    expect(prelude).toContain("api=");
  });

  // In order: each goes on where the one before it ended. Ids and jitter change with the built-in seed data; all else is as shown.
  const ids = new Map<string, string>();
  test.each(snippets.map((snippet) => [snippet.line, snippet] as const))("line %i prints what it says", async (_, snippet) => {
    const code = [...ids].reduce((text, [shown, real]) => text.replaceAll(shown, real), snippet.code);
    const printed = await run({ ...snippet, code }, prelude, sandbox.url);
    const [shown, real] = [idOf(snippet), idOf({ ...snippet, output: printed })];
    if (shown !== undefined && real !== undefined) ids.set(shown, real);
    const expected = [...ids].reduce((text, [before, after]) => text.replaceAll(before, after), snippet.output);
    if (snippet.format === "json") expect(JSON.parse(withoutJitter(printed))).toEqual(JSON.parse(withoutJitter(expected)));
    else expect(withoutJitter(printed)).toBe(withoutJitter(expected));
  });

  test("shows scenarios that are read without a mistake", () => {
    expect(scenarios.length).toBeGreaterThan(0);
    for (const text of scenarios) readScenario(text, "README.md", catalogue, neverIncluded);
  });
});

function withoutJitter(text: string): string {
  return text.replace(/:\d\d\.\d{6}Z/g, "Z");
}

function neverIncluded(file: string): string {
  throw new Error(`the README's scenario includes ${file}`);
}

describe("gathering", () => {
  test("assumptions are known by their declaration, whatever the line", () => {
    const source = [
      "/** assumed: nobody says. */",
      "export const LIMIT = 1;",
      "",
      "export function go() {",
      "  // spec: something. assumed: it goes on,",
      "  // and ends here.",
      "  return LIMIT;",
      "}",
    ].join("\n");
    const found = assumptionsOf("a.ts", source);
    expect(found).toEqual([
      { file: "a.ts", anchor: "LIMIT", text: "Nobody says." },
      { file: "a.ts", anchor: "go", text: "It goes on, and ends here." },
    ]);
    expect(assumptionsOf("a.ts", `\n\n${source}`)).toEqual(found);
  });

  test("a mark belongs to the test below it, or to the one around it", () => {
    const call = "test";
    const source = [
      "// proves: spec:one",
      `${call}("first", () => {});`,
      `${call}("second \\"quoted\\"", () => {`,
      "  // proves: spec:two, spec:three",
      "  expect(1).toBe(1);",
      "});",
    ].join("\n");
    expect(titlesOf("a.test.ts", source).map(({ title, proves }) => ({ title, proves }))).toEqual([
      { title: "first", proves: ["spec:one"] },
      { title: 'second "quoted"', proves: ["spec:two", "spec:three"] },
    ]);
  });

  test("only what stands between the markers is replaced", () => {
    expect(between("a\n<!-- generated: x -->\nold\n<!-- end: x -->\nb", "x", "new")).toBe(
      "a\n<!-- generated: x -->\n\nnew\n\n<!-- end: x -->\nb",
    );
    expect(() => between("a", "x", "new")).toThrow("no markers");
  });
});
