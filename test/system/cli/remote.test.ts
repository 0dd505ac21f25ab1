/** The built command, following or changing a running server. */
import { spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { localServer } from "../../support/local-server.ts";
import { CLI, run, serve } from "../../support/process.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { until } from "../../support/patience.ts";

interface Following {
  /** Resolves with all output after `text` has appeared `times` times. */
  until(text: string, times?: number): Promise<string>;
  /** Sends an interrupt. Resolves with the exit code and the output. */
  stop(): Promise<{ code: number | null; stdout: string }>;
}

function follow(...args: string[]): Following {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let stdout = "";
  let errors = "";
  let heard = (): void => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    heard();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const done = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    until: (text, times = 1) =>
      new Promise((resolve, reject) => {
        heard = () => {
          if (stdout.split(text).length > times) resolve(stdout);
        };
        heard();
        void done.then((code) => reject(new Error(`ended with ${code}: ${stdout}${errors}`)));
      }),
    async stop() {
      child.kill("SIGINT");
      return { code: await done, stdout };
    },
  };
}

test("listen --forward subscribes, shows the shared key and deliveries, subscribes again after a reset, and unsubscribes at its end", async () => {
  const world = await testWorld({ port: 0 });
  const hook = await receiver();
  const listening = follow(
    "listen",
    world.sandbox.url,
    "--forward",
    hook.url,
    "--events",
    "document_state_changed",
    "--log",
    "plain",
  );
  const told = await listening.until("shared key");
  hook.key = /shared key (\S+)/.exec(told)?.[1] ?? "";
  await aDraft(world);
  expect(await listening.until("hook")).toMatch(
    /T09:00:03\.\d{3}Z {2}hook {4}200 {2}document_state_changed → \S+ · Service agreement document\.draft · \d+ ms\n/,
  );
  expect(hook.received).toMatchObject([{ verified: true }]);
  await world.admin("POST", "/reset");
  await listening.until("shared key", 2);
  expect((await world.call("listWebhookSubscriptions")).body.items).toMatchObject([{ name: "docdouble listen", url: hook.url }]);
  const { code, stdout } = await listening.stop();
  expect({ code, calls: stdout.includes("POST") }).toEqual({ code: 0, calls: false });
  expect((await world.call("listWebhookSubscriptions")).body.items).toEqual([]);
});

test("listen opens the event stream before it subscribes, so that it misses no delivery", async () => {
  const world = await testWorld({ port: 0 });
  const wereRead: boolean[] = [];
  world.tenant.journal.watch(({ method }) => {
    if (method === "POST") wereRead.push(world.tenant.eventStream.isListening);
  });
  const listening = follow("listen", world.sandbox.url, "--forward", (await receiver()).url);
  await listening.until("shared key");
  expect(wereRead).toEqual([true]);
  expect((await listening.stop()).code).toBe(0);
});

test("logs shows calls, jobs, statuses and clock moves, and ends with the server", async () => {
  const world = await testWorld({ port: 0 });
  const following = follow("logs", world.sandbox.url, "--json");
  // The stream is open when the server knows a reader.
  await until(() => world.tenant.eventStream.isListening);
  await aDraft(world);
  const lines = (await following.until('"type":"status"')).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(["call", "clock", "job", "status"]);
});

test("start --webhook subscribes all tenants, prints the shared key, and keeps the subscription after a reset", async () => {
  const hook = await receiver();
  const server = await serve(["--port", "0", "--clock", "frozen", "--log", "plain", "--webhook", hook.url, "--seed", "7"]);
  expect((await server.call("POST", "/__admin/reset")).status).toBe(200);
  expect(await run(["trigger", "document_completed", server.url])).toMatchObject({ code: 0 });
  await server.call("POST", "/__admin/clock/advance", { by: "0s" });
  const [subscription] = (await server.call("GET", "/public/v1/webhook-subscriptions")).body.items;
  const { stdout } = await server.stop();
  expect(stdout).toMatch(new RegExp(`webhook +${hook.url} +shared key ${subscription.shared_key}\n`));
  const told = hook.received.map(({ body }) => (body as [{ event: string; data: object }])[0]);
  expect(told.filter((one) => one.event === "document_completed")).toMatchObject([{ data: { status: "document.completed" } }]);
  expect(stdout).toMatch(/hook {4}200 {2}document_completed → /);
  expect(stdout).not.toContain("scenario");
  expect(await run(["trigger", "document_signed"])).toMatchObject({ code: 2 });
});

test.each([["logs"], ["listen"]])("%s ends with 0 when Ctrl-C comes before the server answers", async (command) => {
  let wasCalled = (): void => {};
  const called = new Promise<void>((resolve) => {
    wasCalled = resolve;
  });
  const silent = await localServer(() => wasCalled());
  const following = follow(command, silent);
  await called;
  expect(await following.stop()).toEqual({ code: 0, stdout: "" });
});

test("commands for a running server explain their errors", async () => {
  const world = await testWorld({ port: 0, adminToken: "open sesame" });
  const unknownKey = ["--key", "wrong", "--admin-token", "open sesame"];
  expect(await run(["listen", world.sandbox.url, "--forward", "http://127.0.0.1:9", ...unknownKey])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not know this API key. Pass the key of its workspace with --key."),
  });
  expect(await run(["logs", world.sandbox.url])).toMatchObject({ code: 1, stderr: expect.stringContaining("401") });
  expect(await run(["listen", "--events", "document_complete"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("there is no event document_complete; did you mean document_completed?"),
  });
});
