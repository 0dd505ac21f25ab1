import fc from "fast-check";
import { expect, test } from "vitest";
import { type Row, table } from "../../src/store/collection.ts";
import { firstSorted, inOrder } from "../../src/store/ordered.ts";
import { openStore } from "../../src/store/store.ts";

interface ThingRow extends Row {
  kind: string;
  rank: number | null;
  name: string;
}

const tables = {
  things: table<ThingRow>()({
    indexes: { kind: (row) => row.kind },
    orders: { rank: (row) => [row.rank, row.name], name: (row) => [row.name] },
    text: (row) => row.name.toLowerCase(),
  }),
};

const byRank = (a: ThingRow, b: ThingRow): number =>
  (a.rank ?? Number.POSITIVE_INFINITY) - (b.rank ?? Number.POSITIVE_INFINITY) ||
  (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) ||
  (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

const thing = fc.record({
  id: fc.constantFrom("a", "b", "c", "d", "e", "f"),
  kind: fc.constantFrom("x", "y"),
  rank: fc.option(fc.integer({ min: 0, max: 4 })),
  name: fc.constantFrom("Alpha beta", "beta gamma", "gamma delta", "alphabet"),
});
const change = fc.oneof(
  thing.map((row) => ({ put: row })),
  thing.map(({ id }) => ({ delete: id })),
  fc.array(thing, { maxLength: 3 }).map((rows) => ({ undone: rows })),
);

test("kept lists, ranges and text searches say what a scan says, after any changes and take-backs", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const store = openStore(tables, {});
      const check = (): void => {
        const all = store.things.all();
        for (const kind of ["x", "y"]) {
          const ranked = all.filter((row) => row.kind === kind).sort(byRank);
          expect(store.things.ordered("kind", kind, "rank")).toEqual(ranked);
          const { rows, start, end } = store.things.range("kind", kind, "rank", 1, 3);
          expect(rows.slice(start, end)).toEqual(ranked.filter((row) => row.rank !== null && row.rank >= 1 && row.rank < 3));
        }
        for (const part of ["alpha", "beta", "a d", "nothing"]) {
          const holding = all.filter((row) => row.name.toLowerCase().includes(part)).map((row) => row.id);
          expect(
            store.things
              .containing(part)
              ?.map((row) => row.id)
              .sort() ?? [],
          ).toEqual(holding.sort());
        }
      };
      check();
      for (const one of changes) {
        if ("put" in one) store.things.put(one.put);
        else if ("delete" in one) store.things.delete(one.delete);
        else
          expect(() =>
            store.transaction(() => {
              for (const row of one.undone) store.things.put(row);
              throw new Error("taken back");
            }),
          ).toThrow("taken back");
        check();
      }
    }),
    { numRuns: 60 },
  );
});

test("firstSorted and inOrder give the sorted rows in both directions, nothing last and equals in one order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: 0, max: 50 })), { maxLength: 80 }),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (ranks, count, isReverse) => {
        const rows = ranks.map((rank, i): ThingRow => ({ id: `id${i}`, kind: "x", rank, name: "" }));
        const whole = [...rows].sort(byRank);
        if (isReverse) whole.sort((a, b) => (b.rank ?? -1) - (a.rank ?? -1) || byRank(a, b));
        expect(firstSorted(rows, (row) => [row.rank, row.name], count, isReverse)).toEqual(whole.slice(0, count));
        const kept = [...rows].sort(byRank);
        expect([...inOrder(kept, (row) => [row.rank, row.name], 0, kept.length, isReverse)]).toEqual(whole);
      },
    ),
  );
});

test("a part that is too short or in nearly every text is left to the walk", () => {
  const store = openStore(tables, {});
  for (let i = 0; i < 5000; i++) store.things.put({ id: `id${i}`, kind: "x", rank: i, name: `Agreement ${i}` });
  expect(store.things.containing("ag")).toBeUndefined();
  expect(store.things.containing("agreement")).toBeUndefined();
  expect(store.things.containing("ment 4321")?.map((row) => row.id)).toEqual(["id4321"]);
});

test("lists beyond the bound are made anew when they are asked for again", () => {
  const store = openStore(tables, {});
  for (let i = 0; i < 200; i++) store.things.put({ id: `id${i}`, kind: `kind${i % 100}`, rank: i, name: "" });
  for (let i = 0; i < 100; i++) expect(store.things.ordered("kind", `kind${i}`, "rank")).toHaveLength(2);
  store.things.put({ id: "late", kind: "kind0", rank: 50, name: "" });
  expect(store.things.ordered("kind", "kind0", "rank").map((row) => row.id)).toEqual(["id0", "late", "id100"]);
});
