/** Values of a trial call that fit the rows of a world now. The reference fills its forms with them. */
import { parseRoute } from "../../engine/core/operation.ts";
import { type OperationId, operations } from "../api/index.ts";
import { logIdOf } from "../domain/workspaces/api-logs.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import { isAllowedIn, type Permission } from "../model/documents/status-machine.ts";
import type { Tenant } from "../model/tenant.ts";

export interface Trial {
  /** Ids of existing rows, by parameter of the path. A parameter without a fitting row is absent. */
  params: Record<string, string>;
  query: Readonly<Record<string, string>>;
  /** Undefined: the example of the description fits. Parts of a form, except its file. */
  body: unknown;
}

/** What a document must allow. Without an entry, a draft is the first choice. */
const NEEDS: Readonly<Partial<Record<OperationId, Permission>>> = {
  updateDocument: "edit",
  sendDocument: "send",
  createDocumentLink: "embed",
  changeDocumentStatus: "remind",
  changeDocumentStatusWithUpload: "remind",
  documentRevertToDraft: "remind",
  downloadProtectedDocument: "download_protected",
  getDocumentAiMetadata: "download_protected",
  updateDocumentAutoReminderSettings: "remind",
  getDocumentAutoReminderSettings: "remind",
  statusDocumentAutoReminder: "remind",
  createManualReminder: "remind",
};

const PARTS = ["recipient_id", "attachment_id", "linked_object_id", "upload_id", "section_id", "task_id", "quote_id"];
/** Operations whose bodies name a quote. */
const WITH_QUOTE: ReadonlySet<string> = new Set(["quotesBatchUpdate"]);

/** The rows that a caller may see. */
interface Own extends Pick<Tenant, "store" | "journal"> {
  workspace_id: string;
  of<R extends object>(rows: readonly R[]): R[];
}

/** @param workspace_id - the workspace of the caller, whose rows the values come from */
export function trialOf({ store, journal }: Tenant, workspace_id: string, id: string): Trial {
  const operation = operations.find((one) => one.id === id);
  if (!operation) return { params: {}, query: {}, body: undefined };
  const of: Own["of"] = (rows) => rows.filter((one) => !("workspace_id" in one) || one.workspace_id === workspace_id);
  const own = { store, journal, workspace_id, of };
  const { path } = parseRoute(operation.route);
  const names = [...path.matchAll(/([\w-]+)\/\{(\w+)\}/g)].map(([, place = "", name = ""]) => ({ place, name }));
  const parts = names.map(({ name }) => name).filter((name) => PARTS.includes(name));
  const document = documentFor(own, id, WITH_QUOTE.has(id) ? ["quote_id"] : parts);
  const params: Record<string, string> = {};
  for (const { place, name } of names) {
    const value = valueFor(own, document, { id, path, place, name });
    if (value !== undefined) params[name] = value;
  }
  return { params, query: QUERIES[id as OperationId] ?? {}, body: BODIES[id as OperationId]?.(own, document) };
}

/** The newest document that fits, else the newest that has the parts, else the newest. */
function documentFor(own: Own, id: string, parts: readonly string[]): DocumentRow | undefined {
  const all = own.of(own.store.documents.all()).filter((one) => one.internal.deleted_at === null);
  const having = all.filter((one) => parts.every((part) => partOf(own, one, part) !== undefined));
  const need = NEEDS[id as OperationId];
  const fits = ({ status }: DocumentRow) => (need ? isAllowedIn(status, need) : status === "document.draft");
  return having.findLast(fits) ?? (parts.length > 0 ? having.at(-1) : undefined) ?? all.findLast(fits) ?? all.at(-1);
}

function partOf({ store }: Own, document: DocumentRow, part: string): string | undefined {
  const last = (rows: readonly { id: string; document_id: string }[]) =>
    rows.findLast((one) => one.document_id === document.id)?.id;
  switch (part) {
    case "recipient_id":
      return document.recipients[0]?.id;
    case "attachment_id":
      return last(store.attachments.all());
    case "linked_object_id":
      return last(store.links.all());
    case "upload_id":
      return last(store.section_uploads.all());
    case "section_id":
      return last(store.sections.all().filter((one) => !one.deleted)) ?? document.id;
    case "task_id":
      return last(store.docx_exports.all());
    default:
      return document.quotes[0]?.id;
  }
}

interface Wanted {
  id: string;
  path: string;
  /** The segment before the parameter. */
  place: string;
  name: string;
}

/** Operations that need another workspace than that of the key. */
const ELSEWHERE: ReadonlySet<string> = new Set(["deactivateWorkspace", "addMember"]);

function valueFor(own: Own, document: DocumentRow | undefined, { id, path, place, name }: Wanted): string | undefined {
  const { store, journal, of } = own;
  if (PARTS.includes(name)) return document && partOf(own, document, name);
  if (place === "folders" || name === "folder_id") return folderOf(own, path.includes("/templates/") ? "template" : "document");
  switch (place) {
    case "content-library-items":
      return of(store.library_items.all()).find((one) => one.status === "cli.PROCESSED" && one.internal.deleted_at === null)?.id;
    case "templates":
      return aTemplate(own)?.id;
    case "logs": {
      const entry = journal.latest(1)[0];
      return entry && logIdOf(entry);
    }
    case "contacts":
      return of(store.contacts.all())[0]?.id;
    case "members":
      return aMember(own)?.id;
    case "users":
      return aMember(own)?.user_id;
    case "webhook-subscriptions":
      return of(store.subscriptions.all()).at(-1)?.id;
    case "webhook-events":
      return store.deliveries.all().findLast((one) => one.attempts.length > 0)?.event_id;
    case "notarization-requests":
      return of(store.notarizations.all()).at(-1)?.id;
    case "items":
      return of(store.catalog_items.all()).at(-1)?.id;
    case "workspaces":
      return ELSEWHERE.has(id) ? otherWorkspace(own) : own.workspace_id;
    default:
      return document?.id;
  }
}

const folderOf = ({ store, of }: Own, kind: string) => of(store.folders.all()).find((one) => one.kind === kind)?.id;
const aTemplate = ({ store, of }: Own) =>
  of(store.templates.all()).find(
    (one) => one.status === "template.PROCESSED" && one.internal.deleted_at === null && !one.internal.gallery,
  );
/** The last member, because the first one is often the caller. */
const aMember = ({ store, of }: Own) => of(store.members.all()).findLast((one) => one.is_active && !one.removed);
const otherWorkspace = ({ store, workspace_id }: Own) =>
  store.workspaces.all().findLast((one) => one.active && one.id !== workspace_id)?.id;

const PERSON = { email: "pat@client.example", first_name: "Pat", last_name: "Lee" };

/** A recipient for each role of the template, because every role needs one. */
function fromTemplate(own: Own) {
  const template = aTemplate(own);
  if (!template) return undefined;
  const recipients = template.roles.map(({ name }, i) => ({
    ...PERSON,
    email: i === 0 ? PERSON.email : `pat${i + 1}@client.example`,
    role: name,
  }));
  return { template_uuid: template.id, recipients };
}

type Body = (own: Own, document: DocumentRow | undefined) => unknown;

const invited = (document: DocumentRow | undefined) => document?.recipients[0]?.email ?? PERSON.email;
const contact: Body = ({ store, of }) => ({ id: of(store.contacts.all())[0]?.id ?? "", kind: "contact" });
const price_configuration = { currency: "USD", price: 9, pricing_method: 0 };

/** Bodies with ids of the world, and bodies that show more than the least call. */
const BODIES: Readonly<Partial<Record<OperationId, Body>>> = {
  createDocument: (own) => ({ name: "Offer 42", ...fromTemplate(own) }),
  bulkDeleteDocuments: (_, document) => [{ id: document?.id ?? "" }],
  createDocumentFromUpload: () => ({ data: { name: "Terms", recipients: [PERSON] } }),
  createDocumentFromMarkdownUpload: () => ({ data: { name: "Offer" } }),
  changeDocumentStatusWithUpload: () => ({ data: { status: 2 } }),
  createDocumentLink: (_, document) => ({ recipient: invited(document), lifetime: 3600 }),
  batchGetDocumentAiMetadata: (_, document) => ({ document_ids: [document?.id ?? ""] }),
  createManualReminder: (_, document) => ({
    reminders: [{ recipient_id: document?.recipients[0]?.id ?? "", delivery_methods: { email: true } }],
  }),
  createLinkedObject: () => ({ provider: "pipedrive", entity_type: "deal", entity_id: "7" }),
  createDocumentAttachment: () => ({ source: "https://files.example/terms.pdf", name: "Terms" }),
  createDocumentAttachmentFromFileUpload: () => ({ name: "Terms" }),
  createDocumentFields: () => ({
    fields: [
      {
        type: "text",
        layout: {
          page: 1,
          position: { offset_x: 10, offset_y: 10, anchor_point: "topleft" },
          style: { width: 100, height: 20 },
        },
      },
    ],
  }),
  updateDocumentFieldsAssignment: (_, document) => ({
    fields: [{ field_id: document?.fields[0]?.uuid ?? "", assigned_to: document?.recipients[0]?.id ?? "" }],
  }),
  documentSettingsUpdate: () => ({ language: "fr-FR" }),
  addDocumentRecipient: contact,
  editDocumentRecipient: () => ({ first_name: "Ida" }),
  reassignDocumentRecipient: contact,
  uploadSection: (own) => ({ name: "Annex", ...fromTemplate(own) }),
  uploadSectionWithUpload: () => ({ data: { name: "Annex", recipients: [PERSON] } }),
  addDsvNamedItems: () => ({ items: [{ name: "Price", level: 0, page_name: "Page 1" }] }),
  createContentLibraryItem: () => ({ name: "Terms of service" }),
  createContentLibraryItemFromUpload: () => ({ data: { name: "Terms of service" } }),
  createTemplate: () => ({ name: "Offer" }),
  createTemplateWithUpload: () => ({ data: { name: "Offer" } }),
  duplicateTemplate: () => ({ name: "Second offer" }),
  updateTemplate: () => ({ tokens: [{ name: "Client.Company", value: "Acme" }] }),
  templateSettingsUpdate: () => ({ language: "fr-FR" }),
  updateTemplateSharingSettings: (own) => ({ workspace_ids: [otherWorkspace(own) ?? ""] }),
  renameDocumentFolder: () => ({ name: "Old offers" }),
  createMemberToken: () => ({ lifetime: 60 }),
  createWebhookSubscription: () => ({
    name: "My receiver",
    url: "http://127.0.0.1:3000/webhooks",
    triggers: ["document_state_changed"],
    active: true,
  }),
  updateWebhookSubscription: () => ({ name: "Another name" }),
  createNotarizationRequest: (_, document) => ({
    document_id: document?.id ?? "",
    invitation: { invitees: [{ email: invited(document) }] },
  }),
  createCatalogItem: () => ({ title: "Mug", price_configuration }),
  updateCatalogItem: () => ({ title: "Large mug" }),
  quotesBatchUpdate: (_, document) => ({ quotes: [{ id: document?.quotes[0]?.id ?? "" }] }),
  createWorkspace: () => ({ name: "Branch" }),
  addMember: ({ store }) => ({ user_id: store.users.all().at(-1)?.id ?? "", role: "Member" }),
  createApiKey: () => ({ type: "sandbox" }),
};

const QUERIES: Readonly<Partial<Record<OperationId, Readonly<Record<string, string>>>>> = {
  getDocumentSummary: { type: "short" },
  getDocumentContent: { format: "markdown" },
  searchDocumentsAi: { q: "agreement" },
  listDocumentsByLinkedObject: { provider: "pipedrive", entity_type: "deal", entity_id: "7" },
  listWebhookEvent: { count: "10", page: "1" },
};
