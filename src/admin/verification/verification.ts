import * as z from "zod";
import { operations } from "../../api/index.ts";
import { systemClock } from "../../core/clock.ts";
import { isWithin, limitWords, withDefaultLimit } from "../../core/count-limits.ts";
import { ApiError, tooManyRequests } from "../../core/errors.ts";
import { group, lazy, parseRoute } from "../../core/operation.ts";
import { nearest } from "../../core/text.ts";
import type { JournalEntry } from "../../engine/journal.ts";
import { lintClient } from "../lint/client-lint.ts";
import { probeSignatures } from "../lint/probe-signatures.ts";
import { toLoggedRequest, toServeEvent } from "../wiremock/journal-view.ts";
import { comparison, patternTest, asBadRequest, requestPattern } from "../wiremock/request-pattern.ts";
import type { RequestPattern } from "../wiremock/pattern-types.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { UNSERVED } from "../../api/unserved.ts";
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
  count: number;
  expected: string;
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

  /** @throws PatternWorkError */
  verdict(): Verdict {
    this.#look();
    const count = this.#count;
    const missing = this.#order[this.#matched];
    if (missing) return { verified: false, count: 0, expected: `${JSON.stringify(missing.pattern)} after those before it` };
    const limits = withDefaultLimit(this.#body);
    return { verified: isWithin(count, limits), count, expected: limitWords(limits) };
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

const ROUTES = [...operations, ...UNSERVED].map(({ id, route }) => ({ id, ...parseRoute(route) }));

const SHAPES = lazy(() => new Map(ROUTES.map((one) => [`${one.method} ${one.path.replace(/\{\w+\}/g, "x")}`, one])));

function nearestOperations({ method, path }: JournalEntry) {
  const near = nearest(`${method} ${path}`, SHAPES().keys());
  const found = near === undefined ? undefined : SHAPES().get(near);
  return found ? [{ operationId: found.id, method: found.method, urlPathTemplate: found.path }] : [];
}

const NEAR_MISSES_MAX = 100;

function nearMisses(tenant: Tenant) {
  const known = new Map<string, ReturnType<typeof nearestOperations>>();
  const unmatched = tenant.journal.all().filter((one) => one.operationId === undefined);
  return unmatched.slice(-NEAR_MISSES_MAX).map((one) => {
    const found = getOrMake(known, `${one.method} ${one.path}`, () => nearestOperations(one));
    return { ...toServeEvent(one, tenant.settings.publicUrl, tenant.id), nearest: found };
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
    official: list.length + UNSERVED.length,
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
        const failed = {
          ...verdict,
          type: "docdouble_not_verified",
          detail: `expected ${verdict.expected}, found ${verdict.count}`,
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
    handle: (_, { tenant }) => ({ status: 200, body: { nearMisses: nearMisses(tenant) } }),
  }),
  operation({
    id: "adminContract",
    route: "GET /__admin/contract",
    handle: (_, { tenant }) => {
      const findings = lintClient(tenant);
      return { status: 200, body: { clean: findings.length === 0, findings } };
    },
  }),
  operation({
    id: "adminProbeSignatures",
    route: "POST /__admin/contract/signatures",
    handle: async (_, { tenant }) => {
      const findings = await probeSignatures(tenant);
      return { status: 200 as const, body: { clean: findings.length === 0, findings } };
    },
  }),
  operation({
    id: "adminCoverage",
    route: "GET /__admin/coverage",
    handle: (_, { tenant }) => ({ status: 200, body: toCoverage(tenant) }),
  }),
]);
