import { describe, expect, test } from "vitest";
import type { JobRow } from "../../../src/engine/jobs/rows.ts";
import type { JobRun } from "../../../src/engine/jobs/scheduler.ts";
import { engine, START } from "../../support/engine.ts";

/** An engine whose job `note` logs the `name` of its payload. */
function noting() {
  const log: string[] = [];
  const made = engine({
    note: { run: (payload: { name: string }) => void log.push(`${payload.name}@${made.clock.now() - START}`) },
    late: { run: (payload: { name: string }) => void log.push(payload.name), deadline: true },
  });
  return { ...made, log };
}

describe("schedule", () => {
  test("a job is a row until it runs, and jobs run by time and then by order of creation", async () => {
    const { scheduler, store, advance, log } = noting();
    expect(scheduler.schedule("note", 200, { name: "c" })).toBe("job_1");
    scheduler.schedule("note", 100, { name: "a" });
    scheduler.schedule("note", 100, { name: "b" });
    expect(scheduler.pending()).toEqual([
      { id: "job_2", kind: "note", due: START + 100, payload: { name: "a" } },
      { id: "job_3", kind: "note", due: START + 100, payload: { name: "b" } },
      { id: "job_1", kind: "note", due: START + 200, payload: { name: "c" } },
    ]);
    await advance(150);
    expect(log).toEqual(["a@100", "b@100"]);
    expect(scheduler.pending().map((job) => job.id)).toEqual(["job_1"]);
    await advance(50);
    expect([log.at(-1), store.jobs.size]).toEqual(["c@200", 0]);
  });

  test("pending lists jobs of one instant by number, whatever the order of their rows", () => {
    const { scheduler, store } = noting();
    for (const name of ["a", "b", "c"]) scheduler.schedule("note", 5, { name });
    const [first, ...others] = scheduler.pending() as [JobRow, ...JobRow[]];
    store.jobs.delete(first.id);
    store.jobs.put(first);
    expect(store.jobs.all()).toEqual([...others, first]);
    expect(scheduler.pending()).toEqual([first, ...others]);
  });

  test("a failed transaction schedules no job, and a committed one arms its job", async () => {
    const { scheduler, store, advance, log } = noting();
    expect(() =>
      store.transaction(() => {
        scheduler.schedule("note", 10, { name: "never" });
        throw new Error("stop");
      }),
    ).toThrow("stop");
    store.transaction(() => scheduler.schedule("note", 10, { name: "held" }));
    await advance(10);
    expect(log).toEqual(["held@10"]);
  });

  test("a job with `deadline` does not keep the clock from being idle", async () => {
    const { scheduler, clock, log } = noting();
    scheduler.schedule("late", 1000, { name: "deadline" });
    scheduler.schedule("note", 10, { name: "work" });
    await clock.advance({ until: "idle" });
    expect([log, clock.now()]).toEqual([["work@10"], START + 10]);
  });
});

describe("cancel and change", () => {
  test("a canceled job does not run, and canceling it again or canceling an unknown id does nothing", async () => {
    const { scheduler, clock, advance, log } = noting();
    const id = scheduler.schedule("note", 10, { name: "a" });
    scheduler.cancel(id);
    scheduler.cancel(id);
    scheduler.cancel("job_99");
    expect(clock.next()).toBeUndefined();
    await advance(10);
    expect(log).toEqual([]);
  });

  test("a job runs when the transaction that cancels it fails", async () => {
    const { scheduler, store, advance, log } = noting();
    const id = scheduler.schedule("note", 10, { name: "a" });
    expect(() =>
      store.transaction(() => {
        scheduler.cancel(id);
        throw new Error("stop");
      }),
    ).toThrow("stop");
    await advance(10);
    expect(log).toEqual(["a@10"]);
  });

  test("cancelWhere cancels the jobs of a kind whose payload contains the given members", async () => {
    const { scheduler } = noting();
    scheduler.schedule("note", 1, { name: "a", of: 1 });
    scheduler.schedule("note", 1, { name: "b", of: 1 });
    scheduler.schedule("late", 1, { name: "a", of: 1 });
    scheduler.cancelWhere("note", { name: "a", of: 1 });
    scheduler.cancelWhere("note", { name: "b", of: 2 });
    expect(scheduler.pending().map((job) => [job.kind, job.payload.name])).toEqual([
      ["note", "b"],
      ["late", "a"],
    ]);
  });

  test("change replaces the payload of a waiting job, and ignores an unknown id", async () => {
    const { scheduler, advance, log } = noting();
    scheduler.change(scheduler.schedule("note", 10, { name: "before" }), { name: "after" });
    scheduler.change("job_99", { name: "stranger" });
    await advance(10);
    expect(log).toEqual(["after@10"]);
  });
});

describe("running", () => {
  test("a synchronous job that throws is reported and its writes are rolled back, and other jobs run", async () => {
    const { scheduler, store, advance, errors } = engine({
      bad: {
        run: () => {
          store.jobs.put({ id: "job_500", kind: "good", due: START + 1e9, payload: {} });
          throw new Error("bad job");
        },
      },
      good: { run: () => {} },
    });
    scheduler.schedule("bad", 1);
    const good = scheduler.schedule("good", 2);
    await advance(5);
    expect(errors).toEqual(["bad job"]);
    expect([store.jobs.get("job_500"), store.jobs.get(good)]).toEqual([undefined, undefined]);
  });

  test("an asynchronous job stays a row until its outcome commits, in one transaction", async () => {
    const seen: unknown[] = [];
    const { scheduler, store, advance } = engine({
      slow: {
        run: async () => {
          await Promise.resolve();
          seen.push(store.jobs.size);
          return () => void seen.push(["outcome", store.jobs.size]);
        },
      },
    });
    scheduler.schedule("slow", 1);
    await advance(1);
    expect(seen).toEqual([1, ["outcome", 0]]);
  });

  test("an outcome that throws is reported and rolled back", async () => {
    const { scheduler, store, advance, errors } = engine({
      slow: {
        run: async () => () => {
          scheduler.schedule("slow", 1e6);
          throw new Error("bad outcome");
        },
      },
    });
    scheduler.schedule("slow", 1);
    await advance(1);
    expect(errors).toEqual(["bad outcome"]);
    expect(store.jobs.all().map((job) => job.id)).toEqual(["job_1"]);
  });

  test("a job that is canceled while it runs has no outcome", async () => {
    let wrote = false;
    let open = () => {};
    const { scheduler, advance } = engine({
      slow: {
        run: () =>
          new Promise<() => void>((resolve) => {
            open = () =>
              resolve(() => {
                wrote = true;
              });
          }),
      },
      stop: {
        run: () => {
          scheduler.cancel("job_1");
          open();
        },
      },
    });
    scheduler.schedule("slow", 1);
    scheduler.schedule("stop", 1);
    await advance(5);
    expect(wrote).toBe(false);
  });

  test("listen reports each run of a job, until it is called with undefined", async () => {
    const { scheduler, advance } = noting();
    const runs: JobRun[] = [];
    scheduler.listen((run) => runs.push(run));
    scheduler.schedule("note", 5, { name: "a" });
    await advance(5);
    scheduler.listen(undefined);
    scheduler.schedule("note", 5, { name: "b" });
    await advance(5);
    expect(runs).toEqual([{ kind: "note", at: START + 5, payload: { name: "a" } }]);
  });
});

describe("rearm", () => {
  test("rearm schedules the jobs of a restored store once, and continues their ids", async () => {
    const { scheduler, store, clock, advance, log } = noting();
    scheduler.schedule("note", 10, { name: "a" });
    scheduler.schedule("note", 20, { name: "b" });
    const snapshot = store.snapshot();
    await advance(15);
    clock.reset({ mode: "frozen", now: START, speed: 1 });
    store.restore(snapshot);
    scheduler.rearm();
    scheduler.rearm();
    expect(scheduler.schedule("note", 30, { name: "c" })).toBe("job_3");
    await advance(100);
    expect(log).toEqual(["a@10", "a@10", "b@20", "c@30"]);
  });

  test.each([true, false])(
    "a job that runs during a restore writes nothing into the restored world (clock reset: %s)",
    async (isClock) => {
      const opened: (() => void)[] = [];
      const outcomes: string[] = [];
      const { scheduler, store, clock } = engine({
        slow: {
          run: (payload: { name: string }) =>
            new Promise<() => void>((resolve) => {
              opened.push(() => resolve(() => void outcomes.push(payload.name)));
            }),
        },
      });
      scheduler.schedule("slow", 0, { name: "of the old world" });
      await new Promise((resolve) => setImmediate(resolve));
      expect(opened).toHaveLength(1);
      if (isClock) clock.reset({ mode: "frozen", now: START, speed: 1 });
      store.restore({});
      // Like a reset, which restarts the sequence.
      scheduler.sequence = 0;
      scheduler.rearm();
      expect(scheduler.schedule("slow", 1000, { name: "of the new world" })).toBe("job_1");
      opened[0]?.();
      await clock.settle();
      expect(outcomes).toEqual([]);
      expect(scheduler.pending().map((job) => job.payload.name)).toEqual(["of the new world"]);
    },
  );
});

describe("a process that is killed", () => {
  /** An engine with the rows that the next process finds. */
  const next = (handlers: Parameters<typeof engine>[0], rows: readonly unknown[]) => {
    const made = engine(handlers);
    for (const row of rows) made.store.jobs.put(row as never);
    return made;
  };

  test("a kill during a run counts as a failed try, and the job is given up after two", async () => {
    const log: string[] = [];
    const handlers = {
      heavy: {
        run: () => {
          log.push("run");
          return new Promise<() => void>(() => {});
        },
        giveUp: ({ name }: { name: string }) => void log.push(`gave up ${name}`),
      },
    };
    const first = engine(handlers);
    first.scheduler.schedule("heavy", 10, { name: "a" });
    void first.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
    expect(first.store.jobs.all()).toMatchObject([{ id: "job_1", running: true }]);

    const second = next(handlers, first.store.jobs.all());
    second.scheduler.resume();
    void second.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
    expect(second.store.jobs.all()).toMatchObject([{ id: "job_1", running: true, failures: 1 }]);

    const third = next(handlers, second.store.jobs.all());
    third.scheduler.resume();
    await third.advance(10);
    expect(log).toEqual(["run", "run", "gave up a"]);
    expect(third.store.jobs.size).toBe(0);
  });

  test("waiting jobs, jobs stopped by a shutdown and restored jobs lose no try", async () => {
    const handlers = { heavy: { run: () => new Promise<() => void>(() => {}), giveUp: () => {} } };
    const first = engine(handlers);
    first.scheduler.schedule("heavy", 10);
    first.scheduler.schedule("heavy", 1000);
    void first.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
    const restored = next(handlers, first.store.jobs.all());
    restored.scheduler.rearm();
    first.scheduler.stop();
    const second = next(handlers, first.store.jobs.all());
    second.scheduler.resume();
    for (const { store } of [restored, second])
      expect(store.jobs.all().flatMap(({ failures, running }) => [failures, running])).toEqual(Array(4).fill(undefined));
  });

  test("a job whose runs throw is given up after the second", async () => {
    const log: string[] = [];
    const { scheduler, advance, store } = engine({
      bad: {
        run: () => {
          throw new Error("bad");
        },
        giveUp: () => void log.push("gave up"),
      },
    });
    scheduler.schedule("bad", 0);
    await advance(0);
    expect(log).toEqual([]);
    await advance(60_000);
    expect([log, store.jobs.size]).toEqual([["gave up"], 0]);
  });
});
