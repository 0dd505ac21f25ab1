/** The service schedules in its own pages only, so no API operation exists. */
import { iso, readMoment } from "../../../engine/core/clock.ts";
import { ApiError, invalid } from "../../../engine/core/errors.ts";
import { fire } from "../lifecycle/transitions.ts";
import { toPerson } from "../members/members.ts";
import { requireSendable, sendOut } from "./sending.ts";
import { asCaller, type World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { findDocument } from "../document-model/find.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";

/** `at` is an instant, or a duration from now. @throws 400, 409, 423 */
export function schedule(world: World, document: DocumentRow, at: string | undefined): DocumentRow {
  requireUnlocked(world, document);
  if (at === undefined)
    throw invalid({ at: ["This field is required."] }, "schedule needs at: an instant, or a duration from now");
  const now = world.clock.now();
  const due = readMoment(at, now);
  if (due.problem !== undefined) throw invalid({ at: [due.problem] });
  if (due.value <= now) throw invalid({ at: [`"${at}" is not later than the clock, ${iso(now)}.`] });
  requireSendable(asOwner(world, document), document);
  return fire(world, withSchedule(world, document, due.value), "schedule");
}

export function withSchedule(world: World, document: DocumentRow, at: number): DocumentRow {
  const job = world.jobs.schedule("send_scheduled", Math.max(0, at - world.clock.now()), { document: document.id });
  return { ...document, internal: { ...document.internal, scheduled: { at, job } } };
}

/** Job: sends a scheduled document, or asks for approval first. assumed: send.scheduled. */
export function sendScheduled(world: World, id: string): void {
  const document = findDocument(world, id);
  if (!document?.internal.scheduled) return;
  try {
    world.store.savepoint(() => sendOut(asOwner(world, document), document, {}));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const failure = { type: "send", detail: `Cannot send the scheduled document: ${error.options.why ?? error.message}.` };
    world.store.documents.put({ ...document, internal: { ...document.internal, scheduled: null, failure } });
  }
}

function asOwner(world: World, document: DocumentRow): World {
  const { id, email } = toPerson(world, document.owner);
  return asCaller(world, {
    ...world.caller,
    workspace_id: document.workspace_id,
    membership_id: document.owner,
    user_id: id,
    email,
    environment: document.internal.environment,
  });
}
