/** Limits: what one caller can make the server hold, and how long one caller can keep it busy. */
import { service } from "../../../src/service/service.ts";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JournalEntry } from "../../../src/engine/journal/journal.ts";
import { Journal, LENGTH_MAX, lengthOf } from "../../../src/engine/journal/journal.ts";
import { Rules } from "../../../src/engine/rules/rules.ts";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { jsonPath } from "../../../src/engine/scenario/json-path.ts";
import { readScenario } from "../../../src/engine/scenario/load.ts";
import { KEY, testWorld } from "../../support/world.ts";
import { within } from "../../support/patience.ts";

/** Without its limit, each of these took from 6 s to minutes, or never ended. */
const SOON_MS = 2000;

function timed<T>(run: () => T): { ms: number; result: T } {
  const begun = performance.now();
  const result = run();
  return { ms: performance.now() - begun, result };
}

/** A journal entry with only the members `more`. */
function exchangeOf(more: Partial<JournalEntry>): JournalEntry {
  return {
    id: "one",
    at: 0,
    method: "GET",
    url: "/",
    path: "/",
    query: {},
    headers: {},
    body: "",
    operationId: undefined,
    subject: undefined,
    caller: undefined,
    rule: undefined,
    injected: false,
    own: 404,
    why: undefined,
    status: 404,
    responseHeaders: {},
    responseBody: "",
    took_ms: 0,
    ...more,
  };
}

test("large bodies push the oldest entries out of the journal, and its length stays exact", () => {
  const journal = new Journal();
  const value = "v".repeat(LENGTH_MAX / 100);
  for (let i = 0; i < 200; i++)
    journal.add(exchangeOf({ id: `e${i}`, ...(i % 2 === 0 ? { body: value } : { responseBody: value }) }));
  expect(journal.length).toBeLessThanOrEqual(LENGTH_MAX);
  expect(journal.length).toBe(journal.all().reduce((sum, one) => sum + lengthOf(one), 0));
  expect([journal.size < 100, journal.dropped]).toEqual([true, 200 - journal.size]);
});

describe("errors of watchers and patterns", () => {
  test.each(["(", "[z-a]", "(?<n>a)\\k<m>"])("each search of the journal refuses the pattern %s", async (source) => {
    const world = await testWorld();
    for (const path of ["/requests/find", "/requests/count", "/requests/remove", "/requests/verify"])
      for (const pattern of [
        { path: { regex: source } },
        { headers: { a: { regex: source } } },
        { body: { "$.name": { regex: source } } },
      ]) {
        const body = path === "/requests/verify" ? { match: pattern } : pattern;
        expect((await world.admin("POST", path, body)).status, `${path} ${JSON.stringify(pattern)}`).toBe(400);
      }
    expect(() => world.sandbox.journal.find({ path: { regex: source } })).toThrow("Patterns are JavaScript's, with the flag u.");
  });

  test("an error of a journal's watcher reaches onError instead of the caller", () => {
    const errors: unknown[] = [];
    const journal = new Journal({ onError: (error) => errors.push(error) });
    const heard: string[] = [];
    journal.watch(() => {
      throw new Error("a broken watcher");
    });
    journal.watch(({ id }) => heard.push(id));
    expect(() => journal.add(exchangeOf({}))).not.toThrow();
    expect(errors).toEqual([new Error("a broken watcher")]);
    expect(heard).toEqual(["one"]);
  });
});

describe("paths take linear time", () => {
  test("$..a..a..a..a on 98 nested maps is fast, and finds each value once", () => {
    let value: unknown = 0;
    for (let i = 0; i < 98; i++) value = { a: value };
    const { ms, result } = timed(() => jsonPath(value, "$..a..a..a..a"));
    expect(result).toHaveLength(95);
    expect(ms).toBeLessThan(within(SOON_MS));
    let deep: unknown = { a: "bottom" };
    for (let i = 0; i < 100_000; i++) deep = { b: deep };
    expect(jsonPath(deep, "$..a")).toEqual(["bottom"]);
  });
});

describe("limits of scenario files", () => {
  /** A command reads files, and other calls do not wait for it. A server reads a text, with lower limits. */
  const ofCommand = () => "";
  const mistakeOf = (text: string): string => {
    try {
      readScenario(text, "file.yaml", service.language, ofCommand);
      return "";
    } catch (error) {
      return (error as Error).message.split("\n")[0] ?? "";
    }
  };
  const head = "version: 1\nname: many\n";

  test.each([
    [
      "10,000 aliases",
      `${head}description: &a x\nrules: [${"*a,".repeat(10_000)}]`,
      "file.yaml:1:1 Excessive alias count indicates a resource exhaustion attack",
    ],
    [
      "aliases that multiply",
      `a: &a [1,2,3,4,5,6,7,8,9]\n${[..."bcdefghi"].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[i]}`).join()}]`).join("\n")}`,
      "file.yaml:1:1 Excessive alias count indicates a resource exhaustion attack",
    ],
    [
      "an alias without an anchor",
      `${head}rules: [*a]`,
      "file.yaml:3:9 Unresolved alias (the anchor must be set before the alias): a",
    ],
    ["an alias within its own value", `${head}rules: &a [*a]`, expect.stringMatching(/^file\.yaml:/)],
  ])("%s: the mistake has its place, within seconds", (_, text, message) => {
    const { ms, result } = timed(() => mistakeOf(text));
    expect(result).toEqual(message);
    expect(ms).toBeLessThan(within(SOON_MS));
  });
});

describe("bodies are limited before they are read", () => {
  async function served() {
    const sandbox = await createSandbox({ seed: 1, port: 0, clock: "frozen", onBug: () => {} });
    onTestFinished(() => sandbox.close());
    return { sandbox, port: Number(new URL(sandbox.url).port) };
  }

  /** Opens a call and sends a part of its body. Resolves with the status line of the answer. */
  function begin(port: number, head: string, part: string | Buffer): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(`${head}\r\nHost: 127.0.0.1\r\n\r\n`);
        socket.write(part);
      });
      onTestFinished(() => void socket.destroy());
      socket.on("error", reject);
      socket.once("data", (data) => resolve(data.toString().split("\r\n")[0] ?? ""));
    });
  }

  test("an upload without a key is refused before its body arrives, and the journal keeps no body", async () => {
    const { sandbox, port } = await served();
    const head =
      "POST /public/v1/documents?upload HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000000";
    for (const authorization of ["", "\r\nAuthorization: API-Key unknown", "\r\nAuthorization: Bearer unknown"])
      expect(await begin(port, head + authorization, "--x\r\n")).toBe("HTTP/1.1 401 Unauthorized");
    expect(sandbox.journal.all().map(({ body, status }) => ({ body, status }))).toEqual(Array(3).fill({ body: "", status: 401 }));
  });

  test.each([
    ["an unknown path", "/public/v1/unknown", "404 Not Found"],
    ["a known path with another method, without a key", "/public/v1/documents/x/status", "401 Unauthorized"],
    ["an unknown signing session", "/s/unknown", "400 Bad Request"],
  ])("%s is answered without its body", async (_, path, status) => {
    const { port } = await served();
    const head = `POST ${path} HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000000`;
    expect(await begin(port, head, "--x\r\n")).toBe(`HTTP/1.1 ${status}`);
  });

  test("a token call reads at most 64 KiB, with an announced length and in chunks", async () => {
    const { port } = await served();
    const head = "POST /oauth2/access_token HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded";
    expect(await begin(port, `${head}\r\nContent-Length: 62914560`, "grant_type=")).toBe("HTTP/1.1 413 Payload Too Large");
    const chunk = `${(100_000).toString(16)}\r\n${"a".repeat(100_000)}\r\n`;
    expect(await begin(port, `${head}\r\nTransfer-Encoding: chunked`, chunk)).toBe("HTTP/1.1 413 Payload Too Large");
  });
});

describe("verifications and near misses", () => {
  test("at most 100 verifications and waits for mails wait, and the next gets a 429", async () => {
    const world = await testWorld();
    const verify = () => world.admin("POST", "/requests/verify", { match: { method: "PATCH" }, timeout_ms: 60_000 });
    const waiting = Array.from({ length: 100 }, verify);
    await new Promise((resolve) => setImmediate(resolve));
    expect((await world.admin("POST", "/emails/wait", { match: { kind: "sent" }, timeoutMs: 60_000 })).status).toBe(429);
    const refused = await verify();
    expect({ status: refused.status, why: refused.body.why }).toEqual({
      status: 429,
      why: "At most 100 calls may wait at one time. Repeat the call, or send no timeout.",
    });
    world.tenant.journal.add(exchangeOf({ method: "PATCH" }));
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  });
});

describe("event streams", () => {
  test("a reader that never reads loses its waiting events, and the last event says so", async () => {
    const world = await testWorld();
    const response = await world.sandbox.fetch("/__admin/events", { headers: { authorization: `API-Key ${KEY}` } });
    const responseBody = "x".repeat(1_000_000);
    for (let i = 0; i < 20; i++) world.tenant.journal.add(exchangeOf({ id: `e${i}`, responseBody }));
    const text = await response.text();
    expect(text.length).toBeLessThan(6_000_000);
    expect(text.endsWith("\n\n")).toBe(true);
    expect(text.trimEnd().split("\n").slice(-2)).toEqual([
      "event: dropped",
      `data: ${JSON.stringify({ detail: "The stream ends: this reader is too far behind. Events were dropped; read GET /__admin/requests and connect again." })}`,
    ]);
    expect(world.tenant.eventStream.isListening).toBe(false);
  });

  test("all readers together hold at most 64 MiB, and the slowest are dropped first", async () => {
    const world = await testWorld();
    const open = () => world.sandbox.fetch("/__admin/events", { headers: { authorization: `API-Key ${KEY}` } });
    const streams = await Promise.all(Array.from({ length: 40 }, open));
    // An event of 2.3 MB. Two events for 40 readers exceed the common limit.
    for (let i = 0; i < 2; i++) world.tenant.journal.add(exchangeOf({ id: `e${i}`, responseBody: "x".repeat(1_000_000) }));
    world.tenant.eventStream.end();
    const texts = await Promise.all(streams.map((one) => one.text()));
    const [dropped, kept] = [true, false].map((isDropped) => texts.filter((one) => one.includes("event: dropped") === isDropped));
    expect(dropped?.length).toBeGreaterThan(5);
    expect(dropped?.[0]).toContain("The stream ends: all readers together are too far behind.");
    expect(kept?.length).toBeGreaterThan(5);
    expect(kept?.join("").length).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("a rule with counters per value", () => {
  test("a rule keeps its total counter when it drops the oldest values", () => {
    const rules = new Rules<object>();
    rules.put({ id: "r", name: "r", when: {}, call: { nth: 25_001, of: "delivery" }, effect: {}, source: "runtime" });
    for (let i = 1; i <= 25_000; i++) expect(rules.match((name) => (name === "delivery" ? `d${i}` : undefined))).toEqual([]);
    expect(rules.match((name) => (name === "delivery" ? "next" : undefined))).toHaveLength(1);
    expect(Object.keys(rules.list()[0]?.counts ?? {}).length).toBeLessThanOrEqual(20_002);
  });
});
