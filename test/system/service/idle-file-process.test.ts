/** The processes for files, in a program that uses the built package. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { within } from "../../support/patience.ts";
import { files as folder } from "../../support/process.ts";

test("an idle file process does not keep the process of its server alive", async () => {
  const script = folder({
    "story.mjs": `import { createSandbox } from ${JSON.stringify(new URL("../../../dist/index.js", import.meta.url).href)};
const sandbox = await createSandbox({ clock: "frozen" });
const { spawnSync } = await import("node:child_process");
const form = new FormData();
form.set("file", new Blob(["{\\\\rtf1 Hello}"], { type: "application/rtf" }), "a.rtf");
form.set("data", JSON.stringify({ name: "A", recipients: [], parse_form_fields: false }));
const headers = { authorization: "API-Key " + sandbox.apiKey };
const made = await (await sandbox.fetch("/public/v1/documents?upload", { method: "POST", headers, body: form })).json();
await sandbox.clock.advance("10s");
const { status } = await (await sandbox.fetch("/public/v1/documents/" + made.id, { headers })).json();
console.log(JSON.stringify({ status }));`,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: within(30_000) });
  expect(JSON.parse(stdout)).toEqual({ status: "document.draft" });
});
