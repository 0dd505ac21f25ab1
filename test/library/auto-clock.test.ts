/** `clock: "auto"`: time moves while a client waits, so a client that polls or sleeps needs almost no real time. */
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/engine/core/clock.ts";
import { createSandbox, type Handles, type Sandbox, type SandboxOptions } from "../../src/index.ts";
import { withManualTime } from "../support/stopwatch.ts";
import { TEMPLATES } from "../support/stories.ts";
import { within } from "../support/patience.ts";

const NOW = "2026-03-02T09:00:00Z";
const START = Date.UTC(2026, 2, 2, 9);
const SOON = { timeout: 20_000 };
const DAY = 86_400_000;

async function auto(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox({ seed: 7, clock: "auto", now: NOW, strict: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** The client of a story signs after a day or two. */
function signing(...steps: [after: string, act: "view" | "sign"][]): SandboxOptions["scenario"] {
  return {
    version: 1,
    actors: [
      {
        name: "client",
        on: "document.sent",
        recipient: { role: "Client" },
        steps: steps.map(([after, act]) => ({ after, do: act })),
      },
    ],
  } as never;
}

/** A client of the API. It cannot move the clock. */
function clientOf(sandbox: Sandbox, key = sandbox.apiKey) {
  const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await sandbox.fetch(`/public/v1/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
  };
  return {
    call,
    async create(): Promise<string> {
      const recipients = [{ email: "ivo.marek@client.example", first_name: "Ivo", last_name: "Marek", role: "Client" }];
      return (await call("POST", "documents", { template_uuid: TEMPLATES.oneSigner, name: "Agreement", recipients })).body.id;
    },
    send: (id: string) => call("POST", `documents/${id}/send`, { message: "" }),
    async poll(id: string, status: string, pause: () => Promise<void> = async () => {}): Promise<number> {
      for (let polls = 1; polls <= 50; polls++) {
        if ((await call("GET", `documents/${id}`)).body.status === status) return polls;
        await pause();
      }
      throw new Error(`${status} was not reached in 50 polls`);
    },
  };
}

const ms = (sandbox: { clock: Handles["clock"] }) => sandbox.clock.now() - START;

describe("a client that polls", () => {
  test("sees each status, and waits for days within a few polls and no real time", async () => {
    const sandbox = await auto({
      scenario: signing(["2d", "sign"]),
    });
    const client = clientOf(sandbox);
    const began = systemClock.elapsed();
    const id = await client.create();
    expect(await client.poll(id, "document.draft")).toBe(3);
    expect(ms(sandbox)).toBeLessThan(10_000);
    await client.send(id);
    expect(await client.poll(id, "document.completed")).toBeLessThan(6);
    expect(Math.floor(ms(sandbox) / DAY)).toBe(2);
    // No call waits in real time.
    expect(systemClock.elapsed() - began).toBeLessThan(within(2000));
  });

  test("sees one second pass between polls when no job is due, or the duration of the option poll", async () => {
    for (const [poll, step] of [
      [undefined, 1000],
      ["30s", 30_000],
    ] as const) {
      const sandbox = await auto({ clock: { mode: "auto", ...(poll ? { poll } : {}) } });
      const client = clientOf(sandbox);
      const seen: number[] = [];
      for (let i = 0; i < 4; i++) {
        await client.call("GET", "contacts");
        seen.push(ms(sandbox));
      }
      expect(seen).toEqual([0, step, 2 * step, 3 * step]);
    }
  });

  test("that reads many documents in turn moves time once per round", async () => {
    const sandbox = await auto();
    const client = clientOf(sandbox);
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push((await sandbox.documents.create({ status: "document.draft" })).id);
    for (let round = 0; round < 3; round++) for (const id of ids) await client.call("GET", `documents/${id}`);
    expect(ms(sandbox)).toBe(2000);
  });
});

describe("a client that is silent", () => {
  test("finds its document converted after ten idle times, and not expired", async () => {
    const sandbox = await auto();
    const time = withManualTime(sandbox);
    const client = clientOf(sandbox);
    const id = await client.create();
    await time.pass(600);
    expect((await client.call("GET", `documents/${id}`)).body.status).toBe("document.draft");
    await client.send(id);
    const before = ms(sandbox);
    await time.pass(600_000);
    expect(ms(sandbox)).toBe(before);
    await sandbox.clock.advance("61d");
    expect(sandbox.documents.get(id)?.status).toBe("document.voided");
  });
});

describe("webhooks", () => {
  test("retries arrive while inbox.next waits", async () => {
    const sandbox = await auto();
    const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
    inbox.answer(500, { times: 3 });
    const { id } = await sandbox.documents.create({ status: "document.sent" });
    const event = await inbox.next("document_state_changed", { status: "document.sent", document_id: id }, SOON);
    expect([event.data.status, inbox.refused.length]).toEqual(["document.sent", 3]);
    expect(ms(sandbox)).toBeGreaterThanOrEqual(60_000);
  });

  test("reach a receiver that only listens, and time stands still until it answers", async () => {
    const sandbox = await auto();
    const time = withManualTime(sandbox);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const seen: [string, number][] = [];
    const passUntil = async (isSo: () => boolean) => {
      for (let turns = 0; turns < 1000 && !isSo(); turns++) await time.pass(25);
      expect(isSo()).toBe(true);
    };
    await sandbox.webhooks.receiver({
      events: ["document_state_changed"],
      handler: async (request) => {
        const [event] = [(await request.json()) as unknown].flat() as { data: { status: string } }[];
        seen.push([event?.data.status ?? "", ms(sandbox)]);
        await gate;
        return new Response(null, { status: seen.length === 1 ? 500 : 200 });
      },
    });
    await clientOf(sandbox).create();
    await passUntil(() => seen.length > 0);
    const [first] = seen;
    await time.pass(60_000);
    expect(ms(sandbox)).toBe(first?.[1]);
    open();
    await passUntil(() => seen.length > 1);
    expect(seen).toEqual([first, ["document.draft", (first?.[1] ?? 0) + 60_000]]);
  });
});

describe("Retry-After", () => {
  test("a client that waits for Retry-After is accepted, and the clock has moved by the wait", async () => {
    const sandbox = await auto();
    const time = withManualTime(sandbox);
    const client = clientOf(sandbox);
    sandbox.faults.next("listContacts", "throttled", { retryAfter: "1s" });
    const refused = await client.call("GET", "contacts");
    expect(refused.status).toBe(429);
    await time.pass(1000 * Number(refused.headers.get("retry-after")));
    expect([(await client.call("GET", "contacts")).status, ms(sandbox)]).toEqual([200, 1000]);
  });
});

describe("clock.stopAt", () => {
  test("automatic time stops at the instant, and continues after stopAt(null)", async () => {
    const sandbox = await auto();
    const time = withManualTime(sandbox);
    const client = clientOf(sandbox);
    const id = await client.create();
    sandbox.clock.stopAt("2s");
    for (let i = 0; i < 6; i++) expect((await client.call("GET", `documents/${id}`)).body.status).toBe("document.uploaded");
    expect(ms(sandbox)).toBe(2000);
    await time.pass(60_000);
    expect(ms(sandbox)).toBe(2000);
    sandbox.clock.stopAt(null);
    expect(await client.poll(id, "document.draft")).toBeLessThan(4);
    sandbox.clock.stopAt(START);
    await sandbox.clock.advance("1h");
    expect(ms(sandbox)).toBeGreaterThan(3_600_000);
    expect(() => sandbox.clock.stopAt("soon")).toThrow("is not an ISO 8601 instant");
  });
});

describe("the same program and seed", () => {
  /** Plays a whole story. `pauseOf` returns the real time between the calls of the client. */
  async function story(pauseOf: () => number) {
    const sandbox = await auto({
      clock: { mode: "auto", idle: IDLE },
      scenario: signing(["1h", "view"], ["1d", "sign"]),
    });
    const time = withManualTime(sandbox);
    const pause = () => time.pass(pauseOf());
    const client = clientOf(sandbox);
    const inbox = await sandbox.webhooks.receiver({
      events: ["document_state_changed"],
      handler: () => new Response(null, { status: 200 }),
    });
    inbox.answer(503, { times: 2 });
    await pause();
    const id = await client.create();
    await pause();
    await client.poll(id, "document.draft", pause);
    await pause();
    sandbox.faults.next("sendDocument", "throttled", { retryAfter: "3s" });
    expect((await client.send(id)).status).toBe(429);
    await time.pass(3 * IDLE);
    expect((await client.send(id)).status).toBe(200);
    await pause();
    const viewed = inbox.next("document_state_changed", { status: "document.viewed" }, SOON);
    await Promise.all([viewed, time.pass(20 * IDLE)]);
    await pause();
    await client.poll(id, "document.completed", pause);
    await sandbox.clock.settle();
    const calls = sandbox.journal.all().map(({ id: call, at, method, url, status, responseBody }) => ({
      ...{ call, at, method, url, status, responseBody },
    }));
    const deliveries = sandbox.webhooks
      .deliveries()
      .map(({ id: delivery, status, attempts }) => [delivery, status, ...attempts.map((one) => [one.at, one.status])]);
    return { calls, deliveries, received: inbox.received.map((one) => [one.id, one.at]), at: ms(sandbox) };
  }

  const IDLE = 60;

  test("produce the same story, whatever the client's real pauses", async () => {
    const plain = await story(() => 0);
    expect(plain.calls.length).toBeGreaterThan(6);
    let random = 1;
    // From zero to twice the idle time.
    const pause = () => {
      random = (random * 48_271) % 2_147_483_647;
      return random % 4 === 0 ? 0 : random % (2 * IDLE);
    };
    for (let batch = 0; batch < 4; batch++) {
      const stories = await Promise.all(Array.from({ length: 5 }, () => story(pause)));
      for (const one of stories) expect(one).toEqual(plain);
    }
  });
});

test.each([
  [{ clock: "fast" }, "the option clock is one of real, frozen, auto"],
  [{ clock: { mode: "slow" } }, "mode is one of real, frozen, auto"],
  [{ clock: { mode: "auto", idel: 3 } }, "did you mean idle"],
  [{ clock: { mode: "auto", idle: -1 } }, "idle is real milliseconds from 0 to 60000, not -1"],
  [{ clock: { mode: "auto", poll: "often" } }, '"often" is not a duration'],
  [{ clock: { mode: "frozen", idle: 3 } }, "idle and poll belong to the mode auto"],
])("the option %j is refused: %s", async (options, message) => {
  await expect(createSandbox(options as never)).rejects.toThrow(message);
});
