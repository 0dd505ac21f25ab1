/** Tests that a story, saved as a scenario, plays again with the same outcome. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runOnce } from "../../../src/cli/run.ts";
import { yamlLibrary } from "../../../src/engine/scenario/yaml.ts";
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

async function saved(world: TestWorld, query = ""): Promise<string> {
  const answer = await world.admin("GET", `/saved/scenario${query}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.-]+"$/);
  return new TextDecoder().decode(answer.body);
}

describe("adminSaveScenario", () => {
  test("a saved scenario plays with runOnce, and its expectations detect a client that gives up early", async () => {
    const { world, id } = await aStory();
    const text = await saved(world, `?document=${id}`);
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

  test("a tenant's story with two documents and a lost answer has the rule for the lost answer and the acts of each document", async () => {
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
    const file = yamlLibrary().parse(await saved(world));
    expect(file.rules).toContainEqual(
      expect.objectContaining({
        when: { operation: "createDocument", call: { nth: 2 } },
        then: { network: "reset", phase: "after", times: 1 },
      }),
    );
    const acts = file.actors.map(({ document, steps }: { document: { name: string }; steps: { do: string }[] }) => [
      document.name,
      steps.map((one) => one.do),
    ]);
    expect(acts).toEqual([
      ["Offer 42", ["view", "comment", "sign"]],
      ["Second", ["view", "decline"]],
    ]);
    expect(file.expect.documents.map((one: { status: string }) => one.status)).toEqual([
      "document.completed",
      "document.declined",
    ]);
  });

  test("an unknown document or tenant is refused, and an empty tenant gives a scenario that loads", async () => {
    const world = await testWorld();
    expect((await world.admin("GET", "/saved/scenario?document=nothing")).status).toBe(404);
    expect((await world.admin("GET", "/saved/scenario?tenant=test-none")).status).toBe(404);
    await succeed(world.admin("POST", "/scenarios", await saved(world)));
  });
});
