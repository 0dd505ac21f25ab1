import { expect, test } from "vitest";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const names = (body: { results: { name: string }[] }): string[] => body.results.map((row) => row.name);
const ACTIVE = "Contact request";
const DRAFT = "Non-disclosure agreement";
const DISABLED = "Old order form";

test("listForm shows forms of every status, in upper case and oldest first", async () => {
  const { status, body } = await world.call("listForm");
  expect(status).toBe(200);
  expect(body.has_next_page).toBe(false);
  expect(names(body)).toEqual([DISABLED, ACTIVE, DRAFT]);
  expect(body.results[1]).toEqual({
    id: "f0000000-0000-4000-8000-000000000001",
    name: ACTIVE,
    date_created: "2026-01-01T09:00:00.000000Z",
    date_modified: "2026-02-25T09:00:00.000000Z",
    status: "ACTIVE",
  });
});

test("listForm filters by status and by part of the name", async () => {
  const list = async (query: Record<string, string | string[]>) => names((await world.call("listForm", { query })).body);
  expect(await list({ status: "draft" })).toEqual([DRAFT]);
  expect(await list({ status: ["draft", "active"] })).toEqual([ACTIVE, DRAFT]);
  expect(await list({ name: "ORDER" })).toEqual([DISABLED]);
  expect(await list({ name: "nothing" })).toEqual([]);
});

test.each([
  ["name", [ACTIVE, DRAFT, DISABLED]],
  ["responses", [DRAFT, ACTIVE, DISABLED]],
  ["status", [ACTIVE, DISABLED, DRAFT]],
  ["created_date", [DISABLED, ACTIVE, DRAFT]],
  ["modified_date", [DISABLED, ACTIVE, DRAFT]],
])("listForm sorts by %s, and in reverse with asc=false", async (order_by, wanted) => {
  expect(names((await world.call("listForm", { query: { order_by, asc: true } })).body)).toEqual(wanted);
  expect(names((await world.call("listForm", { query: { order_by, asc: false } })).body)).toEqual([...wanted].reverse());
});

test("listForm pages, and has_next_page shows whether more forms follow", async () => {
  const first = await world.call("listForm", { query: { count: 2 } });
  expect(names(first.body)).toEqual([DISABLED, ACTIVE]);
  expect(first.body.has_next_page).toBe(true);
  expect((await world.call("listForm", { query: { count: 2, page: 2 } })).body).toMatchObject({
    results: [{ name: DRAFT }],
    has_next_page: false,
  });
});
