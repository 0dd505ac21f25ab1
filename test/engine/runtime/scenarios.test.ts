/** Tests scenarios at run time: loading and removal, the effect of each part, timers, actors and the clock. */
import { describe, expect, test } from "vitest";
import { TIMERS_MAX } from "../../../src/engine/core/clock-settings.ts";
import { lab, load } from "../../support/lab.ts";
import { files } from "../../support/process.ts";
import { aDraft, aSentDocument, CLIENT, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const YAML = `
version: 1
name: story
description: As YAML.
rules:
  - name: busy
    when: { operation: listTemplates }
    then: { error: throttled, times: 1 }
timers:
  - { at: +1d, do: expire }
expect:
  rules_used: all
`;

const docs = async (world: TestWorld) =>
  (await succeed(world.call("listDocuments"))).body.results as { id: string; name: string; status: string }[];

describe("adminLoadScenario", () => {
  test("a transition that a call set stays when other scenarios come and go", async () => {
    const world = await testWorld();
    const set = (model: string) => succeed(world.admin("POST", "/transitions", { model, progression: "manual" }));
    await set("document.processing");
    await set("document.pdf");
    const manual = { progression: "manual" };
    const both = { "document.processing": manual, "document.pdf": manual };
    await succeed(world.admin("POST", "/scenarios", "version: 1\nname: other\nrules: []\n"));
    expect(world.tenant.settings.transitions).toEqual(both);
    expect(
      (await world.admin("POST", "/scenarios", "version: 1\nname: bad\nworld: { documents: [{ name: D, template: No }] }\n"))
        .status,
    ).toBe(400);
    expect(world.tenant.settings.transitions).toEqual(both);
    await succeed(world.admin("DELETE", "/scenarios/other"));
    expect(world.tenant.settings.transitions).toEqual(both);
    // What a newer scenario says about the same step replaces it.
    await succeed(world.admin("POST", "/scenarios", "version: 1\nname: newer\ntransitions: { document.pdf: immediate }\n"));
    expect(world.tenant.settings.transitions).toEqual({ ...both, "document.pdf": { progression: "immediate" } });
  });

  test("a file with mistakes is refused with the place of each mistake, and no part of it takes effect", async () => {
    const world = await testWorld();
    const body = YAML.replace("rules_used", "rules_usd");
    const answer = await world.request("POST", "/__admin/scenarios", { body });
    expect(answer.status).toBe(400);
    expect(answer.body.mistakes).toEqual([
      { file: "scenario", line: 12, column: 3, message: 'expect: unknown name "rules_usd"; did you mean "rules_used"?' },
    ]);
    expect((await world.admin("GET", "/scenarios")).body).toEqual({ scenarios: [] });
    expect((await world.call("listTemplates")).status).toBe(200);
    expect((await world.admin("POST", "/scenarios", { version: 1, include: ["other.yaml"] })).body.detail).toContain(
      "files cannot be included here",
    );
  });

  test("adminScenario shows a scenario, and adminDeleteScenario removes its rules, actors and timers but keeps its documents", async () => {
    const world = await lab({
      world: { documents: [{ name: "Planted", template: "One signer", status: "document.sent", recipients: [CLIENT] }] },
      rules: [{ name: "busy", when: { operation: "listTemplates" }, then: { error: "throttled" } }],
      actors: [{ name: "pat", on: "document.sent", steps: [{ do: "sign" }] }],
      timers: [{ at: "+1h", do: "expire" }],
    });
    expect((await world.admin("GET", "/scenarios/lab")).body).toMatchObject({ rules: ["busy"], actors: ["pat"] });
    expect((await world.admin("DELETE", "/scenarios/lab")).status).toBe(204);
    expect((await world.admin("GET", "/scenarios/lab")).status).toBe(404);
    expect((await world.admin("DELETE", "/scenarios/lab")).status).toBe(404);
    expect((await world.call("listTemplates")).status).toBe(200);
    const id = await aSentDocument(world);
    await world.advance("2h");
    expect(await statusOf(world, id)).toBe("document.sent");
    expect((await docs(world)).find((one) => one.name === "Planted")?.status).toBe("document.sent");
  });
});

describe("the parts of a scenario", () => {
  test("world.documents fills the signature, initials and stamp of a completed document", async () => {
    const world = await testWorld();
    const id = "DocumentCompletedxxxxx";
    const recipients = [{ ...CLIENT, role: "Signer" }];
    await load(world, {
      world: { documents: [{ id, name: "Done", template: TEMPLATES.everyField, status: "document.completed", recipients }] },
    });
    const { body } = await succeed(world.call("detailsDocument", { params: { id } }));
    const drawn = body.fields.filter((field: { type: string }) => ["signature", "initials", "stamp"].includes(field.type));
    expect(drawn.map((field: { type: string; is_filled: boolean }) => [field.type, field.is_filled]).sort()).toEqual([
      ["initials", true],
      ["signature", true],
      ["stamp", true],
    ]);
  });

  test("a polls transition advances with each read, and not with time", async () => {
    const world = await lab({ transitions: { "document.processing": { polls: 2 } } });
    const made = await succeed(
      world.call("createDocument", { body: { template_uuid: "TemplateOneSignerxxxxx", name: "A", recipients: [CLIENT] } }),
    );
    await world.advance("1d");
    const seen = [];
    for (let i = 0; i < 3; i++) {
      seen.push(await statusOf(world, made.body.id));
      await world.advance("0s");
    }
    expect(seen).toEqual(["document.uploaded", "document.uploaded", "document.draft"]);
  });

  test("included rules follow the rules of the file, included settings are merged, and an include cycle is refused", async () => {
    const base = files({
      "base.yaml":
        "version: 1\ntransitions: { document.processing: manual }\nclock: { mode: frozen, now: 2026-01-01T00:00:00Z }\nrules:\n  - { name: below, when: { operation: listTemplates }, then: { error: unauthorized } }\n",
      "top.yaml":
        "version: 1\ninclude: [base.yaml]\ntransitions: { document.pdf: manual }\nrules:\n  - { name: above, when: { operation: listTemplates }, then: { error: throttled, times: 1 } }\n",
      "circle.yaml": "version: 1\ninclude: [circle.yaml]\n",
    });
    const world = await testWorld({ scenario: base.replace("base", "top") });
    expect([(await world.call("listTemplates")).status, (await world.call("listTemplates")).status]).toEqual([429, 401]);
    expect(world.tenant.settings.transitions).toEqual({
      "document.processing": { progression: "manual" },
      "document.pdf": { progression: "manual" },
    });
    await expect(testWorld({ scenario: base.replace("base", "circle") })).rejects.toThrow("includes itself");
  });
});

describe("clock", () => {
  test("a loaded scenario sets the clock, and can move it back only while nothing has happened", async () => {
    const world = await testWorld();
    await load(world, { clock: { mode: "frozen", now: "2026-03-05T00:00:00Z" } });
    expect((await world.admin("GET", "/clock")).body).toMatchObject({ now: "2026-03-05T00:00:00.000000Z", mode: "frozen" });
    await load(world, { clock: { now: "2026-01-01T00:00:00Z" } });
    expect((await world.admin("GET", "/clock")).body.now).toBe("2026-01-01T00:00:00.000000Z");
    expect((await world.call("listTemplates")).body.results.at(-1).date_created).toBe("2026-01-01T00:00:00.000000Z");
    const late = await world.admin("POST", "/scenarios", { version: 1, name: "late", clock: { now: "2025-01-01T00:00:00Z" } });
    expect(late).toMatchObject({ status: 409, body: { detail: expect.stringContaining("reset first") } });
    expect((await world.admin("GET", "/scenarios/late")).status).toBe(404);
    await succeed(world.admin("POST", "/reset"));
    expect((await world.admin("GET", "/clock")).body.now).toBe("2026-03-02T09:00:00.000000Z");
  });

  test("a clock advance stops at an endless loop of timers and names the timer", async () => {
    const world = await lab({ timers: [{ name: "tick", every: "1ms", do: "view" }] });
    const answer = await world.admin("POST", "/clock/advance", { by: "60d" });
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toBe(
      `stopped after ${TIMERS_MAX} timers: assuming an endless loop; most of them, ${TIMERS_MAX}, were scenario_timer tick`,
    );
    await succeed(world.admin("DELETE", "/scenarios/lab"));
    await world.advance("60d");
  });
});

describe("timers and actors", () => {
  test("timers act after a delay, at an instant or at an interval, and only on matching documents", async () => {
    const world = await lab({
      timers: [
        { name: "by time", at: "+30d", do: "expire", document: { tag: "offer" } },
        { name: "by date", at: "2026-03-12T09:00:00Z", do: "decline", document: { name: "Doomed" } },
        { name: "daily", every: "1d", do: "lock", with: { expires_in: "1h" }, document: { name: "Locked daily" } },
      ],
    });
    const [offer, doomed, other] = [
      await aSentDocument(world, { body: { tags: ["offer"] } }),
      await aSentDocument(world, { body: { name: "Doomed" } }),
      await aSentDocument(world),
    ];
    const locked = await aDraft(world, { body: { name: "Locked daily" } });
    const all = async () => Promise.all([offer, doomed, other].map((id) => statusOf(world, id)));
    await world.advance("9d");
    expect(await all()).toEqual(["document.sent", "document.sent", "document.sent"]);
    const update = async () =>
      (await world.call("updateDocument", { params: { id: locked }, body: { name: "Locked daily" } })).status;
    expect(await update()).toBe(423);
    await world.advance("2h");
    expect(await update()).toBe(204);
    await world.admin("PUT", "/clock", { now: "2026-03-12T09:00:00Z" });
    await world.advance("1s");
    expect(await all()).toEqual(["document.sent", "document.declined", "document.sent"]);
    expect(await update()).toBe(423);
    const { fired } = (await world.advance("21d")).body;
    expect(await all()).toEqual(["document.voided", "document.declined", "document.sent"]);
    expect(fired).toContainEqual(expect.objectContaining({ kind: "scenario_timer", name: "by time" }));
  });

  test("a timer acts on many documents in turns, each once, and other work goes on between two turns", async () => {
    const documents = Array.from({ length: 250 }, (_, i) => ({
      ...{ name: `Offer ${i}`, template: "One signer", status: "document.sent", recipients: [CLIENT] },
    }));
    const world = await lab({ world: { documents }, timers: [{ name: "end", every: "1h", do: "expire" }] });
    const ended = () => world.tenant.store.documents.all().filter(({ status }) => status === "document.voided");
    const seen = new Set<number>();
    let isOver = false;
    const advanced = world.advance("90m").then((answer) => {
      isOver = true;
      return answer;
    });
    while (!isOver) {
      seen.add(ended().length);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect([...seen].filter((count) => count > 0 && count < 250)).toEqual([100, 200]);
    expect(ended()).toHaveLength(250);
    expect(ended().every(({ internal }) => internal.path.filter((status) => status === "document.voided").length === 1)).toBe(
      true,
    );
    const { fired } = (await advanced).body;
    expect(fired.map((one: { kind: string; refused?: string }) => [one.kind, one.refused])).toEqual(
      Array(3).fill(["scenario_timer", undefined]),
    );
    expect((await world.advance("1h")).body.fired).toHaveLength(3);
  });

  test("the answer to a clock advance reports the refused act of an actor, and the act changes nothing", async () => {
    const world = await lab({ actors: [{ name: "eager", on: "document.draft", steps: [{ after: "1m", do: "sign" }] }] });
    const id = await aDraft(world);
    const { fired } = (await world.advance("1m")).body;
    expect(fired).toContainEqual(
      expect.objectContaining({ kind: "scenario_step", actor: "eager", refused: expect.stringContaining("document.draft") }),
    );
    expect(await statusOf(world, id)).toBe("document.draft");
  });
});
