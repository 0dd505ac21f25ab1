import { createFromTemplate } from "../nouns/documents/documents.ts";
import { bring, placeholderRecipients, problemOf } from "../nouns/signing/bring.ts";
import { hint } from "../../engine/core/text.ts";
import { FixtureError } from "../../engine/scenario/fixture-error.ts";
import type { DocumentStatus } from "../nouns/documents/status-machine.ts";
import type { TemplateRow } from "../nouns/templates/row.ts";
import type { World } from "../kit/world.ts";
import type { Fixture, Fixtures } from "./inputs.ts";
import { seedEach } from "./templates.ts";

export function seedDocuments(world: World, fixtures: Fixtures["documents"]): void {
  seedEach(fixtures, (one) => seedDocument(quiet(world), one));
}

/** The past of a seeded document sends no events, wakes no actor and is no finding of client lint. */
function quiet(world: World): World {
  return {
    ...world,
    outbox: { ...world.outbox, enqueue: (delivery) => delivery as never },
    remark() {},
    emitHappening() {},
  };
}

function seedDocument(world: World, one: Fixture<"documents">): void {
  const template = templateOf(world, one);
  const status = one.status ?? "document.draft";
  if (one.send_at !== undefined && status !== "document.scheduled")
    throw new FixtureError(`document ${one.name}: send_at needs the status document.scheduled; the status is ${status}`);
  const problem = problemOf(template, status);
  if (problem !== undefined) throw new FixtureError(`document ${one.name}: cannot reach ${status}: ${problem}`);
  if (one.id !== undefined) forget(world, one.id);
  const fields = one.fields && Object.fromEntries(Object.entries(one.fields).map(([name, value]) => [name, { value }]));
  const { id } = createFromTemplate(refusingUnknownFields(world, one.name), {
    id: one.id,
    template_uuid: template.id,
    name: one.name,
    recipients: one.recipients ?? (WITHOUT_PEOPLE.includes(status) ? [] : placeholderRecipients(template)),
    fields,
    metadata: one.metadata,
    tags: one.tags,
    folder_uuid: one.folder,
  });
  bring(world, id, status, { send_at: one.send_at });
  const { store } = world;
  // Mails of the past are read.
  for (const mail of store.emails.where("document", id)) store.emails.delete(mail.id);
  const document = store.documents.get(id);
  if (document) store.documents.put({ ...document, internal: { ...document.internal, alias: one.as ?? null } });
}

/** Nobody needs to act before these. */
const WITHOUT_PEOPLE: readonly DocumentStatus[] = ["document.uploaded", "document.draft", "document.error"];

function templateOf({ store }: World, { template: wanted }: Fixture<"documents">): TemplateRow {
  const templates = store.templates.all();
  const found = templates.find((row) => row.id === wanted || row.name === wanted);
  if (found) return found;
  const names = templates.flatMap(({ id, name }) => [name, id]);
  throw new FixtureError(`is refused: no template "${wanted}" in this workspace${hint(wanted, names)}`);
}

/** A fixture replaces the document with its id, and the history of that document. */
function forget({ store, jobs }: World, id: string): void {
  const before = store.documents.get(id);
  if (!before) return;
  const { expire_job, scheduled } = before.internal;
  for (const job of [expire_job, scheduled?.job]) if (job) jobs.cancel(job);
  for (const kind of ["convert_document", "make_pdf"]) jobs.cancelWhere(kind, { document: id });
  for (const row of store.history.where("document", id)) store.history.delete(row.id);
}

/** The service ignores an unknown field. In a fixtures file it is a mistake. */
function refusingUnknownFields(world: World, document: string): World {
  return {
    ...world,
    remark(one) {
      if (one.kind === "unknown_document_field")
        throw new FixtureError(`document ${document}: ${one.message.replace(/, so .*$/, "")}. ${one.fix}`);
    },
  };
}
