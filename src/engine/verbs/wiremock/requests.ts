import * as z from "zod";
import { notFound } from "../../core/errors.ts";
import { requireWhole } from "../../runtime/dropped.ts";
import { lazy } from "../../core/operation.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import { streamList } from "./json-stream.ts";
import { loggedRequestView, serveEventView, toLoggedRequest, toServeEvent } from "./journal-view.ts";
import { patternTest, requestPattern } from "./request-pattern.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import type { RequestPattern } from "../../rules/pattern-types.ts";
import { verb, verbGroup } from "../define.ts";
import { instant, metaView, readInstantOf } from "../inputs.ts";
import { NEAREST_MAX, nearCallView, nearestCalls, requireKnownOperation, toNearCall } from "./nearest.ts";

function found(tenant: Tenant, pattern: RequestPattern) {
  requireKnownOperation(tenant, pattern);
  return tenant.journal.all().filter(patternTest(pattern));
}

function* serveEvents(tenant: Tenant, entries: readonly JournalEntry[]) {
  for (const one of entries) yield toServeEvent(one, tenant);
}

function* loggedRequests(tenant: Tenant, entries: readonly JournalEntry[]) {
  for (const one of entries) yield toLoggedRequest(one, tenant.settings.publicUrl);
}

const listInput = lazy(() =>
  // WireMock's clients may send parameters that docdouble lacks.
  z.object({
    since: instant().optional(),
    limit: z.string().regex(/^\d+$/).or(z.int().min(0)).optional(),
    unmatched: z.enum(["true", "false"]).or(z.boolean()).optional(),
  }),
);

const patternInput = lazy(() => z.strictObject({ pattern: requestPattern().optional().describe("conditions of WireMock") }));
const requestsView = lazy(() =>
  z.strictObject({ requests: z.array(loggedRequestView()), requestJournalDisabled: z.literal(false) }),
);
const nearMissView = lazy(() =>
  z.strictObject({
    request: loggedRequestView(),
    requestPattern: z.record(z.string(), z.unknown()),
    matchResult: z.strictObject({ distance: z.number().describe("missed conditions, for each member of the pattern") }),
  }),
);
const NOT_DISABLED = { requestJournalDisabled: false } as const;

export const requestVerbs = verbGroup("Admin: requests", { tool: "read_requests and verify read the journal" }, [
  verb({
    name: "journal.list",
    does: "Lists the journal, newest first, in WireMock's format. Each entry has an `operationId`, the rule that matched, and `why` docdouble refused the call.",
    input: listInput,
    run({ tenant }, { since, limit, unmatched }) {
      const first = since === undefined ? undefined : readInstantOf(since);
      const entries = tenant.journal
        .all()
        .reverse()
        .filter(
          (one) => (first === undefined || one.at >= first) && (String(unmatched) !== "true" || one.operationId === undefined),
        );
      return { entries: limit === undefined ? entries : entries.slice(0, Number(limit)), total: entries.length };
    },
    admin: {
      id: "adminListRequests",
      route: "GET /__admin/requests",
      answer: () =>
        z.strictObject({ requests: z.array(serveEventView()), meta: metaView(), requestJournalDisabled: z.literal(false) }),
      example: { path: "/__admin/requests?limit=5" },
      show: ({ entries, total }, { tenant }) =>
        streamList("requests", serveEvents(tenant, entries), {
          meta: { total, ...(tenant.journal.dropped > 0 ? { gone: tenant.journal.dropped } : {}) },
          ...NOT_DISABLED,
        }),
    },
  }),
  verb({
    name: "journal.show",
    does: "Returns one journal entry.",
    input: () => z.strictObject({ id: z.string() }),
    run({ tenant }, { id }) {
      const entry = tenant.journal.get(id);
      if (!entry) throw notFound(`no request ${id} in the journal`);
      return entry;
    },
    admin: {
      id: "adminRequest",
      route: "GET /__admin/requests/{id}",
      answer: serveEventView,
      errors: [404],
      example: { path: "/__admin/requests/$request" },
      show: (entry, { tenant }) => toServeEvent(entry, tenant),
    },
  }),
  verb({
    name: "journal.count",
    does: "Counts the matching requests. Answers 422 when the journal has dropped requests.",
    input: patternInput,
    run({ tenant }, { pattern = {} }) {
      const count = found(tenant, pattern).length;
      requireWhole(tenant, "requests", count);
      return count;
    },
    admin: {
      id: "adminCountRequests",
      route: "POST /__admin/requests/count",
      body: "pattern",
      answer: () => z.strictObject({ count: z.int(), requestJournalDisabled: z.literal(false) }),
      errors: [422],
      show: (count) => ({ count, ...NOT_DISABLED }),
    },
  }),
  verb({
    name: "journal.find",
    does: "Lists the matching requests. For a multipart body, the journal keeps the fields in `body`, and the name, type, size and SHA-256 of each file in `parts`. Match them with `multipartPatterns`, or with paths such as `$.data.name` and `$.file.filename`. Answers 422 when the journal has dropped requests.",
    input: patternInput,
    run({ tenant }, { pattern = {} }) {
      const entries = found(tenant, pattern);
      requireWhole(tenant, "requests", entries.length);
      return entries;
    },
    admin: {
      id: "adminFindRequests",
      route: "POST /__admin/requests/find",
      body: "pattern",
      answer: requestsView,
      errors: [422],
      show: (entries, { tenant }) => streamList("requests", loggedRequests(tenant, entries), NOT_DISABLED),
    },
  }),
  verb({
    name: "journal.nearest",
    does: "Lists the three calls that are nearest to a pattern, the nearest first, with the conditions that each misses.",
    input: patternInput,
    run: ({ tenant }, { pattern = {} }) => nearestCalls(tenant, pattern),
    admin: {
      id: "adminNearestRequests",
      route: "POST /__admin/requests/nearest",
      body: "pattern",
      answer: () => z.strictObject({ nearest: z.array(nearCallView()) }),
      show: (nearest, { tenant }) => ({ nearest: nearest.slice(0, NEAREST_MAX).map((one) => toNearCall(tenant, one)) }),
    },
  }),
  verb({
    name: "journal.nearMissesOf",
    does: "Lists the three calls that are nearest to a pattern, in WireMock's format. WireMock's client for Java asks for them when a verification finds no call.",
    input: patternInput,
    run: ({ tenant }, { pattern = {} }) => ({ pattern, nearest: nearestCalls(tenant, pattern).slice(0, NEAREST_MAX) }),
    admin: {
      id: "adminNearMissesOfPattern",
      route: "POST /__admin/near-misses/request-pattern",
      body: "pattern",
      answer: () => z.strictObject({ nearMisses: z.array(nearMissView()) }),
      show: ({ pattern: requestPattern, nearest }, { tenant }) => ({
        nearMisses: nearest.map(({ entry, failed }) => ({
          request: toLoggedRequest(entry, tenant.settings.publicUrl),
          requestPattern: { ...requestPattern },
          matchResult: { distance: failed / Math.max(1, Object.keys(requestPattern).length) },
        })),
      }),
    },
  }),
  verb({
    name: "journal.unmatched",
    does: "Lists the requests that reached no operation. Answers 422 when the journal has dropped requests.",
    run({ tenant }) {
      const unmatched = tenant.journal.all().filter((one) => one.operationId === undefined);
      requireWhole(tenant, "requests", unmatched.length);
      return unmatched;
    },
    admin: {
      id: "adminUnmatchedRequests",
      route: "GET /__admin/requests/unmatched",
      answer: requestsView,
      errors: [422],
      show: (entries, { tenant }) => streamList("requests", loggedRequests(tenant, entries), NOT_DISABLED),
    },
  }),
  verb({
    name: "journal.remove",
    does: "Deletes the matching requests from the journal.",
    input: patternInput,
    run({ tenant }, { pattern = {} }) {
      const matching = new Set(found(tenant, pattern));
      return tenant.journal.remove((one) => matching.has(one));
    },
    admin: {
      id: "adminRemoveRequests",
      route: "POST /__admin/requests/remove",
      body: "pattern",
      answer: () => z.strictObject({ serveEvents: z.array(serveEventView()) }),
      show: (removed, { tenant }) => streamList("serveEvents", serveEvents(tenant, removed)),
    },
  }),
  verb({
    name: "journal.clear",
    does: "Deletes all requests from the journal.",
    run: ({ tenant }) => tenant.journal.clear(),
    admin: { id: "adminDeleteRequests", route: "DELETE /__admin/requests", answer: () => z.strictObject({}), show: () => ({}) },
    without: { tool: "the tool reset takes part: journal" },
  }),
]);
