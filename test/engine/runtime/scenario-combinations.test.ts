/**
 * Tests combinations of scenario parts: the order of deliveries with delays and batches, and seeds and clocks at run time.
 * Also tests matchers of rules, and OAuth tokens of tenants.
 */
import { describe, expect, test } from "vitest";
import { lab, load, subscribed } from "../../support/lab.ts";
import { aCompletedDocument, aDraft, anUploadedDocument } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";
import { until } from "../../support/patience.ts";

const COMPLETED = { event: "document_state_changed", status: "document.completed" };

const bodiesOf = (hook: { received: { body: { event: string; data: { status: string } }[] }[] }) =>
  hook.received.map((one) => one.body.map(({ event, data }) => `${event} ${data.status}`).join(" + "));

describe("webhooks", () => {
  test("after_event with delay sends the held delivery that long after the other event", async () => {
    const world = await lab({
      webhooks: [
        { name: "late", when: { status: "document.sent" }, then: { after_event: COMPLETED, delay: "30s", duplicate: 1 } },
      ],
    });
    const hook = await subscribed(world, ["document_state_changed"]);
    await aCompletedDocument(world);
    await world.advance("29s");
    expect(bodiesOf(hook).at(-1)).toBe("document_state_changed document.completed");
    expect((await world.admin("GET", "/webhooks/deliveries")).body.deliveries[1].held_for).toBeNull();
    await world.advance("1s");
    expect(bodiesOf(hook).slice(-2)).toEqual(Array(2).fill("document_state_changed document.sent"));
    expect(new Set(hook.received.slice(-2).map((one) => one.eventId)).size).toBe(1);
  });

  test("after_event with batch sends the held deliveries in one batch", async () => {
    const world = await lab({
      webhooks: [
        {
          name: "late",
          when: { status: ["document.draft", "document.sent"] },
          then: { after_event: COMPLETED, batch: { window: "10s" } },
        },
      ],
    });
    const hook = await subscribed(world, ["document_state_changed"]);
    await aCompletedDocument(world);
    await world.advance("10s");
    expect(bodiesOf(hook)).toEqual([
      "document_state_changed document.viewed",
      "document_state_changed document.completed",
      "document_state_changed document.draft + document_state_changed document.sent",
    ]);
    expect(hook.received.at(-1)?.verified).toBe(true);
  });

  test("each of several batch rules collects separately for each subscriber", async () => {
    const world = await lab({
      webhooks: [
        { name: "states", when: { event: "document_state_changed" }, then: { batch: { window: "10s" } } },
        { name: "people", when: { event: "recipient_completed" }, then: { batch: { window: "20s", max: 2 } } },
      ],
    });
    const [one, two] = [await subscribed(world), await subscribed(world)];
    for (let i = 0; i < 2; i++) await aCompletedDocument(world);
    await world.advance("20s");
    for (const hook of [one, two]) {
      const kinds = hook.received.map((post) => [...new Set(post.body.map((event: { event: string }) => event.event))].join("+"));
      expect(kinds.filter((kind) => kind === "recipient_completed")).toHaveLength(1);
      expect(kinds.filter((kind) => kind !== "recipient_completed" && kind !== "document_state_changed")).toEqual([]);
      expect(hook.events().filter((event) => event.event === "recipient_completed")).toHaveLength(2);
      expect(hook.received.every((post) => post.verified)).toBe(true);
    }
  });
});

describe("adminLoadScenario with a seed", () => {
  const idsAfter = async (scenario: object, calls: number, seed: number) => {
    const world = await testWorld({ seed });
    for (let i = 0; i < calls; i++) await aDraft(world);
    await load(world, scenario);
    return { world, ids: [await anUploadedDocument(world), await anUploadedDocument(world)] };
  };

  test("later ids derive from the scenario's seed, regardless of the seed at the start", async () => {
    const [a, b, c] = [await idsAfter({ seed: 5 }, 1, 7), await idsAfter({ seed: 5 }, 2, 8), await idsAfter({ seed: 6 }, 1, 7)];
    expect(a.ids).toEqual(b.ids);
    expect(a.ids).not.toEqual(c.ids);
    expect((await a.world.admin("GET", "/scenarios/lab")).body.seed).toBe("5");
  });

  test("a scenario that cannot be seeded leaves the clock, the ids and the rules unchanged", async () => {
    const [world, twin] = [await testWorld(), await testWorld()];
    const rules = [{ name: "busy", when: { operation: "createDocument" }, then: { error: "throttled" } }];
    const broken = { version: 1, name: "broken", rules, world: { documents: [{ name: "A", template: "None of these" }] } };
    for (const clock of [{ now: "2027-01-01T00:00:00Z" }, { now: "2020-01-01T00:00:00Z", mode: "real" }]) {
      const answer = await world.admin("POST", "/scenarios", { ...broken, seed: 9, clock });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect((await world.admin("GET", "/clock")).body).toMatchObject({ mode: "frozen", now: "2026-03-02T09:00:00.000000Z" });
    }
    expect((await world.admin("GET", "/rules")).body).toEqual((await twin.admin("GET", "/rules")).body);
    expect(await aDraft(world)).toBe(await aDraft(twin));
  });
});

describe("rules", () => {
  test.each<[object, boolean]>([
    [{ "metadata.order": null }, true],
    [{ "metadata.team": null }, false],
    [{ "metadata.order": { eq: null } }, true],
    [{ "metadata.order": { ne: null } }, false],
    [{ "metadata.order": { in: [null, "1"] } }, true],
    [{ "metadata.team": { ne: null } }, true],
    [{ "metadata.team": { in: [null, "1"] } }, false],
    [{ template: { contains: "signer" } }, true],
    [{ template: "TemplateOneSignerxxxxx", name: { regex: "^Service" } }, true],
  ])("a rule evaluates the document condition %j", async (document, isMet) => {
    const world = await testWorld();
    const id = await aDraft(world, { body: { metadata: { team: "legal" } } });
    await load(world, { rules: [{ name: "r", when: { operation: "statusDocument", document }, then: { error: "throttled" } }] });
    expect((await world.call("statusDocument", { params: { id } })).status).toBe(isMet ? 429 : 200);
  });

  const COUNTS: [object, number[]][] = [
    [{ nth: 2 }, [0, 1, 0, 0]],
    [{ first: 2 }, [1, 1, 0, 0]],
    [{ from: 3 }, [0, 0, 1, 1]],
    [{ every: 2 }, [0, 1, 0, 1]],
  ];
  const KINDS: Record<string, object> = {
    error: { error: "throttled" },
    respond: { respond: { status: 429 } },
    network: { network: "reset" },
  };
  test.each(COUNTS.flatMap(([call, hits]) => Object.keys(KINDS).map((kind) => [call, kind, hits] as const)))(
    "updateDocument under %j with %s and `phase: after` is always carried out, and faults follow each document's count",
    async (call, kind, hits) => {
      const world = await testWorld();
      const documents = [await aDraft(world), await aDraft(world)];
      await load(world, {
        rules: [
          {
            name: "r",
            when: { operation: "updateDocument", call: { ...call, per: "document" } },
            then: { ...KINDS[kind], phase: "after" },
          },
        ],
      });
      const seen: number[][] = [[], []];
      for (let round = 0; round < 4; round++)
        for (const [i, id] of documents.entries()) {
          const name = `round ${round}`;
          const answer = await world.call("updateDocument", { params: { id }, body: { name } }).catch(() => ({ status: 0 }));
          seen[i]?.push(answer.status === 204 ? 0 : 1);
          expect(world.tenant.store.documents.get(id)?.name).toBe(name);
        }
      expect(seen).toEqual([hits, hits]);
    },
  );

  test("a delay with `phase: after` starts after the operation is carried out", async () => {
    const world = await lab({
      rules: [{ name: "slow", when: { operation: "createDocument" }, then: { delay: "150ms", phase: "after" } }],
    });
    const created = anUploadedDocument(world);
    await until(async () => (await world.call("listDocuments")).body.results.length > 0);
    let isAnswered = false;
    void created.then(() => {
      isAnswered = true;
    });
    await world.call("listDocuments");
    expect(isAnswered).toBe(false);
    await created;
  });
});
