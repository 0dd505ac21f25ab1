import * as z from "zod";
import { forbidden } from "../../engine/core/errors.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { auditTrailQuery } from "../model/lifecycle/inputs.ts";
import { auditTrail, toAuditEntry } from "../domain/lifecycle/audit-trail.ts";
import { requireWorkspaceAdmin } from "../domain/members/permissions.ts";
import { ok, operation } from "./operation.ts";
import { dateTimeOfSeconds } from "./shapes/document.ts";
import { requireDocument } from "../domain/document-model/find.ts";

const trail = lazy(() =>
  z.strictObject({
    count: z.number().int(),
    results: z.array(
      z.strictObject({
        id: z.string(),
        user: z.strictObject({ id: z.string(), email: z.string() }),
        action: z.number().int(),
        reason: z.string().nullable(),
        date_created: dateTimeOfSeconds(),
        ip_address: z.string().nullable(),
      }),
    ),
  }),
);

export const auditTrailGroup = group("Document Audit Trail", [
  operation({
    id: "listDocumentAuditTrail",
    route: "GET /public/v2/documents/{document_id}/audit-trail",
    query: auditTrailQuery,
    responses: { 200: trail },
    errors: [],
    handle: ({ params, query }, world) => {
      const document = requireDocument(world, params.document_id);
      requireWorkspaceAdmin(world, document.workspace_id, "the audit trail");
      if (world.decide("audit_trail.access") === "refuse") throw forbidden("this account has no access to the audit trail");
      const rows = auditTrail(world, document.id);
      const { limit, offset } = query;
      return ok({ count: rows.length, results: rows.slice(offset, offset + limit).map((row) => toAuditEntry(world, row)) });
    },
  }),
]);
