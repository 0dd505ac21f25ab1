import { type ApiError, forbidden, notFound } from "../../../engine/core/errors.ts";
import { endEditingSessions } from "../templates/editing-sessions.ts";
import { putDocument } from "../lifecycle/transitions.ts";
import { requireOwnerOrManager } from "../members/permissions.ts";
import { planReminders } from "../lifecycle/reminder-schedule.ts";
import { emit } from "../webhooks/subscriptions.ts";
import type { World } from "../../model/world.ts";
import { findDocumentOrDeleted, unknownDocument } from "../document-model/find.ts";
import { toLock } from "../document-model/view.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";

export function remove(world: World, id: string): void {
  const document = requireDeletable(world, id);
  requireUnlocked(world, document);
  leaveTombstone(world, document);
}

/** Deletes all documents, or none on failure. assumed: delete.bulk_locked. */
export function removeAll(world: World, ids: readonly string[]): string[] {
  const documents = [...new Set(ids)].map((id) => requireDeletable(world, id));
  const locked = documents.find((document) => toLock(world, document) !== null);
  if (locked && world.decide("delete.bulk_locked") === "refuse") requireUnlocked(world, locked);
  for (const document of documents) leaveTombstone(world, document);
  return documents.map((document) => document.id);
}

function requireDeletable(world: World, id: string): DocumentRow {
  const document = findDocumentOrDeleted(world, id);
  if (!document) throw unknownDocument(id);
  if (document.internal.deleted_at !== null) throw deletedAlready(world, id);
  // spec: the caller needs delete permission for each document.
  requireOwnerOrManager(world, document.owner, "delete it");
  return document;
}

/** Source: the official changelog of 2018 answers 403 to a second delete; no newer source contradicts it. */
function deletedAlready(world: World, id: string): ApiError {
  const why = `document ${id} is deleted already`;
  return world.decide("delete.second") === 404 ? notFound(why) : forbidden(why);
}

export function deleteUnchecked(world: World, document: DocumentRow): void {
  if (document.internal.deleted_at === null) leaveTombstone(world, document);
}

function leaveTombstone(world: World, document: DocumentRow): void {
  if (document.internal.expire_job) world.jobs.cancel(document.internal.expire_job);
  const tombstone = putDocument(world, {
    ...document,
    internal: { ...document.internal, deleted_at: world.clock.now(), expire_job: null },
  });
  planReminders(world, tombstone);
  for (const session of world.store.sessions.where("document", document.id)) world.store.sessions.delete(session.id);
  endEditingSessions(world, { kind: "document", id: document.id });
  world.emitHappening({ name: "document.deleted", subject: document.id });
  emit(world, "document_deleted", tombstone);
}
