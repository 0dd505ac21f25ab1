import { ApiError } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import { asCaller } from "../../kit/world.ts";
import { applyContent, copyContent, emptyContent } from "../content/content.ts";
import { CreationFailure, formFieldsOf, placeFields } from "../content/field-tags.ts";
import { pagesOf, taggedFields, textBlocks, textPages } from "../content/file-content.ts";
import type { ConversionKind, ReadFile } from "../content/file-conversion.ts";
import { withSourceFile } from "../content/file-conversion.ts";
import type { Content } from "../content/row.ts";
import type { PlaceholderInput } from "../library/items.ts";
import { appendContent, fillPlaceholders, joinRecipients } from "../library/placement.ts";
import type { RecipientRow } from "../people/inputs.ts";
import { assignRecipientTypes } from "../people/recipients.ts";
import { emit } from "../webhooks/subscriptions.ts";
import type { DocumentRow, SectionUploadRow } from "./row.ts";
import { putContent } from "./transitions.ts";

export const sectionConversion: ConversionKind<SectionUploadRow> = {
  model: "document_section.processing",
  job: "convert_section",
  readsTags: ({ request }) => request.parse_text_tags,
  titleOf: (row) => row.name ?? "",
  pending(world, id) {
    const upload = world.store.section_uploads.get(id);
    const document = upload && world.store.documents.get(upload.document_id);
    const isPending = upload?.status === "document_sections_upload.UPLOADED" && document?.internal.deleted_at === null;
    return isPending ? upload : undefined;
  },
  state: (row) => row.conversion,
  withState: (row, conversion) => ({ ...row, conversion }),
  put: (world, row) => world.store.section_uploads.put(row),
  finish(world, row, file) {
    const document = world.store.documents.get(row.document_id);
    if (document?.status !== "document.draft")
      throw new CreationFailure("processing", "Document should be in document.draft status to be updated");
    if (document.version === "1") throw new CreationFailure("processing", "Document version 1 is not supported.");
    try {
      addSection(asCaller(world, { ...world.caller, workspace_id: document.workspace_id }), document, row, file);
    } catch (error) {
      // The fields that may refuse the values exist only now.
      if (error instanceof ApiError) throw new CreationFailure("validation", error.message);
      throw error;
    }
  },
  fail(world, row) {
    const now = world.clock.now();
    world.store.section_uploads.put({
      ...row,
      status: "document_sections_upload.ERROR",
      date_modified: now,
      date_completed: now,
    });
  },
};

function addSection(world: World, document: DocumentRow, upload: SectionUploadRow, file: ReadFile | null): void {
  const { request } = upload;
  const id = world.ids.short();
  const requested = [...request.recipients, ...inputsOf(request.content_placeholders)];
  const recipients = joinRecipients(world, document.recipients, requested, "");
  const people = peopleOf(recipients, requested);
  const template = upload.template_id === null ? undefined : world.store.templates.get(upload.template_id);
  const base = applyContent(world, contentOf(world, upload, people, file), request);
  const places = request.content_placeholders ?? [];
  const filled = template ? fillPlaceholders(world, template, base, people, places, { refuses: false }) : undefined;
  const sectionContent = scopeFields(upload, filled?.content ?? base);
  const pages = sectionContent.pages.map((page) => ({ ...page, section: id }));
  const { content, blocks } = appendContent(world, document, { ...sectionContent, pages }, people);
  const assigned: Content = {
    ...content,
    fields: content.fields.map((field, i) => (i < document.fields.length ? field : { ...field, section_uuid: id })),
  };
  const merged =
    upload.merge_field_scope === "document"
      ? applyContent(world, assigned, { fields: request.fields, tokens: request.tokens })
      : assigned;
  world.store.sections.put({
    id,
    document_id: document.id,
    name: nameOf(world, upload),
    date_created: world.clock.now(),
    deleted: false,
    blocks,
  });
  const now = world.clock.now();
  world.store.section_uploads.put({
    ...upload,
    status: "document_sections_upload.PROCESSED",
    section_ids: [id],
    date_modified: now,
    date_completed: now,
  });
  const changed = putContent(world, {
    ...document,
    ...merged,
    template: upload.template_id !== null && upload.template_id !== document.template?.id ? null : document.template,
    tags: [...new Set([...document.tags, ...request.tags])],
    recipients: assignRecipientTypes(recipients, merged.fields),
  });
  emit(world, "document_section_added", changed);
}

function inputsOf(places: readonly PlaceholderInput[] | undefined) {
  return (places ?? []).flatMap((place) => (place.content_library_items ?? []).flatMap((item) => item.recipients ?? []));
}

function peopleOf(recipients: readonly RecipientRow[], input: SectionUploadRow["request"]["recipients"]): RecipientRow[] {
  return input.flatMap((one) => {
    const found = recipients.find((recipient) =>
      recipient.type === "recipient_group"
        ? recipient.name === one.name
        : one.email
          ? recipient.email?.toLowerCase() === one.email.toLowerCase()
          : recipient.phone === one.phone,
    );
    return found && one.role ? [{ ...found, roles: [one.role] }] : [];
  });
}

function contentOf(world: World, upload: SectionUploadRow, people: readonly RecipientRow[], file: ReadFile | null): Content {
  if (upload.template_id !== null) {
    const template = world.store.templates.get(upload.template_id);
    if (!template || template.internal.deleted_at !== null) throw new CreationFailure("source", "Template not found.");
    // assumed: sections.template_images.
    return { ...copyContent(world, template), images: [], pages: withSourceFile(template.pages, template.internal.file_id) };
  }
  const { fields, parse_form_fields, tokens } = upload.request;
  if (!file) return { ...emptyContent(), tokens };
  const { content } = file;
  const isForm = parse_form_fields && "pdf" in content;
  // Source: without parse_text_tags, tags are ordinary text.
  const readsTags = !isForm && upload.request.parse_text_tags;
  return {
    ...emptyContent(),
    tokens,
    texts: textBlocks(content, !readsTags),
    pages:
      "pdf" in content
        ? withSourceFile(pagesOf(content.pdf, content.texts, !readsTags), file.file_id)
        : textPages(content.layout),
    fields: isForm
      ? placeFields(world, formFieldsOf(content.pdf, { fields, use_properties: false }, people), people)
      : readsTags
        ? taggedFields(world, content, fields, people)
        : [],
  };
}

/** With the scope `upload`, field names get a suffix. assumed: sections.field_names. */
function scopeFields(upload: SectionUploadRow, content: Content): Content {
  if (upload.merge_field_scope === "document") return content;
  const fields = content.fields.map((field) =>
    field.merge_field === null ? field : { ...field, merge_field: `${field.merge_field}_${upload.id}` },
  );
  return { ...content, fields };
}

/** assumed: sections.default_name. */
function nameOf(world: World, upload: SectionUploadRow): string {
  if (upload.name !== null) return upload.name;
  const template = upload.template_id === null ? undefined : world.store.templates.get(upload.template_id);
  const { source } = upload.conversion;
  const path = source?.kind === "url" ? source.url.slice(source.url.lastIndexOf("/") + 1) : (upload.file_name ?? "");
  return template?.name ?? (path.replace(/\.[^.]+$/, "") || "Untitled");
}
