import { expect, test } from "vitest";
import { KeptViews } from "../../../src/engine/core/kept-views.ts";

function countedViews() {
  let made = 0;
  const views = new KeptViews((row: { name: string }, key: string) => {
    made++;
    return { shown: `${row.name} ${key}` };
  });
  const of = (row: { name: string }, key = "") => views.of(row, key, key);
  return { of, made: () => made };
}

test("a view and its JSON are made once for a row and a key", () => {
  const { of, made } = countedViews();
  const row = { name: "a" };
  expect(of(row, "k")).toEqual({ body: { shown: "a k" }, json: '{"shown":"a k"}' });
  expect(of(row, "k")).toBe(of(row, "k"));
  expect(made()).toBe(1);
});

test("each row and each key has a separate view", () => {
  const { of, made } = countedViews();
  const row = { name: "a" };
  expect([of(row, "k"), of(row, "l"), of({ ...row }, "l")].map((view) => view.body.shown)).toEqual(["a k", "a l", "a l"]);
  expect(made()).toBe(3);
});

test("the oldest view is dropped after 256 newer views", () => {
  const { of, made } = countedViews();
  const rows = Array.from({ length: 257 }, (_, i) => ({ name: String(i) }));
  for (const row of rows) of(row);
  expect(of(rows[256] as { name: string }).body).toEqual({ shown: "256 " });
  expect(made()).toBe(257);
  expect(of(rows[0] as { name: string }).body).toEqual({ shown: "0 " });
  expect(made()).toBe(258);
});

test("a renewed view counts as new", () => {
  const { of, made } = countedViews();
  const row = { name: "a" };
  of(row, "k");
  for (let i = 0; i < 255; i++) of({ name: String(i) });
  of(row, "l");
  of({ name: "last" });
  const count = made();
  of(row, "l");
  expect(made()).toBe(count);
});
