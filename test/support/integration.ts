/**
 * An application like users write it: it creates, waits, sends, retries as the service asks, and receives webhooks.
 * It waits on the clock of the sandbox, so a story of sixty days is fast.
 */
import { expect } from "vitest";
import { type Receiver, receiver } from "./receiver.ts";
import { CLIENT, succeed, TEMPLATES } from "./stories.ts";
import type { Answer, Calls } from "./world.ts";

export interface Integration {
  readonly world: Calls;
  readonly hook: Receiver;
  /** Creates a document, and retries as the service asks. Returns its id. */
  create(input?: object): Promise<string>;
  /** Waits until a webhook reports one of the statuses of the document. */
  until(id: string, ...statuses: string[]): Promise<string>;
  send(id: string): Promise<Answer>;
  /** Creates a document, waits for the draft, and sends it. */
  deal(input?: object): Promise<string>;
}

const TRIGGERS = ["document_state_changed", "recipient_completed", "document_creation_failed"];

/** An integration that has subscribed to webhooks and honors Retry-After. */
export async function integration(world: Calls): Promise<Integration> {
  const hook = await receiver();
  const made = await succeed(
    world.call("createWebhookSubscription", { body: { name: "App", url: hook.url, triggers: TRIGGERS } }),
  );
  hook.key = made.body.shared_key;
  const self: Integration = {
    world,
    hook,
    async create(input = {}) {
      const body = { template_uuid: TEMPLATES.oneSigner, name: "Agreement", recipients: [CLIENT], ...input };
      return (await patiently(world, () => world.call("createDocument", { body }))).body.id;
    },
    async until(id, ...statuses) {
      for (let tries = 0; tries < 50; tries++) {
        const status = (await succeed(world.call("statusDocument", { params: { id } }))).body.status;
        if (statuses.includes(status)) return status;
        await world.advance("2s");
      }
      throw new Error(`${id} came to none of ${statuses.join(", ")}`);
    },
    send: (id) => patiently(world, () => world.call("sendDocument", { params: { id }, body: {} })),
    async deal(input = {}) {
      const id = await self.create(input);
      await self.until(id, "document.draft");
      await self.send(id);
      return id;
    },
  };
  return self;
}

/** Repeats a call while the service answers with a wait, and waits that long. */
export async function patiently(world: Calls, call: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 0; tries < 10; tries++) {
    const answer = await call();
    if (answer.status < 300) return answer;
    const wait = await waitOf(world, answer);
    expect(wait, `${answer.status} ${JSON.stringify(answer.body)}`).toBeGreaterThanOrEqual(0);
    await world.advance(`${wait}ms`);
  }
  throw new Error("ten tries were not enough");
}

/** Milliseconds until a refused call may be repeated. NaN when it may not be repeated. */
async function waitOf(world: Calls, { status, headers, body }: Answer): Promise<number> {
  if (status === 429) return Number(headers.get("retry-after")) * 1000;
  if (status === 423) return Date.parse(body.expires_at) - Date.parse((await world.admin("GET", "/clock")).body.now);
  return status === 409 ? 2000 : Number.NaN;
}
