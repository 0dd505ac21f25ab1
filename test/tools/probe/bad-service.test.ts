import type { RequestListener } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { CallAnswer, CallRequest } from "../../../src/tools/compare/exchange.ts";
import { Forwarder } from "../../../src/tools/compare/forward.ts";
import { planCalls } from "../../../src/tools/probe/dry-run.ts";
import type { ProbeReport } from "../../../src/tools/probe/probe.ts";
import { planText } from "../../../src/tools/probe/report-text.ts";
import { probeOf, type RealSide, realSide } from "../../support/probe.ts";
import { KEY } from "../../support/world.ts";
import { localServer } from "../../support/local-server.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Forwards calls to the real side. A test can replace some answers. */
function carryWith(real: RealSide, replace: (request: CallRequest, nth: number) => Partial<CallAnswer> | "lost" | undefined) {
  const forwarder = new Forwarder(new URL(real.sandbox.url));
  onTestFinished(() => forwarder.close());
  let nth = 0;
  return async (request: CallRequest): Promise<CallAnswer> => {
    nth++;
    const replaced = replace(request, nth);
    if (replaced === undefined) return forwarder.send(request);
    // The service carries out the call, but its answer never arrives.
    if (replaced === "lost") {
      await forwarder.send(request);
      return { status: 0, headers: {}, body: Buffer.alloc(0), failure: "ECONNRESET" };
    }
    return { status: 200, headers: JSON_TYPE, body: Buffer.from("{}"), ...replaced };
  };
}

const isCreate = ({ method, target }: CallRequest) => method === "POST" && target.includes("?upload");

describe("probe of a failing service", () => {
  test.each<[string, RequestListener, RegExp]>([
    [
      "answers HTML",
      (_, r) => void r.writeHead(200, { "content-type": "text/html" }).end("<h1>Hi</h1>"),
      /with text\/html that is not JSON/,
    ],
    ["answers cut JSON", (_, r) => void r.writeHead(200, JSON_TYPE).end('{"email": '), /application\/json that is not JSON/],
    ["answers 401", (_, r) => void r.writeHead(401, JSON_TYPE).end("{}"), /refuses the key. Check --key/],
    ["answers 404", (_, r) => void r.writeHead(404, JSON_TYPE).end("{}"), /Check that --real names the API/],
    ["answers 503", (_, r) => void r.writeHead(503).end(), /answered 503. Probe again when the service works/],
    ["cuts the connection", (request) => void request.socket.destroy(), /gave no answer \(ECONNRESET\). Check --real/],
  ])("a service that %s stops the probe before its first story, with the reason", async (_, answer, message) => {
    const real = await realSide();
    const { report } = await probeOf(real, { url: await localServer(answer), only: ["delete.second", "json.types"] });
    expect(report.stopped).toMatch(message);
    expect(report.results.map(({ verdict, seen, calls }) => [verdict, seen, calls])).toEqual([
      ["undecided", null, 0],
      ["undecided", null, 0],
    ]);
  });

  const verdictsOf = ({ results }: ProbeReport) => results.map(({ assumption, verdict }) => [assumption, verdict]);

  test("a service that fails half way ends the probe, and the results so far are kept", async () => {
    const real = await realSide();
    let isBroken = false;
    const carry = carryWith(real, ({ target }) => {
      isBroken ||= target.startsWith("/public/v1/documents?upload");
      return isBroken ? { status: 502 } : undefined;
    });
    const { report } = await probeOf(real, { only: ["contacts.known_email", "errors.list_paths", "delete.second"], carry });
    expect(verdictsOf(report)).toEqual([
      ["contacts.known_email", "confirmed"],
      ["errors.list_paths", "undecided"],
      ["delete.second", "undecided"],
    ]);
    expect(report.stopped).toMatch(/^GET \/public\/v1\/members\/current answered 502/);
    expect(report.results.at(-1)?.why).toBe(`Not probed: ${report.stopped}`);
    expect(report.left_behind).toContain('document "docdouble probe test-3"');
  });

  const HTML = { status: 400, headers: { "content-type": "text/html" }, body: Buffer.from("<h1>Bad request</h1>") };

  test.each([
    ["500", { status: 500 }],
    ["HTML", HTML],
  ])("a story that makes a working service answer %s is undecided, and the probe continues", async (_, answer) => {
    const real = await realSide();
    const carry = carryWith(real, ({ target }) => (target.endsWith("/draft") ? answer : undefined));
    const { report } = await probeOf(real, { only: ["revert.draft", "revert.error", "send.recipient_id"], carry });
    expect(verdictsOf(report)).toEqual([
      ["revert.draft", "undecided"],
      ["revert.error", "undecided"],
      ["send.recipient_id", "confirmed"],
    ]);
    expect(report).not.toHaveProperty("stopped");
    expect(report).not.toHaveProperty("left_behind");
  });

  test("three stories in a row that fail in the same call end the probe", async () => {
    const real = await realSide();
    const carry = carryWith(real, (request) => (isCreate(request) ? { status: 502 } : undefined));
    const only = ["errors.list_paths", "delete.second", "revert.draft", "send.recipient_id"];
    const { report } = await probeOf(real, { only, carry });
    expect(report.results.map(({ why }) => why.startsWith("Not probed: "))).toEqual([false, false, false, true]);
    expect(report.stopped).toMatch(/^POST \/public\/v1\/documents\?upload answered 502/);
  });

  test("a story that fails half way deletes the things that it created", async () => {
    const real = await realSide();
    const before = real.holdings();
    const carry = carryWith(real, ({ target }) => (target.endsWith("/send") ? { status: 500 } : undefined));
    const { report } = await probeOf(real, { only: ["send.recipient_id"], carry });
    expect(report.results).toMatchObject([{ verdict: "undecided", why: expect.stringContaining("/send answered 500") }]);
    expect(report).not.toHaveProperty("left_behind");
    expect(real.holdings()).toEqual(before);
  });

  test("an answer with another id than a text of letters and digits is never called", async () => {
    const real = await realSide();
    const targets: string[] = [];
    const carry = carryWith(real, (request) => {
      targets.push(request.target);
      return isCreate(request) ? { status: 201, body: Buffer.from('{"id":"../contacts/abc"}') } : undefined;
    });
    const { report } = await probeOf(real, { only: ["delete.second"], carry });
    expect(report.results[0]?.why).toContain('with the id "../contacts/abc"');
    expect(targets.filter((one) => one.includes(".."))).toEqual([]);
    expect(report.left_behind).toEqual(['document "docdouble probe test-1"']);
  });

  test("things that the probe cannot delete are listed with their ids", async () => {
    const real = await realSide();
    const carry = carryWith(real, ({ method }) => (method === "DELETE" ? { status: 403 } : undefined));
    const { report } = await probeOf(real, { only: ["revert.draft"], carry });
    expect(report.results).toMatchObject([{ verdict: "confirmed", seen: "allow" }]);
    expect(report.left_behind).toEqual([
      expect.stringMatching(/^contact "nora.lind\+docdouble-probe-test@northpeak.example", id \w+$/),
      expect.stringMatching(/^document "docdouble probe test-1", id \w+$/),
    ]);
  });

  test("an interrupt ends the stories, and the deletions still run", async () => {
    const real = await realSide();
    const before = real.holdings();
    const interrupt = new AbortController();
    const onCall = (line: string) => void (line.includes("?upload") && interrupt.abort());
    const { report } = await probeOf(real, { only: ["revert.draft", "delete.second"], signal: interrupt.signal, onCall });
    expect(report.stopped).toBe("The probe was interrupted.");
    expect(real.holdings()).toEqual(before);
  });

  test("an answer 429 is repeated after Retry-After, and the third wait is the last", async () => {
    const real = await realSide();
    const throttled = { status: 429, headers: { ...JSON_TYPE, "retry-after": "13" } };
    const once = await probeOf(real, {
      only: ["json.types"],
      carry: carryWith(real, (_, nth) => (nth === 1 ? throttled : undefined)),
    });
    expect(once.report.results).toMatchObject([{ verdict: "confirmed" }]);
    expect(once.waits).toEqual(["GET /public/v1/members/current answered 429: waiting 13 s."]);
    expect((once.at[1] as number) - (once.at[0] as number)).toBe(13_000);
    const always = await probeOf(real, { only: ["json.types"], carry: carryWith(real, () => throttled) });
    expect(always.waits).toHaveLength(3);
    expect(always.report.stopped).toContain("answered 429 4 times. Lower --calls-per-minute");
  });

  test("a wait of more than ten minutes ends the probe, and the message names the seconds", async () => {
    const real = await realSide();
    const carry = carryWith(real, () => ({ status: 429, headers: { ...JSON_TYPE, "retry-after": "3600" } }));
    const { report } = await probeOf(real, { only: ["json.types"], carry });
    expect(report.stopped).toContain("asks to wait 3600 s. Probe again after that time.");
  });
});

describe("keys and pace of a probe", () => {
  test("a production key is refused before anything is created, unless the user allows it", async () => {
    const real = await realSide();
    const attempt = probeOf(real, { key: KEY, only: ["json.types"] });
    await expect(attempt).rejects.toThrow(
      "Cannot probe: the key of nora.lind@northpeak.example is a production key. Use a sandbox key, or allow it with --allow-production-key.",
    );
    const allowed = await probeOf(real, {
      key: KEY,
      allowProductionKey: true,
      only: ["json.types", "sandbox.foreign_recipients"],
    });
    expect(allowed.report.results).toMatchObject([
      { assumption: "json.types", verdict: "confirmed" },
      { assumption: "sandbox.foreign_recipients", verdict: "undecided", why: expect.stringContaining("sandbox key") },
    ]);
  });

  test("a complete probe makes at most nine calls per minute, decides each story, and deletes everything", async () => {
    const real = await realSide();
    const before = real.holdings();
    const { report, at } = await probeOf(real);
    for (const [i, time] of at.entries()) expect(time - (at[i - 9] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThan(60_000);
    const undecided = report.results.filter((one) => one.verdict === "undecided").map((one) => one.assumption);
    expect(undecided.sort()).toEqual([
      "delete.bulk_locked",
      "details.grand_total",
      "privacy.ai_off",
      "rate_limit.profile",
      "recipients.limit",
      "webhook.retry_schedule",
    ]);
    expect(real.holdings()).toEqual(before);
  });

  test("an unknown assumption is refused with the nearest name", async () => {
    await expect(probeOf(await realSide(), { only: ["delete.secnd"] })).rejects.toThrow(
      "Cannot probe delete.secnd: there is no assumption of this name with several readings. Did you mean delete.second?",
    );
  });

  test("a pattern selects the assumptions of an area, each once", async () => {
    const plans = await planCalls(["json.*", "json.types", "query.emp*"], 9);
    expect(plans.filter((one) => one.isStory).map((one) => one.assumption)).toEqual(["json.types", "query.empty_values"]);
    expect(planText(plans, 9)).toMatch(/2 stories, \d+ calls, [12] minutes? if the service answers as docdouble does/);
  });

  test("a dry run lists the calls of each story", async () => {
    const plans = await planCalls(["delete.second", "auth.key_as_bearer"], 9);
    expect(plans.map((one) => one.assumption)).toEqual(["the key", "auth.key_as_bearer", "delete.second", "after the stories"]);
    expect(plans[0]?.calls).toHaveLength(2);
    const methods = ["POST", "POST", "GET", "GET", "GET", "DELETE", "DELETE"];
    expect(plans[2]?.calls.map((line) => line.split(" ")[0])).toEqual(methods);
  });
});
