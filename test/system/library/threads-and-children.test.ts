/** Finding M3: with `docdouble run --intercept`, no thread and no child process of a program reaches the real host. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { files, run } from "../../support/process.ts";

const CALL = `fetch("https://api.pandadoc.com/public/v1/templates", { headers: { authorization: "API-Key docdouble-key" } }).then((a) => a.status, (e) => String(e.cause ?? e))`;
const IN_WORKER = `${CALL}.then((said) => require("node:worker_threads").parentPort.postMessage(said))`;
const IN_MODULE = `import { parentPort } from "node:worker_threads"; ${CALL}.then((said) => parentPort.postMessage(said))`;
const IN_CHILD = `${CALL}.then((said) => console.log(said))`;

/** Each line makes a promise of what the call said. \`ask\` waits for a worker, \`out\` for the output of a child. */
const WAYS: Record<string, string> = {
  "fetch in the program": CALL,
  "a worker from text": `ask(new Worker(${JSON.stringify(IN_WORKER)}, { eval: true }))`,
  "a worker from text without variables": `ask(new Worker(${JSON.stringify(IN_WORKER)}, { eval: true, env: {} }))`,
  "a worker from text with shared variables": `ask(new Worker(${JSON.stringify(IN_WORKER)}, { eval: true, env: SHARE_ENV }))`,
  "a worker from text with options of Node": `ask(new Worker(${JSON.stringify(IN_WORKER)}, { eval: true, execArgv: ["--no-warnings"] }))`,
  "a worker from text without options of Node": `ask(new Worker(${JSON.stringify(IN_WORKER)}, { eval: true, execArgv: [], env: { PATH: "" } }))`,
  "a worker from a data URL": `ask(new Worker(new URL("data:text/javascript," + encodeURIComponent(${JSON.stringify(IN_MODULE)}))))`,
  "a worker of a worker": `ask(new Worker('const { Worker, parentPort } = require("node:worker_threads"); new Worker(' + JSON.stringify(${JSON.stringify(
    IN_WORKER,
  )}) + ', { eval: true, env: {} }).once("message", (said) => parentPort.postMessage(said))', { eval: true }))`,
  "a child without variables": `out(spawn(process.execPath, ["-e", ${JSON.stringify(IN_CHILD)}], { env: {} }))`,
  "a child with variables": `out(spawn(process.execPath, ["-e", ${JSON.stringify(IN_CHILD)}]))`,
  "a child with other options of Node": `out(spawn(process.execPath, ["-e", ${JSON.stringify(IN_CHILD)}], { env: { NODE_OPTIONS: "--no-warnings" } }))`,
  "a child of exec": `new Promise((done) => exec(JSON.stringify(process.execPath) + " -e " + JSON.stringify(${JSON.stringify(
    IN_CHILD.replaceAll('"', "'"),
  )}), { env: {} }, (_, text) => done(text.trim())))`,
  "a child of execFileSync": `String(execFileSync(process.execPath, ["-e", ${JSON.stringify(IN_CHILD)}], { env: {} })).trim()`,
  "a child of spawnSync": `String(spawnSync(process.execPath, ["-e", ${JSON.stringify(IN_CHILD)}], { env: {} }).stdout).trim()`,
  "a child of execSync": `String(execSync(JSON.stringify(process.execPath) + " -e " + JSON.stringify(${JSON.stringify(
    IN_CHILD.replaceAll('"', "'"),
  )}), { env: {} })).trim()`,
  "a child after the program removed its variables": `(delete process.env.NODE_OPTIONS, delete process.env.DOCDOUBLE_INTERCEPT, out(spawn(process.execPath, ["-e", ${JSON.stringify(
    IN_CHILD,
  )}])))`,
  "a worker after the program removed its variables": `ask(new Worker(${JSON.stringify(IN_WORKER)}, { eval: true }))`,
};

const HEAD = `
import { spawn, exec, execFileSync, execSync, spawnSync } from "node:child_process";
import { SHARE_ENV, Worker } from "node:worker_threads";
const ask = (worker) => new Promise((done) => worker.once("message", done).once("error", (e) => done(String(e))));
const out = (child) => new Promise((done) => { let text = ""; child.stdout.on("data", (more) => (text += more)); child.on("close", () => done(text.trim())); });
const said = {};
`;

describe("run --intercept", () => {
  test("workers and children reach the server, however the program makes them", async () => {
    const file = join(files(), "program with a space.mjs");
    const lines = Object.entries(WAYS).map(([name, way]) => `said[${JSON.stringify(name)}] = String(await ${way});`);
    writeFileSync(file, `${HEAD}${lines.join("\n")}\nconsole.log(JSON.stringify(said));`);
    const { stdout, stderr, code } = await run(["run", "--intercept", "--", process.execPath, file]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout.trim().split("\n").at(-1) as string)).toEqual(
      Object.fromEntries(Object.keys(WAYS).map((name) => [name, "200"])),
    );
  });
});
