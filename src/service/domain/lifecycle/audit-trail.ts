import { isoSeconds } from "../../../engine/core/clock.ts";
import type { World } from "../../model/world.ts";
import type { AuditRow, DocumentRow } from "../../model/documents/document.ts";

export function audit(
  world: World,
  document: Pick<DocumentRow, "id">,
  action: number,
  by?: { id: string; email: string },
  reason: string | null = null,
): void {
  const user = by ?? { id: world.caller.user_id, email: world.caller.email };
  world.store.audit.put({ id: world.ids.short(), document_id: document.id, action, at: world.clock.now(), user, reason });
  if (by) world.emitHappening({ name: "act", subject: document.id, act: { action, by: by.email, reason } });
}

export function auditTrail(world: World, documentId: string): AuditRow[] {
  return world.store.audit.where("document", documentId).sort((a, b) => a.at - b.at);
}

export function toAuditEntry(world: World, row: AuditRow) {
  return {
    id: row.id,
    user: row.user,
    action: row.action,
    reason: row.reason,
    date_created: isoSeconds(row.at),
    // assumed: audit_trail.ip_address.
    ip_address: world.caller.environment === "sandbox" ? "hidden" : "127.0.0.1",
  };
}
