import { iso } from "../../../engine/core/clock.ts";
import { badRequest, invalid, notFound, tooLarge } from "../../../engine/core/errors.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import { FILE_MB_MAX, newConversion, sourceOf, startConversion } from "../content/file-conversion.ts";
import { remarkUnknownNames } from "../content/unknown-names.ts";
import { checkPricing } from "../pricing/table-input.ts";
import { currencyRefused } from "../pricing/table-checks.ts";
import { checkPlacedPricing, checkPlaceholders, otherCurrencyIn, remarkPlaces } from "../library/placement.ts";
import { putContent, requireAllowed } from "../lifecycle/transitions.ts";
import {
  addRecipient,
  alreadyListed,
  assignRecipientTypes,
  isSamePerson,
  mergeRecipient,
  refuseManyRecipients,
} from "../recipients/recipients.ts";
import { remarkSharedAddresses } from "../recipients/remarks.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import { sectionConversion } from "./section-processing.ts";
import { requireUsableTemplate } from "../templates/templates.ts";
import type { World } from "../../model/world.ts";
import type { SectionInput } from "../../model/documents/inputs.ts";
import type { SectionRow, SectionUploadRow } from "../../model/documents/rows.ts";
import { requireDocument, requireDraft } from "../document-model/find.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";
import { type People, withKnownRoles } from "./roles.ts";

const BYTES_MAX = FILE_MB_MAX * 1024 * 1024;

export function uploadSection(
  world: World,
  documentId: string,
  scope: SectionUploadRow["merge_field_scope"],
  input: SectionInput,
  file?: UploadedFile,
): SectionUploadRow {
  const document = requireDocument(world, documentId);
  requireUnlocked(world, document);
  requireDraft(world, document);
  if (file && file.bytes.length > BYTES_MAX) throw tooLarge(`Attached file is too big. Maximum file size is ${FILE_MB_MAX} MB`);
  const template = input.template_uuid === undefined ? undefined : requireUsableTemplate(world, input.template_uuid);
  if (input.recipients === undefined && world.decide("sections.recipients") === "required")
    throw invalid({ recipients: ["This field is required."] });
  const people = template ? withKnownRoles(world, template, input) : input;
  checkPeople(world, document, people);
  if (template) {
    checkPricing(world, template.pricing_tables, input.pricing_tables);
    checkPlaceholders(world, template, people.content_placeholders ?? []);
    checkPlacedPricing(world, template, people.content_placeholders ?? []);
    const wrong = otherCurrencyIn(world, template, input);
    if (wrong && world.decide("pricing.other_currency") === "vendor") throw currencyRefused(wrong, { keepsChanges: false });
    const isShared = scope === "document";
    const fields = isShared ? [...template.fields, ...document.fields] : template.fields;
    const tokens = isShared ? [...template.tokens, ...document.tokens] : template.tokens;
    remarkUnknownNames(world, { ...template, fields, tokens }, input);
    remarkPlaces(world, template, input.content_placeholders ?? []);
  }
  const now = world.clock.now();
  const upload = world.store.section_uploads.put({
    id: world.ids.short(),
    document_id: document.id,
    name: input.name ?? null,
    status: "document_sections_upload.UPLOADED",
    date_created: now,
    date_modified: now,
    date_completed: null,
    section_ids: [],
    merge_field_scope: scope,
    template_id: template?.id ?? null,
    file_name: file?.name ?? null,
    request: {
      recipients: people.recipients ?? [],
      tokens: input.tokens ?? [],
      tags: input.tags ?? [],
      fields: input.fields ?? {},
      pricing_tables: input.pricing_tables ?? [],
      parse_form_fields: input.parse_form_fields ?? false,
      parse_text_tags: input.parse_text_tags,
      content_placeholders: people.content_placeholders,
    },
    conversion: newConversion(template ? null : sourceOf(world, input.url, file)),
  });
  startConversion(world, sectionConversion, upload.id);
  return upload;
}

/**
 * Checks the people now, while the answer of the request can still refuse them. People of the document may occur again, also with
 * another role. assumed: sections.known_people.
 */
function checkPeople(world: World, document: DocumentRow, { recipients = [], content_placeholders = [] }: People): void {
  let all = document.recipients;
  const asked: RecipientRow[] = [];
  const groups = [
    { at: "", people: recipients },
    ...content_placeholders.flatMap((place, p) =>
      (place.content_library_items ?? []).map((item, i) => ({
        at: `content_placeholders[${p}].content_library_items[${i}].`,
        people: item.recipients ?? [],
      })),
    ),
  ];
  for (const { at, people } of groups)
    for (const [i, one] of people.entries()) {
      const path = `${at}recipients[${i}]`;
      const added = addRecipient(world, one, path);
      const isTwice = asked.some((other) => isSamePerson(other, added));
      if (isTwice && world.decide("recipients.same_email") === "refuse") throw alreadyListed(added, `${path}.email`);
      asked.push(added);
      all = mergeRecipient(world, all, added);
    }
  refuseManyRecipients(world, all);
  if (asked.length > 0) remarkSharedAddresses(world, all);
}

export function requireUpload(world: World, documentId: string, id: string): SectionUploadRow {
  const document = requireDocument(world, documentId);
  const upload = world.store.section_uploads.get(id);
  if (upload?.document_id !== document.id) throw notFound(`the document has no section upload ${id}`);
  return upload;
}

export interface SectionView {
  uuid: string;
  name: string;
}

export function listSections(world: World, documentId: string): SectionView[] {
  const document = requireDocument(world, documentId);
  const first = world.store.sections.get(document.id)?.deleted ? [] : [{ uuid: document.id, name: document.name }];
  const added = world.store.sections.where("document", document.id).filter((row) => !row.deleted);
  return [...first, ...added.map((row) => ({ uuid: row.id, name: row.name }))];
}

function requireSection(world: World, document: DocumentRow, id: string): SectionView {
  const section = listSections(world, document.id).find((one) => one.uuid === id);
  if (!section) throw notFound(`the document has no section ${id}`);
  return section;
}

export function sectionInfo(world: World, documentId: string, id: string) {
  const document = requireDocument(world, documentId);
  const section = requireSection(world, document, id);
  requireAllowed(document, "details");
  return { uuid: section.uuid, name: section.name, document_uuid: document.id };
}

/** Deletes a section with its content. Recipients stay. assumed: sections.delete_outside_draft. */
export function deleteSection(world: World, documentId: string, id: string): void {
  const document = requireDocument(world, documentId);
  requireUnlocked(world, document);
  requireSection(world, document, id);
  requireDraft(world, document);
  if (listSections(world, document.id).length === 1)
    throw badRequest("The last section of a document cannot be deleted", {
      why: "a document keeps at least one section; delete the document instead",
    });
  const added = world.store.sections.where("document", document.id).filter((row) => !row.deleted);
  const isFirst = id === document.id;
  const otherSections = added.filter((row) => row.id !== id);
  const deletedSection = added.find((row) => row.id === id);
  const isDeleted = (kind: keyof SectionRow["blocks"], name: string): boolean =>
    isFirst
      ? !otherSections.some((row) => row.blocks[kind].includes(name))
      : (deletedSection?.blocks[kind].includes(name) ?? false);
  const sectionOf = (uuid: string | null | undefined) => uuid ?? document.id;
  const pages = document.pages.map((page, i) => ({ page, i })).filter(({ page }) => sectionOf(page.section) !== id);
  const newIndexes = new Map(pages.map(({ i }, index) => [i, index]));
  const fields = document.fields
    .filter((field) => sectionOf(field.section_uuid) !== id)
    .map((field) => ({ ...field, layout: { ...field.layout, page: newIndexes.get(field.layout.page) ?? 0 } }));
  putContent(world, {
    ...document,
    fields,
    pages: pages.map(({ page }) => page),
    texts: document.texts.filter((block) => !isDeleted("texts", block.name)),
    images: document.images.filter((block) => !isDeleted("images", block.name)),
    tables: document.tables.filter((block) => !isDeleted("tables", block.name)),
    pricing_tables: document.pricing_tables.filter((block) => !isDeleted("pricing_tables", block.name)),
    quotes: document.quotes.filter((quote) => !isDeleted("quotes", quote.id)),
    recipients: assignRecipientTypes(document.recipients, fields),
  });
  const now = world.clock.now();
  const blocks = { texts: [], images: [], tables: [], pricing_tables: [], quotes: [] };
  const row = deletedSection ?? { id, document_id: document.id, name: document.name, date_created: now, blocks, deleted: false };
  world.store.sections.put({ ...row, deleted: true });
}

const POLL =
  "You need to poll the Document Sections Upload Status method until the status will be changed to document_sections_upload.PROCESSED";

/** assumed: sections.failed_upload. */
function infoOf(upload: SectionUploadRow): string | null {
  return upload.status === "document_sections_upload.UPLOADED" ? POLL : (upload.conversion.failure?.detail ?? null);
}

function toUpload(upload: SectionUploadRow) {
  return {
    uuid: upload.id,
    // assumed: sections.default_name. A public client recorded this text.
    name: upload.name ?? "null",
    document_uuid: upload.document_id,
    status: upload.status,
    date_created: iso(upload.date_created),
    date_modified: iso(upload.date_modified),
    info_message: infoOf(upload),
  };
}

export function toUploadCreated(upload: SectionUploadRow) {
  return { ...toUpload(upload), date_completed: upload.date_completed === null ? null : iso(upload.date_completed) };
}

/** Schema and example name the list of sections differently, so the answer has both. */
export function toUploadStatus(upload: SectionUploadRow) {
  return { ...toUpload(upload), sections_uuids: upload.section_ids, section_uuids: upload.section_ids };
}
