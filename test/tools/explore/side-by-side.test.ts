/** Parallel runs: planned ones at most `jobs` at once, runs of the search at once, and results independent of the order. */
import { expect, test } from "vitest";
import { SideBySide } from "../../../src/tools/explore/side-by-side.ts";

/** Tasks that the test ends. */
function stage(jobs: number, mayBegin: (ahead: number) => boolean = () => true) {
  const side = new SideBySide<string>(jobs, mayBegin);
  const open = new Map<string, (error?: Error) => void>();
  const begun: string[] = [];
  const task = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) => {
      open.set(name, (error) => (error ? reject(error) : resolve(name)));
    });
  };
  const end = async (name: string, error?: Error) => {
    open.get(name)?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { side, begun, task, end };
}

test("planned tasks start while the search is busy, at most `jobs` at once, and a task of the search does not wait", async () => {
  const { side, begun, task, end } = stage(2);
  const planned = ["a", "b", "c", "d"].map((name) => side.plan(task(name)));
  const first = planned[0]?.take();
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  expect(await first).toBe("a");
  expect(begun).toEqual(["a", "b", "c"]);
  const urgent = side.now(task("shrink"));
  await end("c");
  expect(begun).toEqual(["a", "b", "c", "shrink"]);
  await end("b");
  await end("shrink");
  expect(await urgent).toBe("shrink");
  planned[1]?.drop();
  expect(await planned[2]?.take()).toBe("c");
  const last = planned[3]?.take();
  await end("d");
  expect(await last).toBe("d");
});

test("one job plays no task ahead, and no planned task starts at the limit of runs", async () => {
  const one = stage(1);
  const planned = ["a", "b"].map((name) => one.side.plan(one.task(name)));
  const first = planned[0]?.take();
  await one.end("a");
  await first;
  expect(one.begun).toEqual(["a"]);

  const few = stage(4, (ahead) => ahead < 1);
  const all = ["a", "b", "c", "d"].map((name) => few.side.plan(few.task(name)));
  void all[0]?.take();
  expect(few.begun).toEqual(["a", "b"]);
});

test("an error is thrown when its result is taken, and end waits for running tasks", async () => {
  const { side, task, end } = stage(3);
  const planned = ["a", "b", "c"].map((name) => side.plan(task(name)));
  const first = planned[0]?.take();
  await end("b", new Error("no server"));
  await end("a");
  await first;
  await expect(planned[1]?.take()).rejects.toThrow("no server");
  let isOver = false;
  const over = side.end().then(() => {
    isOver = true;
  });
  expect(isOver).toBe(false);
  await end("c");
  await over;
});
