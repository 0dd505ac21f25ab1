import * as z from "zod";
import { systemClock } from "../../core/clock.ts";
import { type CountRange, judgeRange, limitWords, withDefaultLimit } from "../../core/count-limits.ts";
import { ApiError, tooManyRequests } from "../../core/errors.ts";
import { group, lazy, parseRoute } from "../../core/operation.ts";
import { nearest } from "../../core/text.ts";
import type { CallTraits, JournalEntry } from "../../journal/journal.ts";
import { goneCalls, goneCallsNote, patternFit, withGone } from "../../runtime/gone.ts";
import { toLoggedRequest, toServeEvent } from "../wiremock/journal-view.ts";
import { comparison, patternTest, asBadRequest, requestPattern } from "../wiremock/request-pattern.ts";
import type { RequestPattern } from "../../rules/pattern-types.ts";
import type { Service } from "../../runtime/service.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import { operation } from "../operation.ts";
import { getOrMake } from "../../core/maps.ts";

const WAIT_MS_MAX = 60_000;
const NEAREST_MAX = 3;
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

interface Verdict {
  verified: boolean;
  /** The least number of calls that match. */
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
  /** Calls that dropped before the first look. Later calls are seen before they drop. */
  #gone: CountRange = { min: 0, max: 0 };

  constructor(tenant: Tenant, body: VerifyBody) {
    this.#tenant = tenant;
    this.#body = body;
    this.#test = patternTest(body.match);
    this.#order = (body.order ?? []).map((pattern) => ({ pattern, test: patternTest(pattern) }));
    this.#loads = tenant.journal.loads;
    this.#countGone();
  }

  #countGone(): void {
    this.#gone = goneCalls(this.#tenant, patternFit(this.#body.match));
  }

  /** @throws PatternWorkError */
  verdict(): Verdict {
    this.#look();
    const range = withGone(this.#count, this.#gone);
    const missing = this.#order[this.#matched];
    if (missing)
      return {
        ...{ verified: false, count: 0, expected: `${JSON.stringify(missing.pattern)} after those before it` },
        ...this.#note(goneCalls(this.#tenant, patternFit(missing.pattern))),
      };
    const limits = withDefaultLimit(this.#body);
    const judged = judgeRange(range, limits);
    const note = judged === "unproven" ? this.#note(this.#gone) : {};
    return { verified: judged === "met", count: range.min, expected: limitWords(limits), ...note };
  }

  #note(gone: CountRange): Pick<Verdict, "gone" | "note"> {
    if (gone.max === 0) return {};
    return { gone: this.#tenant.journal.dropped, note: goneCallsNote(this.#tenant, gone) };
  }

  #look(): void {
    const { journal } = this.#tenant;
    if (journal.loads !== this.#loads) {
      this.#loads = journal.loads;
      this.#count = 0;
      this.#matched = 0;
      this.#seen = 0;
      this.#countGone();
    }
    for (const entry of journal.since(this.#seen)) {
      if (this.#test(entry)) this.#count++;
      if (this.#order[this.#matched]?.test(entry)) this.#matched++;
    }
    this.#seen = journal.total;
  }
}

const WAITING_MAX = 100;
let waiting = 0;

/** Judges after each call until the verification holds or the time is over. Upper limits are judged at the end. */
async function verify(tenant: Tenant, body: VerifyBody): Promise<Verdict> {
  const judge = new Judge(tenant, body);
  const first = judge.verdict();
  const holds = (verdict: Verdict) => verdict.verified && body.atMost === undefined;
  if (body.timeoutMs === 0 || holds(first)) return first;
  if (waiting >= WAITING_MAX)
    throw tooManyRequests(1, `At most ${WAITING_MAX} verifications may wait at one time. Repeat the call, or send no timeoutMs.`);
  waiting++;
  return new Promise<Verdict>((resolve, reject) => {
    let cancel = (): void => {};
    let unwatch = (): void => {};
    const stop = () => {
      cancel();
      unwatch();
      waiting--;
    };
    const look = (isEnd: (verdict: Verdict) => boolean) => {
      try {
        const verdict = judge.verdict();
        if (!isEnd(verdict)) return;
        stop();
        resolve(verdict);
      } catch (error) {
        stop();
        reject(error);
      }
    };
    cancel = systemClock.after(body.timeoutMs, () => look(() => true));
    unwatch = tenant.journal.watch(() => look(holds));
  });
}

const COMPARED_MAX = 1000;

function nearestEntries(tenant: Tenant, pattern: RequestPattern) {
  const { count, mismatches } = comparison(pattern);
  return tenant.journal
    .latest(COMPARED_MAX)
    .map((entry) => ({ entry, failed: count(entry) }))
    .filter(({ failed }) => failed > 0)
    .sort((a, b) => a.failed - b.failed)
    .slice(0, NEAREST_MAX)
    .map(({ entry }) => ({
      request: toLoggedRequest(entry, tenant.settings.publicUrl),
      operationId: entry.operationId ?? null,
      differences: mismatches(entry),
    }));
}

type RouteOf = { id: string; method: string; path: string };

const shapes = new WeakMap<Service, ReadonlyMap<string, RouteOf>>();

/** The routes of a service by method and shape of path. */
function shapesOf(service: Service): ReadonlyMap<string, RouteOf> {
  const known = shapes.get(service);
  if (known) return known;
  const routes = [...service.operations, ...service.unserved].map(({ id, route }) => ({ id, ...parseRoute(route) }));
  const made = new Map(routes.map((one) => [`${one.method} ${one.path.replace(/\{\w+\}/g, "x")}`, one]));
  shapes.set(service, made);
  return made;
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
  const count = ({ operationId, injected, status }: CallTraits, times: number) => {
    if (operationId === undefined || injected || status === undefined) return;
    const statuses = calls.get(operationId) ?? {};
    statuses[status] = (statuses[status] ?? 0) + times;
    calls.set(operationId, statuses);
  };
  for (const entry of tenant.journal.all()) count(entry, 1);
  for (const gone of tenant.journal.gone.all()) count(gone, gone.count);
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

export const verificationGroup = group("Admin: evidence", [
  operation({
    id: "adminVerifyRequests",
    route: "POST /__admin/requests/verify",
    body: verifyBody,
    errors: [400, 422, 429],
    handle: async ({ body }, { tenant }) => {
      try {
        const verdict = await verify(tenant, body);
        if (verdict.verified) return { status: 200 as const, body: verdict };
        const { note, ...rest } = verdict;
        const failed = {
          ...rest,
          type: "docdouble_not_verified",
          detail: `expected ${verdict.expected}, found ${verdict.count}${note === undefined ? "" : `. ${note}`}`,
          nearest: nearestEntries(tenant, body.match),
        };
        throw new ApiError("invalid", failed.detail, { status: 422, body: failed });
      } catch (error) {
        throw asBadRequest(error);
      }
    },
  }),
  operation({
    id: "adminNearMisses",
    route: "GET /__admin/requests/unmatched/near-misses",
    handle: (_, { tenant }) => {
      const { max } = goneCalls(tenant, ({ operationId }) => (operationId === undefined ? "yes" : "no"));
      return { status: 200, body: { nearMisses: nearMisses(tenant), ...(max > 0 ? { gone: max } : {}) } };
    },
  }),
  operation({
    id: "adminContract",
    route: "GET /__admin/contract",
    handle: (_, { tenant }) => {
      const { findings, unread } = tenant.inspection.lint(tenant);
      const clean = findings.length === 0 && unread === undefined;
      return { status: 200, body: { clean, findings, ...(unread === undefined ? {} : { unread }) } };
    },
  }),
  operation({
    id: "adminProbeSignatures",
    route: "POST /__admin/contract/signatures",
    handle: async (_, { tenant }) => {
      const findings = await tenant.inspection.probeSignatures(tenant);
      return { status: 200 as const, body: { clean: findings.length === 0, findings } };
    },
  }),
  operation({
    id: "adminCoverage",
    route: "GET /__admin/coverage",
    handle: (_, { tenant }) => ({ status: 200, body: toCoverage(tenant) }),
  }),
]);
