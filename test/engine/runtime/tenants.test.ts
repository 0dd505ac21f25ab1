/** Tests large numbers of tenants: their isolation, and what happens beyond the maximum. */
import { describe, expect, onTestFinished, test } from "vitest";
import { crowd } from "../../support/crowd.ts";
import { tenantWith } from "../../../src/engine/runtime/tenants/tenant-registry.ts";
import { ClosedError } from "../../../src/library/errors.ts";
import { createSandbox, hostOf } from "../../../src/library/sandbox.ts";
import { subscribed } from "../../support/lab.ts";
import { aDraft, anUploadedDocument, succeed } from "../../support/stories.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";

test("four hundred tenants with interleaved calls stay isolated from each other", async () => {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen" });
  onTestFinished(() => sandbox.close());
  const { calls, crosstalk } = await crowd(sandbox, 400);
  expect(crosstalk).toEqual([]);
  expect(calls).toBeGreaterThan(3000);
});

const use = (world: TestWorld, key: string) => world.call("listTemplates", { key });
const idsOf = (world: TestWorld) => [...hostOf(world.sandbox).tenants()].map(({ id }) => id);

describe("the tenant of a row", () => {
  test("an id, a token or a link in any tenant finds it, until the row or the tenant is gone", async () => {
    const world = await testWorld();
    const host = hostOf(world.sandbox);
    host.open("test-first");
    await anUploadedDocument(world, { key: "test-one" });
    const { store } = host.open("test-one");
    store.sessions.put({ id: "s1" } as never);
    store.tokens.put({ id: "t1", refresh_token: "r1" } as never);
    store.editing_sessions.put({ id: "e1", token: "e1-token" } as never);
    const link = store.documents.all()[0]?.recipients[0]?.internal.link_token as string;
    const find = (...place: [string, string]) => tenantWith(host, ...place)?.id;
    const places: [string, string][] = [
      ["api_keys", "test-one"],
      ["sessions", "s1"],
      ["tokens", "t1"],
      ["tokens", "r1"],
      ["editing_sessions", "e1-token"],
      ["documents", link],
    ];
    for (const place of places) expect(find(...place), String(place)).toBe("test-one");
    expect(find("sessions", "s2")).toBeUndefined();
    expect(find("api_keys", "docdouble-key")).toBe("default");
    store.sessions.delete("s1");
    expect(find("sessions", "s1")).toBeUndefined();
    host.drop("test-one");
    for (const place of places) expect(find(...place), String(place)).toBeUndefined();
  });
});

describe("the maximum number of tenants", () => {
  test("beyond it, the tenant that was not used for longest goes, and never the default one", async () => {
    const world = await testWorld({ tenantsMax: 3 });
    await use(world, "test-a");
    await use(world, "test-b");
    await use(world, "test-a");
    await use(world, "test-c");
    expect(idsOf(world)).toEqual(["default", "test-a", "test-c"]);
    const narrow = await testWorld({ tenantsMax: 1 });
    for (const key of ["test-a", "test-b"]) expect((await use(narrow, key)).status).toBe(200);
    expect(idsOf(narrow)).toEqual(["default", "test-b"]);
  });

  test("a later call with the key of a tenant that is gone gets a fresh world", async () => {
    const world = await testWorld({ tenantsMax: 2 });
    const id = await aDraft(world, { key: "test-a" });
    await use(world, "test-b");
    expect((await world.call("statusDocument", { params: { id }, key: "test-a" })).status).toBe(404);
    expect((await use(world, "test-a")).status).toBe(200);
  });

  test("handles of a tenant that is gone say why", async () => {
    const world = await testWorld({ tenantsMax: 2 });
    const handles = world.sandbox.tenant("test-a");
    await use(world, "test-b");
    const change = () => handles.contacts.create({ email: "a@client.example" });
    expect(change).toThrow(ClosedError);
    expect(change).toThrow("contacts.create: the tenant test-a is gone: the server holds 2 tenants, and others were used later");
  });

  test("a call with a member token or a link counts as a use of its tenant", async () => {
    const world = await testWorld({ tenantsMax: 3 });
    const params = { member_id: "MemberSamxxxxxxxxxxxxx" };
    const { token } = (await succeed(world.call("createMemberToken", { key: "test-a", params }))).body;
    await use(world, "test-b");
    const headers = { authorization: `Bearer ${token}` };
    expect((await world.call("listDocuments", { key: null, headers })).status).toBe(200);
    await use(world, "test-c");
    expect(idsOf(world)).toEqual(["default", "test-a", "test-c"]);
  });

  test("sandbox.reset restores the seed of a tenant with a handle, and removes the others", async () => {
    const world = await testWorld();
    const held = world.sandbox.tenant("test-held");
    await aDraft(world, { key: "test-held" });
    await subscribed(world);
    await use(world, "test-other");
    await world.sandbox.reset();
    expect(idsOf(world)).toEqual(["default", "test-held"]);
    expect(held.documents.all()).toEqual([]);
    await aDraft(world, { key: "test-held" });
    expect(held.documents.all()).toHaveLength(1);
  });
});
