/** `--sleep virtual`: sleeps of a command take no real time, and docdouble's clock moves by them. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { files, run } from "../../support/process.ts";

const has = (program: string) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;

/** Prints the seconds that passed on the client's clock and on docdouble's, and the results of waits. */
const CLIENTS: Readonly<Record<string, { program: string; name: string; text: string }>> = {
  Node: {
    program: process.execPath,
    name: "client.mjs",
    text: `import { setTimeout as sleep } from "node:timers/promises";
const { DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: key } = process.env;
const get = async (path) => (await fetch(url + path, { headers: { authorization: "API-Key " + key }, signal: AbortSignal.timeout(20000) })).json();
const clock = async () => Date.parse((await get("/__admin/clock")).now);
const [own, theirs] = [Date.now(), await clock()];
const cleared = setTimeout(() => console.log("never"), 86400000);
clearTimeout(cleared);
await sleep(20000);
await new Promise((resolve) => setTimeout(resolve, 10000));
const order = [];
await Promise.all([3000, 1000, 2000].map((ms) => sleep(ms).then(() => order.push(ms / 1000))));
let polls = 0;
for (const until = Date.now() + 27000; Date.now() < until; polls++) {
  await get("/public/v1/templates");
  await sleep(3000);
}
console.log(JSON.stringify({ own: Math.round((Date.now() - own) / 1000), theirs: Math.round((await clock() - theirs) / 1000), order, polls }));`,
  },
  Python: {
    program: "python3",
    name: "client.py",
    text: `import asyncio, datetime, json, os, queue, threading, time, urllib.request
url, key = os.environ["DOCDOUBLE_URL"], os.environ["DOCDOUBLE_API_KEY"]
def get(path):
    call = urllib.request.Request(url + path, headers={"authorization": "API-Key " + key})
    return json.load(urllib.request.urlopen(call, timeout=20))
def clock():
    return datetime.datetime.fromisoformat(get("/__admin/clock")["now"].replace("Z", "+00:00")).timestamp()
own, day, theirs = time.monotonic(), datetime.datetime.now(), clock()
time.sleep(10)
woken = threading.Event()
threading.Timer(5, woken.set).start()
assert woken.wait(3600)
try:
    queue.Queue().get(timeout=5)
except queue.Empty:
    pass
async def waits():
    await asyncio.gather(*(asyncio.sleep(s) for s in (10, 5)))
asyncio.run(waits())
order = []
threads = [threading.Thread(target=lambda s=s: (time.sleep(s), order.append(s))) for s in (3, 1, 2)]
for one in threads: one.start()
for one in threads: one.join()
polls, until = 0, time.monotonic() + 27
while time.monotonic() < until:
    get("/public/v1/templates")
    polls += 1
    time.sleep(3)
assert isinstance(day, datetime.datetime) and abs((datetime.datetime.now() - day).total_seconds() - (time.monotonic() - own)) < 1
print(json.dumps({"own": round(time.monotonic() - own), "theirs": round(clock() - theirs), "order": order, "polls": polls}))`,
  },
  Ruby: {
    program: "ruby",
    name: "client.rb",
    text: `require "json"; require "net/http"; require "time"; require "timeout"
def get(path)
  uri = URI(ENV["DOCDOUBLE_URL"] + path)
  Net::HTTP.start(uri.host, uri.port, open_timeout: 20) { |http| JSON.parse(http.get(uri.request_uri, { "authorization" => "API-Key " + ENV["DOCDOUBLE_API_KEY"] }).body) }
end
def clock = Time.parse(get("/__admin/clock")["now"]).to_f
own, theirs = Process.clock_gettime(Process::CLOCK_MONOTONIC), clock
sleep 22
mutex, condition = Mutex.new, ConditionVariable.new
mutex.synchronize { condition.wait(mutex, 10) }
order = []
[3, 1, 2].map { |s| Thread.new { sleep s; order << s } }.each(&:join)
polls = 0
begin
  Timeout.timeout(26) { loop { get("/public/v1/templates"); polls += 1; sleep 3 } }
rescue Timeout::Error
end
puts JSON.generate({ own: (Process.clock_gettime(Process::CLOCK_MONOTONIC) - own).round, theirs: (clock - theirs).round, order: order, polls: polls })`,
  },
};

describe.each(Object.entries(CLIENTS))("in %s", (_, { program, name, text }) => {
  test.skipIf(!has(program))("sixty seconds of sleeps, waits and polls move both clocks alike", async () => {
    const client = files({ [name]: text });
    const began = performance.now();
    const { stdout, stderr, code } = await run(["run", "--clock", "auto", "--", program, client]);
    expect(code, stderr).toBe(0);
    const { own, theirs, order, polls } = JSON.parse(stdout) as Record<"own" | "theirs" | "polls", number> & { order: number[] };
    expect(order).toEqual([1, 2, 3]);
    expect(own).toBeGreaterThanOrEqual(60);
    expect(own).toBeLessThan(75);
    expect(theirs).toBeGreaterThanOrEqual(60);
    expect(theirs).toBeLessThan(75);
    expect(polls).toBe(9);
    expect(performance.now() - began).toBeLessThan(40_000);
  });
});

test.skipIf(!has("python3"))("a sitecustomize of the user still runs", async () => {
  const client = files({
    "client.py": "import mark; print(mark.made)",
    "mark.py": "made = False",
    "sitecustomize.py": "import mark\nmark.made = True",
  });
  const { stdout } = await run(["run", "--clock", "auto", "--", "python3", client], {
    env: { PYTHONPATH: client.replace(/\/[^/]+$/, "") },
  });
  expect(stdout.trim()).toBe("True");
});

test("sleeps stay real without an automatic clock, and --sleep virtual then explains what it needs", async () => {
  const client = files({ "client.mjs": "console.log(process.env.DOCDOUBLE_SLEEP)" });
  expect((await run(["run", "--", process.execPath, client])).stdout.trim()).toBe("undefined");
  expect((await run(["run", "--clock", "auto", "--sleep", "real", "--", process.execPath, client])).stdout.trim()).toBe(
    "undefined",
  );
  const refused = await run(["run", "--sleep", "virtual", "--", process.execPath, client]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("--sleep virtual needs an automatic clock") });
});

/** Polls up to 15 times, once each two seconds, and then gives up with an error. */
const BOUNDED = `const { DOCDOUBLE_API_KEY: key } = process.env;
const call = async (method, path, body) => {
  const answer = await fetch("https://api.pandadoc.com/public/v1" + path, { method, headers: { authorization: "API-Key " + key, "content-type": "application/json" }, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(path + " answered " + answer.status);
  return answer.json();
};
const { id } = await call("POST", "/documents", { name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients: [{ email: "pat@client.example", role: "Client" }] });
for (let tries = 1; (await call("GET", "/documents/" + id)).status !== "document.draft"; tries++) {
  if (tries === LOOKS) throw new Error("the draft took too long");
  await new Promise((resolve) => setTimeout(resolve, 2000));
}`;

const outcomes = (stdout: string) => {
  const { cells, breaks } = JSON.parse(stdout) as {
    cells: { fault: string; outcome: string }[];
    breaks: { symptom: string }[];
  };
  return {
    cells: cells.filter(({ outcome }) => outcome !== "not_tried").map(({ fault, outcome }) => `${fault} ${outcome}`),
    breaks: breaks.map(({ symptom }) => symptom),
  };
};

test("explore --intercept calls a bounded wait patient, and proves that an unbounded one does not end", async () => {
  const flags = ["explore", "--intercept", "--json", "--only", "slow_processing,processing_failed"];
  const explored = async (looks: string) => {
    const client = files({ "client.mjs": BOUNDED.replace("LOOKS", looks) });
    const { stdout } = await run([...flags, "--budget", "10m", "--out", files(), "--", process.execPath, client]);
    return outcomes(stdout);
  };
  expect(await explored("15")).toEqual({
    cells: ["slow_processing survived", "processing_failed warned"],
    breaks: [],
  });
  expect(await explored("Infinity")).toEqual({
    cells: ["slow_processing survived", "processing_failed broke"],
    breaks: ["hung"],
  });
});

test.each([
  ["python3", "chance.py", "import random; print(random.random())"],
  ["ruby", "chance.rb", "puts rand"],
  [process.execPath, "chance.mjs", "console.log(Math.random())"],
])(
  "explore gives %s the same chance for the same seed, so that equal explorations see equal pauses",
  async (program, name, text) => {
    if (!has(program)) return;
    const file = files({ [name]: text });
    const chance = async (seed: string | undefined) => {
      const variables = seed === undefined ? [] : ["--env", `DOCDOUBLE_RANDOM=${seed}`];
      return (await run(["run", "--clock", "auto", ...variables, "--", program, file])).stdout;
    };
    const [one, again, other, free] = [await chance("1"), await chance("1"), await chance("2"), await chance(undefined)];
    expect(one).toMatch(/^0\.\d+\n$/);
    expect(again).toBe(one);
    expect([other, free]).not.toContain(one);
  },
);
