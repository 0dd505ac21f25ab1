import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { isAllowedIn } from "../../model/documents/status-machine.ts";
import { statusReason } from "./status-reason.ts";
import { type ApiError, badRequest, notFound } from "../../../engine/core/errors.ts";
import { wrongStatus } from "../../model/refusals.ts";

export function findDocument(world: World, id: string): DocumentRow | undefined {
  const document = findDocumentOrDeleted(world, id);
  return document?.internal.deleted_at === null ? document : undefined;
}

export function findDocumentOrDeleted(world: World, id: string): DocumentRow | undefined {
  const document = world.store.documents.get(id);
  return world.caller.kind === "system" || document?.workspace_id === world.caller.workspace_id ? document : undefined;
}

export function requireDocument(world: World, id: string): DocumentRow {
  const document = findDocument(world, id);
  if (!document) throw unknownDocument(id);
  return document;
}

export function unknownDocument(id: string): ApiError {
  return notFound(`no document ${id} in this workspace`, { missing: "document" });
}

/** assumed: update.outside_draft. */
export function requireDraft(world: World, document: DocumentRow, purpose = "to be updated"): void {
  if (isAllowedIn(document.status, "edit")) return;
  const why = statusReason(document, "change the document", "edit");
  const detail = `Document should be in document.draft status ${purpose}`;
  throw world.decide("update.outside_draft") === 409 ? wrongStatus(document, detail, why) : badRequest(detail, { why });
}
