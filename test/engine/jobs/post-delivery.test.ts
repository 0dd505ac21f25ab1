import { describe, expect, test } from "vitest";
import { systemClock } from "../../../src/engine/core/clock.ts";
import { dispatch } from "../../../src/engine/jobs/post-delivery.ts";
import { type Behavior, receiver } from "../../support/receiver.ts";

async function dispatchTo(behavior: Behavior, change: (url: string) => string = (url) => url) {
  const hook = await receiver();
  hook.answerWith(behavior);
  const headers = { "content-type": "application/json" };
  const result = await dispatch({ url: change(hook.url), body: '["Zoë"]', headers, timeout_ms: 20_000, addressPolicy: "all" });
  return { hook, result };
}

describe("dispatch", () => {
  test("dispatch posts the bytes of the body, and records the answer", async () => {
    const { hook, result } = await dispatchTo({ status: 201, body: "ok", headers: { "x-one": "1" } });
    expect(hook.received[0]?.raw.toString("utf8")).toBe('["Zoë"]');
    expect(hook.received[0]?.headers).toMatchObject({ "content-type": "application/json", "content-length": "8" });
    expect(result).toEqual({
      status: 201,
      error: null,
      reason: null,
      response_body: "ok",
      response_headers: expect.objectContaining({ "x-one": "1" }),
      duration_ms: expect.any(Number),
    });
  });

  test("dispatch keeps 16 KiB of a longer answer", async () => {
    const { result } = await dispatchTo({ status: 200, body: "x".repeat(100_000) });
    expect([result.status, result.response_body]).toEqual([200, "x".repeat(16_384)]);
  });

  test("dispatch passes on the query and the credentials of the URL", async () => {
    const { hook } = await dispatchTo(200, (url) => `${url.replace("//", "//user:secret@")}/a%20b?x=#part`);
    expect([hook.received[0]?.url, hook.received[0]?.headers.authorization]).toEqual([
      "/a%20b?x=",
      `Basic ${Buffer.from("user:secret").toString("base64")}`,
    ]);
  });

  test.each(["nowhere", "ftp://hooks.client.example/"])(
    "dispatch refuses %s, which is not the URL of a web server",
    async (url) => {
      expect(await dispatch({ url, body: "", headers: {}, timeout_ms: 1000, addressPolicy: "all" })).toMatchObject({
        status: null,
        error: "NOT_VALID_URL",
        reason: `${url} is not the address of a web server`,
      });
    },
  );

  test("dispatch reports an answer whose connection closes early", async () => {
    const { result } = await dispatchTo("half");
    expect(result).toMatchObject({ status: null, error: "CONNECT_ERROR", reason: "ECONNRESET: aborted" });
  });

  test("a receiver gets 16 connections at first, more each quarter of a second, and at most 64", async () => {
    const hook = await receiver();
    let answer = () => {};
    hook.answerWith({ status: 200, until: new Promise<void>((resolve) => (answer = resolve)) });
    const begun = systemClock.elapsed();
    const results = Array.from({ length: 100 }, () =>
      dispatch({ url: hook.url, body: "[]", headers: {}, timeout_ms: 20_000, addressPolicy: "all" }),
    );
    await hook.arrived(17);
    expect(systemClock.elapsed() - begun).toBeGreaterThan(240);
    await hook.arrived(64);
    expect(systemClock.elapsed() - begun).toBeGreaterThan(740);
    expect(hook.mostOpen).toBe(64);
    answer();
    expect((await Promise.all(results)).map((result) => result.status)).toEqual(new Array(100).fill(200));
    expect(hook.mostOpen).toBe(64);
  });

  test("deliveries that wait for a slow receiver leave room for other receivers", async () => {
    const slow = await Promise.all(Array.from({ length: 16 }, () => receiver()));
    const quick = await receiver();
    let answer = () => {};
    const until = new Promise<void>((resolve) => (answer = resolve));
    const send = (url: string) => dispatch({ url, body: "[]", headers: {}, timeout_ms: 20_000, addressPolicy: "all" });
    for (const hook of slow) hook.answerWith({ status: 200, until });
    const waiting = slow.flatMap((hook) => Array.from({ length: 64 }, () => send(hook.url)));
    expect((await send(quick.url)).status).toBe(200);
    answer();
    expect((await Promise.all(waiting)).filter((result) => result.status !== 200)).toEqual([]);
  });
});
