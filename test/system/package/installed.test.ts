/** The installed package: only its own files, without this project's node_modules. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { compileFunction, createContext } from "node:vm";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { demandingPdf, plainPdf } from "../../support/pdf.ts";

const ENV = { ...process.env, NODE_OPTIONS: "", VITEST: "" };

function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-package-"));
  // A process of the test may still save compiled code there.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  // Pages, listed or left out by a pattern, run no code. Another test's server may be saving compiled code into this project's `dist`.
  const isWanted = (path: string) => !/\.d\.ts$|\.compiled\.\d+$/.test(path);
  for (const name of ["package.json", ...manifest.files.filter((one) => !/[*!]/.test(one) && existsSync(one))])
    cpSync(name, join(folder, name), { recursive: true, filter: isWanted });
  return folder;
}

const SCRIPT = `
import { readFileSync } from "node:fs";
import { createSandbox } from "./dist/index.js";
const sandbox = await createSandbox({ clock: "frozen" });
const headers = { authorization: "API-Key " + sandbox.apiKey };
const form = new FormData();
form.append("file", new Blob([readFileSync("a.pdf")], { type: "application/pdf" }), "a.pdf");
form.append("data", JSON.stringify({ name: "A", recipients: [{ email: "a@b.example", role: "Client" }], fields: {} }));
const made = await (await sandbox.fetch("/public/v1/documents?upload", { method: "POST", headers, body: form })).json();
await sandbox.clock.advance("5s");
const { status } = await (await sandbox.fetch("/public/v1/documents/" + made.id, { headers })).json();
const { content } = await (await sandbox.fetch("/public/beta/documents/" + made.id + "/content?format=plaintext", { headers })).json();
console.log(JSON.stringify({ status, content, left: ["DOMMatrix", "Path2D", "ImageData"].filter((name) => name in globalThis) }));
await sandbox.close();
`;

test("createDocument: the package alone reads a PDF, without a warning and without a leftover of the drawing library", async () => {
  const folder = installed();
  writeFileSync(join(folder, "a.pdf"), await demandingPdf());
  writeFileSync(join(folder, "a.mjs"), SCRIPT);
  const { stdout, stderr } = spawnSync(process.execPath, ["a.mjs"], { cwd: folder, env: ENV, encoding: "utf8" });
  expect(stderr).toBe("");
  const content = expect.stringContaining("契約 HHHHH");
  expect(JSON.parse(stdout)).toEqual({
    status: "document.draft",
    content,
    left: [],
  });
});

const AGENT = `
import { createRequire } from "node:module";
import { createSandbox } from "./dist/index.js";
const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((path) => path.endsWith("vendor-mcp.cjs"));
const sandbox = await createSandbox();
const headers = { authorization: "API-Key " + sandbox.apiKey, accept: "application/json, text/event-stream", "content-type": "application/json" };
const send = async (method, params) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  return (await (await sandbox.fetch("/v1/mcp", { method: "POST", headers, body })).json()).result;
};
const before = loaded();
const { tools } = await send("tools/list");
const { structuredContent } = await send("tools/call", { name: "templates_list", arguments: { count: 1 } });
console.log(JSON.stringify({ before, after: loaded(), tools: tools.length, found: structuredContent.results.length }));
await sandbox.close();
`;

test("the package alone serves the vendor's MCP server, and loads it with the first message", () => {
  const folder = installed();
  writeFileSync(join(folder, "a.mjs"), AGENT);
  const { stdout, stderr } = spawnSync(process.execPath, ["a.mjs"], { cwd: folder, env: ENV, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(JSON.parse(stdout)).toEqual({ before: false, after: true, tools: 22, found: 1 });
});

/** Starts the installed command, makes a draft of a PDF and stops the command. Returns its error output and the document's status. */
async function served(folder: string, { flags = [], isDownloaded = true }: { flags?: string[]; isDownloaded?: boolean } = {}) {
  const child = spawn(process.execPath, ["dist/cli.cjs", "--port", "0", "--clock", "frozen", "--log", "silent", ...flags], {
    cwd: folder,
    env: ENV,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (text) => resolve(/http:\S+/.exec(String(text))?.[0] ?? ""));
    void ended.then(() => reject(new Error(stderr)));
  });
  const headers = { authorization: "API-Key docdouble-key" };
  const form = new FormData();
  form.append("file", new Blob([(await plainPdf(2)) as Uint8Array<ArrayBuffer>], { type: "application/pdf" }), "a.pdf");
  form.append("data", JSON.stringify({ name: "A", recipients: [{ email: "a@b.example", role: "Client" }], fields: {} }));
  const made = (await (await fetch(`${url}/public/v1/documents?upload`, { method: "POST", headers, body: form })).json()) as {
    id: string;
  };
  await fetch(`${url}/__admin/clock/advance`, { method: "POST", body: JSON.stringify({ by: "5s" }) });
  const { status } = (await (await fetch(`${url}/public/v1/documents/${made.id}`, { headers })).json()) as { status: string };
  if (isDownloaded) {
    const { length } = await (await fetch(`${url}/public/v1/documents/${made.id}/download`, { headers })).text();
    expect(length).toBeGreaterThan(1000);
  }
  child.kill("SIGTERM");
  await ended;
  return { stderr, status };
}

function compiledIn(folder: string): string[] {
  return readdirSync(join(folder, "dist")).filter((name) => name.includes(".compiled"));
}

test("docdouble keeps Node's compiled code, replaces damaged code, and works without it in a read-only place", async () => {
  const folder = installed();
  const compiled = join(folder, "dist", "library.compiled");
  const command = join(folder, "dist", "main.compiled");
  const yaml = join(folder, "dist", "yaml.compiled");
  for (const name of compiledIn(folder)) rmSync(join(folder, "dist", name));
  const all = { stderr: "", status: "document.draft" };
  const version = () => spawnSync(process.execPath, ["dist/cli.cjs", "--version"], { cwd: folder, env: ENV, encoding: "utf8" });
  expect(version().stdout).toBe(`${manifest.version}\n`);
  expect(existsSync(compiled) || existsSync(command)).toBe(false);
  expect(await served(folder)).toEqual(all);
  const kept = readFileSync(compiled);
  expect(kept.length).toBeGreaterThan(100_000);
  expect(await served(folder)).toEqual(all);
  expect(readFileSync(compiled).equals(kept)).toBe(true);

  writeFileSync(compiled, kept.subarray(0, 5000));
  expect(await served(folder)).toEqual(all);
  expect(readFileSync(compiled).length).toBeGreaterThan(100_000);

  expect(existsSync(yaml)).toBe(false);
  writeFileSync(join(folder, "story.yaml"), "version: 1\nname: story\n");
  for (const isKept of [false, true]) {
    expect(existsSync(yaml)).toBe(isKept);
    expect(await served(folder, { flags: ["--scenario", "story.yaml"] })).toEqual(all);
  }

  rmSync(compiled);
  mkdirSync(compiled);
  expect(await served(folder)).toEqual(all);
  expect(compiledIn(folder)).toEqual(["library.compiled", "main.compiled", "yaml.compiled"]);
});

test("a start removes what killed processes left of compiled code, and nothing of a living one", async () => {
  const folder = installed();
  const killed = spawnSync(process.execPath, ["--version"]).pid;
  for (const pid of [killed, process.pid]) writeFileSync(join(folder, "dist", `library.compiled.${pid}`), "half");
  rmSync(join(folder, "dist", "library.compiled"), { force: true });
  await served(folder, { isDownloaded: false });
  await expect
    .poll(() => compiledIn(folder).filter((name) => name.startsWith("library")))
    .toEqual(["library.compiled", `library.compiled.${process.pid}`]);
});

const STORY = `
import { createSandbox } from "./dist/index.js";
const sandbox = await createSandbox({ clock: "frozen", seed: 7 });
const { id } = await sandbox.documents.create({ template: "One signer", status: "document.sent" });
sandbox.documents.simulate(id, "sign");
console.log(sandbox.documents.get(id).status);
await sandbox.close();
`;

/** Runs a module in the folder of the package, and returns what it prints. */
function played(folder: string, script: string, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}): string {
  writeFileSync(join(folder, "story.mjs"), script);
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, "story.mjs"], {
    cwd: folder,
    env: { ...ENV, ...env },
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout;
}

test("an import of the library keeps Node's compiled code for the next process, also when threads import it side by side", () => {
  const folder = installed();
  for (const name of compiledIn(folder)) rmSync(join(folder, "dist", name));
  const threads = `
import { once } from "node:events";
import { isMainThread, Worker } from "node:worker_threads";
if (isMainThread) await Promise.all([1, 2, 3].map(() => once(new Worker(new URL(import.meta.url)), "exit")));
else {${STORY.replace(/import (.*) from (.*);/, "const $1 = await import($2);")}}`;
  expect(played(folder, threads)).toBe("document.completed\n".repeat(3));
  expect(compiledIn(folder)).toEqual(["library.compiled"]);
  const file = join(folder, "dist", "library.compiled");
  const kept = readFileSync(file);
  expect(kept.length).toBeGreaterThan(100_000);
  expect(played(folder, STORY)).toBe("document.completed\n");
  expect(readFileSync(file).equals(kept)).toBe(true);
  writeFileSync(file, kept.subarray(0, 5000));
  expect(played(folder, STORY)).toBe("document.completed\n");
  expect(readFileSync(file).length).toBeGreaterThan(100_000);
});

test("an open port leaves the globals of the process alone, and takes requests and answers of its classes", () => {
  const script = `
const before = [Headers, Request, Response];
const early = new Request("http://docdouble.test/public/v1/documents");
const { createSandbox } = await import("./dist/index.js");
const sandbox = await createSandbox({ port: 0, clock: "frozen" });
const isSame = [Headers, Request, Response].every((one, i) => one === before[i]);
const headers = { authorization: "API-Key " + sandbox.apiKey };
const answer = await sandbox.fetch(early, { headers });
const inbox = await sandbox.webhooks.receiver({
  events: ["document_state_changed"],
  handler: (request) => new Response(null, { status: request instanceof Request ? 503 : 200 }),
});
await sandbox.documents.create({ status: "document.draft" });
await sandbox.clock.settle();
console.log(JSON.stringify([isSame, answer.status, answer instanceof Response, inbox.refused.length > 0, inbox.received.length]));
await sandbox.close();`;
  const folder = installed();
  expect(JSON.parse(played(folder, script))).toEqual([true, 200, true, true, 0]);
});

test("code that counts its lines is not kept, and a full place for the compiled code does no harm", () => {
  const folder = installed();
  for (const name of compiledIn(folder)) rmSync(join(folder, "dist", name));
  const counted = `import { Session } from "node:inspector"; const session = new Session(); session.connect();
session.post("Profiler.enable"); session.post("Profiler.startPreciseCoverage", { detailed: true });`;
  const late = STORY.replace(/import (.*) from (.*);/, "const $1 = await import($2);");
  expect(played(folder, counted + late)).toBe("document.completed\n");
  expect(played(folder, STORY, [], { NODE_V8_COVERAGE: join(folder, "coverage") })).toBe("document.completed\n");
  expect(compiledIn(folder)).toEqual([]);
  mkdirSync(join(folder, "dist", "library.compiled"));
  expect(played(folder, STORY)).toBe("document.completed\n");
  expect(compiledIn(folder)).toEqual(["library.compiled"]);
});

test("a separate realm gets the library with the classes of that realm", () => {
  const realm = createContext({ process, URL, performance });
  const file = resolve("dist/load.cjs");
  const asked: string[] = [];
  const module = { exports: {} };
  const require = (name: string) => {
    asked.push(name);
    return name.startsWith("./") ? { loadedBy: "the realm" } : createRequire(file)(name);
  };
  const names = ["exports", "require", "module", "__filename", "__dirname"];
  const run = compileFunction(readFileSync(file, "utf8"), names, { parsingContext: realm });
  run(module.exports, require, module, file, dirname(file));
  expect(module.exports).toEqual({ loadedBy: "the realm" });
  expect(asked).toContain("./library.cjs");
});
