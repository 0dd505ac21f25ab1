/** Runs side by side: never more than `jobs`, those of the search first, and in an order that the search does not notice. */
import { expect, test } from "vitest";
import { SideBySide } from "../../src/explore/side-by-side.ts";

/** Tasks that end when the test says so. */
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

test("planned tasks begin while the search is busy, never more than jobs allows, and the search comes first", async () => {
  const { side, begun, task, end } = stage(2);
  const planned = ["a", "b", "c", "d"].map((name) => side.plan(task(name)));
  const first = planned[0]?.take();
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  expect(await first).toBe("a");
  expect(begun).toEqual(["a", "b", "c"]);
  const urgent = side.now(task("shrink"));
  expect(begun).toEqual(["a", "b", "c"]);
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

test("one job plays nothing ahead, and no planned task begins when the limit of runs is reached", async () => {
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

test("an error waits for the search, and the end waits for what is under way", async () => {
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
