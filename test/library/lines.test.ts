/** The table in `docs/library.md` with the numbers of lines of the twelve tests. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BEFORE } from "../system/nightly/runners/before.ts";
import { linesOf, STORIES } from "../system/nightly/runners/twelve.ts";

test("docs/library.md states the real numbers of lines of the twelve tests", () => {
  const rows = [...readFileSync("docs/library.md", "utf8").matchAll(/^\| ([^|]+?) \| (\d+) \| (\d+) \|$/gm)].map(
    ([, name, before, after]) => [name, Number(before), Number(after)],
  );
  const lines = STORIES.map((story): [string, number, number] => [story.name, BEFORE[story.name]?.length ?? 0, linesOf(story)]);
  const sum = (column: 1 | 2) => lines.reduce((total, line) => total + line[column], 0);
  expect(rows).toEqual([...lines, ["all", sum(1), sum(2)]]);
});
