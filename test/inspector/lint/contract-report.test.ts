/** Tests that the contract report has no findings for correct clients, next to the findings for faulty ones. */
import { expect, test } from "vitest";
import { lab } from "../../support/lab.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const findings = async (world: TestWorld) =>
  (await world.admin("GET", "/contract")).body.findings as { kind: string; entries: string[] }[];
const kinds = async (world: TestWorld) => (await findings(world)).map((one) => one.kind);
const body = { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] };
const create = (world: TestWorld) => succeed(world.call("createDocument", { body }));

test("duplicate_create reports two existing documents, but not a repeat after a deletion", async () => {
  const world = await testWorld();
  const { id } = (await create(world)).body;
  await succeed(world.call("deleteDocument", { params: { id } }));
  await create(world);
  expect(await kinds(world)).toEqual([]);
  await create(world);
  const [finding] = await findings(world);
  const { requests } = (await world.admin("GET", "/requests")).body;
  const ids = requests
    .filter((one: { operationId: string }) => one.operationId === "createDocument")
    .map((one: { id: string }) => one.id);
  expect(finding).toMatchObject({ kind: "duplicate_create", entries: [ids[1], ids[0]] });
});

test("duplicate_create ignores a repeat after the first document ended in document.error", async () => {
  const world = await lab({ transitions: { "document.processing": "fail" } });
  await create(world);
  await world.advance("10s");
  await create(world);
  expect(await kinds(world)).toEqual([]);
});

test("retry_after_ignored ignores a repeat that began before the throttled answer arrived", async () => {
  const world = await lab(
    {
      rules: [
        { name: "slow", when: { operation: "listTemplates", call: { first: 1 } }, then: { error: "throttled", delay: "100ms" } },
      ],
    },
    { clock: "real", now: undefined as never },
  );
  const first = world.call("listTemplates");
  await world.call("listTemplates");
  await first;
  expect(await kinds(world)).toEqual([]);
  await world.call("listTemplates");
  expect(await kinds(world)).toEqual(["retry_after_ignored"]);
});

test("retry_after_ignored accepts a timer that fires some milliseconds early", async () => {
  const rule = { name: "busy", when: { operation: "listTemplates" }, then: { error: "throttled", retry_after: "5s", times: 1 } };
  for (const [waits, found] of [
    ["4990ms", []],
    ["4800ms", ["retry_after_ignored"]],
  ] as const) {
    const world = await lab({ rules: [rule] as never });
    await world.call("listTemplates");
    await world.advance(waits);
    await world.call("listTemplates");
    expect(await kinds(world)).toEqual(found);
  }
});

test("retry_after_ignored ignores a repeat by a client that never received the throttled answer", async () => {
  const world = await lab({
    rules: [
      { name: "busy", when: { operation: "listTemplates" }, then: { error: "throttled", times: 1, fallthrough: true } },
      { name: "cut", when: { operation: "listTemplates" }, then: { network: "reset", times: 1 } },
    ],
  });
  await expect(world.call("listTemplates")).rejects.toThrow("fetch failed");
  await world.call("listTemplates");
  expect(await kinds(world)).toEqual([]);
});

test("polling_too_fast accepts reads half a second apart, and one read of each of many documents", async () => {
  const world = await lab({ transitions: { "document.processing": { time: "60s" } } });
  const ids: string[] = [];
  for (let i = 0; i < 25; i++)
    ids.push((await succeed(world.call("createDocument", { body: { ...body, name: `Deal ${i}` } }))).body.id);
  for (const id of ids) await world.call("statusDocument", { params: { id } });
  for (let i = 0; i < 10; i++) {
    await world.advance("500ms");
    await world.call("statusDocument", { params: { id: ids[0] as string } });
  }
  expect(await kinds(world)).toEqual([]);
  for (let i = 0; i < 4; i++) {
    await world.advance("100ms");
    await world.call("statusDocument", { params: { id: ids[0] as string } });
  }
  expect(await kinds(world)).toEqual(["polling_too_fast"]);
});

test("unknown_field accepts any names of metadata, tokens and fields", async () => {
  const world = await testWorld({ assume: { "fields.unknown_key_update": "ignore" } });
  await succeed(
    world.call("createDocument", {
      body: {
        ...body,
        metadata: { "my.key": "1" },
        fields: { Comment: { value: "x" } },
        tokens: [{ name: "My.Token", value: "y" }],
      },
    }),
  );
  await world.call("listDocuments", { query: { metadata_my: "1", count: 5 } });
  const id = await aDraft(world, { body: { name: "Other" } });
  await succeed(
    world.call("updateDocument", { params: { id }, body: { metadata: { any: "thing" }, fields: { Comment: { value: "z" } } } }),
  );
  expect(await kinds(world)).not.toContain("unknown_field");
});
