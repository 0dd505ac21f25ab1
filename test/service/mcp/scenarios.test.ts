/** Tools in scenario files, in rules, in the journal after it dropped calls, and under `explore`. */
import { expect, test } from "vitest";
import { explore } from "../../../src/index.ts";
import type { Sandbox } from "../../../src/library/types.ts";
import { sleep } from "../../tools/explore/clients.ts";
import { anAgent } from "../../support/mcp.ts";
import { callTool } from "../../support/mcp-messages.ts";
import { aDraft, CLIENT, TEMPLATES } from "../../support/stories.ts";
import { testWorld, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const head = "version: 1\nname: mine\n";

/** What a scenario with these expectations misses. */
async function unmet(world: TestWorld, tools: string): Promise<string[]> {
  const loaded = await world.admin("POST", "/scenarios", `${head}expect:\n  tools:\n${tools}`);
  expect(loaded.status, JSON.stringify(loaded.body)).toBe(201);
  const { body } = await world.admin("POST", "/scenarios/mine/verify");
  expect(body.verified).toBe(body.unmet.length === 0);
  return body.unmet.map(
    (one: Record<string, string>) => `${one.part} | ${one.text}: expected ${one.expected}, found ${one.found}`,
  );
}

test("a scenario counts the tools that an agent calls, and no calls of the public API", async () => {
  const document_id = await aDraft(world);
  await callTool(world, "documents_status_get", { document_id });
  await callTool(world, "documents_status_get", { document_id });
  await callTool(world, "documents_list", {});
  await world.call("statusDocument", { params: { id: document_id } });
  await callTool(world, "documents_send", { document_id, wrong: 1 });
  expect(
    await unmet(
      world,
      `    - { name: documents_status_get, times: 2 }
    - { name: documents_send, never: true }
    - { name: { regex: "^documents_" }, times: 3 }
    - { times: 3 }
    - { name: documents_list, at_least: 1, at_most: 1 }
`,
    ),
  ).toEqual([]);
  expect(
    await unmet(
      world,
      `    - { name: documents_status_get, times: 3, note: polls }
    - { name: documents_list, never: true }
    - { name: documents_send }
    - { at_most: 2 }
`,
    ),
  ).toEqual([
    "tools | polls: expected exactly 3, found 2",
    'tools | tools {"name":"documents_list"}: expected none, found 1',
    'tools | tools {"name":"documents_send"}: expected at least 1, found 0',
    "tools | tools of any kind: expected at most 2, found 3",
  ]);
});

test("a misspelled tool is a mistake of the file, in expectations and in rules", async () => {
  const loaded = async (text: string) =>
    (await world.admin("POST", "/scenarios", head + text)).body.mistakes?.map((one: { message: string }) => one.message ?? one);
  expect(JSON.stringify(await loaded("expect: { tools: [{ name: documents_sent, never: true }] }\n"))).toContain(
    'there is no tool \\"documents_sent\\"; did you mean \\"documents_send\\"?',
  );
  expect(
    JSON.stringify(await loaded("rules: [{ name: r, when: { tool: document_send }, then: { error: conflict } }]\n")),
  ).toContain("documents_send");
  expect(JSON.stringify(await loaded("expect: { requests: [{ match: { tool: nothing_at_all } }] }\n"))).toContain(
    "there is no tool",
  );
});

test("a rule for a tool spares the same operation by the public API", async () => {
  const document_id = await aDraft(world);
  await world.admin("POST", "/rules", {
    name: "only tools",
    when: { tool: "documents_status_get" },
    then: { error: "throttled" },
  });
  expect((await world.call("statusDocument", { params: { id: document_id } })).status).toBe(200);
  expect((await callTool(world, "documents_status_get", { document_id })).structuredContent.error.status).toBe(429);
  const { requests } = (await world.admin("GET", "/requests")).body;
  expect(requests.slice(0, 2).map((one: { rule: string | null; tool?: string }) => [one.rule, one.tool])).toEqual([
    ["only tools", "documents_status_get"],
    [undefined, undefined],
  ]);
});

test("after the journal dropped calls, an upper bound on tools fails and names the option", async () => {
  const world = await testWorld({ journalMax: 5 });
  const document_id = await aDraft(world);
  await callTool(world, "documents_send", { document_id, silent: true });
  for (let i = 0; i < 6; i++) await world.call("statusDocument", { params: { id: document_id } });
  expect(world.tenant.journal.dropped).toBeGreaterThan(0);
  expect(world.tenant.journal.all().some((one) => one.tool !== undefined)).toBe(false);
  const found = `found 0, and the journal dropped ${world.tenant.journal.dropped} calls: raise --journal-max`;
  for (const name of ["documents_send", "documents_archive"])
    expect(await unmet(world, `    - { name: ${name}, never: true }\n`)).toEqual([
      `tools | tools {"name":"${name}"}: expected none, ${found}`,
    ]);
});

test("a saved world keeps the tool of each call", async () => {
  await callTool(world, "documents_list");
  const saved = await world.admin("GET", "/world");
  await world.admin("DELETE", "/requests");
  expect((await world.admin("PUT", "/world", saved.body)).status).toBe(200);
  expect(world.tenant.journal.all().map((one) => one.tool)).toEqual(["documents_list"]);
});

const QUIET = { out: false, throwOnBreak: false, budget: "1h", pairs: false } as const;

/** An agent that makes a contract and sends it. `isPatient`: it repeats a tool that failed for the moment. */
const sender = (isPatient: boolean) => async (sandbox: Sandbox) => {
  const { client } = await anAgent(sandbox, { authorization: `API-Key ${sandbox.apiKey}` });
  const use = async (name: string, args: Record<string, unknown>) => {
    for (let tries = 0; ; tries++) {
      const result = await client.callTool({ name, arguments: args });
      const { error } = result.structuredContent as { error?: { status?: number } };
      if (!error) return result.structuredContent as { id: string; status: string };
      if (!isPatient || tries >= 4 || ![409, 429].includes(error.status ?? 0)) throw new Error(JSON.stringify(error));
      await sleep(5000);
    }
  };
  const { id } = await use("documents_create", {
    request: { source: "template", template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] },
  });
  for (let i = 0; i < 20; i++) {
    await sleep(1000);
    if ((await use("documents_status_get", { document_id: id })).status === "Draft") break;
  }
  await use("documents_send", { document_id: id, silent: true });
};

test("explore treats the tools of an agent as calls: it finds the agent that gives up at a planted fault, and spares the patient one", async () => {
  const only = "throttled@sendDocument,conflict@sendDocument,throttled,not_ready_after_draft";
  const found = await explore(sender(false), { ...QUIET, only });
  expect(found.clean).toMatchObject({ problem: null });
  expect(found.clean.calls.map((one) => one.operation)).toEqual(
    expect.arrayContaining(["createDocument", "statusDocument", "sendDocument"]),
  );
  const broken = found.breaks.flatMap((one) => one.faults.map(({ fault, operation }) => `${fault} ${operation}`));
  expect(broken).toEqual(expect.arrayContaining(["throttled createDocument", "throttled sendDocument"]));
  const spared = await explore(sender(true), { ...QUIET, only });
  expect(spared.breaks.map((one) => one.message)).toEqual([]);
});
