/** The published JSON schema of HAR 1.2 accepts what docdouble writes. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../support/process.ts";
import { installPackages } from "../../support/registry-packages.ts";

const PACKAGES = { name: "har", private: true, dependencies: { "har-schema": "2.0.0", ajv: "6.12.6" } };

/** Prints the errors of the file, or null. */
const JUDGE = `
const Ajv = require("ajv");
const schemas = require("har-schema");
const ajv = new Ajv({ schemaId: "auto" });
ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-06.json"));
for (const name of Object.keys(schemas)) ajv.addSchema(schemas[name]);
const judge = ajv.getSchema("har.json#") ?? ajv.compile(schemas.har);
judge(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")));
process.stdout.write(JSON.stringify(judge.errors));
`;

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
  installPackages(folder, { "package.json": JSON.stringify(PACKAGES) });
  const judge = (name: string) => execFileSync(process.execPath, ["--eval", JUDGE, name], { cwd: folder }).toString();
  expect(judge(file)).toBe("null");
  // The judge can refuse.
  writeFileSync(join(folder, "wrong.har"), JSON.stringify({ log: { version: "1.2", entries: [{}] } }));
  expect(judge(join(folder, "wrong.har"))).not.toBe("null");
});
