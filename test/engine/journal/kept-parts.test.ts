/** What the journal keeps of large queries and many headers. */
import { expect, test } from "vitest";
import { keptHeaders, keptQuery } from "../../../src/engine/journal/kept-parts.ts";

const many = (count: number, toName: (i: number) => string) => Array.from({ length: count }, (_, i) => toName(i));

test("a query keeps all values of a repeated name, in order", () => {
  expect(keptQuery("tag=b&q=x&tag=a&tag=")).toEqual({ tag: ["b", "a", ""], q: ["x"] });
});

test("a query keeps its first 500 values, and of these only the first 200 names", () => {
  expect(keptQuery(many(501, (i) => `a=${i}`).join("&"))).toEqual({ a: many(500, String) });
  const kept = keptQuery(`${many(201, (i) => `n${i}=`).join("&")}&n0=again`);
  expect(Object.keys(kept)).toEqual(many(200, (i) => `n${i}`));
  expect(kept.n0).toEqual(["", "again"]);
});

test("the first 200 headers are kept", () => {
  const headersOf = (count: number) => Object.fromEntries(many(count, (i) => `x-${i}`).map((name) => [name, "1"]));
  expect(keptHeaders(headersOf(200))).toEqual(headersOf(200));
  expect(keptHeaders(headersOf(201))).toEqual(headersOf(200));
});
