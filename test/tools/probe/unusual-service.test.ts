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
function late(list: RegExp): Way {
  const first = new Map<string, number>();
  return async (send, request, { sandbox }) => {
    const answer = await send(request);
    if (request.method !== "GET" || !list.test(request.target)) return answer;
    const isOld = (one: Json) => {
      const created = Date.parse(one.date_created ?? `${one.request_time}Z`);
      const id = one.uuid ?? one.id;
      first.set(id, first.get(id) ?? (Number.isNaN(created) ? sandbox.clock.now() : created));
      return sandbox.clock.now() - (first.get(id) as number) >= 30_000;
    };
    const body = json(answer);
    if (Array.isArray(body)) return withJson(answer, body.filter(isOld));
    for (const member of ["results", "items"]) if (Array.isArray(body?.[member])) body[member] = body[member].filter(isOld);
    return withJson(answer, body);
  };
}

const OTHERS = {
  method: "POST",
  target: "/public/v1/contacts",
  headers: { authorization: `API-Key ${SANDBOX_KEY}`, "content-type": "application/json" },
};

/** Another client creates a contact, and reads documents, after each call of the probe. */
const busy: Way = async (send, request, _, nth) => {
  const answer = await send(request);
  await send({ ...OTHERS, body: Buffer.from(JSON.stringify({ email: `person${nth}@example.org` })) });
  await send({ ...OTHERS, method: "GET", target: "/public/v1/documents?count=2&q=other", body: Buffer.alloc(0) });
  return answer;
};

let turn = 0;
/** Each answer writes its instants in another zone. */
const zones: Way = async (send, request) => {
  const answer = await send(request);
  turn++;
  const hours = turn % 3;
  const written = (value: unknown) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)
      ? new Date(Date.parse(value) + hours * 3_600_000).toISOString().replace("Z", `+0${hours}:00`)
      : value;
  const body = json(answer);
  if (body === undefined) return answer;
  return withJson(
    answer,
    JSON.parse(JSON.stringify(body), (_, value) => written(value)),
  );
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

let folderTurn = 0;
const otherOrder: Way = async (send, request) => {
  const answer = await send(request);
  folderTurn++;
  return folderTurn % 2 === 0 || answer.body.length === 0 ? answer : withJson(answer, reversed(json(answer)));
};

const packed: Way = async (send, request) => {
  const answer = await send(request);
  if (answer.body.length === 0) return answer;
  return { ...answer, headers: { ...answer.headers, "content-encoding": "gzip" }, body: gzipSync(answer.body) };
};

const LOGS = ["logs.body", "logs.hidden_key", "logs.query", "logs.relative_times", "logs.search", "logs.window"];
const SEARCHES = ["templates.search", "contacts.order", "documents.search_text", "crm_links.order", "crm_links.owners"];
const DATES = ["templates.list_order", "update.content_date", "update.empty", "templates.empty_update"];

const RIGHT: Record<string, [Way, string[]]> = {
  "logs calls late": [late(/\/logs\?/), LOGS],
  "shows new things late": [late(/\/(?:documents|contacts|templates|linked-objects)\?/), [...SEARCHES, "crm_links.template"]],
  "has other clients": [busy, LOGS],
  "writes instants in several zones": [zones, DATES],
  "changes the order of members": [otherOrder, ["folders.empty_parent", ...DATES]],
  "packs each answer": [packed, ["json.types", "contacts.order", "http.json_texts"]],
};

describe("probe of a service that is right in unusual ways", () => {
  test.each(Object.entries(RIGHT))("a service that %s gets the same verdicts", async (_, [way, only]) => {
    expect(verdicts(await probed(way, only))).toEqual(all(only, "confirmed"));
  });

  test("a service that processes a file at once decides nothing about an unprocessed document", async () => {
    const only = ["export.wrong_status", "revert.uploaded", "templates.unprocessed"];
    const way: Way = async (send, request, { sandbox }) => {
      const answer = await send(request);
      if (/upload/.test(request.target)) await sandbox.clock.advance("10s");
      return answer;
    };
    expect(verdicts(await probed(way, only))).toEqual(all(only, "undecided"));
  });

  test.each([302, 304, 407, 408, 421, 425])("an answer %i of a proxy decides nothing", async (status) => {
    const only = ["members.not_found", "webhook.unknown_event", "contacts.nothing_required"];
    const isStory = ({ target }: CallRequest) => /\/members\/\w+Such|webhook-events\/|contacts$/.test(target);
    const way: Way = (send, request) => (isStory(request) ? Promise.resolve(gives(status)) : send(request));
    const report = await probed(way, only);
    expect(Object.values(verdicts(report))).toEqual(["undecided", "undecided", "undecided"]);
  });

  test("an empty answer 200 to a read decides nothing", async () => {
    const way: Way = (send, request) => (/webhook-events\//.test(request.target) ? Promise.resolve(gives(200)) : send(request));
    const { results } = await probed(way, ["webhook.unknown_event"]);
    expect(results).toMatchObject([{ verdict: "undecided", why: expect.stringContaining("answered 200 without a body") }]);
  });

  test("a 403 decides nothing where it may only mean that the key lacks the right", async () => {
    const only = [
      "revert.draft",
      "download.before_completion",
      "send.without_recipients",
      "sandbox.foreign_recipients",
      "download.file_name",
    ];
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
  const only = ["settings.expiration_maximum"];
  const isStory = ({ target }: CallRequest) => target.endsWith("/settings");
  const refusal = (status: number) =>
    withJson({ ...gives(status), headers: { "content-type": "application/json" } }, { detail: "Not now." });

  test.each([404, 409, 413])("once, with %i, does not contradict", async (status) => {
    let isDone = false;
    const way: Way = (send, request) => {
      if (isDone || !isStory(request)) return send(request);
      isDone = true;
      return Promise.resolve(refusal(status));
    };
    const { results } = await probed(way, only);
    const why = new RegExp(`^The first try showed ${status} .*The second try showed `);
    expect(results).toMatchObject([{ verdict: "undecided", why: expect.stringMatching(why) }]);
  });

  test("in both tries contradicts", async () => {
    const way: Way = (send, request) => (isStory(request) ? Promise.resolve(refusal(404)) : send(request));
    expect((await probed(way, only)).results).toMatchObject([{ verdict: "contradicted", seen: expect.stringContaining("404") }]);
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

const IGNORED: Record<string, [Way, "undecided" | "contradicted"]> = {
  "list.repeated_status": [ignores(/\/documents$/, "status"), "undecided"],
  "templates.search": [ignores(/\/templates$/, "q"), "undecided"],
  "documents.search_text": [ignores(/\/documents$/, "q"), "undecided"],
  "contacts.order": [ignores(/\/contacts$/, "email"), "undecided"],
  "logs.search": [ignores(/\/logs$/, "search"), "undecided"],
  "logs.window": [ignores(/\/logs$/, "since", "to"), "undecided"],
  "logs.relative_times": [ignores(/\/logs$/, "since"), "contradicted"],
};

describe("probe of a service that ignores a parameter", () => {
  test.each(Object.entries(IGNORED))("%s is not confirmed", async (id, [way, verdict]) => {
    expect(verdicts(await probed(way, [id]))).toEqual({ [id]: verdict });
  });
});

test("no text of a report holds the key, however the service echoes it", async () => {
  const forms = [SANDBOX_KEY, Buffer.from(`API-Key ${SANDBOX_KEY}`).toString("base64"), encodeURIComponent(`"${SANDBOX_KEY}`)];
  const way: Way = async (send, request) => {
    const answer = await send(request);
    const headers = { ...answer.headers, traceparent: SANDBOX_KEY };
    // The message shows the start of a body. Its end may lie within the key.
    return answer.status < 400
      ? { ...answer, headers }
      : withJson({ ...answer, headers, status: 418 }, { detail: `${"x".repeat(150)} ${forms.join(" ")}` });
  };
  const report = await probed(way, [
    "auth.key_as_bearer",
    "delete.second",
    "members.not_found",
    "http.tracing_headers",
    "errors.*",
  ]);
  const text = JSON.stringify(report);
  expect(text).toContain("(the key)");
  for (const form of [SANDBOX_KEY.slice(0, 14), (forms[1] as string).slice(12, 24)]) expect(text).not.toContain(form);
});

test("the log counts as showing the key in whichever form it does", async () => {
  const way: Way = async (send, request) => {
    const answer = await send(request);
    const isEntry = /\/logs\/[\w-]+$/.test(request.target);
    return isEntry ? withJson(answer, { ...json(answer), request_headers: Buffer.from(SANDBOX_KEY).toString("hex") }) : answer;
  };
  const { results } = await probed(way, ["logs.hidden_key"]);
  expect(results).toMatchObject([{ verdict: "contradicted", seen: "The log shows the key." }]);
});
