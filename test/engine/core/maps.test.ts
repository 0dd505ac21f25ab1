/** Maps that make what they lack, and maps with a limit. */
import { expect, test } from "vitest";
import { getOrMake, makeRoom } from "../../../src/engine/core/maps.ts";

test("a missing value is made once", () => {
  const map = new Map<string, string[]>();
  expect(getOrMake(map, "a", () => ["made"])).toEqual(["made"]);
  expect(getOrMake(map, "a", () => ["again"])).toBe(map.get("a"));
  expect(map.get("a")).toEqual(["made"]);
});

test("a full map drops its oldest entry, so that it never holds more than its limit", () => {
  const map = new Map<number, string>();
  for (let key = 1; key <= 5; key++) {
    makeRoom(map, 3);
    map.set(key, "kept");
    expect(map.size).toBe(Math.min(key, 3));
  }
  expect([...map.keys()]).toEqual([3, 4, 5]);
});
