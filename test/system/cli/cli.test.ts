/** The built command as users run it: its output, its exit codes, and the input that it refuses. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { VERSION } from "../../../src/library/sandbox.ts";
import { localServer } from "../../support/local-server.ts";
import { files, run, serve } from "../../support/process.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { until } from "../../support/patience.ts";

const SENTENCE = /^[^\n]+\n$/;

async function takenPort(port = 0): Promise<number> {
  const server = createServer();
  // Another program may have the port already.
  await new Promise<void>((resolve) => server.once("error", () => resolve()).listen(port, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
  });
  return (server.address() as AddressInfo | null)?.port ?? port;
}

describe("start", () => {
  test("start prints one line with the real port when ready, and nothing more with --log silent", async () => {
    const server = await serve(["start", "--port", "0", "--log", "silent"]);
    expect(server.line).toMatch(/^docdouble listening on http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.line).not.toMatch(/:0$/);
    expect((await server.call("GET", "/public/v1/documents")).body).toEqual({ results: [] });
    expect(await server.stop()).toEqual({ code: 0, stdout: `${server.line}\n`, stderr: "" });
  });

  test("start listens on 4010 where nobody names a port", async () => {
    await takenPort(4010);
    expect(await run(["start"])).toMatchObject({ code: 2, stderr: expect.stringContaining("Cannot listen on 127.0.0.1:4010") });
  });

  test("start reads each setting from the environment, and a flag has priority", async () => {
    const env = {
      DOCDOUBLE_PORT: "0",
      DOCDOUBLE_CLOCK: "frozen",
      DOCDOUBLE_NOW: "2026-03-02T09:00:00Z",
      DOCDOUBLE_SEED: "7",
      DOCDOUBLE_PUBLIC_URL: "https://double.example/",
      DOCDOUBLE_SCENARIO: "scenarios/bad-day.yaml",
      DOCDOUBLE_RATE_LIMIT: "sandbox",
      DOCDOUBLE_WEBHOOK_RETRIES: "1s,2s,3s",
      DOCDOUBLE_LOG: "silent",
    };
    const server = await serve(["start", "--now", "2026-04-01T00:00:00Z"], { env });
    expect((await server.call("GET", "/__admin/clock")).body).toMatchObject({
      now: "2026-04-01T00:00:00.000000Z",
      mode: "frozen",
    });
    expect((await server.call("GET", "/__admin/scenarios")).body.scenarios).toMatchObject([{ name: "bad-day" }]);
    const { body } = await server.call("POST", "/public/v1/documents", {
      template_uuid: TEMPLATES.oneSigner,
      recipients: [CLIENT],
    });
    expect(body.links[0].href).toBe(`https://double.example/public/v1/documents/${body.id}`);
    expect((await server.stop()).code).toBe(0);
  });

  test("start on a used port fails with one sentence and exit code 2", async () => {
    const port = await takenPort();
    const ended = await run(["--port", String(port)]);
    expect(ended).toEqual({
      code: 2,
      stdout: "",
      stderr: `Cannot listen on 127.0.0.1:${port}: the port is in use. Set --port to another number; 0 picks a free port.\n`,
    });
  });

  test.each([
    [["--nonsense"], "unknown option '--nonsense'"],
    [["--port", "many"], "A port is a number from 0 to 65535"],
    [["--port", "70000"], "A port is a number from 0 to 65535"],
    [["--clock", "broken"], "Allowed choices are real, frozen"],
    [["--clock-speed", "1e300"], "Cannot set the clock's speed to 1e+300."],
    [["--webhook-retries", "99999999d"], '"99999999d" is too long. The longest duration is 36500d.'],
    [["--now", "1900-01-01", "--port", "0"], "outside the clock's range"],
    [["--clock-speed", "0"], "Use a number from 0.001 to 1000000."],
    [["--rate-limit", "huge"], "Allowed choices are none, sandbox, production"],
    [["--webhook-retries", "1m,soon"], '"soon" is not a duration'],
    [["--log", "loud"], "Allowed choices are pretty, plain, json, silent"],
    [["--now", "yesterday", "--port", "0"], '"yesterday" is not an ISO 8601 instant'],
    [["--public-url", "nonsense", "--port", "0"], "--public-url, nonsense, is not a web address."],
    [["--scenario", "missing.yaml", "--port", "0"], "cannot read missing.yaml: ENOENT"],
    [["--fixtures", "missing.json", "--port", "0"], "cannot read missing.json: ENOENT"],
    [["strat"], "unknown command 'strat'; did you mean start?"],
    [
      ["explore", "--allow-failure", "--out", "found", "--", "true"],
      "option '--allow-failure <pattern>' needs a value, and '--out' is an option",
    ],
    [["--port", "--clock", "frozen"], "option '--port <number>' needs a value, and '--clock' is an option"],
    [["nonsense"], "unknown command 'nonsense'; use one of start, run, "],
    [["story.yaml"], "to serve a scenario: docdouble --scenario story.yaml"],
    [["start", "more"], "too many arguments"],
  ])("start refuses %j with exit code 2 and one sentence", async (args, message) => {
    const ended = await run(args);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(SENTENCE);
    expect(ended.stderr).toContain(message);
  });

  test("start on another address than loopback requires an admin token", async () => {
    const ended = await run(["--host", "0.0.0.0", "--port", "0"]);
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(SENTENCE);
    expect(ended.stderr).toContain("--admin-token");
  });

  test("SIGTERM ends the server with 0 after it has answered running calls", async () => {
    const server = await serve(["--port", "0", "--log", "silent"]);
    await server.call("POST", "/__admin/rules", { name: "slow", when: { operation: "listDocuments" }, then: { delay: "300ms" } });
    const answer = server.call("GET", "/public/v1/documents");
    await until(async () => (await server.call("GET", "/__admin/rules/slow")).body.hits > 0);
    const [{ code }, { status, body }] = await Promise.all([server.stop(), answer]);
    expect({ code, status, body }).toEqual({ code: 0, status: 200, body: { results: [] } });
  });
});

describe("check", () => {
  test.each([["missing.yaml"], ["scenarios"]])("check exits 2 when it cannot read %s", async (name) => {
    const ended = await run(["check", name]);
    expect(ended).toMatchObject({ code: 2, stdout: expect.stringContaining(`${name}:1:1 cannot read the file: E`) });
    expect((await run(["check", "--fixtures", name])).code).toBe(2);
  });
});

describe("health", () => {
  test("health ends with 0 when the server is ready, and with 1 without a server", async () => {
    const server = await serve(["--port", "0", "--log", "silent"]);
    expect(await run(["health", server.url])).toEqual({ code: 0, stdout: `${server.url}: ready\n`, stderr: "" });
    expect(await run(["health"], { env: { DOCDOUBLE_URL: server.url } })).toMatchObject({ code: 0 });
    const behindPath = await localServer((request, response) => {
      response.writeHead(request.url === "/double/__admin/ready" ? 200 : 404).end("{}");
    });
    expect(await run(["health", `${behindPath}/double/`])).toMatchObject({ code: 0 });
    const asJson = async () => JSON.parse((await run(["health", "--json", server.url])).stdout);
    expect(await asJson()).toEqual({ url: server.url, ready: true, status: 200, problem: null });
    await server.stop();
    expect(await asJson()).toEqual({ url: server.url, ready: false, status: null, problem: "not reachable (ECONNREFUSED)" });
    expect(await run(["health", server.url])).toMatchObject({ code: 1, stdout: `${server.url}: not reachable (ECONNREFUSED)\n` });
  });
});

describe("help", () => {
  test("--help names each command, and start --help each flag", async () => {
    const { stdout } = await run(["--help"]);
    for (const command of ["start", "run", "init", "check", "clock", "trigger", "coverage", "health", "openapi", "schema"])
      expect.soft(stdout).toMatch(new RegExp(`^  ${command}( |$)`, "m"));
    const shown = (await run(["start", "--help"])).stdout.match(/^ {2}--[a-z-]+/gm);
    expect(shown).toEqual(expect.arrayContaining(["  --port", "  --data", "  --log"]));
    expect(shown?.length).toBeGreaterThanOrEqual(17);
  });

  test("an older Node than package.json requires is refused with the required version", async () => {
    const of = (version: string) => {
      const fake = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
      return run(["--version"], { env: { NODE_OPTIONS: `--require ${files({ "fake.cjs": fake })}` } });
    };
    const { engines } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(engines.node).toBe(">=20.19");
    const refused = { code: 2, stdout: "", stderr: "docdouble needs Node 20.19 or newer; this is 20.18.3\n" };
    expect(await of("20.18.3")).toEqual(refused);
    expect((await of("18.20.4")).code).toBe(2);
    expect(await of("20.19.0")).toEqual({ code: 0, stdout: `${VERSION}\n`, stderr: "" });
    expect((await of("24.1.0")).code).toBe(0);
  });
});

describe("init", () => {
  test("init writes files that check and run accept, and never overwrites a file", async () => {
    const folder = join(files(), "here");
    const written = await run(["init", folder]);
    expect(written).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(folder)).toEqual(["fixtures.yaml", "offers.mjs", "offers.test.mjs", "scenario.yaml"]);
    const at = (name: string) => join(folder, name);
    for (const name of readdirSync(folder)) expect.soft(written.stdout).toContain(at(name));

    expect(await run(["check", at("scenario.yaml")])).toMatchObject({ code: 0 });
    expect(await run(["check", "--fixtures", at("fixtures.yaml")])).toMatchObject({ code: 0 });
    const played = await run([
      "run",
      at("scenario.yaml"),
      "--fixtures",
      at("fixtures.yaml"),
      "--",
      process.execPath,
      at("offers.mjs"),
    ]);
    expect(played, played.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/^sent \w{22}\n$/) });
    expect(played.stderr).toContain("first-scenario: every expectation holds");

    const second = join(folder, "second");
    const listed = JSON.parse((await run(["init", "--json", second])).stdout);
    expect(listed.files).toEqual(readdirSync(second).map((name) => join(second, name)));
    const [, , ...words] = (listed.commands.run as string).split(" ");
    const result = await run([...words.slice(0, 1), "--json", ...words.slice(1)]);
    expect(result.stderr).toMatch(/^sent \w{22}\n/);
    expect(JSON.parse(result.stdout)).toMatchObject({
      ...{ version: 1, scenario: "first-scenario", command_code: 0, code: 0 },
      expectations: expect.arrayContaining([{ part: "requests", text: expect.any(String), ok: true, unmet: [] }]),
    });
    rmSync(second, { recursive: true });

    writeFileSync(at("scenario.yaml"), "mine");
    rmSync(at("offers.mjs"));
    const again = await run(["init", folder]);
    expect(again).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(SENTENCE) });
    expect(again.stderr).toContain("already there. Nothing was written. Choose another folder");
    expect(readFileSync(at("scenario.yaml"), "utf8")).toBe("mine");
    expect(readdirSync(folder)).not.toContain("offers.mjs");
  });
});
