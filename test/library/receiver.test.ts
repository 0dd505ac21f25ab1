/** `webhooks.receiver`: a webhook receiver in one line, over a socket or as a function. */
import { createHmac } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, InboxTimeoutError, type Sandbox, type SandboxOptions, SettingsError } from "../../src/index.ts";

/** Far above the time of a delivery, also on a busy machine. */
const SOON = { timeout: 20_000 };

async function sandboxOf(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z", ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const listen = (sandbox: Sandbox) => sandbox.webhooks.receiver({ events: ["document_state_changed"] });

const lineIn = (frame: string | undefined) => Number(/:(\d+):\d+\)?$/.exec(frame ?? "")?.[1]);

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

describe("webhooks.receiver", () => {
  test("keeps of a long answer of a function as much as of one over a socket", async () => {
    const sandbox = await sandboxOf();
    const handler = () => new Response("x".repeat(1_000_000));
    await sandbox.webhooks.receiver({ events: ["document_state_changed"], handler });
    await sandbox.documents.create({ status: "document.sent" });
    await sandbox.clock.advance("1m");
    const answer = await sandbox.fetch("/__admin/webhooks/deliveries");
    const { deliveries } = (await answer.json()) as { deliveries: { attempts: { response_body: string }[] }[] };
    expect(deliveries.flatMap(({ attempts }) => attempts.map((one) => one.response_body.length))).toEqual([16_384, 16_384]);
  });

  test("subscribes, verifies signatures, and returns the matching event", async () => {
    const sandbox = await sandboxOf();
    const inbox = await sandbox.webhooks.receiver({
      events: ["document_state_changed", "recipient_completed"],
      payload: ["metadata"],
    });
    expect(inbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const { id } = await sandbox.documents.create({ status: "document.completed", metadata: { deal: "42" } });
    const event = await inbox.next("document_state_changed", { status: "document.completed", document_id: id }, SOON);
    expect(event).toMatchObject({
      event: "document_state_changed",
      signature: "valid",
      duplicate: false,
      status: 200,
      at: sandbox.clock.now(),
    });
    expect(event.data).toMatchObject({ id, status: "document.completed", metadata: { deal: "42" } });
    const signed = await inbox.next("recipient_completed", { recipient: "CLIENT@client.example", name: "One signer" }, SOON);
    expect(signed.data.action_by?.email).toBe("client@client.example");
    expect(inbox.received.map((one) => one.event)).toContain("recipient_completed");
    await sandbox.clock.settle();
    expect(sandbox.webhooks.deliveries({ state: "delivered" }).length).toBe(inbox.received.length);
  });

  test("next waits for an event, returns each event once and in order, and accepts a function", async () => {
    const sandbox = await sandboxOf();
    const inbox = await listen(sandbox);
    const viewed = inbox.next("document_state_changed", (event) => event.data.status === "document.viewed", SOON);
    const { id } = await sandbox.documents.create({ status: "document.viewed" });
    expect((await viewed).data.id).toBe(id);
    expect([(await inbox.next()).data.status, (await inbox.next()).data.status]).toEqual(["document.draft", "document.sent"]);
    await expect(inbox.next("document_state_changed", {}, { timeout: 1 })).rejects.toThrow("returned before");
    inbox.clear();
    expect(inbox.received).toEqual([]);
  });

  test("a timeout lists the events that arrived, and the next job of a frozen clock", async () => {
    const sandbox = await sandboxOf();
    const inbox = await listen(sandbox);
    const nothing = await inbox.next("document_state_changed", {}, { timeout: 1 }).catch((error) => error);
    expect(nothing).toBeInstanceOf(InboxTimeoutError);
    expect(nothing.message).toBe("No document_state_changed arrived within 1 ms.\nNothing arrived at all.");
    const { id } = await sandbox.documents.create({ status: "document.sent" });
    await sandbox.clock.settle();
    const other = await inbox
      .next("document_state_changed", { status: "document.completed" }, { timeout: 1 })
      .catch((error) => error);
    expect(other.message.split("\n")).toEqual([
      'No document_state_changed with {"status":"document.completed"} arrived within 1 ms.',
      "Instead arrived:",
      `  document_state_changed (document.draft) of ${id}`,
      `  document_state_changed (document.sent) of ${id}`,
    ]);
    expect(other.received).toHaveLength(2);
  });

  test("a timeout fails at the line of the caller, and names no file of docdouble", async () => {
    const sandbox = await sandboxOf();
    const inbox = await listen(sandbox);
    const here = new Error("here").stack?.split("\n")[1];
    const late = await inbox.next("document_state_changed", {}, { timeout: 1 }).catch((error) => error);
    const [first, next] = late.stack.slice(`InboxTimeoutError: ${late.message}\n`.length).split("\n");
    expect(lineIn(first)).toBe(lineIn(here) + 1);
    expect([first, next].join()).not.toContain("/src/library/");
    const [wrong] = await Promise.allSettled([inbox.next("document_sent" as never)]);
    expect((wrong as PromiseRejectedResult).reason.stack.split("\n").find((one: string) => /^\s+at /.test(one))).toContain(
      "receiver.test.ts",
    );
    const refused = thrownBy(() => sandbox.documents.simulate("nope", "sign"));
    expect(refused.stack?.split("\n    at ")[1]).toContain("receiver.test.ts");
  });

  test("a timeout says that work waits for the frozen clock, and says nothing of deadlines", async () => {
    const sandbox = await sandboxOf();
    const inbox = await listen(sandbox);
    const last = async () =>
      inbox.next("document_state_changed", { name: "none" }, { timeout: 1 }).catch(({ message }) => message.split("\n").at(-1));
    await sandbox.documents.create({ template: "One signer", status: "document.uploaded" });
    expect(await last()).toBe('The clock is frozen, and work waits for it: await sandbox.clock.advance({ until: "next" }).');
    await sandbox.clock.advance({ until: "next" });
    expect(await last()).not.toContain("frozen");
  });

  test("answer sets a status, so that the service retries", async () => {
    const sandbox = await sandboxOf({ assume: { "webhook.retry_schedule": ["1s", "2s"] } });
    const inbox = await listen(sandbox);
    inbox.answer(500, { times: 2, body: "busy" });
    sandbox.webhooks.trigger("document_state_changed", {
      document_id: (await sandbox.documents.create({ status: "document.uploaded" })).id,
    });
    await sandbox.clock.settle();
    expect([inbox.received.length, inbox.refused.map((one) => one.status)]).toEqual([0, [500]]);
    await sandbox.clock.advance("3s");
    expect([inbox.received.length, inbox.refused.length]).toEqual([1, 2]);
    const [delivery] = sandbox.webhooks.deliveries();
    expect(delivery?.attempts.map((one) => [one.status, one.response_body])).toEqual([
      [500, "busy"],
      [500, "busy"],
      [200, ""],
    ]);
    inbox.answer(503);
    await sandbox.documents.create();
    await sandbox.clock.settle();
    expect(inbox.refused.at(-1)?.status).toBe(503);
    inbox.answer(200);
    await sandbox.documents.create();
    await sandbox.clock.settle();
    expect(inbox.received.at(-1)?.data.status).toBe("document.draft");
  });

  test("refuses a forged delivery and an unsigned request with 401", async () => {
    const sandbox = await sandboxOf();
    const inbox = await listen(sandbox);
    sandbox.faults.next("document_state_changed", "webhook_forged");
    await sandbox.documents.create();
    await sandbox.clock.settle();
    const body = JSON.stringify([{ event: "document_state_changed", data: { id: "x" } }]);
    const post = (url: string) => fetch(url, { method: "POST", body });
    const foreign = await post(inbox.url);
    expect([foreign.status, await foreign.text()]).toEqual([401, "the signature is missing"]);
    expect((await fetch(inbox.url)).status).toBe(405);
    expect(inbox.refused.map((one) => one.signature)).toEqual(["invalid", "missing"]);
    const signature = createHmac("sha256", inbox.subscription.sharedKey).update(body).digest("hex");
    expect((await post(`${inbox.url}?signature=${signature}`)).status).toBe(200);
    expect(inbox.received.map((one) => one.data.id)).toEqual(["x"]);
  });

  test("marks duplicates, or omits them", async () => {
    const sandbox = await sandboxOf();
    const [all, once] = [
      await listen(sandbox),
      await sandbox.webhooks.receiver({ events: ["document_state_changed"], deduplicate: true }),
    ];
    sandbox.faults.next("document_state_changed", "webhook_duplicate", { times: 2 });
    await sandbox.documents.create();
    await sandbox.clock.settle();
    expect(all.received.map((one) => one.duplicate)).toEqual([false, true]);
    expect(once.received.map((one) => one.duplicate)).toEqual([false]);
    expect(new Set(all.received.map((one) => one.id)).size).toBe(1);
  });

  test("a handler receives signed requests without a socket, and its response is the answer", async () => {
    const sandbox = await sandboxOf({ assume: { "webhook.https_only": "on" } });
    const seen: string[] = [];
    const inbox = await sandbox.webhooks.receiver({
      events: ["document_state_changed"],
      async handler(request) {
        const body = await request.text();
        const signature = createHmac("sha256", inbox.subscription.sharedKey).update(body).digest("hex");
        if (new URL(request.url).searchParams.get("signature") !== signature) return new Response("forged", { status: 403 });
        const [{ data }] = JSON.parse(body);
        seen.push(data.status);
        if (data.status === "document.viewed") throw new Error("my bug");
        return undefined;
      },
    });
    expect(inbox.url).toBe("https://receiver-1.docdouble.test/");
    sandbox.faults.next("document_state_changed", "webhook_forged", { status: "document.draft" });
    await sandbox.documents.create({ status: "document.completed" });
    await sandbox.clock.settle();
    expect(seen).toEqual(["document.sent", "document.viewed", "document.completed"]);
    expect(inbox.received.map((one) => one.data.status)).toEqual(["document.sent", "document.completed"]);
    expect(inbox.refused.map((one) => [one.data.status, one.status])).toEqual([
      ["document.draft", 403],
      ["document.viewed", 500],
    ]);
    expect(sandbox.webhooks.deliveries({ status: "document.viewed" })[0]?.attempts[0]?.response_body).toBe("my bug");
  });

  test("rules for deliveries are added, replaced and removed, and a rule of a scenario stays", async () => {
    const sandbox = await sandboxOf({
      scenario: {
        version: 1,
        name: "s",
        webhooks: [{ name: "file", when: { event: "document_updated" }, then: { drop: true } }],
      },
    });
    const inbox = await listen(sandbox);
    const { rules } = sandbox.webhooks;
    rules.add({ name: "twice", when: { event: "document_state_changed" }, then: { duplicate: 1 } });
    rules.add({ name: "twice", when: { event: "document_state_changed" }, then: { duplicate: 2 } });
    expect(rules.pending()).toEqual(["twice", "file"]);
    await sandbox.documents.create();
    await sandbox.clock.settle();
    expect(inbox.received).toHaveLength(3);
    expect([rules.remove("twice"), rules.remove("twice"), rules.remove("file")]).toEqual([true, false, false]);
    rules.add({ name: "none", then: { drop: true } });
    rules.clear();
    await sandbox.documents.create();
    await sandbox.clock.settle();
    expect(inbox.received).toHaveLength(4);
    expect(rules.pending()).toEqual(["file"]);
    expect(() => rules.add({ name: "x", then: { dupe: 1 } } as never)).toThrow('unknown name "dupe"');
  });

  test("closes with the sandbox, at a reset, and by close", async () => {
    const sandbox = await sandboxOf();
    const inbox = await listen(sandbox);
    const waiting = inbox.next("document_state_changed", {}, SOON).catch((error) => error);
    await sandbox.reset();
    expect((await waiting).message).toContain("this webhook receiver is closed");
    await expect(fetch(inbox.url, { method: "POST" })).rejects.toThrow("fetch failed");
    const second = await listen(sandbox);
    await second.close();
    const list = await sandbox.fetch("/public/v1/webhook-subscriptions", {
      headers: { authorization: `API-Key ${sandbox.apiKey}` },
    });
    expect(await list.json()).toMatchObject({ items: [] });
    const third = await listen(sandbox);
    await sandbox.close();
    await expect(fetch(third.url, { method: "POST" })).rejects.toThrow("fetch failed");
    await expect(third.next()).rejects.toThrow("this webhook receiver is closed");
    await expect(listen(sandbox)).rejects.toThrow("this sandbox is closed");
  });

  test("a forgotten receiver does not keep the process alive", async () => {
    const servers = () => process.getActiveResourcesInfo().filter((one) => one === "TCPServerWrap").length;
    const sandbox = await sandboxOf();
    const before = servers();
    const inbox = await listen(sandbox);
    expect((await fetch(inbox.url, { method: "POST" })).status).toBe(401);
    expect(servers()).toBe(before);
  });

  test.each<[string, (sandbox: Sandbox) => Promise<unknown>, string]>([
    [
      "events",
      (s) => s.webhooks.receiver({ events: ["document_signed"] as never }),
      'webhooks.receiver: events.0: "document_signed" is unknown; did you mean',
    ],
    ["events", (s) => s.webhooks.receiver({ events: [] }), "webhooks.receiver: events: "],
    [
      "a name",
      (s) => s.webhooks.receiver({ event: ["x"] } as never),
      'webhooks.receiver: unknown name "event"; did you mean "events"?',
    ],
    ["payload", (s) => s.webhooks.receiver({ payload: ["all"] as never }), "webhooks.receiver: payload.0: must be one of"],
    ["name", (s) => s.webhooks.receiver({ name: "" }), "webhooks.receiver: name: "],
    ["sharedKey", (s) => s.webhooks.receiver({ sharedKey: 1 as never }), "webhooks.receiver: sharedKey: "],
    ["port", (s) => s.webhooks.receiver({ port: 70_000 }), "webhooks.receiver: port: "],
    [
      "port",
      async (s) => s.webhooks.receiver({ port: Number(new URL((await s.webhooks.receiver()).url).port) }),
      "webhooks.receiver: cannot listen on port ",
    ],
    [
      "port",
      (s) => s.webhooks.receiver({ port: 0, handler: () => {} }),
      "webhooks.receiver: handler and port exclude each other",
    ],
    ["deduplicate", (s) => s.webhooks.receiver({ deduplicate: "yes" as never }), "webhooks.receiver: deduplicate: "],
    [
      "handler",
      (s) => s.webhooks.receiver({ handler: "x" as never }),
      'webhooks.receiver: handler: must be a function that takes a Request, not "x"',
    ],
    [
      "next",
      async (s) => (await listen(s)).next("recipient_completed"),
      "inbox.next: the receiver does not subscribe to recipient_completed; it subscribes to document_state_changed.",
    ],
    [
      "next",
      async (s) => (await listen(s)).next("document_state_changed", { document: "x" } as never),
      'inbox.next: unknown name "document"; did you mean "document_id"?',
    ],
    [
      "next",
      async (s) => (await listen(s)).next("document_state_changed", "x" as never),
      "inbox.next: the match is an object such as { status } or a function",
    ],
    [
      "next",
      async (s) => (await listen(s)).next("document_state_changed", {}, { timeout: "1s" } as never),
      'inbox.next: timeout: must be a number, not "1s"',
    ],
    [
      "next",
      async (s) => (await listen(s)).next("document_state_changed", {}, { time: 1 } as never),
      'inbox.next: unknown name "time"; did you mean "timeout"?',
    ],
    [
      "answer",
      async (s) => (await listen(s)).answer("500" as never),
      'inbox.answer: the status is a whole number from 200 to 599, not "500"',
    ],
    ["answer", async (s) => (await listen(s)).answer(500, { times: 0 }), "inbox.answer: times: "],
    [
      "answer",
      async (s) => (await listen(s)).answer(500, { time: 1 } as never),
      'inbox.answer: unknown name "time"; did you mean "times"?',
    ],
    ["answer", async (s) => (await listen(s)).answer(500, { body: 1 } as never), "inbox.answer: body: "],
  ])("a mistake about %s is named in the library's words (%#)", async (_, run, message) => {
    const sandbox = await sandboxOf();
    const refused = run(sandbox);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(SettingsError);
  });
});
