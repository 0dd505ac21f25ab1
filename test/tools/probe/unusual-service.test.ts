/** Services that are right in unusual ways, and services that ignore what the probe asks for. Neither may get a wrong verdict. */
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CallAnswer, CallRequest } from "../../../src/tools/compare/exchange.ts";
import { Forwarder } from "../../../src/tools/compare/forward.ts";
import type { ProbeReport } from "../../../src/tools/probe/probe.ts";
import { probeOf, type RealSide, realSide } from "../../support/probe.ts";
import { SANDBOX_KEY } from "../../support/world.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;
type Send = (request: CallRequest) => Promise<CallAnswer>;
type Way = (send: Send, request: CallRequest, real: RealSide, nth: number) => Promise<CallAnswer>;

const FACTS_CALLS = 2;
const json = ({ body }: CallAnswer): Json => (body.length === 0 ? undefined : JSON.parse(body.toString("utf8")));
const withJson = (answer: CallAnswer, body: unknown): CallAnswer => ({ ...answer, body: Buffer.from(JSON.stringify(body)) });
const gives = (status: number): CallAnswer => ({ status, headers: {}, body: Buffer.alloc(0) });

async function probed(way: Way, only: string[], { isLeaving = false } = {}): Promise<ProbeReport> {
  const real = await realSide();
  const forwarder = new Forwarder(new URL(real.sandbox.url));
  onTestFinished(() => forwarder.close());
  let nth = 0;
  const { report } = await probeOf(real, {
    only,
    carry: (request) => {
      nth++;
      return nth <= FACTS_CALLS ? forwarder.send(request) : way((one) => forwarder.send(one), request, real, nth);
    },
  });
  if (!isLeaving) expect(report).not.toHaveProperty("left_behind");
  return report;
}

const verdicts = ({ results }: ProbeReport) => Object.fromEntries(results.map((one) => [one.assumption, one.verdict]));
const all = (only: string[], verdict: string) => Object.fromEntries(only.map((one) => [one, verdict]));

/** Lists show an entry half a minute after its creation. */
const late: Way = async (send, request, { sandbox }) => {
  const answer = await send(request);
  if (request.method !== "GET" || !/\/(?:documents|templates)\?/.test(request.target)) return answer;
  const isOld = (one: Json) => sandbox.clock.now() - Date.parse(one.date_created) >= 30_000;
  const { results } = json(answer);
  return withJson(answer, { results: results.filter(isOld) });
};

const reversed = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, one]) => [name, reversed(one)] as const)
      .reverse(),
  );
};

/** Every second answer has its members in the other order. */
const otherOrder = (): Way => {
  let turn = 0;
  return async (send, request) => {
    const answer = await send(request);
    turn++;
    return turn % 2 === 0 || answer.body.length === 0 ? answer : withJson(answer, reversed(json(answer)));
  };
};

const packed: Way = async (send, request) => {
  const answer = await send(request);
  if (answer.body.length === 0) return answer;
  return { ...answer, headers: { ...answer.headers, "content-encoding": "gzip" }, body: gzipSync(answer.body) };
};

const RIGHT: Record<string, [Way, string[]]> = {
  "shows new things late": [late, ["templates.search", "list.repeated_status"]],
  "changes the order of members": [otherOrder(), ["contacts.known_email", "send.recipient_id"]],
  "packs each answer": [packed, ["json.types", "delete.second"]],
};

describe("probe of a service that is right in unusual ways", () => {
  test.each(Object.entries(RIGHT))("a service that %s gets the same verdicts", async (_, [way, only]) => {
    expect(verdicts(await probed(way, only))).toEqual(all(only, "confirmed"));
  });

  test("a service that processes a file at once decides nothing about an unprocessed document", async () => {
    const way: Way = async (send, request, { sandbox }) => {
      const answer = await send(request);
      if (/upload/.test(request.target)) await sandbox.clock.advance("10s");
      return answer;
    };
    expect(verdicts(await probed(way, ["details.right_after_create"]))).toEqual({ "details.right_after_create": "undecided" });
  });

  test.each([302, 304, 407, 408, 421, 425])("an answer %i of a proxy decides nothing", async (status) => {
    const only = ["revert.draft", "update.outside_draft", "audit_trail.access"];
    const isStory = ({ method, target }: CallRequest) => method === "PATCH" || /\/(?:draft|audit-trail)$/.test(target);
    const way: Way = (send, request) => (isStory(request) ? Promise.resolve(gives(status)) : send(request));
    const report = await probed(way, only);
    expect(Object.values(verdicts(report))).toEqual(["undecided", "undecided", "undecided"]);
  });

  test("a 403 decides nothing where it may only mean that the key lacks the right", async () => {
    const only = ["revert.draft", "download.before_completion", "send.without_recipients", "sandbox.foreign_recipients"];
    const isStory = ({ target }: CallRequest) => /\/(?:draft|send|download)$/.test(target);
    const refusal = withJson(
      { ...gives(403), headers: { "content-type": "application/json" } },
      { type: "permission_error", detail: "You do not have permission to perform this action." },
    );
    const way: Way = (send, request) => (isStory(request) ? Promise.resolve(refusal) : send(request));
    expect(verdicts(await probed(way, only))).toEqual(all(only, "undecided"));
  });
});

describe("a service that answers otherwise", () => {
  const only = ["revert.draft"];
  const isStory = ({ target }: CallRequest) => target.endsWith("/draft");
  const refusal = withJson({ ...gives(409), headers: { "content-type": "application/json" } }, { detail: "Not now." });

  test("once does not contradict", async () => {
    let isDone = false;
    const way: Way = (send, request) => {
      if (isDone || !isStory(request)) return send(request);
      isDone = true;
      return Promise.resolve(refusal);
    };
    const { results } = await probed(way, only);
    const why = "The first try showed refuse. The second try showed allow.";
    expect(results).toMatchObject([{ verdict: "undecided", why }]);
  });

  test("in both tries contradicts", async () => {
    const way: Way = (send, request) => (isStory(request) ? Promise.resolve(refusal) : send(request));
    expect((await probed(way, only)).results).toMatchObject([{ verdict: "contradicted", seen: "refuse" }]);
  });

  /** Answers to the stories of switches that fit no reading. */
  const OUTSIDE: Record<string, [calls: RegExp, change: (body: Json, nth: number) => void]> = {
    "pricing.discount_name": [
      /documents\/\w+\/details$/,
      (body, nth) => Object.assign(body.pricing.tables[0].summary, { discount: `${nth * 7}` }),
    ],
    "pricing.other_currency": [
      /documents\/\w+\/details$/,
      (body, nth) => Object.assign(body.pricing.tables[0], { currency: `C${nth}` }),
    ],
    "webhook.zero_total": [
      /webhook-events\//,
      (body) => Object.assign(body, { request_body: JSON.stringify(body.request_body).replaceAll("0.00", "0.000") }),
    ],
  };

  test.each(Object.entries(OUTSIDE))("%s: an answer that fits no reading decides nothing", async (id, [calls, change]) => {
    const way: Way = async (send, request, _, nth) => {
      const answer = await send(request);
      if (!calls.test(request.target)) return answer;
      const body = json(answer);
      change(body, nth);
      return withJson(answer, body);
    };
    expect(verdicts(await probed(way, [id]))).toEqual({ [id]: "undecided" });
  });
});

describe("rate_limit.profile", () => {
  const limited = (way: Way) => async () => {
    const real = await realSide();
    const { report } = await probeOf(real, {
      only: ["rate_limit.profile"],
      perMinute: 201,
      carry: (() => {
        const forwarder = new Forwarder(new URL(real.sandbox.url));
        onTestFinished(() => forwarder.close());
        let nth = -FACTS_CALLS;
        return (request: CallRequest) => way((one) => forwarder.send(one), request, real, ++nth);
      })(),
    });
    return report.results[0];
  };
  /** The limit lasts for a minute after the first refusal. */
  const until = (passed: number): Way => {
    let [begun, refusedAt] = [0, Number.POSITIVE_INFINITY];
    return async (send, request, { sandbox }, nth) => {
      const now = sandbox.clock.now();
      if (now - refusedAt >= 60_000) [begun, refusedAt] = [nth - 1, Number.POSITIVE_INFINITY];
      if (nth - begun <= passed) return send(request);
      refusedAt = Math.min(refusedAt, now);
      return gives(429);
    };
  };

  test("a new minute of the service may double what passes", async () => {
    expect(await limited(until(17))()).toMatchObject({ verdict: "contradicted", seen: "sandbox" });
    expect(await limited(until(163))()).toMatchObject({ seen: "production" });
  });

  test.each([3, 60])("a limit after %i calls decides nothing", async (passed) => {
    expect(await limited(until(passed))()).toMatchObject({
      verdict: "undecided",
      why: expect.stringContaining(`after ${passed} calls`),
    });
  });

  test("a slow service shows no limit, which decides nothing", async () => {
    const slow: Way = async (send, request, { sandbox }) => {
      await sandbox.clock.advance("1s");
      return send(request);
    };
    expect(await limited(slow)()).toMatchObject({ verdict: "undecided", why: expect.stringContaining("too long") });
  });
});

test.each(["GET", "DELETE"])("a key without the right to %s documents leaves few of them, and ends the probe", async (method) => {
  const isDocument = ({ method: used, target }: CallRequest) => used === method && /\/v1\/documents\/\w+$/.test(target);
  const way: Way = (send, request) => (isDocument(request) ? Promise.resolve(gives(403)) : send(request));
  const report = await probed(way, ["*"], { isLeaving: true });
  expect(report.stopped).toContain("so it creates no more");
  const documents = report.left_behind?.filter((one) => one.startsWith("document "));
  expect(documents?.length).toBeGreaterThan(3);
  expect(documents?.length).toBeLessThan(10);
});

/** The service does not know the parameters. */
const ignores =
  (path: RegExp, ...names: string[]): Way =>
  (send, request) => {
    const url = new URL(request.target, "http://double.example");
    if (request.method !== "GET" || !path.test(url.pathname)) return send(request);
    for (const name of names) url.searchParams.delete(name);
    return send({ ...request, target: url.pathname + url.search });
  };

const IGNORED: Record<string, Way> = {
  "list.repeated_status": ignores(/\/documents$/, "status"),
  "templates.search": ignores(/\/templates$/, "q"),
};

describe("probe of a service that ignores a parameter", () => {
  test.each(Object.entries(IGNORED))("%s stays undecided", async (id, way) => {
    expect(verdicts(await probed(way, [id]))).toEqual({ [id]: "undecided" });
  });
});

test("no text of a report holds the key, however the service echoes it", async () => {
  const forms = [SANDBOX_KEY, Buffer.from(`API-Key ${SANDBOX_KEY}`).toString("base64"), encodeURIComponent(`"${SANDBOX_KEY}`)];
  const way: Way = async (send, request) => {
    const answer = await send(request);
    const headers = { ...answer.headers, traceparent: SANDBOX_KEY };
    // The message shows the start of a body. Its end may lie within the key.
    return request.method === "GET" && answer.status < 400
      ? { ...answer, headers }
      : withJson({ ...answer, headers, status: 418 }, { detail: `${"x".repeat(150)} ${forms.join(" ")}` });
  };
  // The service makes the contact and answers 418, so the report must name it.
  const report = await probed(way, ["auth.key_as_bearer", "delete.second", "errors.*"], { isLeaving: true });
  const text = JSON.stringify(report);
  expect(text).toContain("(the key)");
  for (const form of [SANDBOX_KEY.slice(0, 14), (forms[1] as string).slice(12, 24)]) expect(text).not.toContain(form);
});
