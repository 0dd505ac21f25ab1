import { default as fc } from "fast-check";
import { expect, test } from "vitest";
import { table } from "../../../src/engine/store/collection.ts";
import { firstSorted, OrderedList } from "../../../src/engine/store/ordered.ts";
import type { Query } from "../../../src/engine/store/search.ts";
import { countBits, hasBit, intersect, SlotSet, slotsOf } from "../../../src/engine/store/slot-set.ts";
import { openStore } from "../../../src/engine/store/store.ts";
import type { Row } from "../../../src/engine/store/row.ts";

interface ThingRow extends Row {
  kind: string;
  tags: readonly string[];
  rank: number | null;
  weight: number | null;
  name: string;
}

type ThingQuery = Query<"kind" | "tag", "rank" | "weight" | "name">;

const orders = {
  rank: (row: ThingRow) => [row.rank, row.name],
  weight: (row: ThingRow) => [row.weight],
  name: (row: ThingRow) => [row.name],
};
const tables = {
  things: table<ThingRow>()({
    indexes: { kind: (row) => row.kind, tag: (row) => row.tags.map((tag) => `${row.kind}:${tag}`) },
    orders,
    text: (row) => row.name.toLowerCase(),
  }),
};

/** Sorts by an order or its reverse. Rows without a value come last in both. The rest of the order breaks ties, and then the id. */
function compare(order: keyof typeof orders, isReverse: boolean) {
  return (a: ThingRow, b: ThingRow): number => {
    const [keysA, keysB] = [orders[order](a), orders[order](b)];
    for (const [i, left] of keysA.entries()) {
      const right = keysB[i] ?? null;
      if (left === right) continue;
      if (left === null || right === null) return left === null ? 1 : -1;
      return left < right === (isReverse && i === 0) ? 1 : -1;
    }
    return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
  };
}

/** The expected result of a query, found by a look at every row. */
function scan(rows: readonly ThingRow[], query: ThingQuery): string[] {
  const isIn =
    (row: ThingRow) =>
    ([index, key]: readonly [string, string]) =>
      index === "kind" ? row.kind === key : row.tags.some((tag) => `${row.kind}:${tag}` === key);
  return rows
    .filter(
      (row) =>
        isIn(row)(query.within) &&
        (query.id === undefined || row.id === query.id) &&
        query.all.every((places) => places.some(isIn(row))) &&
        !query.none.some(isIn(row)) &&
        query.ranges.every(({ order, from, to }) => {
          const [key = null] = orders[order](row) as (number | null)[];
          return key !== null && key >= from && key < to;
        }) &&
        row.name.toLowerCase().includes(query.text),
    )
    .sort(compare(query.order, query.isReverse))
    .slice(query.first, query.first + query.count)
    .map((row) => row.id);
}

const NAMES = ["Alpha beta", "beta gamma", "gamma delta", "alphabet", "Zz", "beta beta 77", ""];
const TAGS = ["red", "blue", "rare"];

const value = fc.option(fc.integer({ min: 0, max: 30 }));
const thing = fc.record({
  id: fc.integer({ min: 0, max: 900 }).map((n) => `id${n}`),
  kind: fc.constantFrom("x", "x", "x", "y"),
  tags: fc.subarray(TAGS),
  rank: value,
  weight: value,
  name: fc.constantFrom(...NAMES),
});
const change = fc.oneof(
  thing.map((row) => ({ put: row })),
  thing.map(({ id }) => ({ delete: id })),
  fc.array(thing, { maxLength: 3 }).map((rows) => ({ undone: rows })),
  fc.constant({ restored: true as const }),
);
const kind = fc.constantFrom("x", "y");
const query: fc.Arbitrary<ThingQuery> = kind.chain((key) => {
  const place = fc.constantFrom(...TAGS, "unknown").map((tag) => ["tag", `${key}:${tag}`] as const);
  const range = fc
    .record({
      order: fc.constantFrom("rank" as const, "weight" as const),
      from: fc.constantFrom(Number.NEGATIVE_INFINITY, 0, 5, 15),
      width: fc.constantFrom(Number.POSITIVE_INFINITY, 0, 3, 20),
    })
    .map(({ order, from, width }) => ({ order, from, to: from === Number.NEGATIVE_INFINITY ? width : from + width }));
  return fc.record({
    within: fc.constant(["kind", key] as const),
    id: fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom("id7", "nobody") }),
    all: fc.array(fc.array(place, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
    none: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(place, { maxLength: 1 })),
    ranges: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, fc.array(range, { maxLength: 2 })),
    text: fc.constantFrom("", "", "", "", "a", "be", "beta", "a b", "beta 7", "nothing", "ß"),
    order: fc.constantFrom("rank" as const, "weight" as const, "name" as const),
    isReverse: fc.boolean(),
    first: fc.constantFrom(0, 0, 3, 120),
    count: fc.constantFrom(1, 10, 100),
  });
});

test("a page equals the result of a full scan, after any changes, rollbacks and restores", () => {
  const base = fc.sample(thing, { numRuns: 1600, seed: 7 });
  fc.assert(
    fc.property(fc.array(fc.tuple(change, fc.array(query, { minLength: 1, maxLength: 6 })), { maxLength: 10 }), (steps) => {
      const store = openStore(tables, {});
      for (const row of base) store.things.put(row);
      const kept = store.snapshot();
      for (const [one, queries] of steps) {
        if ("put" in one) store.things.put(one.put);
        else if ("delete" in one) store.things.delete(one.delete);
        else if ("restored" in one) store.restore(kept);
        else
          expect(() =>
            store.transaction(() => {
              for (const row of one.undone) store.things.put(row);
              for (const each of queries) store.things.page(each);
              throw new Error("taken back");
            }),
          ).toThrow("taken back");
        for (const each of queries) {
          expect(store.things.page(each).map((row) => row.id)).toEqual(scan(store.things.all(), each));
        }
      }
    }),
    { numRuns: 25 },
  );
});

test("OrderedList and firstSorted return the sorted rows in both directions", () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 80 }), fc.integer({ min: 1, max: 9 }), fc.boolean(), (ranks, count, isReverse) => {
      const rows = ranks.map((rank, i): ThingRow => ({ id: `id${i}`, kind: "x", tags: [], rank, weight: null, name: "" }));
      const whole = [...rows].sort(compare("rank", isReverse));
      expect(firstSorted(rows, orders.rank, count, isReverse)).toEqual(whole.slice(0, count));
      const list = new OrderedList([...rows.keys()], rows, orders.rank, isReverse);
      expect(list.slots.map((slot) => rows[slot])).toEqual(whole);
      const { start, end } = list.range(5, 20);
      expect(whole.slice(start, end)).toEqual(whole.filter(({ rank }) => rank !== null && rank >= 5 && rank < 20));
    }),
  );
});

test("SlotSet behaves as a set, with few or many slots, also in intersections", () => {
  // The sizes lie around 64, where a list becomes bits. The gaps exceed 32.
  const slots = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 200 });
  fc.assert(
    fc.property(slots, slots, slots, (added, removed, others) => {
      const model = new Set(added);
      const set = new SlotSet(...added);
      for (const slot of removed) {
        set.delete(slot);
        model.delete(slot);
      }
      const sorted = [...model].sort((a, b) => a - b);
      expect([set.size, set.slots()]).toEqual([sorted.length, sorted]);
      expect([countBits(set.bits()), slotsOf(set.bits())]).toEqual([sorted.length, sorted]);
      expect([...sorted, 5000].map((slot) => hasBit(set.bits(), slot))).toEqual([...sorted.map(() => true), false]);
      const other = new SlotSet(...others);
      for (const isComplement of [false, true]) {
        const met = Uint32Array.from(set.bits());
        intersect(met, other.bits(), isComplement);
        expect(slotsOf(met)).toEqual(sorted.filter((slot) => others.includes(slot) !== isComplement));
      }
    }),
  );
});

test("lists and sets beyond the cache limit are rebuilt when a query needs them again", () => {
  const store = openStore(tables, {});
  const put = (i: number) =>
    store.things.put({ id: `id${i}`, kind: "x", tags: [`tag${i % 150}`], rank: i, weight: null, name: "" });
  const usual = { within: ["kind", "x"], none: [], ranges: [], text: "", order: "rank", isReverse: false, first: 0 } as const;
  // Each tag has more rows than a query scans one by one.
  for (let i = 0; i < 150 * 201; i++) put(i);
  const first = (tag: number) =>
    store.things.page({ ...usual, all: [[["tag", `x:tag${tag}`]]], count: 2 }).map((row) => row.rank);
  for (let tag = 0; tag < 150; tag++) expect(first(tag)).toEqual([tag, tag + 150]);
  store.things.put({ id: "late", kind: "x", tags: ["tag0"], rank: 0.5, weight: null, name: "" });
  expect(first(0)).toEqual([0, 0.5]);
});
