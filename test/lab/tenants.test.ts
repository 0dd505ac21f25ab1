/** Tenants in numbers: no cross-talk, and when they are evicted. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { crowd } from "../../bench/crowd.ts";
import { TENANT_IDLE_MS, TENANTS_MAX } from "../../src/admin/tenants/tenant-eviction.ts";
import { systemClock } from "../../src/core/clock.ts";
import { createSandbox, hostOf } from "../../src/sandbox.ts";
import { subscribed } from "../support/lab.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../support/stories.ts";
import { testWorld, type TestWorld } from "../support/world.ts";
import type { SandboxOptions } from "../../src/types.ts";

test("four hundred tenants side by side, their calls in turns, see nothing of each other", async () => {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen" });
  onTestFinished(() => sandbox.close());
  const { calls, crosstalk } = await crowd(sandbox, 400);
  expect(crosstalk).toEqual([]);
  expect(calls).toBeGreaterThan(3000);
});

/** A world whose real time passes when it is told to. */
async function idling(options: SandboxOptions = {}) {
  let now = 1000;
  const spy = vi.spyOn(systemClock, "elapsed").mockImplementation(() => now);
  onTestFinished(() => spy.mockRestore());
  const told: string[] = [];
  const world = await testWorld({ strict: false, onEviction: (tenant, why) => told.push(`${tenant}: ${why}`), ...options });
  /** Time passes, and a tenant that nobody knew comes. */
  const pass = async (ms: number, stranger: string) => {
    now += ms;
    await world.call("listTemplates", { key: stranger });
  };
  const ids = () => [...hostOf(world.sandbox).tenants()].map((tenant) => tenant.id);
  return { world, told, pass, ids };
}

const use = (world: TestWorld, key: string) => world.call("listTemplates", { key });
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("tenants are evicted", () => {
  test("after two hours of real time without a call, whatever their clocks say", async () => {
    expect(TENANT_IDLE_MS).toBe(2 * HOUR);
    const { world, pass, ids, told } = await idling();
    await use(world, "test-a");
    await use(world, "test-b");
    await succeed(world.admin("POST", "/clock/advance", { by: "365d" }, "test-a"));
    await pass(HOUR, "test-c");
    await use(world, "test-b");
    await pass(HOUR, "test-d");
    expect(ids()).toEqual(["default", "test-b", "test-c", "test-d"]);
    expect(told).toEqual(["test-a: it was not called for 120 minutes"]);
    await pass(10 * HOUR, "test-e");
    expect(ids()).toEqual(["default", "test-e"]);
  });

  test("the next call of its key is told that it begins anew, and so is each that misses what is gone", async () => {
    const { world, pass } = await idling();
    const id = await aDraft(world, { key: "test-a" });
    await pass(3 * HOUR, "test-b");
    expect((await world.admin("GET", "/tenants")).body.given_back).toEqual([
      { id: "test-a", at: expect.stringMatching(/Z$/), why: "it was not called for 120 minutes" },
    ]);
    const first = await use(world, "test-a");
    expect(first.status).toBe(200);
    const told =
      /^the tenant test-a was evicted at \S+, because it was not called for 120 minutes; its data is gone, and a new tenant has its key$/;
    expect(first.headers.get("x-docdouble-why")).toMatch(told);
    expect((await use(world, "test-a")).headers.get("x-docdouble-why")).toBeNull();
    const missed = await world.call("statusDocument", { params: { id }, key: "test-a" });
    expect([missed.status, missed.headers.get("x-docdouble-why")]).toEqual([
      404,
      expect.stringContaining("; the tenant test-a was evicted"),
    ]);
    expect((await world.admin("GET", "/tenants")).body.given_back).toEqual([]);
  });

  test("but not while a real clock has work to do, somebody watches, or somebody holds it", async () => {
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

  test("a token of a tenant counts as a call of it", async () => {
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

  test("beyond the bound the one that was not used for longest goes first, never the default one nor one that is kept", async () => {
    expect(TENANTS_MAX).toBe(5000);
    const { world, told } = await idling({ tenantsMax: 30 });
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
    expect(told[0]).toBe("test-0: there were more than 30 tenants, and it was not called for longest");
    expect(told).toHaveLength(13);
  });

  test("a clock that goes on by itself is spared as long as others can go", async () => {
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

  test("a tenant that was called within the last minute is busy, so an older busy one is evicted before it", async () => {
    const { world, pass, ids } = await idling({ clock: "real", now: undefined as never, tenantsMax: 3 });
    const body = { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
    await succeed(world.call("createDocument", { key: "test-old", body }));
    await pass(2 * MINUTE, "test-new");
    await pass(MINUTE / 2, "test-other");
    expect(ids()).toEqual(["default", "test-new", "test-other"]);
  });

  test("sandbox.reset puts a tenant that somebody holds back to the seed, and drops the others", async () => {
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
