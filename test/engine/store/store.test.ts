import { default as fc } from "fast-check";
import { describe, expect, test } from "vitest";
import { table } from "../../../src/engine/store/collection.ts";
import { Database } from "../../../src/engine/store/database.ts";
import { openStore, type StoreData, type StoreOptions } from "../../../src/engine/store/store.ts";
import type { Row } from "../../../src/engine/store/row.ts";
import { law } from "../../support/law.ts";

interface Thing extends Row {
  kind?: string;
}

const tables = {
  things: table<Thing>()({ indexes: { kind: (row) => row.kind } }),
  others: table<Thing>()({ indexes: { kind: (row) => row.kind } }),
};

function open(options: StoreOptions = {}, data: StoreData = new Map()) {
  return { store: openStore(tables, data, options), data };
}

class Stop extends Error {}

function stop(): never {
  throw new Stop("stop");
}

describe("transaction", () => {
  test("a transaction that throws rolls back every collection and rethrows", () => {
    const { store } = open();
    store.things.put({ id: "a", kind: "old" });
    const before = store.snapshot();
    expect(() =>
      store.transaction(() => {
        store.things.put({ id: "a", kind: "new" });
        store.things.delete("a");
        store.things.put({ id: "b", kind: "old" });
        store.others.put({ id: "c" });
        stop();
      }),
    ).toThrow(Stop);
    expect(store.snapshot()).toEqual(before);
    expect(store.things.where("kind", "old")).toEqual([{ id: "a", kind: "old" }]);
    expect(store.things.where("kind", "new")).toEqual([]);
  });

  test("a nested transaction joins the outer transaction and is rolled back with it", () => {
    const { store } = open();
    expect(() =>
      store.transaction(() => {
        store.transaction(() => store.things.put({ id: "inner" }));
        stop();
      }),
    ).toThrow(Stop);
    expect(store.things.size).toBe(0);
  });

  test("after a failed transaction the next transaction works", () => {
    const { store } = open();
    expect(() => store.transaction(stop)).toThrow(Stop);
    store.transaction(() => store.things.put({ id: "a" }));
    expect(() =>
      store.transaction(() => {
        store.things.delete("a");
        stop();
      }),
    ).toThrow(Stop);
    expect(store.things.get("a")).toEqual({ id: "a" });
  });

  test("after random puts and deletes and then a throw, state and indexes are as before", () => {
    const id = fc.constantFrom("a", "b", "c", "__proto__");
    const kind = fc.constantFrom("x", "y");
    const step = fc.record({ table: fc.constantFrom("things" as const, "others" as const), id, kind, gone: fc.boolean() });
    const see = (store: ReturnType<typeof open>["store"]) => ({
      rows: Object.values(store.snapshot()).map((rows) => new Map(rows.map((row) => [row.id, row]))),
      sizes: [store.things.size, store.others.size],
      keys: (["things", "others"] as const).map((name) => ["x", "y"].map((key) => [...store[name].keys("kind", key)].sort())),
    });
    law(
      fc.property(fc.array(step), fc.array(step), fc.nat(20), (first, second, at) => {
        const { store } = open({ freeze: true });
        const run = (steps: typeof first) => {
          for (const one of steps) {
            if (one.gone) store[one.table].delete(one.id);
            else store[one.table].put({ id: one.id, kind: one.kind });
          }
        };
        store.transaction(() => run(first));
        const before = see(store);
        expect(() =>
          store.transaction(() => {
            run(second.slice(0, at));
            store.transaction(() => run(second.slice(at)));
            stop();
          }),
        ).toThrow(Stop);
        expect(see(store)).toEqual(before);
      }),
    );
  });
});

describe("savepoint", () => {
  test("a savepoint that throws rolls back only its own writes", () => {
    const { store } = open();
    store.transaction(() => {
      store.things.put({ id: "kept" });
      expect(() =>
        store.savepoint(() => {
          store.things.put({ id: "kept", kind: "spoilt" });
          store.things.put({ id: "lost" });
          stop();
        }),
      ).toThrow(Stop);
      store.things.put({ id: "after" });
    });
    expect(store.things.all()).toEqual([{ id: "kept" }, { id: "after" }]);
    expect(store.things.where("kind", "spoilt")).toEqual([]);
  });

  test("a completed savepoint is rolled back when its transaction fails later", () => {
    const { store } = open();
    expect(() =>
      store.transaction(() => {
        store.savepoint(() => store.things.put({ id: "a" }));
        stop();
      }),
    ).toThrow(Stop);
    expect(store.things.size).toBe(0);
  });

  test("a savepoint outside a transaction acts as a transaction", () => {
    const { store } = open();
    expect(() =>
      store.savepoint(() => {
        store.things.put({ id: "a" });
        stop();
      }),
    ).toThrow(Stop);
    expect(store.things.size).toBe(0);
  });
});

describe("afterCommit", () => {
  test("afterCommit runs after the outermost transaction has committed", () => {
    const { store } = open();
    const log: string[] = [];
    store.transaction(() => {
      store.transaction(() => store.afterCommit(() => void log.push("committed")));
      log.push("still inside");
    });
    expect(log).toEqual(["still inside", "committed"]);
    store.afterCommit(() => void log.push("at once"));
    expect(log.at(-1)).toBe("at once");
  });

  test("afterCommit never runs when its transaction or savepoint fails", () => {
    const { store } = open();
    const log: string[] = [];
    expect(() =>
      store.transaction(() => {
        store.afterCommit(() => void log.push("failed"));
        stop();
      }),
    ).toThrow(Stop);
    store.transaction(() => {
      store.afterCommit(() => void log.push("outer"));
      expect(() =>
        store.savepoint(() => {
          store.afterCommit(() => void log.push("savepoint"));
          stop();
        }),
      ).toThrow(Stop);
    });
    expect(log).toEqual(["outer"]);
  });
});

describe("onChange", () => {
  test("onChange runs once per transaction with writes and once per single write, and never for failures or reads", () => {
    let told = 0;
    const { store } = open({ onChange: () => void told++ });
    store.transaction(() => {
      store.things.put({ id: "a" });
      store.things.put({ id: "b" });
    });
    expect(told).toBe(1);
    store.transaction(() => store.things.get("a"));
    expect(() =>
      store.transaction(() => {
        store.things.put({ id: "c" });
        stop();
      }),
    ).toThrow(Stop);
    expect(told).toBe(1);
    store.things.delete("a");
    expect(told).toBe(2);
  });
});

describe("snapshot and restore", () => {
  test("later changes do not reach a snapshot, and restore brings its rows and indexes back", () => {
    const { store, data } = open();
    store.things.put({ id: "__proto__", kind: "x" });
    const snapshot = store.snapshot();
    store.things.put({ id: "b", kind: "x" });
    store.things.delete("__proto__");
    store.restore(snapshot);
    expect(store.things.all()).toEqual([JSON.parse('{"id":"__proto__","kind":"x"}')]);
    expect(store.things.where("kind", "x").map((row) => row.id)).toEqual(["__proto__"]);
    expect([...(data.get("things")?.keys() ?? [])]).toEqual(["__proto__"]);
    store.things.put({ id: "c" });
    expect(snapshot.things?.map(({ id }) => id)).toEqual(["__proto__"]);
  });

  test("restore of an empty snapshot empties every collection", () => {
    const { store } = open();
    store.things.put({ id: "a" });
    store.others.put({ id: "b" });
    store.restore({});
    expect([store.things.size, store.others.size]).toEqual([0, 0]);
    store.things.put({ id: "a" });
    expect(store.snapshot()).toEqual({ things: [{ id: "a" }], others: [] });
  });
});

describe("the database in memory", () => {
  test("a tenant can have any name", () => {
    const database = new Database();
    const store = openStore(tables, database.rows("__proto__"));
    store.things.put({ id: "a" });
    expect(Object.prototype).not.toHaveProperty("things");
    expect(database.tenants()).toEqual(["__proto__"]);
  });
});

describe("asOf", () => {
  function timed() {
    const time = { now: 0 };
    const { store, data } = open({ now: () => time.now });
    return { store, data, at: (now: number) => Object.assign(time, { now }) };
  }

  test("asOf reads rows as they were just after the writes of the instant", () => {
    const { store, at } = timed();
    store.things.put({ id: "a", kind: "old" });
    at(10);
    store.things.put({ id: "a", kind: "new" });
    store.things.put({ id: "b", kind: "new" });
    at(20);
    store.things.delete("b");
    const seen = (instant: number) => store.asOf(instant, () => [store.things.all(), store.things.where("kind", "new").length]);
    expect(seen(20)).toEqual({ result: [[{ id: "a", kind: "new" }], 1] });
    expect(seen(19)).toEqual({
      result: [
        [
          { id: "a", kind: "new" },
          { id: "b", kind: "new" },
        ],
        2,
      ],
    });
    expect(seen(9)).toEqual({ result: [[{ id: "a", kind: "old" }], 0] });
    expect(store.things.all()).toEqual([{ id: "a", kind: "new" }]);
  });

  test("asOf keeps the present, its order and its indexes, whatever the read writes or throws", () => {
    const { store, at } = timed();
    for (const id of ["a", "b", "c"]) store.transaction(() => store.things.put({ id, kind: "k" }));
    store.others.put({ id: "o", kind: "k" });
    at(10);
    store.things.put({ id: "b", kind: "k", n: 2 } as Thing);
    const before = store.snapshot();
    const ran: string[] = [];
    expect(() =>
      store.asOf(5, () => {
        store.transaction(() => store.things.delete("a"));
        store.others.put({ id: "o", kind: "changed" });
        store.others.put({ id: "p", kind: "k" });
        store.afterCommit(() => ran.push("committed"));
        stop();
      }),
    ).toThrow(Stop);
    expect(store.snapshot()).toEqual(before);
    expect(store.snapshot().things?.map(({ id }) => id)).toEqual(["a", "b", "c"]);
    expect(store.others.where("kind", "k")).toEqual([{ id: "o", kind: "k" }]);
    expect(ran).toEqual([]);
  });

  test("asOf knows nothing of a time whose writes are gone", () => {
    const { store, at } = timed();
    for (let i = 0; i < 6000; i++) {
      at(i);
      store.things.put({ id: `row-${i}` });
    }
    expect(store.asOf(5000, () => store.things.size)).toEqual({ result: 5001 });
    expect(store.asOf(100, () => store.things.size)).toBeUndefined();
    store.restore({});
    expect(store.asOf(100, () => store.things.size)).toEqual({ result: 0 });
  });

  test("a store whose clock stands keeps no endless list of writes", () => {
    const { store, at } = timed();
    store.things.put({ id: "early" });
    at(10);
    for (let i = 0; i < 6000; i++) store.things.put({ id: `row-${i}` });
    expect(store.past().transactions.length).toBeLessThan(6000);
    expect(store.past().gone).toBe(10);
    expect(store.asOf(9, () => store.things.size)).toBeUndefined();
    expect(store.asOf(10, () => store.things.size)).toEqual({ result: 6001 });
    at(20);
    store.things.put({ id: "late" });
    expect(store.asOf(10, () => store.things.size)).toEqual({ result: 6001 });
    expect(store.asOf(20, () => store.things.size)).toEqual({ result: 6002 });
  });

  test("timeless rows and rolled back rows have no instant", () => {
    const { store, at } = timed();
    at(10);
    store.timeless(() => store.transaction(() => store.things.put({ id: "seeded" })));
    expect(() =>
      store.transaction(() => {
        store.things.put({ id: "gone" });
        stop();
      }),
    ).toThrow(Stop);
    store.things.put({ id: "young" });
    expect(store.asOf(5, () => store.things.all())).toEqual({ result: [{ id: "seeded" }] });
  });
});
