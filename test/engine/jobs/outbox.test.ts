import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Dispatch, DispatchResult } from "../../../src/engine/jobs/post-delivery.ts";
import { DELIVER_JOB, type NewDelivery, Outbox, type OutboxHooks, type Subscriber } from "../../../src/engine/jobs/outbox.ts";
import { engine, START } from "../../support/engine.ts";

const RETRIES = [1000, 5000, 30_000];

const EVENT: NewDelivery = {
  id: "d1",
  event: "thing_changed",
  event_id: "e1",
  subject: "s1",
  status: null,
  subscriber: "sub",
  subscriber_name: "Receiver",
  url: "https://receiver.example/hook",
  body: '[{"event":"thing_changed","data":{"name":"Zoë"}}]',
};

interface Receiver {
  /** The status of each answer in turn. The last one repeats. Null means no answer. */
  answers?: (number | null)[];
  subscriber?: Partial<Subscriber> | null;
  hooks?: Partial<OutboxHooks>;
}

const origin = () => ({ call: null, calls: 0 });

function outbox({ answers = [200], subscriber = {}, hooks = {} }: Receiver = {}) {
  const posts: (Dispatch & { at: number })[] = [];
  const attempted: string[] = [];
  const to: Subscriber | undefined =
    subscriber === null ? undefined : { url: EVENT.url, key: "key", oldKey: null, accepts: true, ...subscriber };
  const made = engine({ [DELIVER_JOB]: { run: (payload: Parameters<Outbox["deliver"]>[0]) => box.deliver(payload) as never } });
  const box: Outbox = new Outbox({
    clock: made.clock,
    store: made.store,
    scheduler: made.scheduler,
    origin,
    settings: () => ({
      retries_ms: RETRIES,
      timeout_ms: 20_000,
      addressPolicy: "all",
      headers: { "content-type": "application/json" },
      eventIdHeader: "x-event-id",
    }),
    hooks: {
      subscriber: (id) => (id === "sub" ? to : undefined),
      attempted: (delivery) => void attempted.push(`${delivery.id}: ${delivery.state}`),
      ...hooks,
    },
    post: async (request): Promise<DispatchResult> => {
      const status = answers[Math.min(posts.length, answers.length - 1)] ?? null;
      posts.push({ ...request, at: made.clock.now() - START });
      return status === null
        ? { status, error: "CONNECT_ERROR", reason: "refused", duration_ms: 1, response_body: null, response_headers: null }
        : { status, error: null, reason: null, duration_ms: 1, response_body: "ok", response_headers: {} };
    },
  });
  return { ...made, box, posts, attempted, to, row: (id = "d1") => made.store.deliveries.get(id) };
}

const hmac = (body: string, key: string) => createHmac("sha256", key).update(Buffer.from(body, "utf8")).digest("hex");

describe("delivery", () => {
  test("the first attempt happens at once, and the row keeps the answer", async () => {
    const { box, posts, row, advance, store, attempted } = outbox();
    expect(box.enqueue(EVENT)).toMatchObject({ state: "pending", created: START, attempts: [] });
    await advance(0);
    expect(posts).toEqual([
      {
        at: 0,
        url: `https://receiver.example/hook?signature=${hmac(EVENT.body, "key")}`,
        body: EVENT.body,
        headers: { "content-type": "application/json", "x-event-id": "e1" },
        timeout_ms: 20_000,
        addressPolicy: "all",
      },
    ]);
    expect(row()).toMatchObject({ state: "delivered", attempts: [{ at: START, status: 200, error: null, response_body: "ok" }] });
    expect([attempted, store.jobs.size]).toEqual([["d1: delivered"], 0]);
  });

  test("a failed delivery is retried after each delay of the schedule, then fails", async () => {
    const { box, posts, row, clock, attempted } = outbox({ answers: [500, null, 400, 404] });
    box.enqueue(EVENT);
    await clock.advance({ until: "idle" });
    expect(posts.map((post) => post.at)).toEqual([0, 1000, 6000, 36_000]);
    expect(row()?.state).toBe("failed");
    expect(row()?.attempts.map((one) => [one.at - START, one.status, one.error])).toEqual([
      [0, 500, null],
      [1000, null, "CONNECT_ERROR"],
      [6000, 400, null],
      [36_000, 404, null],
    ]);
    expect(attempted).toEqual(["d1: pending", "d1: pending", "d1: pending", "d1: failed"]);
    expect(new Set(posts.map((post) => post.headers["x-event-id"]))).toEqual(new Set(["e1"]));
  });

  test("a successful retry ends the schedule", async () => {
    const { box, posts, row, clock } = outbox({ answers: [503, 204] });
    box.enqueue(EVENT);
    await clock.advance({ until: "idle" });
    expect([posts.length, row()?.state]).toEqual([2, "delivered"]);
  });

  test.each([
    [200, "delivered"],
    [302, "delivered"],
    [399, "delivered"],
    [410, "failed"],
  ])("status %d is final: %s", async (status, state) => {
    const { box, posts, row, clock } = outbox({ answers: [status] });
    box.enqueue(EVENT);
    await clock.advance({ until: "idle" });
    expect([posts.length, row()?.state]).toEqual([1, state]);
  });

  test("an answer of 410 drops the waiting deliveries of the subscriber, and other answers do not", async () => {
    for (const [status, states] of [
      [410, ["failed", "dropped", "dropped"]],
      [400, ["pending", "delivered", "delivered"]],
    ] as const) {
      const { box, posts, row, advance } = outbox({ answers: [status, 200] });
      for (const id of ["d1", "d2", "d3"]) box.enqueue({ ...EVENT, id, event_id: `${id}-event` });
      await advance(0);
      expect([status, ["d1", "d2", "d3"].map((id) => row(id)?.state)]).toEqual([status, states]);
      expect(posts).toHaveLength(states.filter((state) => state !== "dropped").length);
    }
  });

  test("deliveries to a removed or inactive subscriber are dropped without a post", async () => {
    for (const subscriber of [{ accepts: false }, null]) {
      const { box, posts, row, clock, store } = outbox({ subscriber });
      box.enqueue(EVENT);
      await clock.advance({ until: "idle" });
      expect([posts.length, row()?.state, row()?.attempts, store.jobs.size]).toEqual([0, "dropped", [], 0]);
    }
  });

  test("a subscriber that becomes inactive after the first attempt gets no retry", async () => {
    const { box, posts, row, clock, to, advance } = outbox({ answers: [500] });
    box.enqueue(EVENT);
    await advance(0);
    if (to) to.accepts = false;
    await clock.advance({ until: "idle" });
    expect([posts.length, row()?.state, row()?.attempts.length]).toEqual([1, "dropped", 1]);
  });

  test("a delivery from a failed transaction is never posted", async () => {
    const { box, posts, store, advance } = outbox();
    expect(() =>
      store.transaction(() => {
        box.enqueue(EVENT);
        throw new Error("stop");
      }),
    ).toThrow("stop");
    await advance(1000);
    expect([posts.length, store.deliveries.size]).toEqual([0, 0]);
  });

  test("redeliver posts once, outside the schedule, and keeps earlier attempts", async () => {
    const { box, posts, row, clock, advance } = outbox({ answers: [410, 500, 200] });
    box.enqueue(EVENT);
    await advance(0);
    box.redeliver(row() as never);
    expect(row()?.state).toBe("pending");
    await clock.advance({ until: "idle" });
    expect([posts.length, row()?.state]).toEqual([2, "failed"]);
    box.redeliver(row() as never);
    await advance(0);
    expect([posts.length, row()?.state, row()?.attempts.map((one) => one.status)]).toEqual([3, "delivered", [410, 500, 200]]);
  });
});

describe("order of deliveries", () => {
  /** Two events at one instant. The test resolves their answers. */
  function twoAtOnce(subscribers: [string, string]) {
    const posted: string[] = [];
    const answers: (() => void)[] = [];
    const made = engine({ [DELIVER_JOB]: { run: (payload: Parameters<Outbox["deliver"]>[0]) => box.deliver(payload) as never } });
    const box: Outbox = new Outbox({
      clock: made.clock,
      store: made.store,
      scheduler: made.scheduler,
      origin,
      settings: () => ({ retries_ms: [], timeout_ms: 20_000, addressPolicy: "all", headers: {}, eventIdHeader: "x-event-id" }),
      hooks: { subscriber: () => ({ url: EVENT.url, key: "key", oldKey: null, accepts: true }), attempted: () => {} },
      post: (request) => {
        posted.push(request.headers["x-event-id"] ?? "");
        return new Promise((resolve) =>
          answers.push(() =>
            resolve({ status: 200, error: null, reason: null, duration_ms: 1, response_body: "", response_headers: {} }),
          ),
        );
      },
    });
    for (const [i, subscriber] of subscribers.entries()) box.enqueue({ ...EVENT, id: `d${i}`, event_id: `e${i}`, subscriber });
    return { ...made, posted, answers };
  }

  test("events of one instant are posted to a subscriber one after the other", async () => {
    const { posted, answers, advance } = twoAtOnce(["a", "a"]);
    const done = advance(0);
    await Promise.resolve();
    expect(posted).toEqual(["e0"]);
    answers[0]?.();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(posted).toEqual(["e0", "e1"]);
    answers[1]?.();
    await done;
  });

  test("a subscriber does not wait for the deliveries of another", async () => {
    const { posted, answers, advance } = twoAtOnce(["a", "b"]);
    const done = advance(0);
    await Promise.resolve();
    expect(posted).toEqual(["e0", "e1"]);
    for (const answer of answers) answer();
    await done;
  });

  test("a slow subscriber receives its next event before it answers the first", async () => {
    const { posted, answers, advance } = twoAtOnce(["a", "a"]);
    const done = advance(0);
    await expect.poll(() => answers.length).toBe(2);
    expect(posted).toEqual(["e0", "e1"]);
    for (const answer of answers) answer();
    await done;
  });
});

describe("the signature", () => {
  const signatureOf = (url: string | undefined) => new URL(url ?? "").searchParams.get("signature");

  test("the signature covers the exact posted bytes, also with other alphabets", async () => {
    const { box, posts, advance } = outbox();
    box.enqueue(EVENT);
    await advance(0);
    const body = posts[0]?.body ?? "";
    expect(Buffer.byteLength(body)).toBe(body.length + 1);
    expect(signatureOf(posts[0]?.url)).toBe(hmac(body, "key"));
    expect(signatureOf(posts[0]?.url)).not.toBe(hmac(JSON.stringify(JSON.parse(body), null, 1), "key"));
  });

  test("a retry after a key change is signed with the new key", async () => {
    const { box, posts, clock, to, advance } = outbox({ answers: [500, 200] });
    box.enqueue(EVENT);
    await advance(0);
    if (to) to.key = "new key";
    await clock.advance({ until: "idle" });
    expect(posts.map((post) => signatureOf(post.url))).toEqual([hmac(EVENT.body, "key"), hmac(EVENT.body, "new key")]);
  });

  test.each([
    ["https://r.example/hook", "https://r.example/hook?signature=S"],
    ["https://r.example/hook?", "https://r.example/hook?signature=S"],
    ["https://r.example/hook?workspace=a%20b&x=", "https://r.example/hook?workspace=a%20b&x=&signature=S"],
    ["https://r.example/hook?a=1&", "https://r.example/hook?a=1&signature=S"],
    ["https://r.example/hook?a=1#part", "https://r.example/hook?a=1&signature=S#part"],
    ["https://r.example/hook#a?b", "https://r.example/hook?signature=S#a?b"],
    ["https://r.example/hook#a#b", "https://r.example/hook?signature=S#a#b"],
  ])("the query of %s stays unchanged", async (url, expected) => {
    const { box, posts, advance, row } = outbox({ subscriber: { url } });
    box.enqueue(EVENT);
    await advance(0);
    expect(posts[0]?.url).toBe(expected.replace("=S", `=${hmac(EVENT.body, "key")}`));
    expect(row()?.url).toBe(url);
  });
});

describe("hooks of the webhook lab", () => {
  test("plan: a held delivery waits for the event with its status, also when the receiver never takes that event", async () => {
    const later = { event: "later", status: "done" };
    const { box, posts, clock, advance, row } = outbox({
      answers: [200, 410],
      hooks: { plan: (delivery) => (delivery.id === "d1" ? { after_event: later } : {}) },
    });
    box.enqueue(EVENT);
    box.enqueue({ ...EVENT, id: "d2", event_id: "e2", event: "later", status: "begun" });
    await advance(0);
    expect(posts.map((post) => post.headers["x-event-id"])).toEqual(["e2"]);
    expect(box.hasReceived(row() as never, later)).toBe(false);
    const failing = box.enqueue({ ...EVENT, id: "d3", event_id: "e3", event: "later", status: "done" });
    expect(box.hasReceived(row() as never, later)).toBe(false);
    await clock.advance({ until: "idle" });
    expect(posts.map((post) => post.headers["x-event-id"])).toEqual(["e2", "e3", "e1"]);
    expect([row(failing.id)?.state, box.hasReceived(row() as never, later)]).toEqual(["failed", true]);
  });
});
