/** What the contract report must not say of a client that does right, beside what it says of one that does wrong. */
import { expect, test } from "vitest";
import { lab } from "../support/lab.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../support/stories.ts";
import { type TestWorld, testWorld } from "../support/world.ts";

const findings = async (world: TestWorld) =>
  (await world.admin("GET", "/contract")).body.findings as { kind: string; entries: string[] }[];
const kinds = async (world: TestWorld) => (await findings(world)).map((one) => one.kind);
const body = { template_uuid: TEMPLATES.oneSigner, name: "Deal", recipients: [CLIENT] };
const create = (world: TestWorld) => succeed(world.call("createDocument", { body }));

test("duplicate_create: two that stand, and not one that was deleted or failed before", async () => {
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

test("duplicate_create: what ended in document.error may be created again", async () => {
  const world = await lab({ transitions: { "document.processing": "fail" } });
  await create(world);
  await world.advance("10s");
  await create(world);
  expect(await kinds(world)).toEqual([]);
});

test("retry_after_ignored: who asked again before the answer was there could not know it", async () => {
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

test("retry_after_ignored: nor could who never got the answer", async () => {
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

test("polling_too_fast: half a second apart is enough, and so is one look at each of many documents", async () => {
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

test("unknown_field: names of metadata, tokens and fields are the caller's own", async () => {
  const world = await testWorld();
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
