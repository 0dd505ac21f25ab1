/** Measures the time from spawn to the first answer and the resident memory at start, of docdouble and of servers that do less. */
import { execFileSync } from "node:child_process";
import type { Figure } from "./figures.ts";
import {
  DOCDOUBLE_ARGS,
  median,
  resident,
  sampleOf,
  makeDraft,
  benchFixtures,
  removeCompiled,
  type Server,
  start,
  stop,
} from "./servers.ts";

const ROUNDS = 25;

const NAMES: Readonly<Record<string, string>> = { firstTestFile: "without compiled code", honoBeside: "hono" };

/** Milliseconds of a process that imports the library and plays a story. */
function timeOfTestFile(): number {
  const begun = performance.now();
  execFileSync(process.execPath, ["bench/test-file.mjs"]);
  return performance.now() - begun;
}

export async function measureStarts(): Promise<Figure[]> {
  const double = await start([...DOCDOUBLE_ARGS, "--fixtures", benchFixtures()], "/__admin/health");
  const sample = await sampleOf(double, await makeDraft(double));
  await stop(double);
  const servers: Record<string, () => Promise<Server>> = {
    ours: () => start(DOCDOUBLE_ARGS, "/public/v1/documents"),
    bare: () => start(["bench/bare.mjs"], "/"),
    hono: () => start(["bench/hono.mjs"], "/"),
    ideal: () => start(["bench/ideal.mjs", sample], "/public/v1/documents/none"),
  };
  const times: Record<string, number[]> = {};
  const sizes: Record<string, number[]> = {};
  const order = Object.entries(servers);
  for (let i = 0; i < ROUNDS; i++) {
    // A server that starts after a large one starts slower, so each server follows each other one.
    order.push(order.shift() as (typeof order)[number]);
    if (i % 2 === 1) order.reverse();
    for (const [name, begin] of order) {
      const server = await begin();
      times[name] = [...(times[name] ?? []), server.firstAnswer_ms];
      sizes[name] = [...(sizes[name] ?? []), resident(server)];
      await stop(server);
    }
  }
  // A first start writes compiled code, and the disk is busy with it for a moment. That would slow down the starts above.
  for (let i = 0; i < ROUNDS; i++) {
    const beside = await start(["bench/hono.mjs"], "/");
    times.honoBeside = [...(times.honoBeside ?? []), beside.firstAnswer_ms];
    await stop(beside);
    // Plays the first start after an installation: no compiled code is saved yet.
    removeCompiled();
    const server = await start(DOCDOUBLE_ARGS, "/public/v1/documents");
    times.first = [...(times.first ?? []), server.firstAnswer_ms];
    await stop(server);
  }
  for (let i = 0; i < ROUNDS; i++) {
    removeCompiled();
    times.firstTestFile = [...(times.firstTestFile ?? []), timeOfTestFile()];
    times.testFile = [...(times.testFile ?? []), timeOfTestFile()];
  }
  const figure = (
    what: string,
    unit: string,
    of: Record<string, number[]>,
    name: string,
    ratio: number,
    ours = "ours",
  ): Figure => ({
    what,
    ours: median(of[ours] as number[]),
    limit: { name: NAMES[name] ?? name, value: median(of[name] as number[]) },
    unit,
    goal: { at: "most", ratio },
  });
  return [
    figure("spawn to first answer", "ms", times, "hono", 1),
    figure("spawn to first answer", "ms", times, "ideal", 1),
    figure("first start after installing", "ms", times, "honoBeside", 1.2, "first"),
    figure("a test file with one document, in its own process", "ms", times, "firstTestFile", 1, "testFile"),
    figure("resident memory at start", "MiB", sizes, "ideal", 1.2),
  ];
}
