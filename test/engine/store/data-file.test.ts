import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { opened, storeOf, temporary, turn } from "../../support/data-file.ts";

const { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } = fs;

/** What the disk refuses now. */
const disk = { left: Number.POSITIVE_INFINITY, renames: true };

const real = { appendFileSync: fs.appendFileSync, renameSync: fs.renameSync };
const refusing = {
  /** Writes a part of a larger text, as a full disk does. */
  appendFileSync(file: number, bytes: Buffer) {
    const part = bytes.subarray(0, Math.min(disk.left, bytes.length));
    disk.left -= part.length;
    real.appendFileSync(file, part);
    if (part.length < bytes.length) throw new Error("ENOSPC: no space left on device, write");
  },
  renameSync(from: string, to: string) {
    if (!disk.renames && to.endsWith(".json")) throw new Error("EIO: i/o error, rename");
    real.renameSync(from, to);
  },
};

/** Test files share modules, so a mock of a module would not reach the data file. */
function useDisk(calls: object): void {
  Object.assign(fs, calls);
  syncBuiltinESMExports();
}

/** What runs a second after a failure. */
let retries: (() => void)[] = [];
const retry = () => retries.splice(0).forEach((run) => void run());

beforeEach(() => {
  useDisk(refusing);
  retries = [];
  vi.spyOn(systemClock, "after").mockImplementation((_, run) => {
    retries.push(run);
    return () => retries.splice(retries.indexOf(run), 1);
  });
});

afterEach(() => {
  useDisk(real);
  Object.assign(disk, { left: Number.POSITIVE_INFINITY, renames: true });
  vi.restoreAllMocks();
});

const linesOf = (file: string): unknown[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("the data file", () => {
  test("all changes of one turn are one line when the turn ends", async () => {
    const file = temporary();
    const { store } = opened(file);
    store.transaction(() => {
      store.things.put({ id: "a", kind: "x" });
      store.others.put({ id: "b" });
      store.things.put({ id: "a", kind: "y" });
    });
    store.things.put({ id: "gone" });
    store.things.delete("gone");
    expect(linesOf(file)).toEqual([]);
    await turn();
    expect(linesOf(file)).toEqual([
      [
        ["default", "rows", "things", "a", { id: "a", kind: "y" }],
        ["default", "rows", "others", "b", { id: "b" }],
        ["default", "rows", "things", "gone", null],
      ],
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("a change that is rolled back is not written", async () => {
    const file = temporary();
    const { store } = opened(file);
    expect(() =>
      store.transaction(() => {
        store.things.put({ id: "a" });
        throw new Error("stop");
      }),
    ).toThrow("stop");
    await turn();
    expect(linesOf(file)).toEqual([]);
  });

  test("a reopened file holds the same rows in the same order", () => {
    const file = temporary();
    const first = opened(file);
    first.store.things.put({ id: "__proto__", kind: "x" });
    first.store.things.put({ id: "b", kind: "x" });
    first.store.things.put({ id: "c", kind: "x", text: "žluťoučký 👍" });
    first.store.things.put({ id: "2", kind: "x" });
    first.store.things.put({ id: "1", kind: "x" });
    first.store.things.delete("b");
    first.database.close();
    const second = opened(file);
    expect(second.database.tenants()).toEqual(["default"]);
    expect(second.store.things.where("kind", "x")).toEqual([
      { id: "__proto__", kind: "x" },
      { id: "c", kind: "x", text: "žluťoučký 👍" },
      { id: "2", kind: "x" },
      { id: "1", kind: "x" },
    ]);
    expect(second.notices).toEqual([]);
  });

  test("a write to a row of a restored store is read again, also with the id __proto__", async () => {
    const file = temporary();
    const first = opened(file);
    first.store.restore({ things: [{ id: "fresh" }] });
    await turn();
    first.store.things.put({ id: "__proto__" });
    await turn();
    first.kill();
    expect(opened(file).store.things.all()).toEqual([{ id: "fresh" }, { id: "__proto__" }]);
  });

  test("the file follows the restore of a store and the removal of a tenant", async () => {
    const file = temporary();
    const { database, store, kill } = opened(file);
    store.things.put({ id: "old" });
    const other = storeOf(database, "test-a");
    other.things.put({ id: "a" });
    await turn();
    store.restore({ things: [{ id: "fresh" }] });
    database.drop("test-a");
    // A dropped tenant's later writes are lost.
    other.things.put({ id: "b" });
    storeOf(database, "test-b").things.put({ id: "c" });
    await turn();
    database.drop("test-b");
    storeOf(database, "test-b").things.put({ id: "d" });
    await turn();
    kill();
    const again = opened(file);
    expect(again.database.tenants()).toEqual(["default", "test-b"]);
    expect(again.store.snapshot()).toEqual({ things: [{ id: "fresh" }], others: [] });
    expect(storeOf(again.database, "test-b").snapshot()).toEqual({ things: [{ id: "d" }], others: [] });
  });

  test("it keeps what a tenant puts beside its rows: a value, a whole collection, and nothing that was removed", async () => {
    const file = temporary();
    const { database, kill } = opened(file);
    const puts: [unknown, string, string?][] = [];
    database.attach("default", (put) => {
      for (const one of puts.splice(0)) put(...one);
    });
    for (const changes of [
      [[{ "1": "a", "2": "b" }, "calls"]],
      [
        ["c", "calls", "3"],
        [undefined, "calls", "1"],
        [{ mode: "real" }, "state", "clock"],
        ["x", "state", "gone"],
      ],
      [[undefined, "state", "gone"]],
    ] as [unknown, string, string?][][]) {
      puts.push(...changes);
      database.changed("default");
      await turn();
    }
    kill();
    expect(opened(file).database.kept("default")).toEqual({
      calls: { "2": "b", "3": "c" },
      state: { clock: { mode: "real" } },
    });
  });

  test.each([
    ["another program's object", '{"rows":[]}'],
    ["a list of objects", '[{"a":1}]'],
    ["a change without a path", '[["value"]]'],
    ["a change with a number in its path", '[["default",1,null]]'],
    ["a path that is too long", '[["a","b","c","d","e",null]]'],
    ["no JSON", "not json"],
    ["another program's lines", '{\n  "name": "shop"\n}\n'],
  ])("opening a file with %s fails, names the file, and does not change it", (_, text) => {
    const file = temporary();
    for (const content of [text, `${text}\n`]) {
      writeFileSync(file, content);
      expect(() => opened(file)).toThrow(`line 1 of ${file} is damaged, or the file is no data file of docdouble`);
      expect(readFileSync(file, "utf8")).toBe(content);
      expect(readdirSync(dirname(file))).toEqual(["state.json"]);
    }
  });

  test("a symbolic link stays a link to the file", () => {
    const file = temporary();
    writeFileSync(file, "");
    fs.symlinkSync(file, `${file}.link`);
    const { store, database } = opened(`${file}.link`);
    store.things.put({ id: "a" });
    database.close();
    expect(fs.lstatSync(`${file}.link`).isSymbolicLink()).toBe(true);
    expect(opened(file).store.things.size).toBe(1);
  });
});

describe("a truncated or damaged file", () => {
  /** Writes a file of transactions with two rows each. Returns the state and the size of the file after each transaction. */
  async function story() {
    const file = temporary();
    const { store, kill } = opened(file);
    const states = [JSON.stringify(store.snapshot())];
    const ends = [0];
    for (let i = 0; i < 12; i++) {
      store.transaction(() => {
        store.things.put({ id: `thing${i % 5}`, text: `é${i}` });
        if (i % 3 === 2) store.others.delete(`other${i - 1}`);
        else store.others.put({ id: `other${i}`, kind: `thing${i % 5}` });
      });
      await turn();
      states.push(JSON.stringify(store.snapshot()));
      ends.push(statSync(file).size);
    }
    kill();
    return { file, bytes: readFileSync(file), states, ends };
  }

  test("truncated at any byte, it opens with every whole change and no part of a half change", async () => {
    const { file, bytes, states, ends } = await story();
    // Every byte of the last two changes, and some of those before.
    for (let size = 0; size <= bytes.length; size += size < (ends[10] as number) ? 13 : 1) {
      writeFileSync(file, bytes.subarray(0, size));
      const { database, store, notices } = opened(file);
      // A line is whole without the sign for its end too.
      const whole = ends.findLastIndex((end) => end - 1 <= size);
      const rest = size - (ends[whole] as number);
      expect(JSON.stringify(store.snapshot()), `cut at ${size}`).toBe(states[whole]);
      expect(notices, `cut at ${size}`).toEqual(
        rest > 0 ? [`${file}: line ${whole + 1} lacks its end, so the change of this line is dropped`] : [],
      );
      database.close();
    }
  });

  test("each damaged line but the last one ends the opening with its number, and nothing changes", async () => {
    const { file, bytes, states } = await story();
    const lines = bytes.toString().trimEnd().split("\n");
    for (const [i, line] of lines.entries())
      for (const spoilt of [line.slice(1), line.slice(0, -5), `${line}${line}`, ""]) {
        const text = [...lines.slice(0, i), spoilt, ...lines.slice(i + 1), ""].join("\n");
        writeFileSync(file, text);
        expect(() => opened(file), `line ${i + 1}: ${spoilt}`).toThrow(`line ${i + 1} of ${file} is damaged`);
        expect(readFileSync(file, "utf8")).toBe(text);
        expect(readdirSync(dirname(file))).toEqual(["state.json"]);
      }
    writeFileSync(file, bytes);
    expect(JSON.stringify(opened(file).store.snapshot())).toBe(states.at(-1));
  });

  test("what follows a torn line is written after the lines before it", async () => {
    const { file, bytes, states } = await story();
    writeFileSync(file, bytes.subarray(0, -3));
    const second = opened(file);
    second.store.others.put({ id: "later" });
    await turn();
    second.kill();
    const third = opened(file);
    expect(third.notices).toEqual([]);
    third.store.others.delete("later");
    expect(JSON.stringify(third.store.snapshot())).toBe(states.at(-2));
  });
});

describe("compaction", () => {
  test("opening a file writes its state anew, one line for each value", async () => {
    const file = temporary();
    const first = opened(file);
    for (let i = 0; i < 20; i++) {
      first.store.things.put({ id: `thing${i % 2}`, text: `${i}` });
      await turn();
    }
    first.kill();
    expect(linesOf(file)).toHaveLength(20);
    opened(file);
    expect(linesOf(file)).toEqual([
      [["default", "rows", "things", "thing0", { id: "thing0", text: "18" }]],
      [["default", "rows", "things", "thing1", { id: "thing1", text: "19" }]],
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("a file that is three times its state is written anew, and holds the same state", async () => {
    const file = temporary();
    const { store, notices, kill } = opened(file);
    const sizes: number[] = [];
    for (let i = 0; i < 8000; i++) {
      store.transaction(() => {
        store.things.put({ id: `thing${i % 700}`, text: `${i}`.padEnd(1000, "x") });
        if (i % 10 === 0) store.things.delete(`thing${(i * 3) % 700}`);
      });
      await turn();
      sizes.push(statSync(file).size);
    }
    expect(sizes.filter((size, i) => size < (sizes[i - 1] ?? 0)).length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(3_500_000);
    expect(notices).toEqual([]);
    const state = JSON.stringify(store.snapshot());
    kill();
    expect(JSON.stringify(opened(file).store.snapshot())).toBe(state);
  });

  test.each([
    ["while it writes the new file", () => Object.assign(disk, { left: 1_050_000 })],
    ["before the new file gets its name", () => Object.assign(disk, { renames: false })],
  ])("a process that dies %s loses nothing that was answered", async (_, die) => {
    const file = temporary();
    const { store, kill, notices } = opened(file);
    let answered = "";
    for (let i = 0; notices.length === 0; i++) {
      answered = JSON.stringify(store.snapshot());
      if (i === 1050) die();
      store.things.put({ id: `thing${i % 10}`, text: `${i}`.padEnd(1000, "x") });
      await turn();
    }
    kill();
    Object.assign(disk, { left: Number.POSITIVE_INFINITY, renames: true });
    writeFileSync(`${file}.new`, "half of a new file");
    const again = opened(file);
    expect(JSON.stringify(again.store.snapshot())).toBe(answered);
    expect(existsSync(`${file}.new`)).toBe(false);
  });
});

describe("a disk that refuses writes", () => {
  const FULL = "ENOSPC: no space left on device, write";

  test("on a full disk one notice appears, changes stay in memory, and they are written once there is room", async () => {
    const file = temporary();
    const { store, database, notices } = opened(file);
    store.things.put({ id: "before" });
    await turn();
    disk.left = 30;
    for (let i = 0; i < 50; i++) {
      store.things.put({ id: `during${i}` });
      await turn();
      retry();
    }
    expect(notices).toEqual([
      `cannot write ${file}: ${FULL}; docdouble still answers, and keeps changes in memory until it can write them`,
    ]);
    expect(database.health).toMatchObject({ ok: false, problem: FULL, since: expect.any(Number) });
    disk.left = Number.POSITIVE_INFINITY;
    retry();
    expect(notices.slice(1)).toEqual([`${file} is written again; nothing is missing`]);
    expect(database.health).toEqual({ ok: true, bytes: statSync(file).size });
    store.things.put({ id: "after" });
    database.close();
    expect(opened(file).store.things.size).toBe(52);
  });

  test("a process that dies on a full disk loses no answered change", async () => {
    const file = temporary();
    const { store, kill } = opened(file);
    store.things.put({ id: "before" });
    await turn();
    disk.left = 30;
    store.things.put({ id: "during" });
    await turn();
    kill();
    disk.left = Number.POSITIVE_INFINITY;
    const again = opened(file);
    expect(again.store.things.all()).toEqual([{ id: "before" }]);
    expect(again.notices).toEqual([expect.stringContaining("line 2 lacks its end")]);
  });

  test("a change that cannot be written as text shows in health, and is written once that is possible", async () => {
    const file = temporary();
    const { database, store, notices } = opened(file);
    const huge = {
      toJSON: () => {
        throw new RangeError("Invalid string length");
      },
    };
    store.things.put({ id: "a", text: huge as never });
    await turn();
    expect(database.health).toMatchObject({ ok: false, problem: "Invalid string length" });
    store.things.put({ id: "a", text: "short" });
    await turn();
    retry();
    expect([database.health?.ok, notices.length]).toEqual([true, 2]);
  });

  test("close reports unwritten changes, and releases the file anyway", async () => {
    const file = temporary();
    const { store, database } = opened(file);
    disk.left = 0;
    store.things.put({ id: "a" });
    expect(() => database.close()).toThrow(`cannot write ${file}: ${FULL}; the last changes are lost`);
    disk.left = Number.POSITIVE_INFINITY;
    const again = opened(file);
    expect(again.store.things.size).toBe(0);
  });

  test("a removed file is written again with the next change or at the end, or the end reports it", async () => {
    const file = temporary();
    const first = opened(file);
    first.store.things.put({ id: "a" });
    await turn();
    rmSync(file);
    first.store.things.put({ id: "a", text: "changed" });
    await turn();
    expect(linesOf(file)).toEqual([[["default", "rows", "things", "a", { id: "a", text: "changed" }]]]);
    rmSync(file);
    first.database.close();
    const second = opened(file);
    expect(second.store.things.size).toBe(1);
    rmSync(dirname(file), { recursive: true });
    expect(() => second.database.close()).toThrow("ENOENT");
    mkdirSync(dirname(file));
  });

  test("a closed file takes no more changes, and no notice appears", async () => {
    const file = temporary();
    const { store, database, notices } = opened(file);
    database.close();
    store.things.put({ id: "late" });
    await turn();
    expect([notices, opened(file).store.things.size]).toEqual([[], 0]);
  });
});
