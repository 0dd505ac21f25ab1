/** Mistakes that `check` finds beyond the schema. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mistakesIn } from "../../src/cli/check.ts";
import { scenarioJsonSchema } from "../../src/engine/scenario/json-schema.ts";
import { temporary } from "../support/data-file.ts";

async function linesOf(text: string): Promise<string[]> {
  const file = temporary("scenario.yaml");
  writeFileSync(file, text);
  return (await mistakesIn(text, file, false)).map(({ line, column, message }) => `${line}:${column} ${message}`);
}

test("E2 check names a template of the world that does not exist, with its line and column", async () => {
  expect(await linesOf("version: 1\nworld:\n  documents:\n    - { name: Deal, template: One sigher }\n")).toEqual([
    '4:7 world.documents.0: is refused: no template "One sigher" in this workspace',
  ]);
});

test("E2 check names a path that lacks the prefix of the service", async () => {
  const rule = (path: string) => `version: 1\nrules:\n  - { name: a, when: { path: "${path}" }, then: { error: throttled } }\n`;
  expect(await linesOf(rule("/documents/*/send"))).toEqual([
    '3:30 rules.0.when.path: no operation has the path "/documents/*/send"; did you mean "/public/v1/documents/*/send"?',
  ]);
  for (const path of ["/public/v1/documents/*/send", "/s/**", "/never", "**/send"]) expect(await linesOf(rule(path))).toEqual([]);
});

test("E2 the JSON Schema marks the duration 2 sec", () => {
  const { $defs } = scenarioJsonSchema() as { $defs: { Duration: { pattern: string } } };
  const pattern = new RegExp($defs.Duration.pattern);
  expect(["2 sec", "soon", "2"].filter((text) => pattern.test(text))).toEqual([]);
  expect(["250ms", "1.5h", " 3s "].every((text) => pattern.test(text))).toBe(true);
});

test("E2 check accuses no ready-made scenario", async () => {
  for (const name of readdirSync("scenarios").filter((one) => one.endsWith(".yaml")))
    expect(await mistakesIn(readFileSync(`scenarios/${name}`, "utf8"), `scenarios/${name}`, false), name).toEqual([]);
});
