import * as z from "zod";
import { badRequest, invalid, notFound, tooLarge } from "../../../engine/core/errors.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import { list, maybe, micros, oneOf, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { FILE_MB_MAX, newConversion, pollConversion, sourceOf, startConversion } from "../content/file-conversion.ts";
import type { ContentPage } from "../content/row.ts";
import { remarkUnknownNames } from "../content/unknown-names.ts";
import { checkPlacedPricing, checkPlaceholders, otherCurrencyIn, remarkPlaces } from "../library/placement.ts";
import type { RecipientRow } from "../people/inputs.ts";
import {
  addRecipient,
  alreadyListed,
  assignRecipientTypes,
  isSamePerson,
  mergeRecipient,
  refuseManyRecipients,
} from "../people/recipients.ts";
import { remarkSharedAddresses } from "../people/remarks.ts";
import { checkPricing, currencyRefused } from "../pricing/table-input.ts";
import { requireUsableTemplate } from "../templates/templates.ts";
import * as inputs from "./inputs.ts";
import type { SectionInput } from "./inputs.ts";
import type { People } from "./roles.ts";
import { withKnownRoles } from "./roles.ts";
import type { DocumentRow, SectionRow, SectionUploadRow } from "./row.ts";
import { requireDocument, requireDraft, requireUnlocked } from "./row.ts";
import { sectionConversion } from "./section-processing.ts";
import { putContent, requireAllowed } from "./transitions.ts";

const NO_FILE: DocumentRow["internal"]["source"] = { kind: "template", template_id: "", file_id: null };

function emptied({ text: _, file: __, blocks: ___, ...page }: ContentPage): ContentPage {
  return page;
}

export function sectionDocuments(world: World, document: DocumentRow): { title: string; document: DocumentRow }[] {
  const added = world.store.sections.where("document", document.id).filter((row) => !row.deleted);
  const isFirstGone = world.store.sections.get(document.id)?.deleted ?? false;
  if (added.length === 0) return [{ title: document.name, document }];
  const pick = (uuid: string, name: string, holds: (kind: keyof (typeof added)[number]["blocks"], block: string) => boolean) => ({
    title: name,
    document: {
      ...document,
      name,
      internal: uuid === document.id ? document.internal : { ...document.internal, source: NO_FILE },
      // Pages of other sections stay as empty pages, so that page numbers of fields stay valid.
      pages: document.pages.map((page) => ((page.section ?? document.id) === uuid ? page : emptied(page))),
      fields: document.fields.filter((field) => (field.section_uuid ?? document.id) === uuid),
      texts: document.texts.filter((block) => holds("texts", block.name)),
      images: document.images.filter((block) => holds("images", block.name)),
      tables: document.tables.filter((block) => holds("tables", block.name)),
      pricing_tables: document.pricing_tables.filter((block) => holds("pricing_tables", block.name)),
      quotes: document.quotes.filter((quote) => holds("quotes", quote.id)),
    },
  });
  const first = pick(document.id, document.name, (kind, name) => !added.some((row) => row.blocks[kind].includes(name)));
  const others = added.map((row) => pick(row.id, row.name, (kind, name) => row.blocks[kind].includes(name)));
  return isFirstGone ? others : [first, ...others];
}

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

const upload = {
  uuid: [text, ({ id }: SectionUploadRow) => id],
  // assumed: sections.default_name. A public client recorded this text.
  name: [text, ({ name }: SectionUploadRow) => name ?? "null"],
  document_uuid: [text, ({ document_id }: SectionUploadRow) => document_id],
  status: oneOf(["document_sections_upload.UPLOADED", "document_sections_upload.PROCESSED", "document_sections_upload.ERROR"]),
  date_created: micros,
  date_modified: micros,
  info_message: [maybe(text), infoOf],
} as const;

const uploadCreated = view<SectionUploadRow>()({ ...upload, date_completed: maybe(micros) });

/** Schema and example name the list of sections differently, so the answer has both. */
const uploadStatus = view<SectionUploadRow>()({
  ...upload,
  sections_uuids: [list(text), ({ section_ids }) => section_ids],
  section_uuids: [list(text), ({ section_ids }) => section_ids],
});

const sectionList = lazy(() => z.strictObject({ results: z.array(z.strictObject({ uuid: z.string(), name: z.string() })) }));

const sectionDetails = lazy(() => z.strictObject({ uuid: z.string(), name: z.string(), document_uuid: z.string() }));

const LIMITS = "docdouble keeps the text of a DOCX or RTF, but not its layout. DOC files end in ERROR.";

export const sectionsGroup = group("Document Sections (Bundles)", [
  operation({
    id: "listSections",
    route: "GET /public/v1/documents/{document_id}/sections",
    responses: { 200: sectionList },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => ok({ results: listSections(world, params.document_id) }),
  }),
  operation({
    id: "uploadSection",
    route: "POST /public/v1/documents/{document_id}/sections/uploads",
    secret: { request: ["passcode"] },
    query: inputs.sectionUploadQuery,
    body: inputs.sectionRequest,
    responses: { 201: uploadCreated },
    errors: [400, 401, 423, 429],
    invalidType: "validation_error",
    limits: LIMITS,
    handle: ({ params, query, body }, world) => {
      const upload = uploadSection(world, params.document_id, query.merge_field_scope, body);
      return created(uploadCreated.of(upload));
    },
  }),
  operation({
    id: "uploadSectionWithUpload",
    route: "POST /public/v1/documents/{document_id}/sections/uploads?upload",
    secret: { request: ["passcode"] },
    query: inputs.sectionUploadQuery,
    body: inputs.sectionUploadRequest,
    bodyKind: "multipart",
    responses: { 201: uploadCreated },
    errors: [400, 401, 423, 429],
    invalidType: "validation_error",
    limits: LIMITS,
    handle: ({ params, query, body }, world) => {
      const upload = uploadSection(world, params.document_id, query.merge_field_scope, body.data, body.file);
      return created(uploadCreated.of(upload));
    },
  }),
  operation({
    id: "sectionDetails",
    route: "GET /public/v1/documents/{document_id}/sections/uploads/{upload_id}",
    responses: { 200: uploadStatus },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params }, world) => {
      const { id } = requireUpload(world, params.document_id, params.upload_id);
      pollConversion(world, sectionConversion, id);
      return ok(uploadStatus.of(requireUpload(world, params.document_id, id)));
    },
  }),
  operation({
    id: "sectionInfo",
    route: "GET /public/v1/documents/{document_id}/sections/{section_id}",
    responses: { 200: sectionDetails },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params }, world) => ok(sectionInfo(world, params.document_id, params.section_id)),
  }),
  operation({
    id: "deleteSection",
    route: "DELETE /public/v1/documents/{document_id}/sections/{section_id}",
    responses: { 204: null },
    errors: [401, 403, 404, 423, 429],
    furtherErrors: [400],
    handle: ({ params }, world) => deleteSection(world, params.document_id, params.section_id),
  }),
]);
