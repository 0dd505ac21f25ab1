/** Documents with internal details that no operation of the service shows, for people and tests. */
import * as z from "zod";
import { notFound } from "../../core/errors.ts";
import { group, lazy, operationsFor } from "../../core/operation.ts";
import { toDocumentLine, toDocumentState } from "./document-state.ts";
import type { Control } from "../tenants/tenant-registry.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { DocumentRow } from "../../domain/document-model/rows.ts";

const operation = operationsFor<Control>();
const anything = lazy(() => z.unknown());
const byId = lazy(() => z.object({ id: z.string() }));

const listQuery = lazy(() => z.strictObject({ q: z.string().optional(), status: z.string().optional() }));

/** Documents of every workspace, the newest first. */
export function findDocuments(tenant: Tenant, q = "", status?: string): DocumentRow[] {
  const wanted = q.toLowerCase();
  return tenant.store.documents
    .all()
    .filter(
      (row) =>
        (status === undefined || row.status === status || row.status === `document.${status}`) &&
        (row.id === q || row.name.toLowerCase().includes(wanted)),
    )
    .sort((a, b) => b.date_created - a.date_created || (a.id < b.id ? -1 : 1));
}

export const documentsGroup = group("Admin: documents", [
  operation({
    id: "adminListDocuments",
    route: "GET /__admin/documents",
    query: listQuery,
    responses: { 200: anything },
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
    params: byId,
    responses: { 200: anything },
    errors: [404],
    handle: ({ params }, { tenant }) => {
      const row = tenant.store.documents.get(params.id);
      if (!row) throw notFound(`no document ${params.id} in tenant ${tenant.id}`);
      return { status: 200, body: toDocumentState(tenant, row) };
    },
  }),
]);
