import { wrongStatus } from "../../model/refusals.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import { keepFile } from "../content/files.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";
import { requireDocument } from "../document-model/find.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { MANUAL_TRIGGERS } from "../../model/documents/status-machine.ts";
import { fire } from "../lifecycle/transitions.ts";
import type { World } from "../../model/world.ts";
import type { StatusInput } from "../../model/sending/inputs.ts";

export function changeStatus(world: World, id: string, input: StatusInput, file?: UploadedFile): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  // spec: setting paid requires a connected payment app. assumed: documents.paid_without_app.
  if (input.status === 10 && world.store.workspaces.get(document.workspace_id)?.settings.payment_app === false)
    throw wrongStatus(
      document,
      "The document cannot be set to paid without a connected payment application",
      "the workspace has no payment application; set settings.payment_app of the workspace to true in the fixtures",
    );
  const note = input.note ?? "";
  const file_id = file ? keepFile(world, file) : null;
  const notes =
    note !== "" || file_id !== null
      ? [...document.internal.notes, { text: note, by: world.caller.membership_id, at: world.clock.now(), file_id }]
      : document.internal.notes;
  return fire(world, { ...document, internal: { ...document.internal, notes } }, MANUAL_TRIGGERS[input.status], {
    reason: note || null,
    notify: input.notify_recipients,
  });
}

/** spec: Move Document to Draft. Recipients are not notified. The document must be sent again. */
export function revert(world: World, id: string): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  if (document.status === "document.draft") {
    if (world.decide("revert.draft") === "allow") return document;
    throw wrongStatus(document, "The document is in document.draft already", "the document is in document.draft already");
  }
  if (document.status === "document.error" && world.decide("revert.error") === "refuse")
    throw wrongStatus(document, "A failed document cannot be moved to draft", "the creation failed; create the document again");
  return fire(world, document, "revert");
}
