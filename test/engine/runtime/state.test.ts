/** Tests snapshots, reset and determinism. A restore brings back all state of a tenant, and leaves other tenants unchanged. */
import { describe, expect, test } from "vitest";
import { load, subscribed } from "../../support/lab.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, aSentDocument, statusOf, succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

/** Changes every part of a tenant that holds state. */
async function changeEveryPart(world: TestWorld): Promise<void> {
  await load(world, {
    name: "busy life",
    transitions: { "document.pdf": "manual" },
    assume: { "webhook.retry_schedule": ["7s"] },
    rules: [{ name: "third", when: { operation: "statusDocument", call: { nth: 3 } }, then: { error: "throttled" } }],
    webhooks: [{ name: "late", when: { status: "document.sent" }, then: { delay: "1h" } }],
    timers: [{ every: "1d", do: "view" }],
    seed: 3,
    actors: [{ name: "pat", on: "document.sent", steps: [{ after: "5d", do: "sign" }] }],
  });
  await succeed(world.admin("POST", "/transitions", { model: "document.processing", progression: "immediate" }));
  await succeed(
    world.admin("POST", "/rules", {
      name: "mine",
      when: { path: "/never" },
      then: { delay: "1ms", rate_limit: { limit: 1, window: "1m" } },
    }),
  );
  const hook = await subscribed(world);
  hook.answerWith(500);
  const id = await aSentDocument(world, { silent: false });
  for (let i = 0; i < 2; i++) await world.call("statusDocument", { params: { id } });
  await succeed(world.admin("PUT", "/assumptions", { "delete.second": 404, "rate_limit.profile": "production" }));
  await world.call("listContacts");
  world.tenant.trimmedRows = { emails: 1 };
  await world.admin("PUT", "/clock", { speed: 3 });
  await world.advance("1m");
}

describe("the registered state of a tenant", () => {
  test("adminReset restores the exact seeded state after changes to every part", async () => {
    const world = await testWorld({ scenario: "scenarios/two-signers.yaml" });
    const fresh = JSON.stringify(world.tenant.snapshot());
    await changeEveryPart(world);
    const changed = JSON.parse(JSON.stringify(world.tenant.snapshot()));
    const seed = JSON.parse(fresh);
    // Every part has changed, so the comparison below proves something.
    for (const name of Object.keys(world.tenant.state)) expect(changed[name], name).not.toEqual(seed[name]);
    expect(await world.admin("POST", "/reset")).toMatchObject({
      status: 200,
      body: { status: "reset", parts: ["clock", "state", "webhooks", "journal", "rules", "emails"] },
    });
    expect(JSON.stringify(world.tenant.snapshot())).toBe(fresh);
  });

  test("adminReset seeds documents with the settings of the start, not with later ones", async () => {
    const scenario = { documents: [{ as: "up", name: "Up", template: "One signer", status: "document.uploaded" }] };
    const { files } = await import("../../support/process.ts");
    const world = await testWorld({ scenario: files({ "up.json": JSON.stringify({ version: 1, world: scenario }) }) });
    const fresh = JSON.stringify(world.tenant.snapshot());
    await succeed(world.admin("POST", "/transitions", { model: "document.processing", progression: "manual" }));
    await succeed(world.admin("POST", "/reset"));
    expect(JSON.stringify(world.tenant.snapshot())).toBe(fresh);
  });
});

describe("snapshots", () => {
  test("restoring a snapshot of another process keeps this process's public URL and address policy", async () => {
    const { tenant } = await testWorld();
    const { publicUrl, addressPolicy } = tenant.settings;
    const taken = tenant.snapshot();
    const elsewhere = { publicUrl: "http://elsewhere.example", addressPolicy: "public", httpsWebhooks: true } as const;
    tenant.restore({ ...taken, settings: { ...taken.settings, ...elsewhere } });
    expect(tenant.settings).toEqual({ ...taken.settings, publicUrl, addressPolicy, httpsWebhooks: true });
  });

  test("adminRestoreSnapshot restores state, jobs, clock, rules with their counts, deliveries, mails and settings", async () => {
    const world = await testWorld();
    await changeEveryPart(world);
    const taken = await succeed(world.admin("POST", "/snapshots", { name: "then" }));
    expect(taken.body).toMatchObject({ name: "then", documents: 1 });
    const then = JSON.stringify(world.tenant.snapshot());
    const deliveries = (await world.admin("GET", "/webhooks/deliveries")).body;
    const mails = (await world.admin("GET", "/emails")).body;
    expect([deliveries.meta.total > 0, mails.meta.total > 0]).toEqual([true, true]);

    await world.advance("10d");
    await aDraft(world);
    await world.admin("DELETE", "/rules");
    await world.admin("DELETE", "/emails");
    await world.admin("DELETE", "/scenarios/busy%20life");
    await world.admin("DELETE", "/requests");
    expect(JSON.stringify(world.tenant.snapshot())).not.toBe(then);

    for (const _ of [1, 2]) {
      await succeed(world.admin("POST", "/snapshots/then/restore"));
      expect(JSON.stringify(world.tenant.snapshot())).toBe(then);
      expect((await world.admin("GET", "/webhooks/deliveries")).body).toEqual(deliveries);
      expect((await world.admin("GET", "/emails")).body).toEqual(mails);
      // Pending effects still happen: the rule refuses the third status call, and the actor signs on the fifth day.
      const [{ id }] = (await world.call("listDocuments")).body.results;
      expect((await world.call("statusDocument", { params: { id } })).status).toBe(429);
      await world.advance("5d");
      expect(await statusOf(world, id)).toBe("document.completed");
    }
  });

  test("snapshots survive a reset, appear in the list, and can be deleted by name", async () => {
    const world = await testWorld();
    const id = await aDraft(world);
    await succeed(world.admin("POST", "/snapshots", { name: "a" }));
    await succeed(world.admin("POST", "/reset"));
    expect((await world.call("statusDocument", { params: { id } })).status).toBe(404);
    expect((await world.admin("GET", "/snapshots")).body.snapshots).toMatchObject([{ name: "a", documents: 1 }]);
    await succeed(world.admin("POST", "/snapshots/a/restore"));
    expect(await statusOf(world, id)).toBe("document.draft");
    expect((await world.admin("DELETE", "/snapshots/a")).status).toBe(204);
    expect((await world.admin("POST", "/snapshots/a/restore")).status).toBe(404);
    expect((await world.admin("POST", "/snapshots", { name: "../x" })).status).toBe(400);
  });
});

describe("determinism", () => {
  test("the same scenario and seed give an identical journal, also with parallel deliveries", async () => {
    const journals: string[] = [];
    for (const _ of [1, 2]) {
      const world = await testWorld({ seed: 42, scenario: "scenarios/two-signers.yaml" });
      // These receivers answer in a different order each time.
      const hooks = await Promise.all([receiver(), receiver(), receiver()]);
      for (const [i, hook] of hooks.entries()) {
        await succeed(
          world.call("createWebhookSubscription", {
            body: {
              name: `Hook ${i}`,
              url: "https://hooks.example/x",
              triggers: ["document_state_changed", "recipient_completed"],
            },
          }),
        );
        hook.answerWith(200);
      }
      for (const [i, row] of world.tenant.store.subscriptions.all().entries())
        world.tenant.store.transaction(() => world.tenant.store.subscriptions.put({ ...row, url: hooks[i]?.url ?? "" }));
      await aSentDocument(world, { template: "twoSigners", silent: false });
      await aSentDocument(world, { template: "twoSigners" });
      await world.advance("3d");
      const all = (await world.call("listDocuments")).body.results as { id: string }[];
      for (const { id } of all) await world.call("detailsDocument", { params: { id } });
      await world.call("listWebhookEvent", { query: { count: 50, page: 1 } });
      expect(hooks.every((hook) => hook.received.length > 5)).toBe(true);
      journals.push(JSON.stringify(world.tenant.journal.snapshot()));
      await world.sandbox.close();
    }
    expect(journals[1]).toBe(journals[0]);
    expect(journals[0]?.length).toBeGreaterThan(5000);
  });
});
