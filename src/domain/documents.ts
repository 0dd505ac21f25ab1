/** What callers do to documents: create, change, send, revert, delete. Conversion follows as a job. */
import { badRequest, forbidden, invalid, notFound } from "../core/errors.ts";
import { PdfError, type PdfContent, readPdf } from "../engine/pdf.ts";
import { applyContent, type ContentInput, contentOf, emptyContent, fillTokens } from "./content.ts";
import { MANUAL_TRIGGERS, type ManualCode, may } from "./document-machine.ts";
import {
  findDocument,
  fire,
  ownDocument,
  progressionOf,
  putContent,
  putDocument,
  requireAllowed,
  requireDocument,
  requireUnlocked,
  startStep,
} from "./lifecycle.ts";
import { requireMember } from "./members.ts";
import { CreationFailure, formFieldsOf, placeFields } from "./pdf-fields.ts";
import { addRecipient, currentSigners, findRecipient, type RecipientInput, settleTypes } from "./recipients.ts";
import type { DocumentRow, DocumentSource, FieldInput, RecipientRow, SessionRow, TemplateRow, Token } from "./tables.ts";
import { requireTemplate } from "./templates.ts";
import { emit } from "./webhooks.ts";
import type { World } from "./world.ts";

export interface CreateInput extends ContentInput {
  name?: string | undefined;
  template_uuid?: string | undefined;
  url?: string | undefined;
  folder_uuid?: string | undefined;
  owner?: { membership_id?: string | undefined; email?: string | undefined } | undefined;
  recipients?: RecipientInput[] | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  tags?: string[] | undefined;
  detect_title_variables?: boolean | undefined;
  parse_form_fields?: boolean | undefined;
  use_form_field_properties?: boolean | undefined;
}

/** Creates from a template: its content is the document's at once, the status follows by a job. */
export function createFromTemplate(world: World, input: CreateInput & { template_uuid: string }): DocumentRow {
  const template = requireTemplate(world, input.template_uuid, () =>
    invalid({ template_uuid: ["Template not found."] }, `no template ${input.template_uuid} in this workspace`),
  );
  if (template.status !== "template.PROCESSED") throw invalid({ template_uuid: ["Template is not processed yet."] });
  const recipients = recipientsOf(world, input, template);
  const content = applyContent(world, contentOf(world, template, recipients), input);
  const name = input.name ?? template.name;
  const { approval, payment } = template.internal;
  return create(world, input, {
    source: { kind: "template", template_id: template.id },
    name: input.detect_title_variables ? fillTokens(name, content.tokens) : name,
    template: { id: template.id, name: template.name },
    metadata: template.metadata,
    tags: input.tags ?? template.tags,
    recipients: settleTypes(recipients, content.fields),
    content,
    approval: approval && { steps: approval.steps, revision_number: 1 },
    payment: payment && { provider: payment.provider, amount: payment.amount ?? "", currency: payment.currency, paid_at: null },
  });
}

/** Creates from a file's bytes or from where they can be fetched; what is in them is read by a job. */
export function createFromFile(
  world: World,
  input: CreateInput & { name: string },
  file: { name: string; type: string; bytes: Uint8Array } | { url: string },
): DocumentRow {
  const options = {
    parse_form_fields: input.parse_form_fields ?? null,
    use_properties: input.use_form_field_properties ?? false,
    fields: (input.fields ?? {}) as Record<string, FieldInput>,
  };
  const source: DocumentSource =
    "url" in file ? { kind: "url", url: file.url, ...options } : { kind: "upload", file_id: keepFile(world, file), ...options };
  return create(world, input, {
    source,
    name: input.name,
    template: null,
    metadata: {},
    tags: input.tags ?? [],
    recipients: recipientsOf(world, input),
    content: { ...emptyContent(), tokens: (input.tokens ?? []) as Token[] },
    approval: null,
    payment: null,
  });
}

export function keepFile(world: World, file: { name: string; type: string; bytes: Uint8Array }): string {
  const id = world.ids.uuid();
  world.store.files.put({ id, name: file.name, type: file.type, base64: Buffer.from(file.bytes).toString("base64") });
  return id;
}

/** The request's recipients, then those that the template has assigned beforehand to roles that are left. */
function recipientsOf(world: World, input: CreateInput, template?: TemplateRow): RecipientRow[] {
  const recipients = (input.recipients ?? []).map((one, i) => addRecipient(world, one, `recipients[${i}]`));
  const taken = new Set(recipients.flatMap((recipient) => recipient.roles));
  for (const role of template?.roles ?? []) {
    const person = role.preassigned_person;
    if (!person?.email || taken.has(role.name)) continue;
    recipients.push(
      addRecipient(world, { ...person, type: "recipient", role: role.name, signing_order: role.signing_order }, role.name),
    );
  }
  return recipients.map((recipient) => {
    const role = template?.roles.find((one) => recipient.roles.includes(one.name));
    return recipient.signing_order === null && role ? { ...recipient, signing_order: role.signing_order } : recipient;
  });
}

/** Text values of a metadata object. assumed: other scalars are kept as text. */
export function textValues(metadata: Record<string, unknown> | null | undefined): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [key, value] of Object.entries(metadata ?? {})) {
    if (value !== null && value !== undefined) values[key] = typeof value === "object" ? JSON.stringify(value) : String(value);
  }
  return values;
}

function create(
  world: World,
  input: CreateInput,
  made: Pick<DocumentRow, "name" | "template" | "metadata" | "tags" | "recipients"> &
    Pick<DocumentRow["internal"], "source" | "approval" | "payment"> & { content: ReturnType<typeof emptyContent> },
): DocumentRow {
  const now = world.clock.now();
  const { environment, membership_id } = world.caller;
  if (input.folder_uuid !== undefined && world.store.folders.get(input.folder_uuid)?.kind !== "document") {
    throw invalid({ folder_uuid: ["Folder not found."] }, `no document folder ${input.folder_uuid}`);
  }
  const owner = input.owner ? requireMember(world, "owner", input.owner).member.id : membership_id;
  const progression = progressionOf(world, "document.processing");
  const document = world.store.documents.put({
    id: world.ids.short(),
    workspace_id: world.caller.workspace_id,
    name: environment === "sandbox" && !made.name.startsWith("[DEV] ") ? `[DEV] ${made.name}` : made.name,
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
    template: made.template,
    form_id: null,
    folder_uuid: input.folder_uuid ?? null,
    metadata: {
      ...made.metadata,
      ...textValues(input.metadata),
      document__created_via_public_api: "true",
      document__creation_source: "public api",
    },
    tags: made.tags,
    recipients: made.recipients,
    ...made.content,
    internal: {
      environment,
      source: made.source,
      deleted_at: null,
      lock: null,
      silent: false,
      message: null,
      subject: null,
      forwarding: { forwarding_allowed: true, forwarding_with_reassigning_allowed: true },
      approval: made.approval,
      payment: made.payment,
      failure: null,
      notes: [],
      pdf_ready: false,
      polls: 0,
      expire_job: null,
      settings: { language: "en-US", qualified_electronic_signature: false, expires_in: 60, suggest_edits: false },
    },
  });
  // spec: Limits, Creation processing time about 3 to 5 seconds.
  startStep(world, "convert_document", document, progression, [3000, 5000]);
  return document;
}

/** A read of a document whose step goes on by polls. */
export function poll(world: World, document: DocumentRow): DocumentRow {
  const processing = progressionOf(world, "document.processing");
  if (document.status !== "document.uploaded" || processing.progression !== "polls") return document;
  const polls = document.internal.polls + 1;
  const polled = world.store.documents.put({ ...document, internal: { ...document.internal, polls } });
  if (polls === processing.times) world.jobs.schedule("convert_document", 0, { document: document.id });
  return polled;
}

/** The job that ends the processing: reads the file if there is one, then the draft or the error. */
export function convert(
  world: World,
  id: string,
  fetchFile: (url: string) => Promise<Uint8Array>,
): undefined | Promise<() => void> {
  const document = findDocument(world, id);
  if (document?.status !== "document.uploaded") return undefined;
  const { source } = document.internal;
  const progression = progressionOf(world, "document.processing");
  if (progression.progression === "fail") {
    failConversion(
      world,
      id,
      "processing",
      progression.detail ?? "PDF content hasn't been processed: document is broken or locked",
    );
    return undefined;
  }
  if (source.kind === "template" || source.kind === "markdown") {
    finishConversion(world, document);
    return undefined;
  }
  return readSource(world, source, fetchFile).then(
    (content) => () => {
      const current = findDocument(world, id);
      if (current?.status === "document.uploaded") convertPdf(world, current, source, content);
    },
    (error: unknown) => () => {
      if (error instanceof CreationFailure) failConversion(world, id, error.type, error.message);
      else if (error instanceof PdfError)
        failConversion(world, id, "processing", "PDF content hasn't been processed: document is broken or locked");
      else throw error;
    },
  );
}

type FileSource = Extract<DocumentSource, { kind: "upload" | "url" }>;

async function readSource(
  world: World,
  source: FileSource,
  fetchFile: (url: string) => Promise<Uint8Array>,
): Promise<PdfContent> {
  if (source.kind === "upload") return readPdf(Buffer.from(world.store.files.get(source.file_id)?.base64 ?? "", "base64"));
  try {
    return await fetchFile(source.url).then(readPdf);
  } catch (error) {
    if (error instanceof PdfError) throw error;
    const reason = error instanceof Error && error.message.startsWith("status code") ? ` (${error.message})` : "";
    throw new CreationFailure("source", `Failed to download file from link ${source.url}.${reason}`);
  }
}

function convertPdf(world: World, document: DocumentRow, source: FileSource, content: PdfContent): void {
  try {
    const fields = source.parse_form_fields
      ? placeFields(world, formFieldsOf(content, source, document.recipients), document.recipients)
      : [];
    const recipients = settleTypes(document.recipients, fields);
    finishConversion(world, { ...document, fields, recipients, pages: content.pages });
  } catch (error) {
    if (!(error instanceof CreationFailure)) throw error;
    failConversion(world, document.id, error.type, error.message);
  }
}

function finishConversion(world: World, document: DocumentRow): void {
  fire(world, { ...document, version: "2", content_date_modified: world.clock.now() }, "process");
}

/** spec: processing fails, the document ends in document.error. */
export function failConversion(world: World, id: string, type: string, detail: string): DocumentRow {
  const document = requireDocument(world, id);
  const failure = { type, detail };
  return fire(world, { ...document, internal: { ...document.internal, failure } }, "fail", { error: failure });
}

export interface UpdateInput extends ContentInput {
  name?: string | undefined;
  tags?: string[] | undefined;
  metadata?: Record<string, unknown> | null | undefined;
  recipients?: RecipientInput[] | undefined;
}

/** spec: Update via API is allowed only in draft. */
export function update(world: World, id: string, input: UpdateInput): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  requireDraft(document);
  const recipients = settleTypes(changeRecipients(world, document.recipients, input.recipients ?? []), document.fields);
  return putContent(world, {
    ...applyContent(world, document, input),
    name: input.name ?? document.name,
    // assumed: tags are replaced; metadata is merged, as the official description says.
    tags: input.tags ?? document.tags,
    metadata: { ...document.metadata, ...textValues(input.metadata) },
    recipients,
  });
}

/** assumed: the operation declares no 409 and the status code is not published, so a change outside draft is 400. */
export function requireDraft(document: DocumentRow): void {
  if (document.status === "document.draft") return;
  throw badRequest("Document should be in document.draft status to be updated", {
    type: "request_error",
    why: `edit is not allowed in ${document.status}; it is in document.draft. Revert the document to draft first`,
  });
}

function changeRecipients(world: World, recipients: readonly RecipientRow[], input: readonly RecipientInput[]): RecipientRow[] {
  const changed = [...recipients];
  for (const [i, one] of input.entries()) {
    const where = `recipients[${i}]`;
    if (one.id === undefined) {
      changed.push(addRecipient(world, { ...one, role: null }, where));
      continue;
    }
    const index = changed.findIndex((recipient) => recipient.id === one.id);
    const before = changed[index];
    if (!before) throw invalid({ [`${where}.id`]: ["Recipient not found."] }, `the document has no recipient ${one.id}`);
    const person = {
      type: before.type,
      name: one.name ?? before.name ?? "",
      members: one.members ?? before.members,
      email: one.email ?? before.email,
      phone: one.phone ?? before.phone,
      first_name: one.first_name ?? before.first_name,
      last_name: one.last_name ?? before.last_name,
      signing_order: one.signing_order === undefined ? before.signing_order : one.signing_order,
      delivery_methods: { ...before.delivery_methods, ...one.delivery_methods },
      redirect: one.redirect ?? before.redirect,
      verification_settings: before.verification_settings,
    };
    const after = addRecipient(world, person, where);
    changed[index] = {
      ...after,
      id: before.id,
      role: before.role,
      roles: before.roles,
      recipient_type: before.recipient_type,
      internal: before.internal,
    };
  }
  return changed;
}

export interface SendInput {
  message?: string | undefined;
  subject?: string | undefined;
  silent?: boolean | undefined;
  sender?: { membership_id?: string | undefined; email?: string | undefined } | undefined;
  forwarding_settings?:
    | { forwarding_allowed?: boolean | undefined; forwarding_with_reassigning_allowed?: boolean | undefined }
    | undefined;
}

/** Sends, or asks for approval first when a workflow is there; after the approval send must be called again. */
export function send(world: World, id: string, input: SendInput): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  requireAllowed(document, "send");
  refuseForeignDomains(world, document);
  const sender =
    input.sender && Object.keys(input.sender).length > 0
      ? requireMember(world, "sender", input.sender).member.id
      : world.caller.membership_id;
  const { forwarding } = document.internal;
  const prepared: DocumentRow = {
    ...document,
    sent_by: sender,
    internal: {
      ...document.internal,
      silent: input.silent ?? false,
      message: input.message ?? null,
      subject: input.subject ?? null,
      forwarding: {
        forwarding_allowed: input.forwarding_settings?.forwarding_allowed ?? forwarding.forwarding_allowed,
        forwarding_with_reassigning_allowed:
          input.forwarding_settings?.forwarding_with_reassigning_allowed ?? forwarding.forwarding_with_reassigning_allowed,
      },
    },
  };
  const needsApproval = document.internal.approval !== null && document.status !== "document.approved";
  return needsApproval
    ? fire(world, { ...prepared, sent_by: null }, "request_approval")
    : fire(world, invite(world, prepared), "send");
}

/** Marks those whose turn it is as told. */
export function invite(world: World, document: DocumentRow): DocumentRow {
  const now = world.clock.now();
  const turn = new Set(currentSigners(document).map((recipient) => recipient.id));
  return {
    ...document,
    recipients: document.recipients.map((recipient) =>
      turn.has(recipient.id) && recipient.internal.notified_at === null
        ? { ...recipient, internal: { ...recipient.internal, notified_at: now } }
        : recipient,
    ),
  };
}

/** During a trial a sandbox key sends only inside the organisation. */
function refuseForeignDomains(world: World, document: DocumentRow): void {
  const { caller } = world;
  if (caller.environment !== "sandbox" || !world.store.workspaces.get(caller.workspace_id)?.settings.trial) return;
  const domain = domainOf(caller.email);
  const stranger = document.recipients.find((recipient) => recipient.email !== null && domainOf(recipient.email) !== domain);
  if (!stranger) return;
  throw forbidden(`a sandbox key in trial may not send to ${stranger.email}; its own domain is ${domain}`, {
    info_message: "You are not allowed to send documents outside of your organization",
    links: [{ rel: "status", href: `${world.settings.publicUrl}/public/v1/documents/${document.id}`, type: "GET" }],
  });
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

/** The manual change of the specification's matrix. */
export function changeStatus(
  world: World,
  id: string,
  input: { status: ManualCode; note?: string | undefined; notify_recipients?: boolean | undefined },
  file?: { name: string; type: string; bytes: Uint8Array },
): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  const note = input.note ?? "";
  const file_id = file ? keepFile(world, file) : null;
  const notes =
    note !== "" || file_id !== null
      ? [...document.internal.notes, { text: note, by: world.caller.membership_id, at: world.clock.now(), file_id }]
      : document.internal.notes;
  return fire(world, { ...document, internal: { ...document.internal, notes } }, MANUAL_TRIGGERS[input.status], {
    reason: note || null,
  });
}

/** spec: Move Document to Draft. Recipients are not told; the document must be sent again. */
export function revert(world: World, id: string): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  return fire(world, document, "revert");
}

/** Deletes one document. A tombstone stays: deleting again is refused with 403, as the service does. */
export function remove(world: World, id: string): void {
  const document = requireDeletable(world, id);
  requireUnlocked(world, document);
  bury(world, document);
}

/** Deletes all of them or none. assumed: whether a failure leaves some deleted is not published. Locks are not declared here. */
export function removeAll(world: World, ids: readonly string[]): string[] {
  const documents = [...new Set(ids)].map((id) => requireDeletable(world, id));
  for (const document of documents) bury(world, document);
  return documents.map((document) => document.id);
}

function requireDeletable(world: World, id: string): DocumentRow {
  const document = ownDocument(world, id);
  if (!document) throw notFound(`no document ${id} in this workspace`);
  if (document.internal.deleted_at !== null) throw forbidden(`document ${id} is deleted already`);
  return document;
}

function bury(world: World, document: DocumentRow): void {
  if (document.internal.expire_job) world.jobs.cancel(document.internal.expire_job);
  const buried = putDocument(world, {
    ...document,
    internal: { ...document.internal, deleted_at: world.clock.now(), expire_job: null },
  });
  for (const session of world.store.sessions.where("document", document.id)) world.store.sessions.delete(session.id);
  world.happened({ name: "document.deleted", document_id: document.id });
  emit(world, "document_deleted", buried);
}

/** Opens a signing session for one recipient. */
export function createSession(world: World, id: string, input: { recipient: string; lifetime: number }): SessionRow {
  const document = requireDocument(world, id);
  if (!may(document.status, "embed")) {
    throw badRequest(`Cannot create session ID for a document in ${document.status} status`, {
      type: "validation_error",
      why: `a session needs a document that was sent; this one is in ${document.status}`,
    });
  }
  const recipient = findRecipient(document, input.recipient);
  if (!recipient) {
    // assumed: the text is not published; one public client looks for these words.
    throw invalid(
      { recipient: ["There is no associated recipient."] },
      `no recipient ${input.recipient}; there are ${document.recipients.map((one) => one.email).join(", ")}`,
    );
  }
  return world.store.sessions.put({
    id: world.ids.short(),
    document_id: document.id,
    recipient_id: recipient.id,
    expires_at: world.clock.now() + input.lifetime * 1000,
  });
}
