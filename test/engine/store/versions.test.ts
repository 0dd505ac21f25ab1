import { describe, expect, test } from "vitest";
import { table } from "../../../src/engine/store/collection.ts";
import { openStore } from "../../../src/engine/store/store.ts";

interface Note {
  id: string;
  text: string;
}

function aStore() {
  let calls = 0;
  const tables = { notes: table<Note>()(), words: table<Note>()() };
  const store = openStore(tables, new Map(), { call: () => `call-${++calls}` });
  return {
    store,
    texts: (id: string) =>
      store.versionsOf("notes", id).map(({ before, after }) => [before, after].map((one) => (one as Note | undefined)?.text)),
  };
}

describe("versions of rows", () => {
  test("a transaction leaves one version with the row before and after it, and with everything that it wrote", () => {
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
    const [, second] = store.versionsOf("notes", "a");
    expect(second?.call).toBe("call-2");
    expect(second?.written.map(({ collection, id }) => [collection, id])).toContainEqual(["words", "w"]);
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
    store.notes.put({ id: "a", text: "again" });
    expect(texts("a")).toEqual([[undefined, "again"]]);
    store.restore(store.snapshot());
    expect(texts("b")).toEqual([]);
  });

  test("a store forgets the changes that happened longest ago", () => {
    const { store, texts } = aStore();
    for (let i = 1; i <= 500; i++) store.notes.put({ id: "a", text: String(i) });
    expect(texts("a").at(-1)).toEqual(["499", "500"]);
    for (let i = 1; i <= 5100; i++) store.notes.put({ id: `n${i}`, text: "new" });
    expect(texts("a")).toEqual([]);
    expect(texts("n5100")).toEqual([[undefined, "new"]]);
  });
});
