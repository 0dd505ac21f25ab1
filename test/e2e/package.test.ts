/** The installed package: only its own files, without this project's node_modules. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { plainPdf } from "../support/pdf.ts";

const ENV = { ...process.env, NODE_OPTIONS: "", VITEST: "" };

function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Pages, listed by a pattern, run no code.
  for (const name of ["package.json", ...manifest.files.filter((one) => !one.includes("*"))])
    cpSync(name, join(folder, name), { recursive: true, filter: (path) => !/\.map$|\.d\.ts$/.test(path) });
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
const assets = await Promise.all(["pdf.mjs", "pdf.worker.mjs", "openjpeg.wasm", "FoxitSymbol.pfb", "V.bcmap", "UniKS-UTF16-H.bcmap", "X.bcmap"].map(async (name) => {
  const answer = await sandbox.fetch("/s/assets/" + name);
  return answer.status === 200 && name.endsWith(".bcmap") ? (await answer.arrayBuffer()).byteLength : answer.status;
}));
console.log(JSON.stringify({ status, content, assets, left: ["DOMMatrix", "Path2D", "ImageData"].filter((name) => name in globalThis) }));
await sandbox.close();
`;

test("createDocument: the package alone reads a PDF, without a warning and without a leftover of the drawing library", async () => {
  const folder = installed();
  writeFileSync(join(folder, "a.pdf"), await plainPdf(2));
  writeFileSync(join(folder, "a.mjs"), SCRIPT);
  const { stdout, stderr } = spawnSync(process.execPath, ["a.mjs"], { cwd: folder, env: ENV, encoding: "utf8" });
  expect(stderr).toBe("");
  const content = expect.stringMatching(/Page 1\s+Page 2/);
  expect(JSON.parse(stdout)).toEqual({
    status: "document.draft",
    content,
    assets: [200, 200, 200, 200, 166, 26327, 404],
    left: [],
  });
});

/** Starts the installed command, reads a PDF and stops the command. Returns its error output and the document's status. */
async function served(folder: string, ...flags: string[]): Promise<{ stderr: string; status: string }> {
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
  const { length } = await (await fetch(`${url}/public/v1/documents/${made.id}/download`, { headers })).text();
  expect(length).toBeGreaterThan(1000);
  child.kill("SIGTERM");
  await ended;
  return { stderr, status };
}

test("docdouble keeps Node's compiled code, replaces damaged code, and works without it in a read-only place", async () => {
  const folder = installed();
  const compiled = join(folder, "dist", "library.compiled");
  const command = join(folder, "dist", "main.compiled");
  const yaml = join(folder, "dist", "yaml.compiled");
  for (const file of [compiled, command, yaml]) rmSync(file, { force: true, recursive: true });
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
    expect(await served(folder, "--scenario", "story.yaml")).toEqual(all);
  }

  rmSync(compiled);
  mkdirSync(compiled);
  expect(await served(folder)).toEqual(all);
  expect(readdirSync(join(folder, "dist")).filter((name) => name.includes(".compiled"))).toEqual([
    "library.compiled",
    "main.compiled",
    "yaml.compiled",
  ]);
});
