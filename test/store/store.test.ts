import { default as fc } from "fast-check";
import { describe, expect, test } from "vitest";
import { table } from "../../src/store/collection.ts";
import { memoryDatabase } from "../../src/store/database.ts";
import { openStore, type StoreData, type StoreOptions } from "../../src/store/store.ts";
import type { Row } from "../../src/store/row.ts";

interface Thing extends Row {
  kind?: string;
}

const tables = {
  things: table<Thing>()({ indexes: { kind: (row) => row.kind } }),
  others: table<Thing>()({ indexes: { kind: (row) => row.kind } }),
};

function open(options: StoreOptions = {}, data: StoreData = {}) {
  return { store: openStore(tables, data, options), data };
}

class Stop extends Error {}

function stop(): never {
  throw new Stop("stop");
}

describe("transaction", () => {
  test("transaction gives back what the change gives and keeps what it wrote", () => {
    const { store } = open();
    expect(store.transaction(() => store.things.put({ id: "a" }).id)).toBe("a");
    expect(store.things.get("a")).toEqual({ id: "a" });
  });

  test("transaction that throws takes back everything in every collection and throws on", () => {
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

  test("a nested transaction joins the outer one: it goes when the outer one fails", () => {
    const { store } = open();
    expect(() =>
      store.transaction(() => {
        store.transaction(() => store.things.put({ id: "inner" }));
        stop();
      }),
    ).toThrow(Stop);
    expect(store.things.size).toBe(0);
  });

  test("after a failure the store takes the next transaction", () => {
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

  test("random puts and deletes, then a throw: state and indexes are equal to before", () => {
    const id = fc.constantFrom("a", "b", "c", "__proto__");
    const kind = fc.constantFrom("x", "y");
    const step = fc.record({ table: fc.constantFrom("things" as const, "others" as const), id, kind, gone: fc.boolean() });
    const see = (store: ReturnType<typeof open>["store"]) => ({
      rows: store.snapshot(),
      sizes: [store.things.size, store.others.size],
      keys: (["things", "others"] as const).map((name) => ["x", "y"].map((key) => [...store[name].keys("kind", key)].sort())),
    });
    fc.assert(
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
  test("savepoint takes back only its own part when it throws", () => {
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

  test("savepoint that held goes with a transaction that fails later", () => {
    const { store } = open();
    expect(() =>
      store.transaction(() => {
        store.savepoint(() => store.things.put({ id: "a" }));
        stop();
      }),
    ).toThrow(Stop);
    expect(store.things.size).toBe(0);
  });

  test("savepoint outside a transaction is one", () => {
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
  test("afterCommit waits for the outermost transaction and sees it done", () => {
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

  test("afterCommit is forgotten with the transaction or the savepoint that fails", () => {
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

  test("afterCommit may open a transaction of its own", () => {
    const { store } = open();
    store.transaction(() => store.afterCommit(() => store.transaction(() => store.things.put({ id: "later" }))));
    expect(store.things.get("later")).toBeDefined();
  });
});

describe("onChange", () => {
  test("onChange is told once per transaction that wrote, and of single writes, and not of failures or reads", () => {
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
  test("a snapshot is a copy that later changes do not reach, and restore brings it back with its indexes", () => {
    const { store, data } = open();
    store.things.put({ id: "__proto__", kind: "x" });
    const snapshot = store.snapshot();
    store.things.put({ id: "b", kind: "x" });
    store.things.delete("__proto__");
    store.restore(snapshot);
    expect(store.things.all()).toEqual([JSON.parse('{"id":"__proto__","kind":"x"}')]);
    expect(store.things.where("kind", "x").map((row) => row.id)).toEqual(["__proto__"]);
    expect(Object.keys(data.things ?? {})).toEqual(["__proto__"]);
    store.things.put({ id: "c" });
    expect(Object.keys(snapshot.things ?? {})).toEqual(["__proto__"]);
  });

  test("restore of nothing empties every collection", () => {
    const { store } = open();
    store.things.put({ id: "a" });
    store.others.put({ id: "b" });
    store.restore({});
    expect([store.things.size, store.others.size]).toEqual([0, 0]);
    store.things.put({ id: "a" });
    expect(store.snapshot()).toEqual({ things: { a: { id: "a" } }, others: {} });
  });
});

describe("the database in memory", () => {
  test("a tenant may have any name", () => {
    const database = memoryDatabase();
    const store = openStore(tables, database.part("__proto__"));
    store.things.put({ id: "a" });
    expect(Object.prototype).not.toHaveProperty("things");
    expect(database.tenants()).toEqual(["__proto__"]);
  });
});
