/**
 * Faults as real clients report them: Node's fetch and http, undici, axios, and curl if installed. Each client runs in a separate
 * process and calls once per fault. A header selects the fault.
 */
import { spawn } from "node:child_process";
import { describe, expect, onTestFinished, type OnTestFinishedHandler, test } from "vitest";
import { createSandbox } from "../../../src/library/sandbox.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { within } from "../../support/patience.ts";

/** Long enough for a loaded machine. Only a hanging answer takes the whole time. */
const PATIENCE_MS = 20_000;

/** The effect of each fault on `listTemplates`. */
const FAULTS = {
  reset: { network: "reset" },
  empty: { network: "empty" },
  garbage: { network: "garbage" },
  hang: { network: "hang" },
  truncate: { network: "truncate" },
  slow: { network: "slow" },
  late: { delay: "20ms" },
  blank: { respond: { status: 200 } },
  html: { respond: { status: 200, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" } },
} as const;
type Fault = keyof typeof FAULTS;

/** `onTestFinished` of the test itself, because concurrent tests each need their own. */
type End = (run: OnTestFinishedHandler) => void;

async function open(end: End): Promise<Sandbox> {
  const sandbox = await createSandbox({ port: 0, seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" });
  end(() => sandbox.close());
  return sandbox;
}

async function broken(end: End): Promise<Sandbox> {
  const sandbox = await open(end);
  for (const [name, then] of Object.entries(FAULTS))
    sandbox.rules.add({ name, when: { operation: "listTemplates", headers: { "x-fault": name } }, then });
  return sandbox;
}

function run(end: End, program: string, args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env.PATH } });
  end(() => {
    child.kill("SIGKILL");
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out: out.trim() })));
}

/** The error that each client reports. A mock of the client would not report the same. */
const CLIENTS: Record<string, Record<Fault, string>> = {
  fetch: {
    reset: "fetch failed: ECONNRESET",
    empty: "fetch failed: UND_ERR_SOCKET",
    garbage: "fetch failed: HTTPParserError",
    hang: "TimeoutError",
    truncate: "terminated: UND_ERR_SOCKET",
    slow: "200 object",
    late: "200 object",
    blank: "SyntaxError",
    html: "SyntaxError",
  },
  http: {
    reset: "ECONNRESET",
    empty: "ECONNRESET",
    garbage: "HPE_INVALID_CONSTANT",
    hang: "timeout event",
    truncate: "ECONNRESET",
    slow: "200 object",
    late: "200 object",
    blank: "SyntaxError",
    html: "SyntaxError",
  },
  undici: {
    reset: "ECONNRESET",
    empty: "UND_ERR_SOCKET",
    garbage: "HTTPParserError",
    hang: "UND_ERR_HEADERS_TIMEOUT",
    truncate: "UND_ERR_SOCKET",
    slow: "200 object",
    late: "200 object",
    blank: "SyntaxError",
    html: "SyntaxError",
  },
  axios: {
    reset: "ECONNRESET",
    empty: "ECONNRESET",
    garbage: "HPE_INVALID_CONSTANT",
    hang: "ECONNABORTED",
    // axios reports a truncated body as a bad response, without the code of the socket.
    truncate: "ERR_BAD_RESPONSE",
    slow: "200 object",
    late: "200 object",
    // axios returns text that is not JSON as a string. Only code that checks the body notices.
    blank: "200 string",
    html: "200 string",
  },
};

const url = (sandbox: Sandbox) => `${sandbox.url}/public/v1/templates`;

/** The outcome of each fault, as the client reports it. */
async function callAll(end: End, client: string, target: string, faults: readonly string[]): Promise<Record<string, string>> {
  const { out } = await run(end, process.execPath, ["test/support/fault-client.mjs", client, target, faults.join()]);
  expect(out[0], out).toBe("{");
  return JSON.parse(out);
}

describe.concurrent.each(Object.entries(CLIENTS))("%s", (name, expected) => {
  test(`${name}: each fault is reported with the client's own error, and a frozen clock stands still`, async ({
    onTestFinished: end,
  }) => {
    const sandbox = await broken(end);
    expect(await callAll(end, name, url(sandbox), Object.keys(FAULTS))).toEqual(expected);
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 2, 2, 9));
  });
});

test("a call after a fault is answered on a new connection, and the journal shows both calls", async () => {
  const sandbox = await broken(onTestFinished);
  const call = (fault: string) => callAll(onTestFinished, "fetch", url(sandbox), [fault]);
  expect(await call("reset")).toEqual({ reset: "fetch failed: ECONNRESET" });
  expect(await call("none")).toEqual({ none: "200 object" });
  expect(sandbox.journal.all().map((one) => [one.rule, one.why])).toEqual([
    ["reset", "network fault of the rule: reset"],
    [undefined, undefined],
  ]);
});

test("a server closes at once while an answer hangs", async () => {
  const sandbox = await broken(onTestFinished);
  const call = callAll(onTestFinished, "http", url(sandbox), ["hang"]);
  const verify = { match: { operation: "listTemplates" }, timeout_ms: PATIENCE_MS };
  await sandbox.fetch("/__admin/requests/verify", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(verify),
  });
  const start = performance.now();
  await sandbox.close();
  expect(performance.now() - start).toBeLessThan(within(3000));
  expect(await call).toEqual({ hang: "ECONNRESET" });
});
