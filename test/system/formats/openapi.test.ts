/** Other tools read the descriptions of the service and of the admin API in OpenAPI 3.1. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTS, { astToString } from "openapi-typescript";
import { expect, onTestFinished, test } from "vitest";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { EVENTS } from "../../../src/service/nouns/documents/status-machine.ts";
import { run } from "../../support/process.ts";

const SYSTEM = resolve("test/system/node_modules");

async function textOf(path: string): Promise<string> {
  const sandbox = await createSandbox({ seed: 7 });
  onTestFinished(() => sandbox.close());
  return (await sandbox.fetch(path)).text();
}

test.each(["/openapi.json", "/__admin/openapi.json"])("a validator accepts %s, and finds a mistake", async (path) => {
  const text = await textOf(path);
  expect(await new Validator().validate(JSON.parse(text))).toEqual({ valid: true });
  const wrong = text.replace('"operationId":', '"operationId":{},"x-operationId":');
  expect(await new Validator().validate(JSON.parse(wrong))).toMatchObject({ valid: false });
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
  const made = await openapiTS(await textOf("/openapi.json"));
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
  const printed = await run(["openapi", "--public-url", "http://127.0.0.1:4999"]);
  expect([printed.code, printed.stderr]).toEqual([0, ""]);
  const document = JSON.parse(printed.stdout) as { servers: { url: string }[]; webhooks: object };
  expect(document.servers).toEqual([{ url: "http://127.0.0.1:4999" }]);
  const served = JSON.parse(await textOf("/openapi.json")) as object;
  const plain = (one: object) => JSON.stringify(one).replaceAll(/http:\/\/(?:127\.0\.0\.1:4999|docdouble\.test)/g, "URL");
  expect(plain(document)).toBe(plain(served));
});
