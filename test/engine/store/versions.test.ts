import { describe, expect, test } from "vitest";
import { table } from "../../../src/engine/store/collection.ts";
import { openStore } from "../../../src/engine/store/store.ts";

interface Note {
  id: string;
  text: string;
}

function aStore() {
  let at = 0;
  const tables = { notes: table<Note>()({ versions: ["words"] }), words: table<Note>()() };
  const store = openStore(tables, {}, { cause: () => ({ at: at++, call: `call-${at}`, calls: at }) });
  return {
    store,
    texts: (id: string) =>
      store.versionsOf("notes", id).map(({ before, after }) => [before, after].map((one) => (one as Note | undefined)?.text)),
  };
}

describe("versions of rows", () => {
  test("a transaction leaves one version with the row before and after it, and with the rows beside it", () => {
    const { store, texts } = aStore();
    store.notes.put({ id: "a", text: "one" });
    store.transaction(() => {
      store.notes.put({ id: "a", text: "two" });
      store.words.put({ id: "w", text: "word" });
      store.notes.put({ id: "a", text: "three" });
    });
    expect(texts("a")).toEqual([
      [undefined, "one"],
      ["one", "three"],
    ]);
    expect(store.versionsOf("notes", "a")[1]).toMatchObject({ at: 1, call: "call-2", calls: 2, beside: { words: ["w"] } });
    expect(store.versionsOf("words", "w")).toEqual([]);
  });

  test("a transaction that throws leaves none, a deleted row forgets its versions, and so does a restore", () => {
    const { store, texts } = aStore();
    store.notes.put({ id: "a", text: "one" });
    expect(() =>
      store.transaction(() => {
        store.notes.put({ id: "a", text: "two" });
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(texts("a")).toEqual([[undefined, "one"]]);
    store.notes.put({ id: "b", text: "other" });
    store.notes.delete("a");
    expect([texts("a"), texts("b")]).toEqual([[], [[undefined, "other"]]]);
    store.restore(store.snapshot());
    expect(texts("b")).toEqual([]);
  });

  test("one row keeps its latest 200 versions, and a store forgets the rows that changed longest ago", () => {
    const { store, texts } = aStore();
    for (let i = 1; i <= 500; i++) store.notes.put({ id: "a", text: String(i) });
    expect(texts("a").length).toBeLessThanOrEqual(200);
    expect(texts("a").length).toBeGreaterThan(150);
    expect(texts("a").at(-1)).toEqual(["499", "500"]);
    for (let i = 1; i <= 5100; i++) store.notes.put({ id: `n${i}`, text: "new" });
    expect(texts("a")).toEqual([]);
    expect(texts("n5100")).toEqual([[undefined, "new"]]);
  });

  test("a transaction with four times as many rows takes about four times as long", () => {
    const took = (rows: number) => {
      const { store } = aStore();
      const began = process.cpuUsage();
      store.transaction(() => {
        for (let i = 0; i < rows; i++) {
          store.notes.put({ id: `note ${i}`, text: "one" });
          store.words.put({ id: `word ${i}`, text: "one" });
        }
      });
      return process.cpuUsage(began).user;
    };
    took(2000);
    // A walk through all rows for each row takes sixteen times as long.
    expect(took(16_000)).toBeLessThan(10 * took(4000));
  });
});
