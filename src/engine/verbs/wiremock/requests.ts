import { notFound } from "../../core/errors.ts";
import { goneCalls, patternFit, requireWholeAnswer } from "../../runtime/gone.ts";
import { group } from "../../core/operation.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import { streamList } from "./json-stream.ts";
import { toLoggedRequest, toServeEvent } from "./journal-view.ts";
import { patternTest, asBadRequest, requestPattern } from "./request-pattern.ts";
import * as schemas from "../schemas.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import { operation } from "../operation.ts";

const findBody = { body: requestPattern, bodyOptional: true } as const;

function found(tenant: Tenant, pattern: Parameters<typeof patternTest>[0]) {
  try {
    return tenant.journal.all().filter(patternTest(pattern));
  } catch (error) {
    throw asBadRequest(error);
  }
}

/** Refuses when dropped calls may match, because clients take the answer as complete. @throws 422 */
function foundOfAll(tenant: Tenant, pattern: Parameters<typeof patternTest>[0]) {
  const entries = found(tenant, pattern);
  requireWholeAnswer(tenant, entries.length, goneCalls(tenant, patternFit(pattern)));
  return entries;
}

/** Counts of dropped calls complete the number when they answer the whole pattern. @throws 422 */
function countOfAll(tenant: Tenant, pattern: Parameters<typeof patternTest>[0]): number {
  const left = found(tenant, pattern).length;
  const gone = goneCalls(tenant, patternFit(pattern));
  if (gone.min < gone.max) requireWholeAnswer(tenant, left, gone);
  return left + gone.min;
}

function eventsPage(tenant: Tenant, query: { since?: number; limit?: string; unmatched?: string }) {
  const all = tenant.journal
    .all()
    .reverse()
    .filter(
      (one) =>
        (query.since === undefined || one.at >= query.since) && (query.unmatched !== "true" || one.operationId === undefined),
    );
  const limit = query.limit === undefined ? all.length : Number(query.limit);
  return streamList("requests", serveEvents(tenant, all.slice(0, limit)), {
    meta: { total: all.length, ...(tenant.journal.dropped > 0 ? { gone: tenant.journal.dropped } : {}) },
    requestJournalDisabled: false,
  });
}

function* serveEvents(tenant: Tenant, entries: readonly JournalEntry[]) {
  for (const one of entries) yield toServeEvent(one, tenant);
}

function* loggedRequests(tenant: Tenant, entries: readonly JournalEntry[]) {
  for (const one of entries) yield toLoggedRequest(one, tenant.settings.publicUrl);
}

export const requestsGroup = group("Admin: requests", [
  operation({
    id: "adminListRequests",
    route: "GET /__admin/requests",
    query: schemas.listRequestsQuery,
    errors: [400],
    handle: ({ query }, { tenant }) => ({ status: 200, body: eventsPage(tenant, query) }),
  }),
  operation({
    id: "adminDeleteRequests",
    route: "DELETE /__admin/requests",
    handle: (_, { tenant }) => {
      tenant.journal.clear();
      return { status: 200, body: {} };
    },
  }),
  operation({
    id: "adminUnmatchedRequests",
    route: "GET /__admin/requests/unmatched",
    errors: [422],
    handle: (_, { tenant }) => {
      const unmatched = tenant.journal.all().filter((one) => one.operationId === undefined);
      const gone = goneCalls(tenant, ({ operationId }) => (operationId === undefined ? "yes" : "no"));
      requireWholeAnswer(tenant, unmatched.length, { ...gone, min: 0 });
      return {
        status: 200,
        body: streamList("requests", loggedRequests(tenant, unmatched), { requestJournalDisabled: false }),
      };
    },
  }),
  operation({
    id: "adminRequest",
    route: "GET /__admin/requests/{id}",
    errors: [404],
    handle: ({ params }, { tenant }) => {
      const entry = tenant.journal.get(params.id);
      if (!entry) throw notFound(`no request ${params.id} in the journal`);
      return { status: 200, body: toServeEvent(entry, tenant) };
    },
  }),
  operation({
    id: "adminCountRequests",
    route: "POST /__admin/requests/count",
    ...findBody,
    errors: [400, 422],
    handle: ({ body }, { tenant }) => ({
      status: 200,
      body: { count: countOfAll(tenant, body), requestJournalDisabled: false },
    }),
  }),
  operation({
    id: "adminFindRequests",
    route: "POST /__admin/requests/find",
    ...findBody,
    errors: [400, 422],
    handle: ({ body }, { tenant }) => ({
      status: 200,
      body: streamList("requests", loggedRequests(tenant, foundOfAll(tenant, body)), { requestJournalDisabled: false }),
    }),
  }),
  operation({
    id: "adminRemoveRequests",
    route: "POST /__admin/requests/remove",
    ...findBody,
    errors: [400],
    handle: ({ body }, { tenant }) => {
      const gone = new Set(found(tenant, body));
      tenant.journal.gone.remove(patternFit(body));
      const removed = tenant.journal.remove((one) => gone.has(one));
      return {
        status: 200,
        body: streamList("serveEvents", serveEvents(tenant, removed)),
      };
    },
  }),
]);
