/** The published JSON schema of HAR 1.2 accepts what docdouble writes. */
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import draft06 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../support/process.ts";

const schemas = createRequire(import.meta.url)("har-schema") as Record<string, object>;

const CLIENT = `
const call = (path, init = {}) => fetch(process.env.DOCDOUBLE_URL + path, { ...init, headers: { authorization: "API-Key " + process.env.DOCDOUBLE_API_KEY, ...init.headers } });
const json = (body) => ({ method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
const form = new FormData();
form.append("file", new Blob(["%PDF-1.7"], { type: "application/pdf" }), "offer.pdf");
await call("/public/v1/contacts", json({ email: "pat@client.example" }));
await call("/public/v1/contacts?email=pat@client.example&email=x");
await call("/public/v1/documents?upload", { method: "POST", body: form });
await call("/public/v1/no-such-path");
process.exit(3);
`;

test("run writes the calls of a command that fails as a valid HAR, which only its owner can read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-har-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "calls.har");
  const ended = await run(["run", "--har", file, "--", process.execPath, "--input-type=module", "--eval", CLIENT]);
  expect(ended.code).toBe(3);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addMetaSchema(draft06);
  for (const schema of Object.values(schemas)) ajv.addSchema(schema);
  const isHar = ajv.getSchema("har.json#");
  expect(isHar?.(JSON.parse(readFileSync(file, "utf8"))), JSON.stringify(isHar?.errors)).toBe(true);
  expect(isHar?.({ log: { version: "1.2", entries: [{}] } })).toBe(false);
});
