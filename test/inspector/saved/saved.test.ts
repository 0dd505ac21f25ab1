/** Tests that a story, saved as a scenario or as a test, plays again with the same outcome. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOnce } from "../../../src/cli/run.ts";
import { createSandbox } from "../../../src/index.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";
import { CLIENT, simulate, succeed } from "../../support/stories.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "saved-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A client that advances the double's clock, polls, and repeats a throttled send. */
const CLIENT_CODE = `
const { DOCDOUBLE_URL: url, DOCDOUBLE_API_KEY: key } = process.env;
const call = async (method, path, body) => {
  const headers = { authorization: \`API-Key \${key}\`, "content-type": "application/json" };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { status: answer.status, body: await answer.json() };
};
const wait = (by) => call("POST", "/__admin/clock/advance", { by });
const recipients = [{ email: "ivo.marek@client.example", first_name: "Ivo", last_name: "Marek", role: "Client" }];
await call("POST", "/public/v1/contacts", { email: "ivo.marek@client.example", first_name: "Ivo" });
const { id } = (await call("POST", "/public/v1/documents", { name: "Offer 42", template_uuid: "TemplateOneSignerxxxxx", recipients })).body;
await call("GET", \`/public/v1/documents/\${id}\`);
await wait("5s");
if ((await call("POST", \`/public/v1/documents/\${id}/send\`, { subject: "Please sign" })).status === 429) {
  await wait("5s");
  await call("POST", \`/public/v1/documents/\${id}/send\`, { subject: "Please sign" });
}
await call("PATCH", \`/public/v1/documents/\${id}/status\`, { status: 2 }).catch(() => {});
await wait("3d");
await call("GET", \`/public/v1/documents/\${id}/details\`);
`;

/** The same story through the API, with a failing receiver, a comment after two hours and a signature after three. */
async function aStory(): Promise<{ world: TestWorld; id: string }> {
  const world = await testWorld();
  const answers = [200, 200, 500, 503];
  await world.sandbox.webhooks.receiver({ name: "Shop", handler: () => new Response(null, { status: answers.shift() ?? 200 }) });
  await succeed(world.call("createContact", { body: { email: CLIENT.email, first_name: "Ivo" } }));
  const body = { name: "Offer 42", template_uuid: "TemplateOneSignerxxxxx", recipients: [CLIENT] };
  const { id } = (await succeed(world.call("createDocument", { body }))).body;
  await world.call("statusDocument", { params: { id } });
  await world.advance("5s");
  world.sandbox.faults.next("sendDocument", "throttled", { retryAfter: "5s" });
  const send = () => world.call("sendDocument", { params: { id }, body: { subject: "Please sign" } });
  expect((await send()).status).toBe(429);
  await world.advance("5s");
  await succeed(send());
  world.sandbox.rules.add({ name: "no status", when: { operation: "changeDocumentStatus" }, then: { error: "forbidden" } });
  expect((await world.call("changeDocumentStatus", { params: { id }, body: { status: 2 } })).status).toBe(403);
  await world.advance("2h");
  await simulate(world, id, "comment", { text: `Why so \`expensive\`? $${"{really}"}` });
  await world.advance("1h");
  await simulate(world, id, "sign", { fields: { Company: 'Marek "& Sons"' } });
  await world.advance("3d");
  await succeed(world.call("detailsDocument", { params: { id } }));
  return { world, id };
}

async function saved(world: TestWorld, what: string): Promise<string> {
  const answer = await world.admin("GET", `/saved/${what}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+"$/);
  return new TextDecoder().decode(answer.body);
}

/** Runs a generated test in this process: its imports become parameters. */
async function play(text: string): Promise<void> {
  const body = text.replace(/^import .*$|^const .* = require\(.*$/gm, "");
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => (...values: unknown[]) => Promise<void>;
  let played: Promise<void> | undefined;
  const run = new AsyncFunction("createSandbox", "expect", "assert", "test", body);
  await run(createSandbox, expect, assert, (_: string, story: () => Promise<void>) => {
    played = story();
  });
  expect(played).toBeDefined();
  await played;
}

describe("adminSaveTest", () => {
  test.each(["vitest", "jest"])("a document's story plays again as a test for %s", async (runner) => {
    const { world, id } = await aStory();
    const text = await saved(world, `test?document=${id}&runner=${runner}`);
    expect(text).toContain(runner === "jest" ? '"@jest/globals"' : '"vitest"');
    expect(text).not.toContain(id);
    await play(text);
    // The test fails when the story changes.
    await expect(play(text.replace("toEqual(429)", "toEqual(200)"))).rejects.toThrow(/429/);
    await expect(play(text.replace('"sign"', '"decline"').replace(/"decline", \{ .*? \}\);/, '"decline");'))).rejects.toThrow();
  });

  test("a tenant's story with two documents and a lost answer plays again under node:test", async () => {
    const { world } = await aStory();
    world.sandbox.faults.lostAnswer("createDocument");
    const body = {
      name: "Second",
      template_uuid: "TemplateTwoSignersxxxx",
      recipients: [CLIENT, { ...CLIENT, email: "b@client.example", role: "Director" }],
    };
    await expect(world.call("createDocument", { body })).rejects.toThrow();
    const second = world.sandbox.documents.all().find((one) => one.name === "Second")?.id ?? "";
    await world.advance("10s");
    await succeed(world.admin("POST", `/documents/${second}/step/send`));
    await simulate(world, second, "decline", { reason: "Too late" });
    const text = await saved(world, "test?runner=node");
    expect(text).toContain("lost(");
    expect(text).toContain('import test from "node:test";');
    await play(text);
  });
});

describe("adminSaveScenario", () => {
  test("a saved scenario plays with runOnce, and its expectations detect a client that gives up early", async () => {
    const { world, id } = await aStory();
    const text = await saved(world, `scenario?document=${id}`);
    const file = join(folder, "offer-42.yaml");
    // This client has no receiver, so it cannot meet expectations about deliveries.
    writeFileSync(file, text.replace(/^ {2}deliveries:\n(?: {4}.*\n)+/m, ""));
    const client = join(folder, "client.mjs");
    writeFileSync(client, CLIENT_CODE);
    expect(await runOnce(file, [process.execPath, client], {})).toMatchObject({ code: 0, unmet: [], scenario: "offer-42" });
    // A client that gives up after the first refusal misses the expectations.
    writeFileSync(client, CLIENT_CODE.replace("=== 429", "=== 999"));
    const { unmet } = await runOnce(file, [process.execPath, client], {});
    expect(unmet.map((one) => one.part)).toEqual(expect.arrayContaining(["requests", "documents"]));
  });

  test("an unknown document, runner or tenant is refused, and an empty tenant gives a valid test", async () => {
    const world = await testWorld();
    expect((await world.admin("GET", "/saved/scenario?document=nothing")).status).toBe(404);
    expect((await world.admin("GET", "/saved/test?runner=mocha")).status).toBe(400);
    expect((await world.admin("GET", "/saved/test?tenant=test-none")).status).toBe(404);
    await play(await saved(world, "test"));
  });
});
