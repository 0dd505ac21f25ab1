/** What the run proves: verification that waits, near misses, the client's contract and the coverage of operations. */
import * as z from "zod";
import { operations, UNSERVED } from "../api/index.ts";
import { wall } from "../core/clock.ts";
import { ApiError, badRequest } from "../core/errors.ts";
import { group, lazy, operationsFor, parseRoute } from "../core/operation.ts";
import { nearest } from "../core/text.ts";
import type { Exchange } from "../engine/journal.ts";
import { findContractBreaks } from "./contract.ts";
import type { Control } from "./host.ts";
import { toLoggedRequest, toServeEvent } from "./journal-view.ts";
import { mismatches, patternTest, requestPattern } from "./request-pattern.ts";
import type { RequestPattern } from "./pattern-types.ts";
import type { Tenant } from "./tenant.ts";

const operation = operationsFor<Control>();
const anything = lazy(() => z.unknown());

const WAIT_MS_MAX = 60_000;
const NEAREST_MAX = 3;

const verifyBody = lazy(() =>
  z.strictObject({
    match: requestPattern().default({}),
    times: z.number().int().min(0).optional(),
    atLeast: z.number().int().min(0).optional(),
    atMost: z.number().int().min(0).optional(),
    /** Patterns that must be met one after the other. */
    order: z.array(requestPattern()).min(1).optional(),
    timeoutMs: z.number().int().min(0).max(WAIT_MS_MAX).default(0),
  }),
);

type VerifyBody = z.output<ReturnType<typeof verifyBody>>;

interface Verdict {
  verified: boolean;
  count: number;
  expected: string;
}

/** Whether the journal is what was asked for. @throws SyntaxError for a broken regular expression */
function judge(tenant: Tenant, body: VerifyBody): Verdict {
  const all = tenant.journal.all();
  if (body.order) {
    let at = -1;
    for (const pattern of body.order) {
      const test = patternTest(pattern);
      at = all.findIndex((exchange, i) => i > at && test(exchange));
      if (at < 0) return { verified: false, count: 0, expected: `${JSON.stringify(pattern)} after those before it` };
    }
  }
  const count = all.filter(patternTest(body.match)).length;
  const { times, atMost } = body;
  const atLeast = body.atLeast ?? (times === undefined && atMost === undefined ? 1 : undefined);
  const words = [
    ...(times === undefined ? [] : [`exactly ${times}`]),
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ];
  const verified =
    (times === undefined || count === times) &&
    (atLeast === undefined || count >= atLeast) &&
    (atMost === undefined || count <= atMost);
  return { verified, count, expected: words.join(" and ") };
}

/** Judges again with each request until it holds or the time is over. Limits from above are judged at the end of the time. */
async function verify(tenant: Tenant, body: VerifyBody): Promise<Verdict> {
  const first = judge(tenant, body);
  const waitsForMore = body.times === undefined && body.atMost === undefined;
  if (body.timeoutMs === 0 || (first.verified && waitsForMore)) return first;
  return new Promise((resolve) => {
    const finish = (verdict: Verdict) => {
      cancel();
      unwatch();
      resolve(verdict);
    };
    const cancel = wall.after(body.timeoutMs, () => finish(judge(tenant, body)));
    const unwatch = tenant.journal.watch(() => {
      const verdict = judge(tenant, body);
      if (verdict.verified && body.atMost === undefined) finish(verdict);
    });
    if (first.verified && body.atMost === undefined) finish(first);
  });
}

/** The entries that come nearest to a pattern, each with what differs. */
function nearestEntries(tenant: Tenant, pattern: RequestPattern) {
  return tenant.journal
    .all()
    .map((exchange) => ({ exchange, differences: mismatches(pattern, exchange) }))
    .filter(({ differences }) => differences.length > 0)
    .sort((a, b) => a.differences.length - b.differences.length)
    .slice(0, NEAREST_MAX)
    .map(({ exchange, differences }) => ({
      request: toLoggedRequest(exchange, tenant.settings.publicUrl),
      operationId: exchange.operationId ?? null,
      differences,
    }));
}

const ROUTES = [...operations, ...UNSERVED].map(({ id, route }) => ({ id, ...parseRoute(route) }));

/** For a request that met no operation, the operations whose method and path are nearest. */
function nearestOperations(exchange: Exchange) {
  const target = `${exchange.method} ${exchange.path}`;
  const shapes = new Map(ROUTES.map((one) => [`${one.method} ${one.path.replace(/\{\w+\}/g, "x")}`, one]));
  const near = nearest(target, shapes.keys());
  const found = near === undefined ? undefined : shapes.get(near);
  return found ? [{ operationId: found.id, method: found.method, urlPathTemplate: found.path }] : [];
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

export const evidenceGroup = group("Admin: evidence", [
  operation({
    id: "adminVerifyRequests",
    route: "POST /__admin/requests/verify",
    body: verifyBody,
    responses: { 200: anything },
    errors: [400, 422],
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
        if (error instanceof SyntaxError) throw badRequest(error.message);
        throw error;
      }
    },
  }),
  operation({
    id: "adminNearMisses",
    route: "GET /__admin/requests/unmatched/near-misses",
    responses: { 200: anything },
    errors: [],
    handle: (_, { tenant }) => {
      const unmatched = tenant.journal.all().filter((one) => one.operationId === undefined);
      const nearMisses = unmatched.map((one) => ({
        ...toServeEvent(one, tenant.settings.publicUrl, tenant.id),
        nearest: nearestOperations(one),
      }));
      return { status: 200, body: { nearMisses } };
    },
  }),
  operation({
    id: "adminContract",
    route: "GET /__admin/contract",
    responses: { 200: anything },
    errors: [],
    handle: (_, { tenant }) => {
      const findings = findContractBreaks(tenant);
      return { status: 200, body: { clean: findings.length === 0, findings } };
    },
  }),
  operation({
    id: "adminCoverage",
    route: "GET /__admin/coverage",
    responses: { 200: anything },
    errors: [],
    handle: (_, { tenant }) => ({ status: 200, body: toCoverage(tenant) }),
  }),
]);
