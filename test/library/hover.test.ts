/** Editors show the comments of the library's types, so each member needs one. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { service } from "../../src/service/service.ts";

const FILES = [
  "src/library/types.ts",
  "src/library/kit/types.ts",
  "src/service/shown-rows.ts",
  "src/engine/jobs/delivery-types.ts",
  "src/library/kit/matchers/types.ts",
  "src/engine/journal/entry.ts",
  "src/inspector/lint/finding.ts",
  "src/engine/runtime/scenario-runs/unmet.ts",
];

/** Members of exported interfaces and nested objects without a comment. Expects one member per line, as the formatter writes them. */
function bare(text: string): string[] {
  const lines = text.split("\n");
  const found: string[] = [];
  let owner: string | undefined;
  for (const [i, line] of lines.entries()) {
    owner = /^export interface (\w+)/.exec(line)?.[1] ?? (line === "}" ? undefined : owner);
    const member = /^\s+(?:readonly )?(\w+)\??[(:<]/.exec(line)?.[1];
    const before = lines[i - 1]?.trim() ?? "";
    // A parameter on a separate line ends with a comma.
    if (owner === undefined || member === undefined || line.endsWith(",")) continue;
    if (!before.endsWith("*/") && !before.startsWith("// biome")) found.push(`${owner}.${member}`);
  }
  return found;
}

test("each member of the public types has a comment", () => {
  expect(FILES.flatMap((file) => bare(readFileSync(file, "utf8")).map((name) => `${file}: ${name}`))).toEqual([]);
  expect(bare("export interface A {\n  /** Said. */\n  b: string;\n  c(): void;\n}")).toEqual(["A.c"]);
});

test("each member of scenario and fixtures files has a description that says more than its name", () => {
  const wordsOf = (text: string) => text.split(/\s+/).filter((word) => !/^(the|a|an|of|by|is|this)$/i.test(word));
  const thin = Object.entries(service.language.hover).filter(([path, text]) => {
    const own = new Set(path.split(/[.*_]/).map((part) => part.toLowerCase()));
    return wordsOf(text).every((word) => own.has(word.toLowerCase().replace(/[^a-z]/g, "")));
  });
  expect(thin).toEqual([]);
});
