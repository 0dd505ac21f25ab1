import { default as fc } from "fast-check";
import { describe, expect, test } from "vitest";
import { Collection, table } from "../../../src/engine/store/collection.ts";
import type { Row } from "../../../src/engine/store/row.ts";
import { law } from "../../support/law.ts";

interface Thing extends Row {
  kind: string | null;
  tags?: readonly string[];
  inner?: { values: number[] };
}

const things = table<Thing>()({ indexes: { kind: (row) => row.kind, tag: (row) => row.tags } });

function open(rows: Record<string, Thing> | Map<string, Thing> = {}, freeze = false) {
  const writes: { id: string; before: Row | undefined }[] = [];
  const data = new Map(rows instanceof Map ? rows : Object.entries(rows));
  const collection = new Collection("things", things, data, (_, id, before) => writes.push({ id, before }), freeze);
  const undo = () => {
    for (const { id, before } of writes.reverse()) collection.revert(id, before as Thing | undefined);
  };
  return { collection, data, undo };
}

/** Everything that a collection shows. Lists are sorted, so that two views compare. */
function view(collection: Collection<Thing, "kind" | "tag">, keys: readonly string[]) {
  const ids = (index: "kind" | "tag") => Object.fromEntries(keys.map((key) => [key, [...collection.keys(index, key)].sort()]));
  return {
    size: collection.size,
    rows: Object.fromEntries(collection.all().map((row) => [row.id, row])),
    kind: ids("kind"),
    tag: ids("tag"),
  };
}

describe("rows", () => {
  test("put adds or replaces a row and returns it, and get, delete and size agree", () => {
    const { collection } = open();
    const row = { id: "a", kind: "x" };
    expect(collection.put(row)).toBe(row);
    expect(collection.get("a")).toBe(row);
    collection.put({ id: "a", kind: "y" });
    expect([collection.size, collection.get("a")?.kind]).toEqual([1, "y"]);
    expect(collection.delete("a")).toBe(true);
    expect(collection.delete("a")).toBe(false);
    expect([collection.size, collection.get("a"), collection.all()]).toEqual([0, undefined, []]);
  });

  test("rows stand in the order of creation, whatever their ids look like", () => {
    const ids = ["b", "2", "1", "#1", "#2", "01", "4294967296"];
    const { collection, data } = open();
    for (const id of ids) collection.put({ id, kind: "x" });
    collection.load(new Map(data));
    expect(collection.all().map((row) => row.id)).toEqual(ids);
    expect(collection.where("kind", "x").map((row) => row.id)).toEqual(ids);
    expect(ids.map((id) => collection.get(id)?.id)).toEqual(ids);
    expect(collection.first()?.id).toBe("b");
    collection.delete("b");
    expect(collection.first()?.id).toBe("2");
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty", ""])("%j works as an id", (id) => {
    const { collection, undo } = open();
    expect(collection.get(id)).toBeUndefined();
    expect(collection.delete(id)).toBe(false);
    collection.put({ id, kind: id, tags: [id] });
    expect(collection.get(id)).toEqual({ id, kind: id, tags: [id] });
    expect(collection.all()).toHaveLength(1);
    expect(collection.where("kind", id).map((row) => row.id)).toEqual([id]);
    expect(collection.where("tag", id)).toHaveLength(1);
    undo();
    expect([collection.size, collection.get(id), collection.where("kind", id)]).toEqual([0, undefined, []]);
    expect(Object.prototype).not.toHaveProperty("kind");
  });

  test("a frozen row throws on a change in place, at any depth, also after load", () => {
    const { collection } = open({ old: { id: "old", kind: null, inner: { values: [1] } } }, true);
    const row = collection.put({ id: "a", kind: "x", inner: { values: [1] } });
    expect(() => Object.assign(row, { kind: "y" })).toThrow(TypeError);
    expect(() => row.inner?.values.push(2)).toThrow(TypeError);
    expect(() => collection.get("old")?.inner?.values.push(2)).toThrow(TypeError);
  });

  test("rows stay unfrozen when freezing is off", () => {
    const { collection } = open();
    expect(Object.isFrozen(collection.put({ id: "a", kind: "x" }))).toBe(false);
  });
});

describe("indexes", () => {
  test("where finds a row by each of its keys, and never a row without keys", () => {
    const { collection } = open();
    collection.put({ id: "a", kind: "x", tags: ["red", "blue"] });
    collection.put({ id: "b", kind: null, tags: ["blue"] });
    collection.put({ id: "c", kind: "x" });
    const ids = (rows: Thing[]) => rows.map((row) => row.id);
    expect(ids(collection.where("kind", "x"))).toEqual(["a", "c"]);
    expect(ids(collection.where("tag", "blue"))).toEqual(["a", "b"]);
    expect(ids(collection.where("tag", "red"))).toEqual(["a"]);
    expect(collection.where("kind", "null")).toEqual([]);
    expect([...collection.keys("kind", "nothing")]).toEqual([]);
  });

  test("the indexes follow a row when its keys change, and drop it when it is deleted", () => {
    const { collection } = open();
    collection.put({ id: "a", kind: "x", tags: ["red"] });
    collection.put({ id: "a", kind: "y", tags: ["red", "blue"] });
    expect(collection.where("kind", "x")).toEqual([]);
    expect(collection.where("kind", "y")).toEqual([{ id: "a", kind: "y", tags: ["red", "blue"] }]);
    collection.delete("a");
    for (const key of ["red", "blue"]) expect(collection.where("tag", key)).toEqual([]);
  });

  test("a replaced row with the same key keeps its place, so a reopened store returns the same order", () => {
    const { collection, data } = open();
    for (const id of ["a", "b", "c"]) collection.put({ id, kind: "x" });
    collection.put({ id: "a", kind: "x", tags: ["changed"] });
    const order = collection.where("kind", "x").map((row) => row.id);
    expect(order).toEqual(["a", "b", "c"]);
    const reopened = open(data)
      .collection.where("kind", "x")
      .map((row) => row.id);
    expect(reopened).toEqual(order);
  });

  test("where returns a row once, even if the row repeats a key", () => {
    const { collection } = open();
    collection.put({ id: "a", kind: null, tags: ["red", "red"] });
    expect(collection.where("tag", "red")).toHaveLength(1);
    collection.put({ id: "a", kind: null, tags: [] });
    expect(collection.where("tag", "red")).toEqual([]);
  });

  test("where throws for an undeclared index and names it", () => {
    const { collection } = open();
    expect(() => collection.where("colour" as "kind", "red")).toThrow("collection things declares no index colour");
  });

  test("load replaces all rows and indexes", () => {
    const { collection } = open({ a: { id: "a", kind: "x" } });
    collection.load(new Map([["b", { id: "b", kind: "x" }]]));
    expect([collection.size, collection.where("kind", "x").map((row) => row.id)]).toEqual([1, ["b"]]);
  });
});

describe("undo", () => {
  const KEYS = ["x", "y", "z"];
  const id = fc.constantFrom("a", "b", "c", "__proto__");
  const row = fc.record({
    id,
    kind: fc.constantFrom("x", "y", null),
    tags: fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 3 }),
  });
  const step = fc.oneof(
    row.map((put) => ({ put })),
    id.map((gone) => ({ gone })),
  );
  type Step = { put: Thing } | { gone: string };
  const apply = (collection: Collection<Thing, "kind" | "tag">, steps: readonly Step[]) => {
    for (const one of steps) {
      if ("put" in one) collection.put(one.put);
      else collection.delete(one.gone);
    }
  };

  test("undo restores rows and indexes after any puts and deletes", () => {
    law(
      fc.property(fc.array(row), fc.array(step), (before, steps) => {
        const start = Object.create(null) as Record<string, Thing>;
        for (const one of before) start[one.id] = one;
        const { collection, undo } = open(start);
        const was = view(collection, KEYS);
        apply(collection, steps);
        undo();
        expect(view(collection, KEYS)).toEqual(was);
      }),
    );
  });

  test("indexes always equal those of a new collection with the same rows", () => {
    law(
      fc.property(fc.array(step), (steps) => {
        const { collection, data } = open();
        apply(collection, steps);
        expect(view(collection, KEYS)).toEqual(view(open(data).collection, KEYS));
      }),
    );
  });
});
