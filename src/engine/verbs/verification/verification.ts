import * as z from "zod";
import { judgeCount, limitWords } from "../../core/count-limits.ts";
import { ApiError } from "../../core/errors.ts";
import { lazy, parseRoute } from "../../core/operation.ts";
import { nearest } from "../../core/text.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import { droppedNote } from "../../runtime/dropped.ts";
import type { Conditions } from "../../rules/rules.ts";
import { callsThatMeet, meets } from "../../runtime/search.ts";
import { checkCounts, countMembers } from "../../scenario/expect-schema.ts";
import { callView, toCallView } from "../journal/call-view.ts";
import { conditions, NEAREST_MAX, nearestCalls, readConditions, toNearCall } from "../journal/search.ts";
import type { Service } from "../../runtime/service.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import type { Control } from "../../runtime/tenants/tenant-registry.ts";
import { verb, verbGroup } from "../define.ts";
import { waitUntil } from "../waits.ts";
import { getOrMake } from "../../core/maps.ts";

const WAIT_MS_MAX = 60_000;

const verifyBody = lazy(() =>
  z
    .strictObject({
      match: conditions().default({}),
      ...countMembers(),
      timeout_ms: z.int().min(0).max(WAIT_MS_MAX).default(0).describe("waits for later calls up to this long"),
    })
    .superRefine(checkCounts),
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

function verdictOf(tenant: Tenant, when: Conditions, counts: VerifyBody): Verdict {
  const count = callsThatMeet(tenant, when).length;
  const note = droppedNote(tenant, "requests");
  const judged = judgeCount(count, counts, note === undefined);
  const verdict = { verified: judged === "met", count, expected: limitWords(counts) };
  return judged === "unproven" && note !== undefined ? { ...verdict, gone: tenant.journal.dropped, note } : verdict;
}

/** Judges after each call until the verification holds or the time is over. Upper limits are judged at the end. */
async function verify({ tenant, signal }: Control, when: Conditions, body: VerifyBody): Promise<Verdict> {
  const judge = () => verdictOf(tenant, when, body);
  const mayEnd = body.at_most === undefined && !body.never;
  const first = judge();
  if (body.timeout_ms === 0 || (first.verified && mayEnd)) return first;
  await waitUntil(() => mayEnd && judge().verified, {
    timeoutMs: body.timeout_ms,
    signal,
    watch: (look) => tenant.journal.watch((entry) => meets(tenant, when, entry) && look()),
  });
  return judge();
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
  return found ? [{ operationId: found.id, method: found.method, path: found.path }] : [];
}

const NEAR_MISSES_MAX = 100;

function nearMisses(tenant: Tenant) {
  const known = new Map<string, ReturnType<typeof nearestOperations>>();
  const unmatched = tenant.journal.all().filter((one) => one.operationId === undefined);
  return unmatched.slice(-NEAR_MISSES_MAX).map((one) => {
    const found = getOrMake(known, `${one.method} ${one.path}`, () => nearestOperations(tenant.service, one));
    return { ...toCallView(one, tenant), nearest: found };
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
    does: "Returns 200 when as many calls meet the conditions as expected, at least one by default. Otherwise returns 422 with the nearest calls and their differences. Waits up to `timeout_ms`. After the journal dropped calls, an upper bound answers 422 and names `--journal-max`.",
    input: verifyBody,
    async run(control, input) {
      const { tenant } = control;
      const when = readConditions(tenant, input.match, "match");
      const verdict = await verify(control, when, input);
      if (verdict.verified) return verdict;
      const { note, ...rest } = verdict;
      const failed = {
        ...rest,
        type: "docdouble_not_verified",
        detail: `expected ${verdict.expected}, found ${verdict.count}${note === undefined ? "" : `, and ${note}`}`,
        nearest: nearestCalls(tenant, when)
          .filter(({ missed }) => missed > 0)
          .slice(0, NEAREST_MAX)
          .map(({ entry }) => toNearCall(tenant, when, entry)),
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
            callView().extend({
              nearest: z.array(z.strictObject({ operationId: z.string(), method: z.string(), path: z.string() })),
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
