/** Tests the bounds of collections and counts that grow with every call, and the report of evicted rows. */
import { describe, expect, test } from "vitest";
import { RateLimiter } from "../../../src/engine/jobs/rate-limit.ts";
import { Rules } from "../../../src/engine/rules/rules.ts";
import { openStore } from "../../../src/engine/store/store.ts";
import { table } from "../../../src/engine/store/collection.ts";
import { testWorld } from "../../support/world.ts";
import type { Row } from "../../../src/engine/store/row.ts";

interface Thing extends Row {
  isOpen?: boolean;
}

describe("a bounded collection", () => {
  const things = table<Thing>()({ bound: { maxRows: 20, isEvictable: (row) => !row.isOpen } });

  test("evicts its oldest rows when it exceeds the bound by a tenth, except rows that must stay", () => {
    const trims: [string, number][] = [];
    const store = openStore({ things }, new Map(), { onTrim: (name, deleted) => trims.push([name, deleted.length]) });
    const add = (id: string, isOpen = false) => store.transaction(() => store.things.put({ id, isOpen }));
    add("open", true);
    for (let i = 0; i < 21; i++) add(`a${i}`);
    expect([store.things.size, trims]).toEqual([22, []]);
    add("last");
    expect(trims).toEqual([["things", 3]]);
    expect(store.things.all().map((row) => row.id)).toEqual([
      "open",
      ...Array.from({ length: 18 }, (_, i) => `a${i + 3}`),
      "last",
    ]);
  });

  test("restores the evicted rows when the change fails", () => {
    const store = openStore({ things }, new Map());
    for (let i = 0; i < 22; i++) store.transaction(() => store.things.put({ id: `a${i}` }));
    expect(() =>
      store.transaction(() => {
        store.things.put({ id: "more" });
        throw new Error("stop");
      }),
    ).toThrow("stop");
    expect(store.things.size).toBe(22);
  });
});

describe("adminHealth", () => {
  test("reports the number of evicted rows of each collection", async () => {
    const world = await testWorld();
    expect((await world.admin("GET", "/health")).body).not.toHaveProperty("trimmed");
    const { store } = world.tenant;
    const mail = { workspace_id: "w", kind: "other", channel: "email", to: "a@client.example" };
    store.transaction(() => {
      for (let i = 0; i < 11_001; i++) store.emails.put({ ...mail, id: `mail${i}` } as never);
    });
    expect((await world.admin("GET", "/health")).body).toMatchObject({ trimmed: { emails: 1001 } });
    expect(store.emails.get("mail1000")).toBeUndefined();
    expect(store.emails.get("mail1001")).toBeDefined();
  });
});

describe("bounded counts", () => {
  test("a rate limiter keeps counts for the latest ten thousand keys and still enforces their limits", () => {
    const limiter = new RateLimiter();
    for (let i = 0; i < 12_000; i++) limiter.hit(`key${i}`, 1, 1000, 0);
    expect(limiter.snapshot()).toHaveLength(10_000);
    expect([limiter.hit("key11999", 1, 1000, 0), limiter.hit("key0", 1, 1000, 0)]).toEqual([1000, 0]);
  });

  test("a rule that counts per document drops the oldest counts", () => {
    const rules = new Rules<null>();
    rules.put({ id: "a", name: "a", when: {}, call: { per: "document", nth: 2 }, effect: null, source: "runtime" });
    for (let i = 0; i < 30_000; i++) rules.match(() => `document${i}`);
    expect(Object.keys(rules.list()[0]?.counts ?? {}).length).toBeLessThanOrEqual(20_000);
    expect(rules.match(() => "document29999")).toHaveLength(1);
  });
});
