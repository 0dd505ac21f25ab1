/** Network faults as real clients in other processes see them: Node's fetch, Node's http, and curl where there is one. */
import { spawn, spawnSync } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox.ts";

async function broken(then: object): Promise<Sandbox> {
  const sandbox = await createSandbox({ port: 0, seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" });
  onTestFinished(() => sandbox.close());
  const answer = await fetch(`${sandbox.url}/__admin/rules`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "broken", when: { operation: "listTemplates" }, then }),
  });
  expect(answer.status).toBe(201);
  return sandbox;
}

function run(program: string, args: readonly string[]): Promise<{ code: number | null; out: string }> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: { PATH: process.env.PATH } });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out: out.trim() })));
}

const HEADERS = `{ authorization: "API-Key docdouble-key" }`;
/** Prints `status bytes`, or the code of what went wrong. */
const FETCH = `fetch(process.argv[1], { headers: ${HEADERS}, signal: AbortSignal.timeout(Number(process.argv[2])) })
  .then(async (r) => console.log(r.status, (await r.text()).length > 0))
  .catch((e) => console.log(e.name === "TimeoutError" ? e.name : e.cause?.code ?? e.message));`;
const HTTP = `const r = require("node:http").get(process.argv[1], { headers: ${HEADERS}, timeout: Number(process.argv[2]) }, (a) => {
  let n = 0; a.on("data", (c) => { n += c.length; });
  a.on("end", () => console.log(a.statusCode, n > 0)); a.on("error", (e) => console.log(e.code));
});
r.on("timeout", () => { console.log("TimeoutError"); r.destroy(); process.exit(); });
r.on("error", (e) => console.log(e.code));`;

/** Long enough for a loaded machine; only a hanging answer takes it all. */
const PATIENCE_MS = 20_000;
const HANG_MS = 1500;

const url = (sandbox: Sandbox) => `${sandbox.url}/public/v1/templates`;

describe.each([
  ["fetch", FETCH],
  ["http", HTTP],
])("Node's %s", (name, script) => {
  test.each<[string, RegExp]>([
    ["reset", /^ECONNRESET$/],
    ["empty", /^(ECONNRESET|UND_ERR_SOCKET)$/],
    ["truncate", /^(ECONNRESET|UND_ERR_SOCKET)$/],
    ["hang", /^TimeoutError$/],
    ["slow", /^200 true$/],
  ])(`${name}: network %s`, async (network, expected) => {
    const sandbox = await broken({ network });
    const { out } = await run(process.execPath, ["-e", script, url(sandbox), String(network === "hang" ? HANG_MS : PATIENCE_MS)]);
    expect(out).toMatch(expected);
  });

  test(`${name}: a delay under a frozen clock is answered`, async () => {
    const sandbox = await broken({ delay: "20ms" });
    expect((await run(process.execPath, ["-e", script, url(sandbox), String(PATIENCE_MS)])).out).toBe("200 true");
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 2, 2, 9));
  });
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe("curl", () => {
  test.skipIf(!hasCurl).each<[string, number[], string]>([
    ["reset", [56], "000"],
    ["empty", [52], "000"],
    ["truncate", [18], "200"],
    ["hang", [28], "000"],
    ["slow", [0], "200"],
  ])(hasCurl ? "curl: network %s" : "curl: network %s (skipped: no curl on this machine)", async (network, codes, status) => {
    const sandbox = await broken({ network });
    const limit = String((network === "hang" ? HANG_MS : PATIENCE_MS) / 1000);
    const args = ["-sS", "-o", "/dev/null", "-w", "%{stdout}%{http_code}", "--max-time", limit, "--noproxy", "*"];
    const { code, out } = await run("curl", [...args, "-H", "Authorization: API-Key docdouble-key", url(sandbox)]);
    expect(codes).toContain(code);
    expect(out).toMatch(new RegExp(`${status}$|^${status}`));
  });
});

test("what follows a fault on a new connection is answered, and the journal tells of both", async () => {
  const sandbox = await broken({ network: "reset", times: 1 });
  const call = () => run(process.execPath, ["-e", FETCH, url(sandbox), String(PATIENCE_MS)]);
  expect([(await call()).out, (await call()).out]).toEqual(["ECONNRESET", "200 true"]);
  expect(sandbox.journal.all().map((one) => [one.rule, one.why])).toEqual([
    ["broken", "the answer was spoilt: reset"],
    [undefined, undefined],
  ]);
});

test("a server closes while an answer hangs", async () => {
  const sandbox = await broken({ network: "hang" });
  const call = run(process.execPath, ["-e", FETCH, url(sandbox), String(PATIENCE_MS)]);
  const verify = { match: { operationId: "listTemplates" }, timeoutMs: PATIENCE_MS };
  await sandbox.fetch("/__admin/requests/verify", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(verify),
  });
  await sandbox.close();
  expect((await call).out).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)$/);
});
