/** `docdouble start --clock auto`: server and client are separate processes, and nothing moves the clock explicitly. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { serve } from "../../support/process.ts";
import { TEMPLATES } from "../../support/stories.ts";
import { within } from "../../support/patience.ts";

/** A client like users write it: it polls without a pause and downloads the signed file. Prints its observations as JSON. */
const CLIENT = `
const [base, template] = process.argv.slice(-2);
const headers = { authorization: "API-Key docdouble-key", "content-type": "application/json" };
const call = (method, path, body) => fetch(base + "/public/v1/documents" + path, { method, headers, body: body && JSON.stringify(body) });
const seen = [];
async function until(id, status) {
  for (let polls = 1; polls <= 60; polls++) {
    const now = (await (await call("GET", "/" + id)).json()).status;
    if (seen.at(-1) !== now) seen.push(now);
    if (now === status) return polls;
  }
  throw new Error(status + " was not reached: " + seen);
}
const recipients = [{ email: "pat+sign.after=2d@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }];
const { id } = await (await call("POST", "", { name: "Offer 42", template_uuid: template, recipients })).json();
const polls = [await until(id, "document.draft")];
const sent = (await call("POST", "/" + id + "/send", { silent: true })).status;
polls.push(await until(id, "document.completed"));
let file = await call("GET", "/" + id + "/download");
for (let tries = 0; tries < 20 && file.status === 202; tries++) file = await call("GET", "/" + id + "/download");
const start = Buffer.from(await file.arrayBuffer()).subarray(0, 5).toString();
console.log(JSON.stringify({ seen, polls, sent, file: [file.status, start] }));
`;

test("a polling client in another process gets from create to the signed file", async () => {
  const server = await serve(["start", "--port", "0", "--clock", "auto", "--now", "2026-03-02T09:00:00Z", "--seed", "7"]);
  const args = ["--input-type=module", "-e", CLIENT, server.url, TEMPLATES.oneSigner];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: within(40_000) });
  const { seen, polls, sent, file } = JSON.parse(stdout);
  expect(seen).toEqual(["document.uploaded", "document.draft", "document.sent", "document.completed"]);
  expect([sent, file]).toEqual([200, [200, "%PDF-"]]);
  // Time jumps to the next work, so two days take a few polls.
  for (const count of polls) expect(count).toBeLessThanOrEqual(8);
  const { body } = await server.call("GET", "/__admin/clock");
  expect(body.mode).toBe("auto");
  expect(Date.parse(body.now) - Date.UTC(2026, 2, 2, 9)).toBeGreaterThanOrEqual(2 * 86_400_000);
});
