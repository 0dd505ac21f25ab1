import { DAY_MS } from "../../engine/core/time-limits.ts";
import { type DocumentStatus, isAllowedIn } from "../model/documents/status-machine.ts";
import { createFromTemplate } from "../domain/documents/documents.ts";
import { readMoment } from "../../engine/core/clock.ts";
import { withSchedule } from "../domain/sending/scheduled-sending.ts";
import type { Fixture, Fixtures } from "../model/world/inputs.ts";
import { seedEach } from "./templates.ts";
import { hint } from "../../engine/core/text.ts";
import type { World } from "../model/world.ts";
import { isMarkField } from "../model/content/rows.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import { FixtureError } from "../../engine/scenario/fixture-error.ts";

const DRAFT: readonly DocumentStatus[] = ["document.uploaded", "document.draft"];
const SENT: readonly DocumentStatus[] = [...DRAFT, "document.sent"];
const VIEWED: readonly DocumentStatus[] = [...SENT, "document.viewed"];

const LIKELY_PATHS: Readonly<Record<DocumentStatus, readonly DocumentStatus[]>> = {
  "document.uploaded": ["document.uploaded"],
  "document.draft": DRAFT,
  "document.error": ["document.uploaded", "document.error"],
  "document.scheduled": [...DRAFT, "document.scheduled"],
  "document.waiting_approval": [...DRAFT, "document.waiting_approval"],
  "document.approved": [...DRAFT, "document.waiting_approval", "document.approved"],
  "document.rejected": [...DRAFT, "document.waiting_approval", "document.rejected"],
  "document.sent": SENT,
  "document.viewed": VIEWED,
  "document.external_review": [...VIEWED, "document.external_review"],
  "document.completed": [...VIEWED, "document.completed"],
  "document.waiting_pay": [...VIEWED, "document.waiting_pay"],
  "document.paid": [...VIEWED, "document.waiting_pay", "document.paid"],
  "document.voided": [...SENT, "document.voided"],
  "document.declined": [...VIEWED, "document.declined"],
};

export function seedDocuments(world: World, fixtures: Fixtures["documents"]): void {
  seedEach(fixtures, (one) => seedDocument(world, one));
}

function seedDocument(world: World, one: Fixture<"documents">): void {
  const template = world.store.templates.all().find((row) => row.id === one.template || row.name === one.template);
  const fields = one.fields && Object.fromEntries(Object.entries(one.fields).map(([name, value]) => [name, { value }]));
  if (!template) {
    const names = world.store.templates.all().flatMap(({ id, name }) => [name, id]);
    throw new FixtureError(`is refused: no template "${one.template}" in this workspace${hint(one.template, names)}`);
  }
  const created = createFromTemplate(refusingUnknownFields(world, one.name), {
    template_uuid: template.id,
    name: one.name,
    recipients: one.recipients ?? [],
    fields,
    metadata: one.metadata,
    tags: one.tags,
    folder_uuid: one.folder,
  });
  const status = one.status ?? "document.draft";
  if (one.send_at !== undefined && status !== "document.scheduled")
    throw new FixtureError(`document ${one.name}: send_at needs the status document.scheduled; the status is ${status}`);
  if (status !== "document.uploaded") world.jobs.cancelWhere("convert_document", { document: created.id });
  const document = { ...toStatus(world, created, status), id: one.id ?? created.id };
  if (document.id !== created.id) world.store.documents.delete(created.id);
  world.store.documents.put({ ...document, internal: { ...document.internal, alias: one.as ?? null } });
  if (one.send_at !== undefined) planSending(world, document, one.send_at);
  if (isAllowedIn(status, "expires")) startExpiry(world, document);
}

/** The service ignores an unknown field. In a fixtures file it is a mistake. */
function refusingUnknownFields(world: World, document: string): World {
  return {
    ...world,
    remark(one) {
      if (one.kind !== "unknown_document_field") world.remark(one);
      else throw new FixtureError(`document ${document}: ${one.message.replace(/, so .*$/, "")}. ${one.fix}`);
    },
  };
}

function planSending(world: World, document: DocumentRow, text: string): void {
  const at = readMoment(text, world.clock.now());
  if (at.problem !== undefined) throw new FixtureError(`document ${document.name}: ${at.problem}`);
  const current = world.store.documents.get(document.id) ?? document;
  world.store.documents.put(withSchedule(world, current, at.value));
}

function startExpiry(world: World, document: DocumentRow): void {
  const expire_job = world.jobs.schedule("expire_document", document.internal.settings.expires_in * DAY_MS, {
    document: document.id,
  });
  const current = world.store.documents.get(document.id) ?? document;
  world.store.documents.put({ ...current, internal: { ...current.internal, expire_job } });
}

function toStatus(world: World, document: DocumentRow, status: DocumentStatus): DocumentRow {
  const now = world.clock.now();
  const path = LIKELY_PATHS[status];
  const has = (one: DocumentStatus) => path.includes(one);
  const isSigned = has("document.completed") || has("document.waiting_pay");
  const isFinished = has("document.completed") || has("document.paid");
  return {
    ...document,
    status,
    version: status === "document.uploaded" ? null : "2",
    date_sent: has("document.sent") ? now : null,
    sent_by: has("document.sent") ? document.owner : null,
    date_completed: isFinished ? now : null,
    date_declined: has("document.declined") ? now : null,
    expiration_date: has("document.sent") ? world.clock.after(document.internal.settings.expires_in * DAY_MS) : null,
    fields: isSigned
      ? document.fields.map((field) => (isMarkField(field) ? { ...field, value: { text: "signed" } } : field))
      : document.fields,
    recipients: document.recipients.map((recipient) => ({
      ...recipient,
      has_completed: isSigned && recipient.recipient_type === "signer",
      signature_date: isSigned && recipient.recipient_type === "signer" ? now : null,
      internal: {
        ...recipient.internal,
        viewed_at: has("document.viewed") ? now : null,
        notified_at: has("document.sent") ? now : null,
      },
    })),
    internal: {
      ...document.internal,
      path: [...path],
      pdf_ready: isFinished,
      payment: document.internal.payment && { ...document.internal.payment, paid_at: has("document.paid") ? now : null },
    },
  };
}
