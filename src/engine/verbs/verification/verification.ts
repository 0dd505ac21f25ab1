import * as z from "zod";
import { judgeCount, limitWords, withDefaultLimit } from "../../core/count-limits.ts";
import { ApiError } from "../../core/errors.ts";
import { lazy, parseRoute } from "../../core/operation.ts";
import { nearest } from "../../core/text.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import { droppedNote } from "../../runtime/dropped.ts";
import { serveEventView, toServeEvent } from "../wiremock/journal-view.ts";
import { NEAREST_MAX, nearestCalls, requireKnownOperation, toNearCall } from "../wiremock/nearest.ts";
import { patternTest, requestPattern } from "../wiremock/request-pattern.ts";
import type { RequestPattern } from "../../rules/pattern-types.ts";
import type { Service } from "../../runtime/service.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import type { Control } from "../../runtime/tenants/tenant-registry.ts";
import { verb, verbGroup } from "../define.ts";
import { waitUntil } from "../waits.ts";
import { getOrMake } from "../../core/maps.ts";

const WAIT_MS_MAX = 60_000;
const ORDER_MAX = 100;

const verifyBody = lazy(() =>
  z.strictObject({
    match: requestPattern().default({}),
    times: z.number().int().min(0).optional(),
    atLeast: z.number().int().min(0).optional(),
    atMost: z.number().int().min(0).optional(),
    order: z.array(requestPattern()).min(1).max(ORDER_MAX).optional(),
    timeoutMs: z.number().int().min(0).max(WAIT_MS_MAX).default(0),
  }),
);

type VerifyBody = z.output<ReturnType<typeof verifyBody>>;

export interface Verdict {
  verified: boolean;
  /** The number of calls that match. */
  count: number;
  expected: string;
  /** The number of dropped calls, when they keep the verification from an answer. */
  gone?: number;
  /** Why the verdict is no, when the count alone does not tell it. */
  note?: string;
}

/** Tests each entry once, also for repeated verdicts. */
class Judge {
  readonly #tenant: Tenant;
  readonly #body: VerifyBody;
  readonly #test: (entry: JournalEntry) => boolean;
  readonly #order: { pattern: RequestPattern; test: (entry: JournalEntry) => boolean }[];
  #count = 0;
  #matched = 0;
  #seen = 0;
  #loads: number;

  constructor(tenant: Tenant, body: VerifyBody) {
    this.#tenant = tenant;
    this.#body = body;
    this.#test = patternTest(body.match);
    this.#order = (body.order ?? []).map((pattern) => ({ pattern, test: patternTest(pattern) }));
    this.#loads = tenant.journal.loads;
  }

  verdict(): Verdict {
    this.#look();
    const note = droppedNote(this.#tenant, "requests");
    const dropped = note === undefined ? {} : { gone: this.#tenant.journal.dropped, note };
    const missing = this.#order[this.#matched];
    if (missing)
      return {
        ...{ verified: false, count: 0, expected: `${JSON.stringify(missing.pattern)} after those before it` },
        ...dropped,
      };
    const limits = withDefaultLimit(this.#body);
    const judged = judgeCount(this.#count, limits, note === undefined);
    const verdict = { verified: judged === "met", count: this.#count, expected: limitWords(limits) };
    return judged === "unproven" ? { ...verdict, ...dropped } : verdict;
  }

  #look(): void {
    const { journal } = this.#tenant;
    if (journal.loads !== this.#loads) {
      this.#loads = journal.loads;
      this.#count = 0;
      this.#matched = 0;
      this.#seen = 0;
    }
    for (const entry of journal.since(this.#seen)) {
      if (this.#test(entry)) this.#count++;
      if (this.#order[this.#matched]?.test(entry)) this.#matched++;
    }
    this.#seen = journal.total;
  }
}

/** Judges after each call until the verification holds or the time is over. Upper limits are judged at the end. */
async function verify({ tenant, signal }: Control, body: VerifyBody): Promise<Verdict> {
  const judge = new Judge(tenant, body);
  const holds = () => judge.verdict().verified && body.atMost === undefined;
  if (body.timeoutMs > 0 && !holds())
    await waitUntil(holds, { timeoutMs: body.timeoutMs, signal, watch: (look) => tenant.journal.watch(look) });
  return judge.verdict();
}

type RouteOf = { id: string; method: string; path: string };

const shapes = new WeakMap<Service, ReadonlyMap<string, RouteOf>>();

/** The routes of a service by method and shape of path. */
function shapesOf(service: Service): ReadonlyMap<string, RouteOf> {
  return getOrMake(shapes, service, () => {
    const routes = [...service.operations, ...service.unserved].map(({ id, route }) => ({ id, ...parseRoute(route) }));
    return new Map(routes.map((one) => [`${one.method} ${one.path.replace(/\{\w+\}/g, "x")}`, one]));
  });
}

function nearestOperations(service: Service, { method, path }: JournalEntry) {
  const known = shapesOf(service);
  const near = nearest(`${method} ${path}`, known.keys());
  const found = near === undefined ? undefined : known.get(near);
  return found ? [{ operationId: found.id, method: found.method, urlPathTemplate: found.path }] : [];
}

const NEAR_MISSES_MAX = 100;

function nearMisses(tenant: Tenant) {
  const known = new Map<string, ReturnType<typeof nearestOperations>>();
  const unmatched = tenant.journal.all().filter((one) => one.operationId === undefined);
  return unmatched.slice(-NEAR_MISSES_MAX).map((one) => {
    const found = getOrMake(known, `${one.method} ${one.path}`, () => nearestOperations(tenant.service, one));
    return { ...toServeEvent(one, tenant), nearest: found };
  });
}

function toCoverage(tenant: Tenant) {
  const calls = new Map<string, Record<string, number>>();
  for (const { operationId, injected, status } of tenant.journal.all()) {
    if (operationId === undefined || injected || status === undefined) continue;
    const statuses = calls.get(operationId) ?? {};
    statuses[status] = (statuses[status] ?? 0) + 1;
    calls.set(operationId, statuses);
  }
  const { operations, unserved } = tenant.service;
  const list = operations.map(({ id, responses, errors }) => {
    const statuses = calls.get(id) ?? {};
    const declared = [...Object.keys(responses).map(Number), ...errors];
    return {
      operationId: id,
      calls: Object.values(statuses).reduce((sum, one) => sum + one, 0),
      statuses,
      unreached: declared.filter((status) => statuses[status] === undefined),
    };
  });
  return {
    hit: list.filter((one) => one.calls > 0).length,
    served: list.length,
    official: list.length + unserved.length,
    operations: list,
  };
}

const findingView = () =>
  z
    .looseObject({ kind: z.string(), message: z.string(), fix: z.string() })
    .describe("a mistake, where it is, and how to mend it");

const statusCounts = () => z.record(z.string(), z.int()).describe("how often it answered each status");

const coverageView = () =>
  z.strictObject({
    hit: z.int(),
    served: z.int(),
    official: z.int(),
    operations: z.array(
      z.strictObject({ operationId: z.string(), calls: z.int(), statuses: statusCounts(), unreached: z.array(z.int()) }),
    ),
  });

export const verificationVerbs = verbGroup("Admin: evidence", {}, [
  verb({
    name: "journal.verify",
    does: "Returns 200 when the journal meets the expectation. Otherwise returns 422 with the nearest requests and their differences. Waits up to `timeoutMs`. After the journal dropped requests, an upper bound answers 422 and names `--journal-max`.",
    input: verifyBody,
    async run(control, input) {
      const { tenant } = control;
      for (const pattern of [input.match, ...(input.order ?? [])]) requireKnownOperation(tenant, pattern);
      const verdict = await verify(control, input);
      if (verdict.verified) return verdict;
      const { note, ...rest } = verdict;
      const failed = {
        ...rest,
        type: "docdouble_not_verified",
        detail: `expected ${verdict.expected}, found ${verdict.count}${note === undefined ? "" : `, and ${note}`}`,
        nearest: nearestCalls(tenant, input.match)
          .filter(({ failed }) => failed > 0)
          .slice(0, NEAREST_MAX)
          .map((one) => toNearCall(tenant, one)),
      };
      throw new ApiError("invalid", failed.detail, { status: 422, body: failed });
    },
    admin: {
      id: "adminVerifyRequests",
      route: "POST /__admin/requests/verify",
      answer: () => z.strictObject({ verified: z.boolean(), count: z.int(), expected: z.string(), gone: z.int().optional() }),
      errors: [422, 429],
    },
    without: { tool: "verify asks for calls of one operation" },
  }),
  verb({
    name: "journal.nearMisses",
    does: "Names the most similar operation for each of the latest 100 unmatched requests.",
    run: ({ tenant }) => nearMisses(tenant),
    admin: {
      id: "adminNearMisses",
      route: "GET /__admin/requests/unmatched/near-misses",
      answer: () =>
        z.strictObject({
          nearMisses: z.array(
            serveEventView().extend({
              nearest: z.array(z.strictObject({ operationId: z.string(), method: z.string(), urlPathTemplate: z.string() })),
            }),
          ),
          gone: z.int().optional(),
        }),
      show(misses, { tenant }) {
        const { dropped } = tenant.journal;
        return { nearMisses: misses, ...(dropped > 0 ? { gone: dropped } : {}) };
      },
    },
    without: {
      tool: "explain names the nearest operations",
    },
  }),
  verb({
    name: "lint",
    does: "Lists the findings of client lint: mistakes of the client that the service accepts. Examples are unknown fields, polling too fast, ignored Retry-After and double creates. Each has a fix. `dist/docs/lint.md` explains each kind.",
    run: ({ tenant }) => tenant.inspection.lint(tenant),
    admin: {
      id: "adminContract",
      route: "GET /__admin/contract",
      answer: () => z.strictObject({ clean: z.boolean(), findings: z.array(findingView()), unread: z.string().optional() }),
      show: ({ findings, unread }) => ({
        clean: findings.length === 0 && unread === undefined,
        findings: [...findings] as never,
        ...(unread === undefined ? {} : { unread }),
      }),
    },
    tool: { name: "lint" },
  }),
  verb({
    name: "webhooks.probeSignatures",
    does: "Sends each webhook receiver the delivery that it accepted last, with wrong signatures and without one. Lists the receivers that accept them.",
    run: ({ tenant }) => tenant.inspection.probeSignatures(tenant),
    admin: {
      id: "adminProbeSignatures",
      route: "POST /__admin/contract/signatures",
      answer: () => z.strictObject({ clean: z.boolean(), findings: z.array(findingView()) }),
      show: (findings) => ({ clean: findings.length === 0, findings: [...findings] as never }),
    },
    without: { tool: "lint reports receivers that accept forged webhooks" },
  }),
  verb({
    name: "coverage",
    does: "Counts the calls of each operation by status, and lists the statuses that no call reached. Answers of rules do not count.",
    run: ({ tenant }) => toCoverage(tenant),
    admin: { id: "adminCoverage", route: "GET /__admin/coverage", answer: coverageView },
    without: { tool: "read_requests shows what the client called" },
  }),
]);
