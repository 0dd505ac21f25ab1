import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { requireDocument } from "../domain/document-model/find.ts";
import { createInStatus, newDocument } from "./document-in-status.ts";
import { toDocumentLine, toDocumentState } from "./document-state.ts";
import { timelineOf, toTimelineView } from "./timeline.ts";
import type { Tenant } from "../model/tenant.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import { anything, operation } from "./operation.ts";

const listQuery = lazy(() => z.strictObject({ q: z.string().optional(), status: z.string().optional() }));

export function findDocuments(tenant: Tenant, q = "", status?: string): DocumentRow[] {
  const wanted = q.toLowerCase();
  return newestFirst(tenant).filter(
    (row) =>
      (status === undefined || row.status === status || row.status === `document.${status}`) &&
      (row.id === q || row.name.toLowerCase().includes(wanted)),
  );
}

/** With a frozen clock, many documents have the same time of creation. The order in the store then decides. */
export function newestFirst(tenant: Tenant): DocumentRow[] {
  return tenant.store.documents
    .all()
    .reverse()
    .sort((a, b) => b.date_created - a.date_created);
}

export function searchDocuments(tenant: Tenant, q = ""): DocumentRow[] {
  const wanted = q.toLowerCase();
  const rows = newestFirst(tenant);
  return wanted === "" ? rows : rows.filter((row) => textOf(row).includes(wanted));
}

function requireRow(tenant: Tenant, id: string): DocumentRow {
  const row = tenant.store.documents.get(id);
  if (!row) throw notFound(`no document ${id} in tenant ${tenant.id}`);
  return row;
}

function textOf({ id, name, template, tags, metadata, recipients, status }: DocumentRow): string {
  const people = recipients.flatMap((one) => [one.email, one.first_name, one.last_name, one.role]);
  return [id, name, template?.id, template?.name, status, ...tags, ...Object.entries(metadata).flat(), ...people]
    .join(" ")
    .toLowerCase();
}

export const documentsGroup = group("Admin: documents", [
  operation({
    id: "adminCreateDocument",
    route: "POST /__admin/documents",
    body: newDocument,
    bodyOptional: true,
    responses: { 201: anything },
    errors: [400],
    handle: async ({ body }, { tenant }) => {
      const id = await createInStatus(tenant, body);
      return { status: 201 as const, body: toDocumentState(tenant, requireDocument(tenant.world, id)) };
    },
  }),
  operation({
    id: "adminListDocuments",
    route: "GET /__admin/documents",
    query: listQuery,
    errors: [400],
    handle: ({ query }, { tenant }) => {
      const rows = findDocuments(tenant, query.q, query.status);
      const now = tenant.clock.now();
      return { status: 200, body: { documents: rows.map((row) => toDocumentLine(row, now)), meta: { total: rows.length } } };
    },
  }),
  operation({
    id: "adminDocument",
    route: "GET /__admin/documents/{id}",
    errors: [404],
    handle: ({ params }, { tenant }) => {
      return { status: 200, body: toDocumentState(tenant, requireRow(tenant, params.id)) };
    },
  }),
  operation({
    id: "adminDocumentTimeline",
    route: "GET /__admin/documents/{id}/timeline",
    errors: [404],
    handle: ({ params }, { tenant }) => ({
      status: 200,
      body: { timeline: timelineOf(tenant, requireRow(tenant, params.id)).map(toTimelineView) },
    }),
  }),
]);
