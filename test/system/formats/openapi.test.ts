/** Other tools read the descriptions of the service and of the admin API in OpenAPI 3.1. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { OpenApiConverter } from "@mockoon/commons";
import { validate } from "@readme/openapi-parser";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { adminOperations } from "../../../src/library/surfaces.ts";
import { operations } from "../../../src/service/api/index.ts";
import { EVENTS } from "../../../src/service/model/documents/status-machine.ts";
import { run } from "../../support/process.ts";

const SYSTEM = resolve("test/system/node_modules");

async function textOf(path: string): Promise<string> {
  const sandbox = await createSandbox({ seed: 7 });
  onTestFinished(() => sandbox.close());
  return (await sandbox.fetch(path)).text();
}

async function rulesBroken(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended-strict"] });
  const problems = await lintFromString({ source: text, config, absoluteRef: "/openapi.json" });
  return problems.map(({ ruleId, message }) => (ruleId === "path-not-include-query" ? ruleId : `${ruleId}: ${message}`));
}

/** The service has these paths, so every description of it breaks the rules. */
const OF_SERVICE = [/^path-not-include-query$/, /^no-ambiguous-paths: /];

describe.each([
  ["/openapi-3.1.json", operations.length],
  ["/__admin/openapi.json", adminOperations.filter((one) => one.verb).length],
])("%s", (path, count) => {
  test("two validators accept it, and find a mistake", async () => {
    const text = await textOf(path);
    expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
    expect(await validate(JSON.parse(text))).toMatchObject({ valid: true, warnings: [] });
    const wrong = text.replace('"operationId":', '"operationId":{},"x-operationId":');
    expect(await new Validator().validate(JSON.parse(wrong))).toMatchObject({ valid: false });
    expect(await validate(JSON.parse(wrong))).toMatchObject({ valid: false });
  });

  test("redocly finds no broken rule, except in the service's own paths", async () => {
    const text = await textOf(path);
    const broken = await rulesBroken(text);
    expect(broken.filter((one) => !OF_SERVICE.some((rule) => rule.test(one)))).toEqual([]);
    const spoiled = text.replace('"openapi":"3.1.0","info":{"title":', '"openapi":"3.1.0","info":{"unknown":');
    expect((await rulesBroken(spoiled)).length).toBeGreaterThan(broken.length);
  });

  test("the importer of Mockoon makes a route of each operation", async () => {
    const environment = await new OpenApiConverter().convertFromOpenAPI(await textOf(path), 3000);
    expect(environment?.routes).toHaveLength(count);
  });
});

test("the importer of Mockoon takes the examples of answers", async () => {
  const environment = await new OpenApiConverter().convertFromOpenAPI(await textOf("/openapi-3.1.json"), 3000);
  const create = environment?.routes.find((one) => one.method === "post" && one.endpoint === "public/v1/documents");
  // Another answer of each status is made from its schema.
  const recorded = (status: number) =>
    JSON.parse(create?.responses.find((one) => one.statusCode === status && one.label === "recorded")?.body ?? "{}") as unknown;
  expect(recorded(201)).toMatchObject({ name: "Offer 42", status: "document.uploaded" });
  expect(recorded(401)).toMatchObject({ type: "authentication_error" });
});

const RECEIVER = `
import type { components, operations, paths, webhooks } from "./api.ts";

type Body<Name extends keyof webhooks> = webhooks[Name]["post"]["requestBody"]["content"]["application/json"];
type Created = paths["/public/v1/documents"]["post"]["responses"][201]["content"]["application/json"];
type Request = operations["createDocument"]["requestBody"]["content"]["application/json"];

export function statuses(body: Body<"document_state_changed">): string[] {
  return body.map(({ event, data }) => {
    const name: "document_state_changed" = event;
    const completed: string | null = data.date_completed;
    // @ts-expect-error a member that no event has
    const wrong = data.date_compelted;
    return [name, data.status, completed, wrong].join();
  });
}
export const names = (body: Body<"template_created">): string[] => body.map(({ data }) => data.name);
export const events: (keyof webhooks)[] = ["recipient_completed", "quote_updated"];
// @ts-expect-error an event that there is not
export const unknown: keyof webhooks = "document_exploded";
export const request: Request = { name: "Offer", template_uuid: "x", recipients: [{ email: "pat@client.example" }] };
export const follow = ({ id, links }: Created): string => id + (links[0]?.href ?? "");
export type Data = components["schemas"]["DocumentEventData"];
`;

test("openapi-typescript writes types of calls and webhooks, and a client compiles against them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-openapi-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const made = await openapiTS(await textOf("/openapi-3.1.json"));
  const text = astToString(made);
  for (const event of EVENTS) expect(text).toMatch(new RegExp(`^    ${event}: \\{`, "m"));
  writeFileSync(join(folder, "api.ts"), text);
  writeFileSync(join(folder, "client.ts"), RECEIVER);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    types: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const tsc = join(SYSTEM, "typescript/bin/tsc");
  const outcome = await promisify(execFile)(process.execPath, [tsc, "-p", folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(outcome).toBe("");
});

test("the command prints what the server answers, with another address", async () => {
  const printed = await run(["openapi", "--spec", "3.1", "--public-url", "http://127.0.0.1:4999"]);
  expect([printed.code, printed.stderr]).toEqual([0, ""]);
  const document = JSON.parse(printed.stdout) as { servers: { url: string }[]; webhooks: object };
  expect(document.servers).toEqual([{ url: "http://127.0.0.1:4999" }]);
  const served = JSON.parse(await textOf("/openapi-3.1.json")) as object;
  const plain = (one: object) => JSON.stringify(one).replaceAll(/http:\/\/(?:127\.0\.0\.1:4999|docdouble\.test)/g, "URL");
  expect(plain(document)).toBe(plain(served));
  expect(await run(["openapi", "--spec", "4"])).toMatchObject({ code: 2, stdout: "" });
});
