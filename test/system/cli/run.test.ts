/** `run`, `--watch`, `check` and the commands for a running server, as users run them. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { files, run } from "../../support/process.ts";

const SCENARIO = `version: 1
name: list once
clock: { mode: frozen, now: 2026-03-02T09:00:00Z }
expect:
  requests:
    - { match: { operation: listTemplates }, times: 1, note: templates <once> }
  unmatched: none
`;

/** A client in one line: it calls paths in turn, then exits with a code. */
const client = (paths: readonly string[], code = 0) => [
  process.execPath,
  "-e",
  `(async () => { for (const path of ${JSON.stringify(paths)}) await fetch(process.env.DOCDOUBLE_URL + path, { headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY } }); process.exit(${code}); })()`,
];

const LIST = "/public/v1/templates";

describe("run", () => {
  test.each<[string, string[], number, number, string]>([
    ["the command passes and all holds", [LIST], 0, 0, "list once: every expectation holds (seed 5)"],
    ["the command fails", [LIST], 3, 3, "list once: every expectation holds (seed 5)"],
    ["an expectation does not hold", [LIST, LIST], 0, 1, "✗ requests: templates <once>: expected exactly 1, found 2"],
    ["both", [], 7, 7, "✗ requests: templates <once>: expected exactly 1, found 0"],
  ])("run: when %s, its exit code is the worse of both", async (_, paths, code, expected, line) => {
    const file = files({ "s.yaml": SCENARIO });
    const ended = await run(["run", file, "--seed", "5", "--", ...client(paths, code)]);
    expect(ended.code, ended.stderr).toBe(expected);
    expect(ended.stderr).toContain(line);
  });

  test("run fails an expectation that a call with another key could break, and says so", async () => {
    const file = files({
      "s.yaml": `version: 1
name: no list
expect: { requests: [{ match: { operation: listTemplates }, never: true }] }
`,
    });
    const other = client([LIST]).map((word) => word.replace("process.env.DOCDOUBLE_API_KEY", '"test-other"'));
    const ended = await run(["run", file, "--seed", "5", "--", ...other]);
    expect(ended).toMatchObject({
      code: 1,
      stderr: `The command made no call with the key in DOCDOUBLE_API_KEY.
✗ keys: every call has the key in DOCDOUBLE_API_KEY: expected no call with another key, found 1 call with other keys
no list: 1 unmet (seed 5)
`,
    });
    const own = await run(["run", file, "--seed", "5", "--", ...client(["/public/v1/contacts"])]);
    expect(own).toMatchObject({ code: 0, stderr: "no list: every expectation holds (seed 5)\n" });
    const silent = await run(["run", file, "--json", "--seed", "5", "--", ...client([])]);
    const note = "The command made no call, so the expectations prove nothing. Let it call the address in DOCDOUBLE_URL.";
    expect(silent).toMatchObject({ code: 0, stderr: `note ${note}\nno list: every expectation holds (seed 5)\n` });
    expect(JSON.parse(silent.stdout)).toMatchObject({ notes: [note] });
    const bare = client(["/public/v1/contacts"]).map((word) => word.replace("authorization", "other"));
    const keyless = await run(["run", file, "--seed", "5", "--", ...bare]);
    const little =
      "The service refused each call of the command with 401, so the expectations prove little. Let it send the key in DOCDOUBLE_API_KEY.";
    expect(keyless).toMatchObject({ code: 0, stderr: `note ${little}\nno list: every expectation holds (seed 5)\n` });
  });

  test("a command that makes no call is told so, and is never praised", async () => {
    const silent = [process.execPath, "-e", ""];
    const UNSEEN = "No call of the API came to docdouble, so its calls may have reached the real host.";
    const intercepted = await run(["run", "--intercept", "--", ...silent]);
    expect(intercepted).toMatchObject({ code: 0, stderr: expect.stringContaining(`note ${UNSEEN}`) });
    const explored = await run(["explore", "--", ...silent]);
    expect(explored).toMatchObject({ code: 2, stderr: expect.stringContaining("The command made no call to docdouble") });
    const unseen = await run(["explore", "--intercept", "--", ...silent]);
    expect(unseen).toMatchObject({ code: 2, stderr: expect.stringContaining(UNSEEN) });
    expect(explored.stdout + unseen.stdout).not.toContain("nothing broke");
  });

  test("run asks for one key where a scenario or a file concerns one key only", async () => {
    const shows = [process.execPath, "-e", "console.log(process.env.DOCDOUBLE_ONE_WORLD ?? 'none')"];
    const file = files({ "s.yaml": "version: 1\n" });
    expect(await run(["run", "--", ...shows])).toMatchObject({ code: 0, stdout: "none\n" });
    expect(await run(["run", file, "--", ...shows])).toMatchObject({ code: 0, stdout: "1\n" });
    const har = join(dirname(file), "calls.har");
    expect(await run(["run", "--har", har, "--", ...shows])).toMatchObject({ code: 0, stdout: "1\n" });
  });

  test("run --intercept: a command with a fixed host and its children reach the server, with or without a scenario", async () => {
    const fixed = `(async () => {
      const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
      const body = JSON.stringify({ name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients: [] });
      const created = await fetch("https://api.pandadoc.com/public/v1/documents", { method: "POST", headers, body });
      const { links: [{ href }] } = await created.json();
      console.log(created.status, new URL(href).host, (await fetch(href, { headers })).status, typeof process.env.DOCDOUBLE_URL);
      process.exit(5);
    })()`;
    const parent = `process.exit(require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(fixed)}], { stdio: "inherit" }).status)`;
    const said = { code: 5, stdout: "201 api.pandadoc.com 200 string\n" };
    const told = await run(["run", "--intercept", "--", process.execPath, "-e", parent]);
    expect(told).toMatchObject({
      ...said,
      stderr: expect.stringMatching(/^What happened:\n.* POST {4}201 {2}\/public\/v1\/documents · Offer/),
    });
    const file = files({
      "s.yaml": "version: 1\nname: one\nexpect: { requests: [{ match: { operation: createDocument }, times: 1 }] }\n",
    });
    const ended = await run(["run", file, "--intercept", "--", process.execPath, "-e", fixed]);
    expect(ended).toMatchObject({ ...said, stderr: expect.stringMatching(/^one: every expectation holds/m) });
    expect(await run(["run", "--intercept"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("the command is missing"),
    });
    expect(await run(["run", file])).toMatchObject({ code: 2, stderr: expect.stringContaining("the command is missing") });
  });

  /** A client that deletes a document until the answer is 403, at most three times. It exits with the code after a third delete. */
  const deletesUntil403 = (code: number) => [
    process.execPath,
    "-e",
    `(async () => {
      const { DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: key } = process.env;
      const headers = { authorization: "API-Key " + key, "content-type": "application/json" };
      const body = JSON.stringify({ name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients: [] });
      const { id } = await (await fetch(url + "/public/v1/documents", { method: "POST", headers, body })).json();
      const remove = async () => (await fetch(url + "/public/v1/documents/" + id, { method: "DELETE", headers })).status;
      await remove();
      if ((await remove()) === 403) return;
      await remove();
      process.exit(${code});
    })()`,
  ];

  test("run --every-reading runs the command once per reading, the default first, and names the readings that matter", async () => {
    const ids = ["--every-reading", "delete.second,contacts.known_email"];
    const ended = await run(["run", ...ids, "--seed", "5", "--", ...deletesUntil403(4)]);
    expect(ended).toEqual({
      code: 4,
      stdout: "",
      stderr: `docdouble run: default readings
docdouble run: delete.second=404
docdouble run: contacts.known_email=duplicate
docdouble run: contacts.known_email=refuse
reading                         exit  unmet  outcome
delete.second=403               0     0      default
delete.second=404               4     0      differs from the default
contacts.known_email=update     0     0      default
contacts.known_email=duplicate  0     0      same
contacts.known_email=refuse     0     0      same
The client fails or behaves otherwise under delete.second=404.
`,
    });
  });

  test("run --env sets variables of the command, and a successful run prints no calls", async () => {
    const env = ["--env", "PANDADOC_URL={url}/public", "--env", "KEY={key}", "--env", "EMPTY="];
    const print =
      "const { PANDADOC_URL, DOCDOUBLE_URL, KEY, EMPTY } = process.env; console.log(PANDADOC_URL === DOCDOUBLE_URL + '/public', KEY, [EMPTY])";
    const ended = await run(["run", ...env, "--", process.execPath, "-e", print]);
    expect(ended).toEqual({ code: 0, stdout: "true docdouble-key [ '' ]\n", stderr: "" });
    expect(await run(["run", "--env", "nonsense", "--", "true"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("A variable is NAME=TEXT, such as PANDADOC_URL={url}."),
    });
  });

  test("run --junit writes an escaped test case for the command and for each expectation", async () => {
    const file = files({ "s.yaml": SCENARIO });
    const junit = join(dirname(file), "report.xml");
    const { stderr } = await run(["run", file, "--junit", junit, "--", ...client(["/public/v1/nothing"], 2)]);
    expect(stderr).toMatch(
      /^What happened:\n09:00:00\.000 {2}GET {5}404 {2}\/public\/v1\/nothing · 0 ms · the service has no path/,
    );
    const xml = readFileSync(junit, "utf8");
    expect(xml).toContain('<testsuite name="list once" tests="3" failures="3">');
    expect(xml).toContain('name="command"><failure message="exited 2">');
    expect(xml).toMatch(/<system-out>What happened:\n09:00:00\.000 {2}GET {5}404 {2}\/public\/v1\/nothing/);
    expect(xml).toContain('<failure message="templates &lt;once&gt;: expected exactly 1, found 0">');
    expect(xml).toContain("GET /public/v1/nothing: expected no request without an operation");
    expect(xml).toContain('<testcase classname="list once.requests" name="templates &lt;once&gt;">');
  });
});

/** A server that watches its files, and its output about them. */
async function watching(file: string) {
  const env = { ...process.env };
  for (const name of ["NODE_OPTIONS", "PORT", "VITEST"]) delete env[name];
  const args = ["dist/cli.cjs", "--port", "0", "--log", "silent", "--watch", "--clock", "frozen", "--scenario", file];
  const child: ChildProcess = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  let waiting: { part: string; done: () => void } | undefined;
  const heard = (text: string) => {
    said += text;
    if (waiting && said.includes(waiting.part)) waiting.done();
  };
  child.stdout?.setEncoding("utf8").on("data", heard);
  child.stderr?.setEncoding("utf8").on("data", heard);
  const says = (part: string) =>
    new Promise<string>((resolve) => {
      const done = () => {
        const before = said;
        said = "";
        waiting = undefined;
        resolve(before);
      };
      if (said.includes(part)) done();
      else waiting = { part, done };
    });
  const ready = await says("listening on");
  const url = ready.trim().slice(ready.indexOf("http"));
  const call = async (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, headers: { authorization: "API-Key docdouble-key", "content-type": "application/json" } });
  return { says, call };
}

describe("--watch", () => {
  test("reload keeps the state, a bad file keeps the last good version with a reason, and included files count too", async () => {
    const rule = (error: string, operation = "listTemplates") =>
      `version: 1\nrules:\n  - { name: busy, when: { operation: ${operation} }, then: { error: ${error} } }\n`;
    const file = files({ "top.yaml": "version: 1\ninclude: [inner.yaml]\n", "inner.yaml": rule("throttled") });
    const inner = file.replace("top", "inner");
    const { says, call } = await watching(file);
    const status = async () => (await call(LIST)).status;
    expect(await status()).toBe(429);
    const made = await call("/public/v1/documents", {
      method: "POST",
      body: JSON.stringify({ template_uuid: "TemplateOneSignerxxxxx", name: "Kept", recipients: [] }),
    });
    const { id } = (await made.json()) as { id: string };

    writeFileSync(inner, rule("unauthorized"));
    await says("docdouble reloaded its files; the state stays");
    expect(await status()).toBe(401);
    expect((await call(`/public/v1/documents/${id}`)).status).toBe(200);

    writeFileSync(inner, rule("lockd"));
    expect(await says("docdouble keeps the last good files")).toContain(`${inner}:3:70`);
    expect(await status()).toBe(401);

    // Editors write a new file and rename it over the old one.
    writeFileSync(`${inner}.new`, rule("throttled", "listContacts"));
    renameSync(`${inner}.new`, inner);
    await says("docdouble reloaded its files; the state stays");
    expect(await status()).toBe(200);
    expect((await call(`/public/v1/documents/${id}`)).status).toBe(200);
  });
});

describe("commands to a running server", () => {
  test("check of each ready-made story ends with 0", async () => {
    const ended = await run(["check", "scenarios/two-signers.yaml", "scenarios/lost-answer.yaml", "scenarios/slow-pdf.yaml"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(ended.stdout.trim().split("\n")).toHaveLength(3);
  });
});
