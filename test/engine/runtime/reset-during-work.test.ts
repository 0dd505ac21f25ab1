/** Tests calls, deliveries and clock moves in progress during a reset or restore. They do not affect the new world. */
import { expect, test } from "vitest";
import { receiver } from "../../support/receiver.ts";
import { aSubscription, anUploadedDocument, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";
import { until } from "../../support/patience.ts";

const ADDED = { email: "late@client.example" };
const added = (world: TestWorld) => world.tenant.store.contacts.all().filter((one) => one.email === ADDED.email).length;

test.each<[string, object, number]>([
  ["before it is carried out", { phase: "before" }, 503],
  ["after it was carried out", { phase: "after" }, 201],
])("adminReset while a call waits %s leaves no trace of the call in the new world", async (_, then, status) => {
  const world = await testWorld();
  const { body: fresh } = await world.call("createDocument", {
    body: { name: "Same", url: "http://127.0.0.1:9/a.pdf", recipients: [] },
  });
  await world.admin("POST", "/reset");
  await succeed(world.admin("POST", "/rules", { name: "slow", when: {}, then: { delay: "150ms", ...then } }));
  const late = world.call("createContact", { body: ADDED });
  // The call waits in the rule. With `phase: after` it is already carried out.
  const here = () => (status === 503 ? world.tenant.rules.list()[0]?.hits === 1 : added(world) === 1);
  await until(here);
  await world.admin("POST", "/reset");
  const answered = await late;
  expect(answered.status).toBe(status);
  if (status === 503) expect(answered.headers.get("x-docdouble-why")).toContain("the world was reset");
  expect(world.tenant.journal.size).toBe(0);
  expect(added(world)).toBe(0);
  await world.admin("POST", "/reset");
  const again = await world.call("createDocument", { body: { name: "Same", url: "http://127.0.0.1:9/a.pdf", recipients: [] } });
  expect(again.body).toEqual(fresh);
});

test("adminRestoreSnapshot during a clock advance and a delivery restores the snapshot's time, and a new advance can begin", async () => {
  const world = await testWorld({ port: 0 });
  const hook = await receiver();
  hook.answerWith("hang");
  await aSubscription(world, hook);
  await succeed(world.admin("POST", "/snapshots", { name: "s" }));
  await anUploadedDocument(world);
  const advanced = world.admin("POST", "/clock/advance", { by: "5s" });
  await hook.arrived(1);
  const { now } = (await succeed(world.admin("POST", "/snapshots/s/restore"))).body;
  expect(now).toBe("2026-03-02T09:00:00.000000Z");
  expect((await world.admin("POST", "/clock/advance", { by: "1s" })).status).toBe(200);
  await hook.close();
  expect(await advanced).toMatchObject({ status: 409, body: { detail: expect.stringContaining("a snapshot restored") } });
  expect((await world.admin("GET", "/clock")).body).toMatchObject({ now: "2026-03-02T09:00:01.000000Z", pending: 0 });
  expect((await world.admin("GET", "/webhooks/deliveries")).body.deliveries).toEqual([]);
});
