/** A world with a scenario loaded over the admin API, and subscribed receivers. */
import { expect } from "vitest";
import { unmetLine } from "../../src/engine/runtime/scenario-runs/expectations.ts";
import { receiver, type Receiver } from "./receiver.ts";
import { succeed } from "./stories.ts";
import { testWorld, type TestWorld } from "./world.ts";
import type { SandboxOptions } from "../../src/library/types.ts";

/** A world with `scenario` loaded as JSON. */
export async function lab(scenario: object, options: SandboxOptions = {}): Promise<TestWorld> {
  const world = await testWorld(options);
  await load(world, scenario);
  return world;
}

export async function load(world: TestWorld, scenario: object): Promise<void> {
  const answer = await world.admin("POST", "/scenarios", { version: 1, name: "lab", ...scenario });
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
}

/** Subscribes a new receiver to events. */
export async function subscribed(
  world: TestWorld,
  triggers: readonly string[] = ["document_state_changed", "recipient_completed"],
  body: object = {},
): Promise<Receiver & { id: string }> {
  const hook = await receiver();
  const made = await succeed(
    world.call("createWebhookSubscription", { body: { name: "Lab", url: hook.url, triggers, ...body } }),
  );
  hook.key = made.body.shared_key;
  return Object.assign(hook, { id: made.body.uuid as string });
}

/** The unmet expectations and their evidence from the journal, one line each. */
export async function unmet(world: TestWorld, name = "lab"): Promise<string[]> {
  const { status, body } = await world.admin("POST", `/scenarios/${name}/verify`);
  expect(status).toBe(body.unmet.length > 0 ? 422 : 200);
  return body.unmet.map(unmetLine);
}
