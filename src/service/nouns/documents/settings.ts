import * as z from "zod";
import { defined } from "../../../engine/core/defined.ts";
import { invalid } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { DAY_MS, moved } from "../../../engine/core/time-limits.ts";
import { ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentSettingsInput } from "./inputs.ts";
import { documentSettingsRequest } from "./inputs.ts";
import type { DocumentRow } from "./row.ts";
import { requireDocument, requireUnlocked } from "./row.ts";
import { isAllowedIn } from "./status-machine.ts";
import { statusReason } from "./status-reason.ts";
import { putDocument } from "./transitions.ts";

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

const settings = lazy(() =>
  z.strictObject({
    language: z.string(),
    qualified_electronic_signature: z.boolean(),
    expires_in: z.number().int(),
    suggest_edits: z.boolean(),
  }),
);

export const documentSettingsGroup = group("Document Settings", [
  operation({
    id: "documentSettingsGet",
    route: "GET /public/v2/documents/{document_id}/settings",
    responses: { 200: settings },
    errors: [],
    handle: ({ params }, world) => ok(requireDocument(world, params.document_id).internal.settings),
  }),
  operation({
    id: "documentSettingsUpdate",
    route: "PATCH /public/v2/documents/{document_id}/settings",
    body: documentSettingsRequest,
    responses: { 200: settings },
    errors: [],
    furtherErrors: [423],
    limits:
      "docdouble stores the language, and nothing uses it. A qualified electronic signature works like any other signature.",
    handle: ({ params, body }, world) => ok(changeSettings(world, params.document_id, body).internal.settings),
  }),
]);
