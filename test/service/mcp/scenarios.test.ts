/** Tools in scenario files, in rules, in the journal after it dropped calls, and under `explore`. */
import { expect, test } from "vitest";
import { callTool } from "../../support/mcp-messages.ts";
import { aDraft } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";

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
