/** Threads and programs that may be busy hold the time of a sleep. */
import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { isAtWork, machineName } from "../../../src/engine/jobs/program-state.ts";
import { createSandbox } from "../../../src/index.ts";
import { withManualTime } from "../../support/stopwatch.ts";

async function begin() {
  const sandbox = await createSandbox({ clock: "auto" });
  onTestFinished(() => sandbox.close());
  const time = withManualTime(sandbox);
  const began = sandbox.clock.now();
  const sleep = (by: string, others: number, signal?: AbortSignal) => {
    const body = JSON.stringify({ by, process: "client", others });
    return sandbox.fetch("/__admin/clock/sleep", { method: "POST", body, ...(signal ? { signal } : {}) });
  };
  const call = () => sandbox.fetch("/public/v1/templates", { headers: { authorization: `API-Key ${sandbox.apiKey}` } });
  return { time, sleep, call, passed: () => sandbox.clock.now() - began };
}

test("a thread that may be busy holds the sleep of another for half a second, and from then on counts as quiet", async () => {
  const { time, sleep, passed } = await begin();
  const first = sleep("27s", 1);
  await time.pass(499);
  expect(passed()).toBe(0);
  await time.pass(2);
  await first;
  expect(passed()).toBe(27_000);
  const second = sleep("3s", 1);
  await time.pass(26);
  await second;
  expect(passed()).toBe(30_000);
});

test("a call while all declared threads sleep shows that a quiet thread is busy after all", async () => {
  const { time, sleep, call, passed } = await begin();
  const first = sleep("1s", 1);
  await time.pass(501);
  await first;
  const second = sleep("9s", 1);
  await time.pass(0);
  await call();
  await time.pass(499);
  expect(passed()).toBe(1000);
  await time.pass(2);
  await second;
  expect(passed()).toBe(10_000);
});

test("a thread whose wait ended early counts as busy until it sleeps", async () => {
  const { time, sleep, passed } = await begin();
  const woken = new AbortController();
  const event = sleep("1h", 1, woken.signal).catch(() => undefined);
  const other = sleep("5s", 0);
  await time.pass(0);
  woken.abort();
  await time.pass(499);
  expect(passed()).toBe(0);
  await time.pass(2);
  await other;
  expect(passed()).toBe(5000);
  await event;
});

test.skipIf(machineName() === "")("a program is at work while it computes, and not while it waits", async () => {
  const child = spawn(process.execPath, [
    "-e",
    'process.stdin.once("data", () => { console.log("begun"); for (;;); }); console.log("up")',
  ]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const said = () => new Promise<string>((resolve) => child.stdout.once("data", (text) => resolve(String(text).trim())));
  const name = `${child.pid}.0@${machineName()}`;
  expect(await said()).toBe("up");
  await expect.poll(() => isAtWork(name)).toBe(false);
  child.stdin.write("go\n");
  expect(await said()).toBe("begun");
  for (let i = 0; i < 100; i++) expect(isAtWork(name)).toBe(true);
});

test.each([
  "client",
  "1",
  `${process.pid}@${machineName()}`,
  "1@elsewhere",
  `4294967295@${machineName()}`,
  `../1@${machineName()}`,
])("docdouble sees no work of %s", (name) => {
  expect(isAtWork(name)).toBe(false);
});
