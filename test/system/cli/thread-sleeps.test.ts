/** Whatever the threads of a program wait for, docdouble's clock ends at the latest end, and no wait ends before its time. */
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { files, run } from "../../support/process.ts";

const has = (program: string) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;

/**
 * Each program reads rounds of threads of waits in seconds. For each round it prints by how many seconds docdouble's clock moved, the
 * waits that were too short on its own clock, and the threads in the order of their ends.
 */
const PROGRAMS: Readonly<Record<string, { program: string; name: string; text: string }>> = {
  "threads of Python": {
    program: "python3",
    name: "client.py",
    text: `import datetime, json, os, sys, threading, time, urllib.request
def clock():
    call = urllib.request.Request(os.environ["DOCDOUBLE_URL"] + "/__admin/clock", headers={"authorization": "API-Key " + os.environ["DOCDOUBLE_API_KEY"]})
    return datetime.datetime.fromisoformat(json.load(urllib.request.urlopen(call))["now"].replace("Z", "+00:00")).timestamp()
for sets in json.loads(sys.argv[1]):
    short, order, began = [], [], clock()
    def wait(thread, waits):
        for one in waits:
            at = time.monotonic()
            time.sleep(one)
            if time.monotonic() - at < one: short.append(one)
        order.append(thread)
    threads = [threading.Thread(target=wait, args=one) for one in enumerate(sets)]
    for one in threads: one.start()
    for one in threads: one.join()
    print(json.dumps({"moved": round(clock() - began, 3), "short": short, "order": order}))`,
  },
  "tasks of asyncio": {
    program: "python3",
    name: "tasks.py",
    text: `import asyncio, datetime, json, os, sys, time, urllib.request
def clock():
    call = urllib.request.Request(os.environ["DOCDOUBLE_URL"] + "/__admin/clock", headers={"authorization": "API-Key " + os.environ["DOCDOUBLE_API_KEY"]})
    return datetime.datetime.fromisoformat(json.load(urllib.request.urlopen(call))["now"].replace("Z", "+00:00")).timestamp()
async def play(sets):
    short, order, began = [], [], clock()
    async def wait(thread, waits):
        for one in waits:
            at = time.monotonic()
            await asyncio.sleep(one)
            if time.monotonic() - at < one: short.append(one)
        order.append(thread)
    await asyncio.gather(*(wait(*one) for one in enumerate(sets)))
    print(json.dumps({"moved": round(clock() - began, 3), "short": short, "order": order}))
for sets in json.loads(sys.argv[1]):
    asyncio.run(play(sets))`,
  },
  "threads of Ruby": {
    program: "ruby",
    name: "client.rb",
    text: `require "json"; require "net/http"; require "time"
def clock
  uri = URI(ENV["DOCDOUBLE_URL"] + "/__admin/clock")
  Time.parse(JSON.parse(Net::HTTP.get(uri, { "authorization" => "API-Key " + ENV["DOCDOUBLE_API_KEY"] }))["now"]).to_r
end
def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
JSON.parse(ARGV[0]).each do |sets|
  short, order, began = [], [], clock
  sets.each_with_index.map do |waits, thread|
    Thread.new do
      waits.each do |one|
        at = now
        sleep one
        short << one if now - at < one
      end
      order << thread
    end
  end.each(&:join)
  puts JSON.generate({ moved: (clock - began).to_f.round(3), short: short, order: order })
end`,
  },
  "threads of Node": {
    program: process.execPath,
    name: "client.mjs",
    text: `import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import { setTimeout as sleep } from "node:timers/promises";
const clock = async () => {
  const answer = await fetch(process.env.DOCDOUBLE_URL + "/__admin/clock", { headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY } });
  return Date.parse((await answer.json()).now);
};
if (isMainThread) for (const sets of JSON.parse(process.argv[2])) {
  const short = [], order = [], began = await clock();
  await Promise.all(sets.map((waits, thread) => new Promise((resolve) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: waits });
    worker.on("message", (found) => { short.push(...found); order.push(thread); });
    worker.on("exit", resolve);
  })));
  console.log(JSON.stringify({ moved: (await clock() - began) / 1000, short, order }));
} else {
  const short = [];
  for (const one of workerData) {
    const at = performance.now();
    await sleep(1000 * one);
    if (performance.now() - at < 1000 * one) short.push(one);
  }
  parentPort.postMessage(short);
}`,
  },
};

/** In one round, no two threads end at the same time. */
const round = fc
  .array(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .filter((sets) => new Set(sets.map(sumOf)).size === sets.length);

function sumOf(waits: readonly number[]): number {
  return waits.reduce((sum, one) => sum + one, 0);
}

test.each(Object.entries(PROGRAMS))("%s", async (_, { program, name, text }) => {
  if (!has(program)) return;
  const rounds = [[[50], [10], [30]], ...fc.sample(round, { numRuns: 6, seed: 7 })];
  const { stdout, stderr, code } = await run([
    "run",
    "--clock",
    "auto",
    "--",
    program,
    files({ [name]: text }),
    JSON.stringify(rounds),
  ]);
  expect(code, stderr).toBe(0);
  const found = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  const wanted = rounds.map((sets) => {
    const ends = sets.map((waits, thread) => ({ thread, end: sumOf(waits) })).sort((a, b) => a.end - b.end);
    return { moved: ends.at(-1)?.end, short: [], order: ends.map(({ thread }) => thread) };
  });
  expect(found).toEqual(wanted);
});
