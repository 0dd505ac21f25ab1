/** Tests large numbers of tenants: their isolation and their eviction. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { crowd } from "../../../bench/crowd.ts";
import { TENANT_IDLE_MS, TENANTS_MAX } from "../../../src/engine/runtime/tenants/tenant-eviction.ts";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { createSandbox, hostOf } from "../../../src/library/sandbox.ts";
import { subscribed } from "../../support/lab.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { testWorld, type TestWorld } from "../../support/world.ts";
import type { SandboxOptions } from "../../../src/library/types.ts";

test("four hundred tenants with interleaved calls stay isolated from each other", async () => {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen" });
  onTestFinished(() => sandbox.close());
  const { calls, crosstalk } = await crowd(sandbox, 400);
  expect(crosstalk).toEqual([]);
  expect(calls).toBeGreaterThan(3000);
});

/** A world whose real time moves only when the test calls `pass`. Collects evictions as `tenant: reason`. */
async function idling(options: SandboxOptions = {}) {
  let now = 1000;
  const spy = vi.spyOn(systemClock, "elapsed").mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  const evictions: string[] = [];
  const world = await testWorld({ strict: false, onEviction: (tenant, why) => evictions.push(`${tenant}: ${why}`), ...options });
  /** Moves real time forward, and then makes a call with the key of a new tenant. */
  const pass = async (ms: number, stranger: string) => {
    now += ms;
    await world.call("listTemplates", { key: stranger });
  };
  const ids = () => [...hostOf(world.sandbox).tenants()].map((tenant) => tenant.id);
  return { world, evictions, pass, ids };
}

const use = (world: TestWorld, key: string) => world.call("listTemplates", { key });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("eviction of tenants", () => {
  test("a tenant is evicted after two hours of real time without a call, regardless of its clock", async () => {
    expect(TENANT_IDLE_MS).toBe(2 * HOUR);
    const { world, pass, ids, evictions } = await idling();
    await use(world, "test-a");
    await use(world, "test-b");
    await succeed(world.admin("POST", "/clock/advance", { by: "365d" }, "test-a"));
    await pass(HOUR, "test-c");
    await use(world, "test-b");
    await pass(HOUR, "test-d");
    expect(ids()).toEqual(["default", "test-b", "test-c", "test-d"]);
    expect(evictions).toEqual(["test-a: it was not called for 120 minutes"]);
    await pass(10 * HOUR, "test-e");
    expect(ids()).toEqual(["default", "test-e"]);
  });

  test("after an eviction, the next call of the key and each call for lost data receive the reason", async () => {
    const { world, pass } = await idling();
    const id = await aDraft(world, { key: "test-a" });
    await pass(3 * HOUR, "test-b");
    expect((await world.admin("GET", "/tenants")).body.given_back).toEqual([
      { id: "test-a", at: expect.stringMatching(/Z$/), why: "it was not called for 120 minutes" },
    ]);
    const first = await use(world, "test-a");
    expect(first.status).toBe(200);
    const reason =
      /^the tenant test-a was evicted at \S+, because it was not called for 120 minutes; its data is gone, and a new tenant has its key$/;
    expect(first.headers.get("x-docdouble-why")).toMatch(reason);
    expect((await use(world, "test-a")).headers.get("x-docdouble-why")).toBeNull();
    const missed = await world.call("statusDocument", { params: { id }, key: "test-a" });
    expect([missed.status, missed.headers.get("x-docdouble-why")]).toEqual([
      404,
      expect.stringContaining("; the tenant test-a was evicted"),
    ]);
    expect((await world.admin("GET", "/tenants")).body.given_back).toEqual([]);
  });

  test("a tenant stays while it has jobs on a real clock, is kept, has a handle, or has a listener", async () => {
    const { world, pass, ids } = await idling({ clock: "real", now: undefined as never });
    await use(world, "test-idle");
    await succeed(
      world.call("createDocument", {
        key: "test-converting",
        body: { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] },
      }),
    );
    await succeed(world.admin("POST", "/tenants", { id: "test-kept", keep: true }));
    const handles = world.sandbox.tenant("test-handles");
    await use(world, "test-watched");
    const unwatch = hostOf(world.sandbox)
      .find("test-watched")
      ?.eventStream.listen(() => {});
    await pass(3 * HOUR, "test-new");
    expect(ids()).toEqual(["default", "test-converting", "test-kept", "test-handles", "test-watched", "test-new"]);
    expect(handles.journal.all()).toEqual([]);
    unwatch?.();
    await pass(1, "test-newer");
    expect(ids()).not.toContain("test-watched");
  });

  test("a call with a member token of a tenant counts as a call of that tenant", async () => {
    const { world, pass, ids } = await idling();
    const made = await succeed(
      world.call("createMemberToken", { key: "test-a", params: { member_id: "MemberSamxxxxxxxxxxxxx" } }),
    );
    await pass(1.5 * HOUR, "test-b");
    expect(
      (await world.call("listDocuments", { key: null, headers: { authorization: `Bearer ${made.body.token}` } })).status,
    ).toBe(200);
    await pass(1.5 * HOUR, "test-c");
    expect(ids()).toContain("test-a");
  });

  test("above the maximum number, the least recently used tenant is evicted, but never the default or a kept tenant", async () => {
    expect(TENANTS_MAX).toBe(5000);
    const { world, evictions } = await idling({ tenantsMax: 30 });
    const host = hostOf(world.sandbox);
    await use(world, "test-used");
    await succeed(world.admin("POST", "/tenants", { id: "test-kept", keep: true }));
    for (let i = 0; i < 40; i++) {
      host.open(`test-${i}`);
      host.open("test-used");
    }
    const ids = [...host.tenants()].map((tenant) => tenant.id);
    expect(ids).toHaveLength(30);
    expect(ids).toEqual(expect.arrayContaining(["default", "test-used", "test-kept", "test-39"]));
    expect(evictions[0]).toBe("test-0: there were more than 30 tenants, and it was not called for longest");
    expect(evictions).toHaveLength(13);
  });

  test("above the maximum number, idle tenants are evicted before tenants with jobs on a real clock", async () => {
    const { world, pass, ids } = await idling({ clock: "real", now: undefined as never, tenantsMax: 3 });
    const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
    await succeed(world.call("createDocument", { key: "test-busy", body }));
    await use(world, "test-a");
    await pass(2 * MINUTE, "test-b");
    expect(ids()).toEqual(["default", "test-busy", "test-b"]);
    await succeed(world.call("createDocument", { key: "test-b", body }));
    await pass(2 * MINUTE, "test-c");
    expect(ids()).toEqual(["default", "test-b", "test-c"]);
  });

  test("a tenant that was called within the last minute counts as busy, so an older busy tenant is evicted first", async () => {
    const { world, pass, ids } = await idling({ clock: "real", now: undefined as never, tenantsMax: 3 });
    const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
    await succeed(world.call("createDocument", { key: "test-old", body }));
    await pass(2 * MINUTE, "test-new");
    await pass(MINUTE / 2, "test-other");
    expect(ids()).toEqual(["default", "test-new", "test-other"]);
  });

  test("sandbox.reset restores the seed of a tenant with a handle, and removes the others", async () => {
    const { world, ids } = await idling();
    const held = world.sandbox.tenant("test-held");
    await aDraft(world, { key: "test-held" });
    await subscribed(world);
    await use(world, "test-other");
    await world.sandbox.reset();
    expect(ids()).toEqual(["default", "test-held"]);
    expect(held.documents.all()).toEqual([]);
    await aDraft(world, { key: "test-held" });
    expect(held.documents.all()).toHaveLength(1);
  });
});
