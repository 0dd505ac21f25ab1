import { iso } from "../../../engine/core/clock.ts";
import { invalid, notFound } from "../../../engine/core/errors.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import type { World } from "../../kit/world.ts";
import {
  applyContent,
  copyContent,
  emptyContent,
  fillOwnTokens,
  fillTokens,
  giveToRoles,
  metadataOf,
} from "../content/content.ts";
import { CreationFailure, tagsIn } from "../content/field-tags.ts";
import { keepFile } from "../content/file-content.ts";
import { remarkUnknownNames } from "../content/unknown-names.ts";
import { requireFolderField } from "../folders.ts";
import { fillPlaceholders, otherCurrencyIn, remarkPlaces } from "../library/placement.ts";
import { requireMember, personOf } from "../members/members.ts";
import type { RecipientRow } from "../people/inputs.ts";
import { assignRecipientTypes, recipientOfRole, refuseManyRecipients } from "../people/recipients.ts";
import { remarkSharedAddresses } from "../people/remarks.ts";
import { currencyRefused } from "../pricing/table-input.ts";
import type { TemplateRow } from "../templates/row.ts";
import { requireUsableTemplate } from "../templates/templates.ts";
import { failConversion, startProcessing } from "./conversion.ts";
import type { CreateInput, CreateQuery, FileInput, MarkdownInput } from "./inputs.ts";
import { recipientsOf, withKnownRoles } from "./roles.ts";
import type { DocumentRow, DocumentSource } from "./row.ts";
import { isAllowedIn } from "./status-machine.ts";
import { statusReason } from "./status-reason.ts";
import { requireAllowed } from "./transitions.ts";

/** assumed: create.unverified_account. assumed: templates.unreadable. */
export function createFromTemplate(
  world: World,
  /** Only fixtures name the `id` of a document. */
  input: CreateInput & { template_uuid: string; id?: string | undefined },
): DocumentRow {
  const template = requireUsableTemplate(world, input.template_uuid);
  const { recipients: requestedPeople, content_placeholders } = withKnownRoles(world, template, input);
  const shared = sharedParts(template);
  const people = recipientsOf(world, requestedPeople, template);
  // The types follow from the template's fields, because reading the document's fields would copy them.
  const fields = shared.fieldRoles.map((role) => ({ recipient_id: recipientOfRole(people, role) }));
  const byTemplate = assignRecipientTypes(people, fields);
  const applied = applyContent(world, copyContent(world, template, byTemplate), input);
  const copy = giveToRoles(world, applied, input, byTemplate);
  const requested = copy === applied ? byTemplate : assignRecipientTypes(byTemplate, copy.fields);
  const { content: filled, recipients } = fillPlaceholders(world, template, copy, requested, content_placeholders ?? []);
  const facts = {
    recipients,
    sender: personOf(world, world.caller.membership_id),
    created: iso(world.clock.now()).slice(0, DAY_LENGTH),
  };
  const tokens = fillOwnTokens(filled.tokens, facts, input.tokens);
  const content = tokens === filled.tokens ? filled : { ...filled, tokens };
  remarkUnknownNames(world, template, input);
  remarkPlaces(world, template, input.content_placeholders ?? []);
  const name = input.name ?? template.name;
  const { approval, payment } = template.internal;
  const document = create(world, input, {
    source: shared.source,
    name: input.detect_title_variables ? fillTokens(name, content.tokens) : name,
    template: shared.template,
    metadata: shared.metadata,
    settings: shared.settings,
    tags: input.tags ?? template.tags,
    recipients: filled === copy ? requested : assignRecipientTypes(recipients, content.fields),
    content,
    approval: approval && { steps: approval.steps, revision_number: 1 },
    payment: payment && { provider: payment.provider, amount: payment.amount ?? "", currency: payment.currency, paid_at: null },
  });
  refuseOtherCurrency(world, template, input, document);
  return document;
}

/** Source: the vendor says that the refused document stays in the account. assumed: pricing.broken_document. */
function refuseOtherCurrency(world: World, template: TemplateRow, input: CreateInput, document: DocumentRow): void {
  const wrong = otherCurrencyIn(world, template, input);
  if (!wrong || world.decide("pricing.other_currency") === "take") return;
  const refusal = currencyRefused(wrong, { keepsChanges: true });
  failConversion(world, document.id, "processing", refusal.message);
  throw refusal;
}

/** `2026-03-02`. */
const DAY_LENGTH = 10;

interface SharedParts extends Pick<DocumentRow, "template" | "metadata">, Pick<DocumentRow["internal"], "source" | "settings"> {
  fieldRoles: readonly (string | null)[];
}

const sharedByTemplate = new WeakMap<TemplateRow, SharedParts>();

/** Parts that are the same in all documents of a template, so that memory holds them once. */
function sharedParts(template: TemplateRow): SharedParts {
  const known = sharedByTemplate.get(template);
  if (known) return known;
  const { id, name, metadata, fields, internal } = template;
  const parts: SharedParts = {
    source: { kind: "template", template_id: id, file_id: internal.file_id },
    template: { id, name },
    metadata: { ...metadata, ...BY_API },
    settings: { ...SETTINGS, language: internal.language },
    fieldRoles: [...new Set(fields.map(({ role }) => role))],
  };
  sharedByTemplate.set(template, parts);
  return parts;
}

export function createFromFile(
  world: World,
  input: FileInput,
  file: UploadedFile | { url: string },
  query: CreateQuery,
): DocumentRow {
  const options = {
    parse_form_fields: input.parse_form_fields ?? null,
    use_properties: query.use_form_field_properties,
    classic: query.editor_ver === "ev1" || undefined,
    fields: input.fields ?? {},
  };
  const source: DocumentSource =
    "url" in file ? { kind: "url", url: file.url, ...options } : { kind: "upload", file_id: keepFile(world, file), ...options };
  return create(world, input, {
    source,
    name: input.name,
    template: null,
    metadata: BY_API,
    settings: SETTINGS,
    tags: input.tags ?? [],
    recipients: recipientsOf(world, input.recipients),
    content: { ...emptyContent(), tokens: input.tokens ?? [] },
    approval: null,
    payment: null,
  });
}

export function createFromMarkdown(world: World, input: MarkdownInput, file: UploadedFile): DocumentRow {
  requireMarkdown(file);
  const recipients = recipientsOf(world, input.recipients);
  const fields_mapping = input.fields_mapping ?? {};
  checkMapping(fields_mapping, Buffer.from(file.bytes).toString("utf8"), recipients);
  return create(world, input, {
    source: { kind: "markdown", file_id: keepFile(world, file), fields_mapping },
    name: input.name,
    template: null,
    metadata: BY_API,
    settings: SETTINGS,
    tags: input.tags ?? [],
    recipients,
    content: { ...emptyContent(), tokens: input.tokens ?? [] },
    approval: null,
    payment: null,
  });
}

const MARKDOWN_TYPES: readonly string[] = ["text/markdown", "text/x-markdown"];

/** assumed: create.markdown_type. */
function requireMarkdown(file: { name: string; type: string }): void {
  const type = file.type.split(";")[0]?.trim().toLowerCase() ?? "";
  const isUntyped = type === "" || type === "application/octet-stream";
  if (MARKDOWN_TYPES.includes(type) || (isUntyped && /\.(md|markdown)$/i.test(file.name))) return;
  throw invalid(
    { file: [`Content type='${type}' is not supported, available types are ${MARKDOWN_TYPES.join(", ")}`] },
    `the file ${file.name} must be sent as ${MARKDOWN_TYPES.join(" or ")}`,
  );
}

/** Source: all roles must be among the recipients and all fields in the text. assumed: create.mapping_texts. */
function checkMapping(mapping: Readonly<Record<string, string[]>>, text: string, recipients: readonly RecipientRow[]): void {
  if (Object.keys(mapping).length === 0) return;
  const known = knownTags(text);
  const roles = recipients.flatMap((recipient) => recipient.roles);
  const problems: string[] = [];
  for (const [role, ids] of Object.entries(mapping)) {
    if (!roles.includes(role)) problems.push(`Role '${role}' is not found in recipients.`);
    for (const id of ids) if (!known.has(id)) problems.push(`Field '${id}' is not found in the document.`);
  }
  if (problems.length === 0) return;
  const fields = [...known].join(", ") || "none";
  throw invalid(
    { fields_mapping: problems },
    `the recipients have the roles: ${roles.join(", ") || "none"}; the text has the fields: ${fields}`,
  );
}

function knownTags(text: string): ReadonlySet<string> {
  try {
    return new Set(tagsIn(text).map((tag) => tag.optId));
  } catch (error) {
    if (!(error instanceof CreationFailure)) throw error;
    throw invalid({ file: [error.message] }, `${error.message}; docs/look-up/limits.md lists the limits of files`);
  }
}

const FORWARDING = { forwarding_allowed: true, forwarding_with_reassigning_allowed: true };
const BY_API = { document__created_via_public_api: "true", document__creation_source: "public api" };
/** assumed: create.language. */
const SETTINGS: DocumentRow["internal"]["settings"] = {
  language: "en-US",
  qualified_electronic_signature: false,
  expires_in: 60,
  suggest_edits: false,
};
const NO_NOTES: DocumentRow["internal"]["notes"] = [];
const UPLOADED: DocumentRow["internal"]["path"] = ["document.uploaded"];

function create(
  world: World,
  input: Pick<CreateInput, "folder_uuid" | "owner" | "metadata"> & { id?: string | undefined },
  parts: Pick<DocumentRow, "name" | "template" | "metadata" | "tags" | "recipients"> &
    Pick<DocumentRow["internal"], "source" | "settings" | "approval" | "payment"> & { content: ReturnType<typeof emptyContent> },
): DocumentRow {
  const now = world.clock.now();
  const { content } = parts;
  const { environment, membership_id } = world.caller;
  refuseManyRecipients(world, parts.recipients);
  remarkSharedAddresses(world, parts.recipients);
  if (input.folder_uuid !== undefined) requireFolderField(world, "document", "folder_uuid", input.folder_uuid);
  const owner = input.owner ? requireMember(world, "owner", input.owner).member.id : membership_id;
  const id = world.ids.short();
  const document = world.store.documents.put({
    id: input.id ?? id,
    workspace_id: world.caller.workspace_id,
    name: environment === "sandbox" && !parts.name.startsWith("[DEV] ") ? `[DEV] ${parts.name}` : parts.name,
    status: "document.uploaded",
    version: null,
    ref_number: world.ids.refNumber(),
    date_created: now,
    date_modified: now,
    content_date_modified: now,
    date_status_changed: now,
    date_of_last_action: now,
    date_sent: null,
    date_completed: null,
    date_declined: null,
    expiration_date: null,
    created_by: membership_id,
    owner,
    sent_by: null,
    template: parts.template,
    form_id: null,
    folder_uuid: input.folder_uuid ?? null,
    metadata: input.metadata ? { ...parts.metadata, ...metadataOf(world, input.metadata), ...BY_API } : parts.metadata,
    tags: parts.tags,
    recipients: parts.recipients,
    fields: content.fields,
    tokens: content.tokens,
    texts: content.texts,
    images: content.images,
    tables: content.tables,
    pricing_tables: content.pricing_tables,
    quotes: content.quotes,
    pages: content.pages,
    internal: {
      environment,
      source: parts.source,
      deleted_at: null,
      lock: null,
      silent: false,
      message: null,
      subject: null,
      reply_to: null,
      forwarding: FORWARDING,
      approval: parts.approval,
      payment: parts.payment,
      failure: null,
      notes: NO_NOTES,
      pdf_ready: false,
      polls: 0,
      expire_job: null,
      alias: null,
      path: UPLOADED,
      dropped_tags: [],
      scheduled: null,
      faults_given: 0,
      settings: parts.settings,
    },
  });
  world.emitHappening({ name: document.status, subject: document.id });
  startProcessing(world, document);
  return document;
}

/** @throws 409, or 404 in the other reading, while the document is processed */
export function requireReadable(world: World, document: DocumentRow): void {
  if (isAllowedIn(document.status, "details")) return;
  if (world.decide("details.right_after_create") === 404) throw notFound(statusReason(document, "read the document", "details"));
  requireAllowed(document, "details");
}
