/** The commands that print machine-readable output: the OpenAPI document, the schemas for editors, and the assumptions. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { expect, test } from "vitest";
import { run } from "../../support/process.ts";

async function schemaOf(kind: string) {
  const { code, stdout } = await run(["schema", kind]);
  expect(code).toBe(0);
  return new Ajv2020({ strict: false, formats: { email: true, uri: true } }).compile(JSON.parse(stdout));
}

test("openapi prints the document with the public URL of the flag", async () => {
  const { code, stdout } = await run(["openapi", "--public-url", "https://double.example"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ openapi: "3.1.0", servers: [{ url: "https://double.example" }] });
});

test("schema scenario accepts the ready-made scenarios and refuses unknown names", async () => {
  const validate = await schemaOf("scenario");
  const scenario = parse(readFileSync("scenarios/bad-day.yaml", "utf8"));
  expect(validate(scenario), JSON.stringify(validate.errors)).toBe(true);
  expect(validate({ ...scenario, rulez: [] })).toBe(false);
  expect(validate({ ...scenario, version: 2 })).toBe(false);
});

test("assumptions lists the ledger, and --json prints the records", async () => {
  const json = await run(["assumptions", "--json"]);
  expect(json.code).toBe(0);
  const second = JSON.parse(json.stdout).find((one: { id: string }) => one.id === "delete.second");
  expect(Object.keys(second)).toEqual([
    "id",
    "statement",
    "operations",
    "seen",
    "sources",
    "readings",
    "default",
    "switchable",
    "probeable",
  ]);
  expect(second).toMatchObject({ readings: [403, 404], default: 403, switchable: true, probeable: true });
  for (const one of JSON.parse(json.stdout)) {
    expect(one.probeable, one.id).toBeTypeOf("boolean");
    expect(Object.hasOwn(one, "not_probeable_because"), one.id).toBe(!one.probeable);
  }
  const text = await run(["assumptions"]);
  expect(text.stdout).toContain("delete.second  [*403, 404]\n");
});

test.each(["help start", "do simulate --help"])("%s ends quietly when its reader closes the pipe", async (words) => {
  const piped = `set -o pipefail; node dist/cli.cjs ${words} | head -c 1`;
  const { stderr } = await promisify(execFile)("bash", ["-c", piped]);
  expect(stderr).toBe("");
});
