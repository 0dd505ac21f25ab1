/** The code blocks of README, tutorial and guides run in order, and print the stated output. Pages under docs/inside show no program. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesIn } from "../../../docs/gather.ts";
import { blocksOf, idOf, type Snippet, type Workplace, workplace } from "../../support/snippets.ts";
import { readScenario } from "../../../src/engine/scenario/load.ts";
import { service } from "../../../src/service/service.ts";

const PAGES = ["README.md", ...["start", "tests", "do", "look-up"].flatMap((folder) => filesIn(`docs/${folder}`, ".md"))];

describe.each(PAGES)("%s", (file) => {
  const blocks = blocksOf(readFileSync(file, "utf8"));
  let place: Workplace;
  beforeAll(() => {
    place = workplace(blocks);
  });
  afterAll(() => place.remove());

  test("each block is run or read, and its scenarios load", () => {
    expect(blocks.unused, "lines of blocks that no test uses").toEqual([]);
    for (const text of blocks.scenarios) readScenario(text, file, service.language, neverIncluded);
  });

  // One test, because each block continues after the previous one. Ids and jitter may differ from the page, other output may not.
  test("prints what it says", { timeout: 300_000 }, async () => {
    const ids = new Map<string, string>();
    const withIds = (text: string) => [...ids].reduce((all, [shown, real]) => all.replaceAll(shown, real), text);
    for (const snippet of blocks.snippets) {
      const printed = await place.run({ ...snippet, code: withIds(snippet.code) });
      const [shown, real] = [idOf(snippet), idOf({ ...snippet, output: printed })];
      if (shown !== undefined && real !== undefined) ids.set(shown, real);
      if (snippet.format !== "none")
        expect(comparable(snippet, printed), `line ${snippet.line}`).toEqual(comparable(snippet, withIds(snippet.output)));
    }
  });
});

function comparable({ format }: Snippet, output: string): unknown {
  const text = output.replace(/:\d\d\.\d{6}Z/g, "Z");
  return format === "json" ? JSON.parse(text) : text;
}

function neverIncluded(file: string): string {
  throw new Error(`the page's scenario includes ${file}`);
}
