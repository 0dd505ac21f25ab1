/** One successful call of each operation. Tests of invalid input change one part of it at a time. */
import type { OperationId } from "../../src/service/nouns/index.ts";
import { aPdf } from "./content.ts";
import { OWN_STORIES, type Story } from "./own-stories.ts";
import { INES, NORA, WORKSPACE } from "./people.ts";
import { aCompletedDocument, aDraft, aSentDocument, CLIENT, LIBRARY_ITEM, succeed, TEMPLATES } from "./stories.ts";
import type { CallOptions, TestWorld } from "./world.ts";

const FOLDER = "FolderContractsxxxxxxx";
const CONTACT = "ContactAxxxxxxxxxxxxxx";
const ITEM = "c0ffee00-0000-4000-8000-000000000001";
const PRICED = { title: "Product", price_configuration: { currency: "EUR", price: 1, pricing_method: 0 } };
const LAYOUT = {
  page: 1,
  position: { offset_x: 10, offset_y: 10, anchor_point: "topleft" },
  style: { width: 100, height: 20 },
};

const plain = async (): Promise<CallOptions> => ({});
const on =
  (options: CallOptions): Story =>
  async () =>
    options;

/** A call about a document, under the name that the operation's path uses. */
function about(name: "id" | "document_id", begin: (world: TestWorld) => Promise<string>, rest: CallOptions = {}): Story {
  return async (world) => ({ ...rest, params: { [name]: await begin(world) } });
}

/** A call with the first recipient of a document in the path or in the body. */
function withRecipient(
  begin: (world: TestWorld) => Promise<string>,
  options: (document: string, recipient: string) => CallOptions,
): Story {
  return async (world) => {
    const id = await begin(world);
    const { recipients } = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
    return options(id, recipients[0].id);
  };
}

const aSubscribed: Story = async (world) => {
  const body = { name: "Mine", url: "http://127.0.0.1:9/", triggers: ["document_state_changed"] };
  const { uuid } = (await succeed(world.call("createWebhookSubscription", { body }))).body;
  return { params: { id: uuid } };
};

const sent = (world: TestWorld) => aSentDocument(world, { silent: false });

const DOCUMENTS: Partial<Record<OperationId, Story>> = {
  listDocuments: plain,
  createDocument: on({ body: { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] } }),
  createDocumentFromUpload: async () => ({ parts: { file: await aPdf(), data: { name: "Terms" } } }),
  bulkDeleteDocuments: async (world) => ({ body: [{ id: await aDraft(world) }] }),
  statusDocument: about("id", aDraft),
  deleteDocument: about("id", aDraft),
  updateDocument: about("id", aDraft, { body: { name: "Another" } }),
  changeDocumentStatus: about("id", aSentDocument, { body: { status: 2 } }),
  changeDocumentStatusWithUpload: async (world) => ({
    params: { id: await aSentDocument(world) },
    parts: { file: await aPdf(), data: { status: 2 } },
  }),
  documentRevertToDraft: about("id", aSentDocument),
  detailsDocument: about("id", (world) => aDraft(world, { template: "everyField" })),
  sendDocument: about("id", aDraft, { body: {} }),
  createDocumentLink: about("id", aSentDocument, { body: { recipient: CLIENT.email } }),
  downloadDocument: about("id", aDraft),
  downloadProtectedDocument: async (world) => {
    const id = await aCompletedDocument(world);
    await world.advance("1m");
    return { params: { id } };
  },
  documentMoveToFolder: async (world) => ({ params: { id: await aDraft(world), folder_id: FOLDER } }),
  documentESignDisclosure: about("document_id", aDraft),
  createExportDocxTask: about("document_id", aDraft),
  getDocumentAiMetadata: about("document_id", aCompletedDocument),
  batchGetDocumentAiMetadata: async (world) => ({ body: { document_ids: [await aDraft(world)] } }),
  updateDocumentAutoReminderSettings: about("document_id", sent, { body: { enabled: true } }),
  getDocumentAutoReminderSettings: about("document_id", sent),
  createManualReminder: withRecipient(sent, (document_id, recipient_id) => ({
    params: { document_id },
    body: { reminders: [{ recipient_id, delivery_methods: { email: true } }] },
  })),
  listLinkedObjects: about("id", aDraft),
  createLinkedObject: about("id", aDraft, { body: { provider: "pipedrive", entity_type: "deal", entity_id: "7" } }),
  listDocumentAttachments: about("id", aDraft),
  createDocumentAttachment: about("id", aDraft, { body: { source: "http://127.0.0.1:9/terms.pdf" } }),
  createDocumentAttachmentFromFileUpload: async (world) => ({
    params: { id: await aDraft(world) },
    parts: { file: await aPdf() },
  }),
  listDocumentFields: about("id", aDraft),
  createDocumentFields: about("id", aDraft, { body: { fields: [{ type: "text", layout: LAYOUT }] } }),
  listDocumentAuditTrail: about("document_id", aDraft),
  documentSettingsGet: about("document_id", aDraft),
  documentSettingsUpdate: about("document_id", aDraft, { body: { language: "fr-FR" } }),
  deleteDocumentRecipient: withRecipient(aDraft, (id, recipient_id) => ({ params: { id, recipient_id } })),
  editDocumentRecipient: withRecipient(aDraft, (id, recipient_id) => ({
    params: { id, recipient_id },
    body: { first_name: "Ida" },
  })),
  listSections: about("document_id", aDraft),
  uploadSection: about("document_id", aDraft, { body: { template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] } }),
  sectionInfo: async (world) => {
    const document_id = await aDraft(world);
    const { results } = (await succeed(world.call("listSections", { params: { document_id } }))).body;
    return { params: { document_id, section_id: results[0].uuid } };
  },
  addDsvNamedItems: about("document_id", aDraft, { body: { items: [{ name: "Price", level: 0, page_name: "Page 1" }] } }),
};

const CONTENT: Partial<Record<OperationId, Story>> = {
  listContentLibraryItems: plain,
  createContentLibraryItem: on({ body: { name: "Block" } }),
  createContentLibraryItemFromUpload: async () => ({ parts: { file: await aPdf(), data: { name: "Block" } } }),
  statusContentLibraryItem: on({ params: { id: LIBRARY_ITEM } }),
  detailsContentLibraryItem: on({ params: { id: LIBRARY_ITEM } }),
  listTemplates: plain,
  createTemplate: on({ body: { name: "Offer" } }),
  createTemplateWithUpload: async () => ({ parts: { file: await aPdf(), data: { name: "Offer" } } }),
  duplicateTemplate: on({ params: { id: TEMPLATES.oneSigner }, body: { name: "Twin" } }),
  detailsTemplate: on({ params: { id: TEMPLATES.oneSigner } }),
  statusTemplate: on({ params: { id: TEMPLATES.oneSigner } }),
  deleteTemplate: on({ params: { id: TEMPLATES.oneSigner } }),
  updateTemplate: on({ params: { id: TEMPLATES.oneSigner }, body: { tokens: [{ name: "Client.Company", value: "Acme" }] } }),
  templateSettingsGet: on({ params: { template_id: TEMPLATES.oneSigner } }),
  templateSettingsUpdate: on({ params: { template_id: TEMPLATES.oneSigner }, body: { language: "fr-FR" } }),
  listForm: plain,
  listDocumentFolders: plain,
  createDocumentFolder: on({ body: { name: "Old" } }),
  renameDocumentFolder: on({ params: { id: FOLDER }, body: { name: "Old" } }),
  listTemplateFolders: plain,
  createTemplateFolder: on({ body: { name: "Old" } }),
  searchCatalogItems: plain,
  createCatalogItem: on({ body: PRICED }),
  getCatalogItem: on({ params: { item_uuid: ITEM } }),
  updateCatalogItem: on({ params: { item_uuid: ITEM }, body: { title: "Brewer" } }),
};

const PEOPLE: Partial<Record<OperationId, Story>> = {
  listLogs: plain,
  listLogsV2: plain,
  listContacts: plain,
  createContact: on({ body: { email: "deputy@client.example" } }),
  detailsContact: on({ params: { id: CONTACT } }),
  deleteContact: on({ params: { id: CONTACT } }),
  updateContact: on({ params: { id: CONTACT }, body: { company: "Acme" } }),
  listMembers: plain,
  detailsCurrentMember: plain,
  detailsMember: on({ params: { id: NORA.member } }),
  createMemberToken: on({ params: { member_id: NORA.member }, body: { lifetime: 60 } }),
  listWebhookSubscriptions: plain,
  createWebhookSubscription: on({ body: { name: "Mine", url: "http://127.0.0.1:9/", triggers: ["document_updated"] } }),
  detailsWebhookSubscription: aSubscribed,
  updateWebhookSubscription: async (world) => ({ ...(await aSubscribed(world)), body: { name: "Yours" } }),
  deleteWebhookSubscription: aSubscribed,
  updateWebhookSubscriptionSharedKey: aSubscribed,
  listNotaries: plain,
  listNotarizationRequests: plain,
  createNotarizationRequest: async (world) => ({
    body: { document_id: await aDraft(world), invitation: { invitees: [{ email: CLIENT.email }] } },
  }),
  getWorkspacesList: plain,
  createWorkspace: on({ body: { name: "Branch" } }),
  deactivateWorkspace: async (world) => {
    const { id } = (await succeed(world.call("createWorkspace", { body: { name: "Branch" } }))).body;
    return { params: { workspace_id: id }, body: {} };
  },
  updateWorkspace: on({ params: { workspace_id: WORKSPACE }, body: { name: "Northpeak Europe" } }),
  getWorkspacePrivacySettings: on({ params: { workspace_id: WORKSPACE } }),
  updateWorkspacePrivacySettings: on({ params: { workspace_id: WORKSPACE }, body: { ai_features_enabled: false } }),
  getTemplateShares: on({ params: { template_id: TEMPLATES.oneSigner } }),
  listUsers: plain,
  detailsUser: on({ params: { user_id: INES.user } }),
  createApiKey: on({ params: { workspace_id: WORKSPACE }, body: { type: "sandbox" } }),
  listRecentSmsOptOuts: plain,
};

export const VALID_CALLS = { ...DOCUMENTS, ...CONTENT, ...PEOPLE, ...OWN_STORIES } as Readonly<Record<OperationId, Story>>;
