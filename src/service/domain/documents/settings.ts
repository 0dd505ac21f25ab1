import { DAY_MS, moved } from "../../../engine/core/time-limits.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";
import { defined } from "../../../engine/core/defined.ts";
import { invalid } from "../../../engine/core/errors.ts";
import { isAllowedIn } from "../../model/documents/status-machine.ts";
import { statusReason } from "../document-model/status-reason.ts";
import { putDocument } from "../lifecycle/transitions.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { requireDocument } from "../document-model/find.ts";
import type { DocumentSettingsInput } from "../../model/documents/inputs.ts";

export type DocumentSettings = DocumentRow["internal"]["settings"];

export function changeSettings(world: World, id: string, input: DocumentSettingsInput): DocumentRow {
  const document = requireDocument(world, id);
  // assumed: locks.every_change.
  requireUnlocked(world, document);
  const before = document.internal.settings;
  const settings: DocumentSettings = { ...before, ...defined(input) };
  if (settings.suggest_edits !== before.suggest_edits && !isAllowedIn(document.status, "edit")) {
    // assumed: settings.fault_text.
    throw invalid(
      { suggest_edits: ["Suggest edits can be changed only in document.draft status."] },
      statusReason(document, "change suggest_edits", "edit"),
    );
  }
  // assumed: documents.any_status.
  if (isAllowedIn(document.status, "final") && Object.values(input).some((value) => value !== undefined))
    world.remark({
      kind: "doubtful_value",
      message: `The document is in ${document.status}, so its settings change nothing`,
      fix: "Change the settings before the document ends.",
    });
  const changed = { ...document, internal: { ...document.internal, settings } };
  return putDocument(world, settings.expires_in === before.expires_in ? changed : rescheduleExpiry(world, changed));
}

/** Counts the days from the sending. assumed: settings.shorter_expiration. */
function rescheduleExpiry(world: World, document: DocumentRow): DocumentRow {
  const { expire_job, settings } = document.internal;
  if (expire_job === null || document.date_sent === null) return document;
  world.jobs.cancel(expire_job);
  const expiration_date = moved(document.date_sent, settings.expires_in * DAY_MS);
  const wait = Math.max(0, expiration_date - world.clock.now());
  const job = world.jobs.schedule("expire_document", wait, { document: document.id });
  return { ...document, expiration_date, internal: { ...document.internal, expire_job: job } };
}
