import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { lazyList, plainCopy } from "../../../src/engine/core/lazy-list.ts";

/** A lazy list of three rows, with an entry in `made` for each time they are made. */
function threeRows() {
  const made: string[] = [];
  const list = lazyList((prefix: string) => {
    made.push(prefix);
    return [{ id: `${prefix}1` }, { id: `${prefix}2` }, { id: `${prefix}3` }];
  }, "row ");
  return { list, made };
}

const PLAIN = [{ id: "row 1" }, { id: "row 2" }, { id: "row 3" }];

describe("a lazy list", () => {
  test("makes no items until something reads it, and makes them once", () => {
    const { list, made } = threeRows();
    const rows = { list };
    const shared = { ...rows, name: "x" };
    expect(made).toEqual([]);
    expect(shared.list).toHaveLength(3);
    expect(shared.list[2]).toEqual({ id: "row 3" });
    expect(made).toEqual(["row "]);
  });

  test.each<[string, (list: { id: string }[]) => unknown, unknown]>([
    ["length", (list) => list.length, 3],
    ["an index", (list) => list[1], { id: "row 2" }],
    ["map", (list) => list.map(({ id }) => id), ["row 1", "row 2", "row 3"]],
    ["find", (list) => list.find(({ id }) => id === "row 3"), { id: "row 3" }],
    ["spread", (list) => [...list], PLAIN],
    ["concat", (list) => ([] as unknown[]).concat(list), PLAIN],
    ["destructuring", ([first]) => first, { id: "row 1" }],
    ["flatMap around it", (list) => [list].flat(), PLAIN],
    ["in", (list) => 2 in list, true],
    ["Object.keys", (list) => Object.keys(list), ["0", "1", "2"]],
    ["Object.entries", (list) => Object.entries(list).length, 3],
    ["JSON", (list) => JSON.stringify(list), JSON.stringify(PLAIN)],
    ["Array.isArray", (list) => Array.isArray(list), true],
    ["a deep comparison", (list) => isDeepStrictEqual(list, PLAIN), true],
    ["freezing", (list) => Object.isFrozen(Object.freeze(list)) && list.length, 3],
  ])("behaves like an array when %s reads it first", (_name, read, expected) => {
    expect(read(threeRows().list)).toEqual(expected);
  });
});

describe("a plain copy", () => {
  test("can be cloned and sent to another thread", () => {
    const rows = { list: threeRows().list, other: [1, null, "x", { deep: threeRows().list }], none: undefined };
    expect(() => structuredClone(rows)).toThrow();
    expect(structuredClone(plainCopy(rows))).toEqual({ list: PLAIN, other: [1, null, "x", { deep: PLAIN }], none: undefined });
  });

  test("shares nothing with its source", () => {
    const rows = { a: { b: [{ c: 1 }] } };
    const copy = plainCopy(rows);
    (copy.a.b[0] as { c: number }).c = 2;
    expect(rows.a.b[0]).toEqual({ c: 1 });
  });
});
