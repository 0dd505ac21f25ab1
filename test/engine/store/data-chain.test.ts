/** The lines of a data file follow each other, so that a whole line that is missing, doubled or moved is noticed. */
import { crc32 } from "node:zlib";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { openDatabase } from "../../../src/engine/store/database.ts";
import { fullDisk, opened, storeOf, temporary, turn } from "../../support/data-file.ts";

interface Line {
  crc: string;
  after?: string;
  record: { format?: string; version?: number; whole?: boolean };
}

const linesOf = (file: string): string[] => readFileSync(file, "utf8").trimEnd().split("\n");
const parsed = (line: string | undefined): Line => JSON.parse(line as string) as Line;

/** What an opened file says: its notices and its rows, or the refusal. */
async function reading(file: string, lines: readonly string[]): Promise<string> {
  rmSync(`${file}.damaged`, { force: true });
  writeFileSync(file, `${lines.join("\n")}\n`);
  const notices: string[] = [];
  try {
    const database = await openDatabase(file, { onNotice: (text) => notices.push(text) });
    const rows = JSON.stringify(storeOf(database).snapshot());
    await database.close();
    return [...notices, rows].join("\n");
  } catch (error) {
    return (error as Error).message;
  }
}

/** A file of eight equal changes and some others. Equal lines must not stand for each other. */
async function story(options: { isCompacted: boolean }): Promise<{ file: string; lines: string[] }> {
  const file = temporary();
  const { database, store } = await opened(file, options.isCompacted ? { compactAt: 1 } : {});
  for (let i = 0; i < 12; i++) {
    store.things.put({ id: i % 3 === 0 ? `thing${i}` : "same" });
    await turn();
  }
  while (options.isCompacted && parsed(linesOf(file)[0]).record.whole !== true) await systemClock.soon();
  await database.close();
  const again = await opened(file);
  for (let i = 0; i < 4; i++) {
    again.store.others.put({ id: i < 3 ? "other" : "last" });
    await turn();
  }
  await again.database.close();
  return { file, lines: linesOf(file) };
}

describe.each([
  ["a log", { isCompacted: false }],
  ["a compacted file with later changes", { isCompacted: true }],
])("%s", (_, options) => {
  test("lacks any one line, and the next start notices it", async () => {
    const { file, lines } = await story(options);
    const end = lines.findIndex((line) => parsed(line).record.whole === true && parsed(line).record.format === undefined);
    expect(await reading(file, lines)).toMatch(/^\{"things"/);
    // Without its last line, a file looks like that of a process that was killed before it wrote the line.
    for (let gone = 0; gone < lines.length - 1; gone++) {
      const said = await reading(file, lines.toSpliced(gone, 1));
      if (gone === 0) expect(said).toContain("was not written by this version of docdouble");
      else if (gone <= end) expect(said, `without line ${gone + 1}`).toContain("is damaged within its first part");
      else {
        expect(said, `without line ${gone + 1}`).toContain("lacks a line, or holds one at a wrong place, at byte");
        expect(linesOf(`${file}.damaged`)).toEqual(lines.slice(gone + 1));
        expect(linesOf(file)).toEqual(lines.slice(0, gone));
      }
    }
  });

  test("holds two swapped lines or a line twice, and the next start notices it", async () => {
    const { file, lines } = await story(options);
    const problem =
      /lacks a line, or holds one at a wrong place|is damaged within its first part|was not written by this version/;
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as string;
      expect(await reading(file, lines.toSpliced(at, 0, line)), `line ${at + 1} twice`).toMatch(problem);
      if (at === 0) continue;
      expect(await reading(file, lines.toSpliced(at - 1, 2, line, lines[at - 1] as string)), `line ${at} and the next`).toMatch(
        problem,
      );
    }
  });
});

test("changes during a rewrite follow the lines before it", async () => {
  const file = temporary();
  const { database, store, notices } = await opened(file, { compactAt: 20_000 });
  for (let i = 0; i < 1500; i++) {
    store.things.put({ id: `thing${i % 50}`, text: `${i}`.padEnd(200) });
    await (i % 4 === 0 ? systemClock.soon() : turn());
  }
  const state = JSON.stringify(store.snapshot());
  await database.close();
  expect(parsed(linesOf(file)[0]).record.whole).toBe(true);
  const again = await opened(file);
  expect([...notices, ...again.notices]).toEqual([]);
  expect(JSON.stringify(again.store.snapshot())).toBe(state);
});

test("lines that waited for a full disk, or were dropped for a rewrite, leave no gap", async () => {
  for (const bytes of [100, 3_000_000]) {
    const file = temporary();
    const disk = fullDisk();
    const { database, store } = await opened(file, { disk });
    store.things.put({ id: "before" });
    await turn();
    disk.left = 0;
    for (let i = 0; i < 5; i++) {
      store.things.put({ id: `during${i}`, text: "x".repeat(bytes) });
      await turn();
    }
    disk.left = Number.POSITIVE_INFINITY;
    await database.flush();
    store.things.put({ id: "after" });
    await database.close();
    const again = await opened(file);
    expect([again.notices, again.store.things.size]).toEqual([[], 7]);
  }
});

test("a file of version 2, whose lines are not chained, opens and is rewritten with a chain", async () => {
  const file = temporary();
  const records = [
    { format: "docdouble-data", version: 2 },
    { t: "default", rows: [["things", { id: "a" }]] },
    { t: "default", rows: [["things", { id: "b" }]] },
  ].map((record) => JSON.stringify(record));
  const old = records.map(
    (record) => `{"crc":"${crc32(record).toString(16).padStart(8, "0")}","bytes":${record.length},"record":${record}}\n`,
  );
  // A kill in the middle of a line does not damage the file.
  writeFileSync(file, old.join("") + (old[2] as string).slice(0, 50));
  const first = await opened(file);
  expect(first.notices).toEqual([expect.stringContaining("cut off the last 50 bytes, an unfinished change")]);
  first.store.things.put({ id: "c" });
  await first.database.close();
  expect(parsed(linesOf(file)[0]).record).toEqual({ format: "docdouble-data", version: 3, whole: true });
  const again = await opened(file);
  expect(again.store.snapshot()).toEqual({ things: { a: { id: "a" }, b: { id: "b" }, c: { id: "c" } }, others: {} });
  expect(again.notices).toEqual([]);
});

test("a file that ends within a line holds all changes before that line", async () => {
  const { file, lines } = await story({ isCompacted: true });
  const whole = await reading(file, lines.slice(0, -1));
  for (const bytes of [1, 20, 45, 70]) {
    writeFileSync(file, `${lines.slice(0, -1).join("\n")}\n${(lines.at(-1) as string).slice(0, bytes)}`);
    const { database, store, notices } = await opened(file);
    expect(JSON.stringify(store.snapshot())).toBe(whole);
    expect(notices).toEqual([expect.stringContaining(`cut off the last ${bytes} bytes, an unfinished change`)]);
    await database.close();
  }
});
