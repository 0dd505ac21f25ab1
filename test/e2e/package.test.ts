/** The package as it is installed: its own files alone, with nothing of this project's node_modules beside them. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { plainPdf } from "../support/pdf.ts";

function installed(): string {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-package-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Pages, named by a pattern, run nothing.
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
const assets = await Promise.all(["pdf.mjs", "pdf.worker.mjs"].map(async (name) => (await sandbox.fetch("/s/assets/" + name)).status));
console.log(JSON.stringify({ status, content, assets, left: ["DOMMatrix", "Path2D", "ImageData"].filter((name) => name in globalThis) }));
await sandbox.close();
`;

test("createDocument: the package by itself reads a PDF, says nothing about it and leaves no drawing library behind", async () => {
  const folder = installed();
  writeFileSync(join(folder, "a.pdf"), await plainPdf(2));
  writeFileSync(join(folder, "a.mjs"), SCRIPT);
  const env = { ...process.env, NODE_OPTIONS: "", VITEST: "" };
  const { stdout, stderr } = spawnSync(process.execPath, ["a.mjs"], { cwd: folder, env, encoding: "utf8" });
  expect(stderr).toBe("");
  const content = expect.stringMatching(/Page 1\s+Page 2/);
  expect(JSON.parse(stdout)).toEqual({ status: "document.draft", content, assets: [200, 200], left: [] });
});
