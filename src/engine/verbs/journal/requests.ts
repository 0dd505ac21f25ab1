import * as z from "zod";
import { notFound } from "../../core/errors.ts";
import { requireWhole } from "../../runtime/dropped.ts";
import { lazy } from "../../core/operation.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import { callsThatMeet } from "../../runtime/search.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import { verb, verbGroup } from "../define.ts";
import { instant, metaView, readInstantOf } from "../inputs.ts";
import { callView, toCallView } from "./call-view.ts";
import { conditions, NEAREST_MAX, nearCallView, nearestCalls, readConditions, toNearCall } from "./search.ts";

const found = (tenant: Tenant, match: object) => callsThatMeet(tenant, readConditions(tenant, match));

function shownCalls(calls: readonly JournalEntry[], tenant: Tenant) {
  return { requests: calls.map((one) => toCallView(one, tenant)) };
}

const listInput = lazy(() =>
  z.strictObject({
    since: instant().optional(),
    limit: z.string().regex(/^\d+$/).or(z.int().min(0)).optional(),
    unmatched: z.enum(["true", "false"]).or(z.boolean()).optional(),
  }),
);

const matchInput = lazy(() => z.strictObject({ match: conditions().optional() }));
const requestsView = lazy(() => z.strictObject({ requests: z.array(callView()) }));

export const requestVerbs = verbGroup("Admin: requests", { tool: "read_requests and verify read the journal" }, [
  verb({
    name: "journal.list",
    does: "Lists the journal, newest first. Each entry has an `operationId`, the rule that acted, and `why` docdouble refused the call.",
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
      answer: () => requestsView().extend({ meta: metaView() }),
      example: { path: "/__admin/requests?limit=5" },
      show: ({ entries, total }, { tenant }) => ({
        ...shownCalls(entries, tenant),
        meta: { total, ...(tenant.journal.dropped > 0 ? { gone: tenant.journal.dropped } : {}) },
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
      answer: callView,
      errors: [404],
      example: { path: "/__admin/requests/$request" },
      show: (entry, { tenant }) => toCallView(entry, tenant),
    },
  }),
  verb({
    name: "journal.count",
    does: "Counts the calls that meet all conditions. Answers 422 when the journal has dropped calls.",
    input: matchInput,
    run({ tenant }, { match = {} }) {
      const count = found(tenant, match).length;
      requireWhole(tenant, "requests", count);
      return count;
    },
    admin: {
      id: "adminCountRequests",
      route: "POST /__admin/requests/count",
      body: "match",
      answer: () => z.strictObject({ count: z.int() }),
      errors: [422],
      show: (count) => ({ count }),
    },
  }),
  verb({
    name: "journal.find",
    does: "Lists the calls that meet all conditions, which are written as the `when` of a rule. For a multipart body, the journal keeps the fields in `body`, and the name, type, size and SHA-256 of each file in `parts`. Match them with paths such as `$.data.name` and `$.file.filename`. Answers 422 when the journal has dropped calls.",
    input: matchInput,
    run({ tenant }, { match = {} }) {
      const entries = found(tenant, match);
      requireWhole(tenant, "requests", entries.length);
      return entries;
    },
    admin: {
      id: "adminFindRequests",
      route: "POST /__admin/requests/find",
      body: "match",
      answer: requestsView,
      errors: [422],
      show: (entries, { tenant }) => shownCalls(entries, tenant),
    },
  }),
  verb({
    name: "journal.nearest",
    does: "Lists the three calls that are nearest to the conditions, the nearest first, with the conditions that each misses.",
    input: matchInput,
    run({ tenant }, { match = {} }) {
      const when = readConditions(tenant, match);
      return { when, nearest: nearestCalls(tenant, when).slice(0, NEAREST_MAX) };
    },
    admin: {
      id: "adminNearestRequests",
      route: "POST /__admin/requests/nearest",
      body: "match",
      answer: () => z.strictObject({ nearest: z.array(nearCallView()) }),
      show: ({ when, nearest }, { tenant }) => ({ nearest: nearest.map(({ entry }) => toNearCall(tenant, when, entry)) }),
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
      show: (entries, { tenant }) => shownCalls(entries, tenant),
    },
  }),
  verb({
    name: "journal.remove",
    does: "Deletes the calls that meet all conditions from the journal.",
    input: matchInput,
    run({ tenant }, { match = {} }) {
      const matching = new Set(found(tenant, match));
      return tenant.journal.remove((one) => matching.has(one));
    },
    admin: {
      id: "adminRemoveRequests",
      route: "POST /__admin/requests/remove",
      body: "match",
      answer: requestsView,
      show: (removed, { tenant }) => shownCalls(removed, tenant),
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
