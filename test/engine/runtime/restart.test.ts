/**
 * Tests restarts from the data file. A story with a restart at any point ends in the same state as a story without one.
 * The state includes jobs, time, ids, the journal, rules with their counts, snapshots and mails.
 */
import { copyFileSync, existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox, hostOf } from "../../../src/library/sandbox.ts";
import { temporary } from "../../support/data-file.ts";
import { load } from "../../support/lab.ts";
import { receiver, type Receiver } from "../../support/receiver.ts";
import { aSubscription, CLIENT, DIRECTOR, simulate, succeed, TEMPLATES } from "../../support/stories.ts";
import { NOW, testWorld, type TestWorld } from "../../support/world.ts";
import type { SandboxOptions } from "../../../src/library/types.ts";

const OPTIONS: SandboxOptions = { scenario: "scenarios/two-signers.yaml", assume: { "rate_limit.profile": "production" } };

interface Story {
  world: TestWorld;
  hook: Receiver;
  ids: string[];
}

const DAY_SCENARIO = {
  name: "busy life",
  transitions: { "document.pdf": "manual" },
  rules: [{ name: "third", when: { operation: "statusDocument", call: { nth: 3 } }, then: { error: "throttled" } }],
  webhooks: [{ name: "late", when: { status: "document.sent" }, then: { delay: "1h" } }],
  timers: [{ every: "1d", do: "view" }],
  actors: [{ name: "pat", on: "document.sent", steps: [{ after: "5d", do: "sign" }] }],
};

/** Every step leaves something for a later step: a job, a delivery, a count or a name. */
const STEPS: ((story: Story) => Promise<unknown>)[] = [
  ({ world }) => load(world, DAY_SCENARIO),
  ({ world, hook }) => aSubscription(world, hook),
  async ({ world, ids }) => {
    const body = { template_uuid: TEMPLATES.twoSigners, name: "Deal", recipients: [CLIENT, DIRECTOR] };
    ids.push((await succeed(world.call("createDocument", { body }))).body.id);
  },
  ({ world }) => world.advance("1s"),
  ({ world }) => world.advance("4s"),
  ({ world }) => world.admin("POST", "/transitions", { model: "document.processing", progression: "time", seconds: 60 }),
  ({ world, ids }) => succeed(world.call("sendDocument", { params: { id: ids[0] as string }, body: { subject: "Sign" } })),
  async ({ world, ids }) => {
    for (let i = 0; i < 2; i++) await world.call("statusDocument", { params: { id: ids[0] as string } });
  },
  ({ world }) => world.admin("POST", "/snapshots", { name: "sent" }),
  ({ world }) =>
    world.admin("POST", "/rules", {
      name: "one an hour",
      when: { operation: "listContacts" },
      then: { rate_limit: { limit: 1, window: "1h" } },
    }),
  ({ world }) => world.call("listContacts"),
  ({ world }) => world.call("listContacts"),
  // The rule refuses the third status call. Its count includes earlier calls.
  ({ world, ids }) => world.call("statusDocument", { params: { id: ids[0] as string } }),
  ({ world }) => world.advance("70m"),
  ({ world, hook }) => {
    hook.answerWith(500);
    return world.advance("1m");
  },
  ({ world, ids }) => simulate(world, ids[0] as string, "sign"),
  ({ world }) => world.advance("90s"),
  ({ world, hook }) => {
    hook.answerWith(200);
    return world.advance("6d");
  },
  ({ world }) => world.admin("DELETE", "/scenarios/busy%20life"),
  ({ world }) => world.call("listLogsV2"),
  ({ world }) => world.admin("PUT", "/clock", { speed: 3 }),
  ({ world }) => world.admin("POST", "/snapshots/sent/restore"),
  ({ world }) => world.advance("2d"),
  ({ world }) => world.admin("POST", "/requests/remove", { path: { contains: "contacts" } }),
  ({ world }) => world.call("listDocuments"),
  ({ world }) => world.call("createContact", { body: { email: "new@client.example", first_name: "New" } }),
  ({ world }) => world.advance("40d"),
];

/** The index of the step that restores the snapshot and so discards the state before it. */
const RESTORED = 21;

async function begin(data: string, hook: Receiver): Promise<Story> {
  return { world: await testWorld({ ...OPTIONS, data }), hook, ids: [] };
}

/** Blanks values that differ between equal runs: durations of deliveries and the headers of receivers. */
function sameFor(text: string): string {
  return text.replace(/"duration_ms":\d+/g, '"duration_ms":0').replace(/"response_headers":\{[^}]*\}/g, '"response_headers":{}');
}

/** The complete state of a tenant, as JSON. */
function stateOf(world: TestWorld): unknown {
  const { tenant } = world;
  // The data file keeps no empty collections of a snapshot, so the comparison leaves them out.
  const filled = (store: object) => Object.fromEntries(Object.entries(store).filter(([, rows]) => Object.keys(rows).length > 0));
  const snapshots = Object.fromEntries([...tenant.snapshots].map(([name, one]) => [name, { ...one, store: filled(one.store) }]));
  return JSON.parse(sameFor(JSON.stringify({ ...tenant.snapshot(), snapshots, pending: tenant.scheduler.pending() })));
}

/**
 * Returns a function that plays the story with a restart before the step `breakAt`, and returns the states to compare.
 * All runs share one receiver, because another address would change the rows.
 */
async function aStory(): Promise<{ hook: Receiver; play: (breakAt: number) => Promise<unknown> }> {
  const hook = await receiver();
  const play = async (breakAt: number): Promise<unknown> => {
    const states: unknown[] = [];
    const data = temporary();
    hook.answerWith(200);
    let story = await begin(data, hook);
    for (const [index, step] of STEPS.entries()) {
      if (index === breakAt) {
        await story.world.sandbox.close();
        story = { ...story, world: await testWorld({ ...OPTIONS, data }) };
      }
      if (index === RESTORED) states.push(stateOf(story.world));
      await step(story);
    }
    states.push(stateOf(story.world));
    await story.world.sandbox.close();
    return states;
  };
  return { hook, play };
}

describe("--data", () => {
  test("a story with a restart, tried at every third step, ends in the same states as a story without one", async () => {
    const { play } = await aStory();
    const whole = (await play(-1)) as { journal: { entries: { status: number }[] } }[];
    // The story is meaningful: a rule's count refuses one call, and a rate limit refuses another.
    expect(whole[0]?.journal.entries.map((one) => one.status)).toEqual([201, 201, 200, 200, 200, 200, 429, 429, 200]);
    // The test below checks every step. This test restarts at every third step and plays on to the end.
    for (let at = 1; at < STEPS.length; at += 3) expect(await play(at), `broken off before step ${at}`).toEqual(whole);
  });

  test("the file of a killed process holds the state at its last answer", async () => {
    const data = temporary();
    const story = await begin(data, await receiver());
    for (const [index, step] of STEPS.entries()) {
      await step(story);
      const held = stateOf(story.world);
      const copy = temporary();
      copyFileSync(data, copy);
      const again = await createSandbox({ seed: 7, clock: "frozen", now: NOW, strict: true, ...OPTIONS, data: copy });
      expect(stateOf({ tenant: hostOf(again).defaultTenant } as TestWorld), `after step ${index}`).toEqual(held);
      await again.close();
    }
  });

  test("after a restart a new job does not reuse the number of a canceled job", async () => {
    const data = temporary();
    const first = await testWorld({ data });
    const before = first.tenant.scheduler.sequence;
    first.tenant.store.transaction(() => first.tenant.scheduler.cancel(first.tenant.scheduler.schedule("notarize", 1000, {})));
    await first.sandbox.close();
    const second = await testWorld({ data });
    expect(second.tenant.store.transaction(() => second.tenant.scheduler.schedule("notarize", 1000, {}))).toBe(
      `job_${before + 2}`,
    );
  });

  test("a restart applies the new clock speed, and drops a scenario that the new options do not name", async () => {
    const data = temporary();
    const first = await testWorld({ data, scenario: "scenarios/two-signers.yaml" });
    await first.admin("PUT", "/clock", { mode: "frozen", speed: 5 });
    await first.sandbox.close();
    const second = await testWorld({ data, clockSpeed: 2 });
    expect(second.tenant.clock.speed).toBe(2);
    expect([...second.tenant.scenarios.keys()]).toEqual([]);
  });

  test("adminHealth reports the health and size of the data file", async () => {
    const world = await testWorld({ data: temporary() });
    expect((await world.admin("GET", "/health")).body).toMatchObject({
      status: "healthy",
      data: { ok: true, bytes: expect.any(Number) },
    });
  });
});

test("a start that fails leaves no new data file behind, and keeps one that was there", async () => {
  const [fresh, known] = [temporary(), temporary()];
  await (await createSandbox({ data: known })).close();
  await using other = await createSandbox({ port: 0 });
  const port = Number(new URL(other.url).port);
  for (const data of [fresh, known]) await expect(createSandbox({ data, port })).rejects.toThrow("in use");
  expect([existsSync(fresh), existsSync(known)]).toEqual([false, true]);
});
