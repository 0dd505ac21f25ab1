import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { openDatabase } from "../../../src/engine/store/database.ts";
import { type Disk, realDisk } from "../../../src/engine/store/disk.ts";
import { fullDisk, opened, storeOf, temporary, turn } from "../../support/data-file.ts";
import { within } from "../../support/patience.ts";

/** The records of a file, read as plain JSON lines. */
function recordsOf(file: string): unknown[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.map((line) => (JSON.parse(line) as { record: unknown }).record);
}

describe("the data file", () => {
  test("all changes of one turn are in the file when the turn ends, as one record", async () => {
    const file = temporary();
    const { store } = await opened(file);
    store.transaction(() => {
      store.things.put({ id: "a", kind: "x" });
      store.others.put({ id: "b" });
      store.things.put({ id: "a", kind: "y" });
    });
    store.things.put({ id: "gone" });
    store.things.delete("gone");
    await turn();
    expect(recordsOf(file)).toEqual([
      { format: "docdouble-data", version: 3 },
      {
        t: "default",
        rows: [
          ["things", { id: "a", kind: "y" }],
          ["things", "gone"],
          ["others", { id: "b" }],
        ],
      },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("a change that is rolled back is not written", async () => {
    const file = temporary();
    const { store } = await opened(file);
    const before = readFileSync(file, "utf8");
    expect(() =>
      store.transaction(() => {
        store.things.put({ id: "a" });
        throw new Error("stop");
      }),
    ).toThrow("stop");
    await turn();
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  test("a reopened file holds the same rows in the same order", async () => {
    const file = temporary();
    const first = await opened(file);
    first.store.things.put({ id: "__proto__", kind: "x" });
    first.store.things.put({ id: "b", kind: "x" });
    first.store.things.put({ id: "c", kind: "x" });
    first.store.things.delete("b");
    await first.database.close();
    const second = await opened(file);
    expect(second.database.tenants()).toEqual(["default"]);
    expect(second.store.things.where("kind", "x").map((row) => row.id)).toEqual(["__proto__", "c"]);
    expect(second.notices).toEqual([]);
  });

  test("the file follows the restore of a store and the removal of a tenant", async () => {
    const file = temporary();
    const { database, store } = await opened(file);
    store.things.put({ id: "old" });
    const other = storeOf(database, "test-a");
    other.things.put({ id: "a" });
    await turn();
    store.restore({ things: { fresh: { id: "fresh" } } });
    database.drop("test-a");
    // A dropped tenant's later writes are lost.
    other.things.put({ id: "b" });
    storeOf(database, "test-b").things.put({ id: "c" });
    await turn();
    database.drop("test-b");
    storeOf(database, "test-b").things.put({ id: "d" });
    await database.close();
    const again = await opened(file);
    expect(again.database.tenants()).toEqual(["default", "test-b"]);
    expect(again.store.snapshot()).toEqual({ things: { fresh: { id: "fresh" } }, others: {} });
    expect(storeOf(again.database, "test-b").snapshot()).toEqual({ things: { d: { id: "d" } }, others: {} });
  });

  test("a change above one mebibyte takes several lines, and counts only with the last line", async () => {
    const file = temporary();
    const { database, store } = await opened(file);
    store.transaction(() => {
      for (let i = 0; i < 50; i++) store.things.put({ id: `row${i}`, text: "x".repeat(100_000) });
    });
    await database.close();
    const text = readFileSync(file, "utf8");
    const lines = text.split("\n");
    expect(lines.length).toBeGreaterThan(5);
    writeFileSync(file, lines.slice(0, -2).join("\n"));
    const cut = await opened(file);
    expect(cut.store.things.size).toBe(0);
    expect(cut.notices).toEqual([expect.stringContaining("bytes, an unfinished change")]);
    await cut.database.close();
    writeFileSync(file, text);
    expect((await opened(file)).store.things.size).toBe(50);
  });

  test("a large row between small ones is written and read again with letters beyond ASCII", async () => {
    const file = temporary();
    const { database, store } = await opened(file);
    const text = "žluťoučký 👍 ".repeat(200_000);
    const rows = [
      { id: "first", text: "é" },
      { id: "large", text },
      { id: "last", text: "ж" },
    ];
    store.transaction(() => {
      for (const row of rows) store.things.put(row);
    });
    await database.close();
    expect(recordsOf(file).slice(1)).toEqual([
      { t: "default", rows: rows.slice(0, 2).map((row) => ["things", row]), more: true },
      { t: "default", rows: [["things", rows[2]]] },
    ]);
    const again = await opened(file);
    expect(again.notices).toEqual([]);
    expect(Object.values(again.store.snapshot().things ?? {})).toEqual(rows);
  });

  test.each([
    ["another program's object", '{"rows":[]}'],
    ["another version", '{"version":2,"tenants":{}}'],
    ["a list", "[]"],
    ["tenants that are null", '{"version":1,"tenants":null}'],
    ["no JSON", "not json"],
    ["a later format", '{"crc":"00000000","bytes":3,"record":{}}\n'],
  ])("opening a file with %s fails, names the file, and does not change it", async (_, text) => {
    const file = temporary();
    writeFileSync(file, text);
    await expect(openDatabase(file)).rejects.toThrow(`${file} was not written by this version of docdouble`);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(dirname(file))).toEqual(["state.json"]);
  });

  test("a file of version 1, a single JSON value, is converted", async () => {
    const file = temporary();
    const tenants = { default: { things: { a: { id: "a", kind: "x" } } }, "test-a": { others: { b: { id: "b" } } } };
    writeFileSync(file, JSON.stringify({ version: 1, tenants, kept: { default: { now: 5 } } }, null, 2));
    const first = await opened(file);
    expect(first.database.takeSavedState("default")).toEqual({ now: 5 });
    first.store.things.put({ id: "c" });
    await first.database.close();
    const again = await opened(file);
    expect(again.store.snapshot()).toEqual({ things: { a: { id: "a", kind: "x" }, c: { id: "c" } }, others: {} });
    expect(storeOf(again.database, "test-a").others.size).toBe(1);
    expect(recordsOf(file)[0]).toEqual({ format: "docdouble-data", version: 3, whole: true });
  });

  test.each(["", '{"crc":"', '{"crc":"6b4', "{"])("a file that ends within its first line (%j) starts over", async (text) => {
    const file = temporary();
    const sample = await opened(file);
    await sample.database.close();
    const line = readFileSync(file, "utf8");
    writeFileSync(file, text === '{"crc":"6b4' ? line.slice(0, 30) : text);
    const { database, store } = await opened(file);
    store.things.put({ id: "a" });
    await database.close();
    expect((await opened(file)).store.things.size).toBe(1);
  });
});

describe("a truncated or damaged file", () => {
  /** Writes a file of transactions with two rows each. Returns the state and the file size after each transaction. */
  async function story(compactAt?: number) {
    const file = temporary();
    const { database, store } = await opened(file, compactAt === undefined ? {} : { compactAt });
    const states = [JSON.stringify(store.snapshot())];
    const ends = [statSync(file).size];
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
    // A busy disk takes a while. The time limit of the test ends this loop.
    while (compactAt !== undefined && !readFileSync(file).includes('"record":{"whole":true,')) await systemClock.soon();
    await database.close();
    return { file, bytes: readFileSync(file), states, ends };
  }

  test("truncated at any byte, it opens with every whole change and no part of a half change", async () => {
    const { file, bytes, states, ends } = await story();
    // Every byte of the last two changes, and some of those before.
    for (let size = 0; size <= bytes.length; size += size < (ends[10] as number) ? 13 : 1) {
      writeFileSync(file, bytes.subarray(0, size));
      const database = await openDatabase(file, { onNotice: () => {} });
      const whole = Math.max(
        0,
        ends.findLastIndex((end) => end <= size),
      );
      expect(JSON.stringify(storeOf(database).snapshot()), `cut at ${size}`).toBe(states[whole]);
      await database.close();
    }
  });

  test("with any byte damaged, it opens with all changes before that byte and sets the rest aside, or opening fails", async () => {
    const { file, bytes, states, ends } = await story();
    for (let at = 0; at < bytes.length; at += 11) {
      const spoilt = Buffer.from(bytes);
      spoilt[at] = (spoilt[at] as number) ^ 0x15;
      writeFileSync(file, spoilt);
      if (at < (ends[0] as number)) {
        await expect(openDatabase(file), `spoilt at ${at}`).rejects.toThrow("was not written by this version");
        continue;
      }
      const notices: string[] = [];
      const database = await openDatabase(file, { onNotice: (text) => notices.push(text) });
      const whole = ends.findLastIndex((end) => end <= at);
      expect(JSON.stringify(storeOf(database).snapshot()), `spoilt at ${at}`).toBe(states[whole]);
      await database.close();
      const end = ends[whole] as number;
      const isLast = whole === ends.length - 2;
      expect(notices).toEqual([
        isLast ? expect.stringContaining("an unfinished change") : expect.stringContaining(`damaged at byte ${end}`),
      ]);
      if (isLast) continue;
      expect(readFileSync(`${file}.damaged`).equals(spoilt.subarray(end))).toBe(true);
      rmSync(`${file}.damaged`);
    }
  });

  test("opening fails for a file that ends within its rewritten part, and does not change it", async () => {
    const { file } = await story(1);
    const bytes = readFileSync(file);
    const end = bytes.indexOf('"record":{"whole":true,');
    expect(end).toBeGreaterThan(0);
    const cut = bytes.subarray(0, end - 60);
    writeFileSync(file, cut);
    await expect(openDatabase(file)).rejects.toThrow("it is a copy that was cut short");
    expect(readFileSync(file).equals(cut)).toBe(true);
  });

  test("junk after the last change is removed", async () => {
    const { file, states } = await story();
    appendFileSync(file, Buffer.alloc(5000));
    const { store, notices } = await opened(file);
    expect(JSON.stringify(store.snapshot())).toBe(states.at(-1));
    expect(notices).toEqual([expect.stringContaining("cut off the last 5000 bytes")]);
  });
});

describe("rewriting", () => {
  test("a log that outgrows its state is rewritten during further changes, and holds the same state", async () => {
    const file = temporary();
    const { database, store, notices } = await opened(file, { compactAt: 100_000 });
    let longest = 0;
    const sizes: number[] = [];
    for (let i = 0; i < 6000; i++) {
      store.transaction(() => {
        store.things.put({ id: `thing${i % 700}`, text: `${i}`.padEnd(300, "x") });
        if (i % 10 === 0) store.things.delete(`thing${(i * 3) % 700}`);
      });
      await turn();
      const begun = systemClock.elapsed();
      if (i % 20 === 0) await systemClock.soon();
      longest = Math.max(longest, systemClock.elapsed() - begun);
      sizes.push(statSync(file).size);
    }
    const state = JSON.stringify(store.snapshot());
    await database.close();
    expect(sizes.filter((size, i) => size < (sizes[i - 1] ?? 0)).length).toBeGreaterThan(2);
    expect(Math.max(...sizes)).toBeLessThan(1_500_000);
    expect(longest).toBeLessThan(within(150));
    expect(notices).toEqual([]);
    const again = await opened(file);
    expect(JSON.stringify(again.store.snapshot())).toBe(state);
    expect(
      readdirSync(dirname(file))
        .filter((name) => !name.startsWith("."))
        .sort(),
    ).toEqual(["state.json", "state.json.lock"]);
  });

  test("the half-written new file of a killed process is removed", async () => {
    const file = temporary();
    writeFileSync(`${file}.new`, "half");
    await opened(file);
    expect(existsSync(`${file}.new`)).toBe(false);
  });

  test("without disk space for a rewrite the log keeps growing, and a notice says so", async () => {
    const file = temporary();
    const disk = fullDisk();
    const noRoom = { ...disk, writeSoon: () => Promise.reject(new Error("ENOSPC: no space left on device")) };
    const { store, database, notices } = await opened(file, { disk: noRoom, compactAt: 2000 });
    for (let i = 0; i < 100; i++) {
      store.things.put({ id: "a", text: `${i}`.padEnd(100) });
      await systemClock.soon();
    }
    expect(notices[0]).toContain("goes on growing");
    await database.close();
    expect((await opened(file)).store.things.get("a")?.text?.trim()).toBe("99");
  });
});

describe("a disk that refuses writes", () => {
  test("on a full disk one notice appears, changes stay in memory, and they are written once there is room", async () => {
    const file = temporary();
    const disk = fullDisk();
    const { store, database, notices } = await opened(file, { disk });
    store.things.put({ id: "before" });
    await turn();
    disk.left = 30;
    for (let i = 0; i < 50; i++) {
      store.things.put({ id: `during${i}` });
      await turn();
    }
    expect(notices).toEqual([expect.stringContaining("ENOSPC: no space left on device")]);
    expect(database.health()).toMatchObject({ ok: false, problem: "ENOSPC: no space left on device", since: expect.any(Number) });
    await expect(database.flush()).rejects.toThrow("ENOSPC");
    await expect(database.flush()).rejects.toThrow("ENOSPC");
    expect(notices).toHaveLength(1);

    disk.left = Number.POSITIVE_INFINITY;
    await database.flush();
    expect(notices.at(-1)).toBe(`${file} is written again; nothing is missing`);
    expect(database.health()).toMatchObject({ ok: true, bytes: statSync(file).size });
    store.things.put({ id: "after" });
    await database.close();
    expect((await opened(file)).store.things.size).toBe(52);
  });

  test("after a long time on a full disk the whole state is rewritten", async () => {
    const file = temporary();
    const disk = fullDisk();
    const { store, database, notices } = await opened(file, { disk });
    store.things.put({ id: "before" });
    await turn();
    disk.left = 0;
    for (let i = 0; i < 30; i++) {
      store.things.put({ id: `during${i % 7}`, text: "x".repeat(500_000) });
      await turn();
    }
    disk.left = Number.POSITIVE_INFINITY;
    await database.flush();
    store.things.put({ id: "after" });
    const state = JSON.stringify(store.snapshot());
    await database.close();
    expect(notices).toHaveLength(2);
    expect(JSON.stringify((await opened(file)).store.snapshot())).toBe(state);
  });

  test("after a failed sync the whole state is written again", async () => {
    const file = temporary();
    let isFailing = false;
    const disk = {
      ...realDisk,
      sync: (fd: number) => (isFailing ? Promise.reject(new Error("EIO: i/o error, fsync")) : realDisk.sync(fd)),
    };
    const { store, database, notices } = await opened(file, { disk });
    store.things.put({ id: "a" });
    isFailing = true;
    await expect(database.flush()).rejects.toThrow("EIO");
    store.things.put({ id: "b" });
    isFailing = false;
    await database.flush();
    expect(notices).toHaveLength(2);
    expect(recordsOf(file)[0]).toMatchObject({ whole: true });
    await database.close();
    expect((await opened(file)).store.things.size).toBe(2);
  });

  test("changes during and after the rewrite that follows a failure are kept, and no file stays open", async () => {
    const file = temporary();
    const open = new Set<number>();
    let sync = realDisk.sync;
    const disk: Disk = {
      ...realDisk,
      open(...place) {
        const fd = realDisk.open(...place);
        open.add(fd);
        return fd;
      },
      close(fd) {
        open.delete(fd);
        realDisk.close(fd);
      },
      sync: (fd) => sync(fd),
    };
    const { store, database } = await opened(file, { disk });
    const held = open.size;
    store.things.put({ id: "before" });
    sync = () => Promise.reject(new Error("EIO: i/o error, fsync"));
    for (const _ of ["the log", "the rewrite"]) await expect(database.flush()).rejects.toThrow("EIO");
    expect(open.size).toBe(held);
    sync = async (fd) => {
      store.things.put({ id: "during" });
      await turn();
      await realDisk.sync(fd);
    };
    await database.flush();
    sync = realDisk.sync;
    store.things.put({ id: "after" });
    await database.close();
    expect(open.size).toBe(0);
    const again = await opened(file);
    expect([again.notices, again.store.things.all().map(({ id }) => id)]).toEqual([[], ["before", "during", "after"]]);
  });

  test("a removed file is noticed, and written again once its folder exists", async () => {
    const file = temporary();
    const { store, database, notices } = await opened(file);
    store.things.put({ id: "a" });
    rmSync(dirname(file), { recursive: true });
    // Each flush fails until the folder exists, because nobody can open a file without a name.
    for (let i = 0; i < 3; i++) await expect(database.flush()).rejects.toThrow("cannot write");
    store.things.put({ id: "b" });
    await turn();
    mkdirSync(dirname(file));
    await database.flush();
    expect(notices).toEqual([expect.stringContaining("somebody removed its lock"), expect.stringContaining("is written again")]);
    await database.close();
    expect((await opened(file)).store.things.size).toBe(2);
  });

  test.each([
    ["removed", (file: string) => rmSync(file)],
    ["replaced", (file: string) => [rmSync(file), writeFileSync(file, "{}")]],
  ])("a file that somebody %s is noticed without any change, and written again", async (_, harm) => {
    const file = temporary();
    const { store, database, notices } = await opened(file);
    store.things.put({ id: "a" });
    await database.flush();
    harm(file);
    await database.flush();
    expect(notices.join()).toContain("somebody removed or replaced the file");
    expect(recordsOf(file)[0]).toMatchObject({ whole: true });
    await database.close();
    expect((await opened(file)).store.things.size).toBe(1);
  });

  test("close reports unwritten changes, and releases the file anyway", async () => {
    const file = temporary();
    const disk = fullDisk();
    const { store, database } = await opened(file, { disk });
    disk.left = 0;
    store.things.put({ id: "a" });
    await expect(database.close()).rejects.toThrow("ENOSPC");
    const again = await opened(file);
    expect(again.store.things.size).toBe(0);
  });
});
