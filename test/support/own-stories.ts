/** Operations whose bodies, queries or paths contain ids. Each has a story that ends in a successful call. */
import type { OperationId } from "../../src/service/nouns/index.ts";
import { aPdf } from "./content.ts";
import { anotherWorkspace, INES, NORA, SAM, WORKSPACE } from "./people.ts";
import { aDraft, aSentDocument, CLIENT, LIBRARY_ITEM, succeed, TEMPLATES } from "./stories.ts";
import type { Answer, CallOptions, TestWorld } from "./world.ts";

export type Story = (world: TestWorld) => Promise<CallOptions>;

const LINK = { provider: "pipedrive", entity_type: "deal", entity_id: "7" };

async function bodyOf(call: Promise<Answer>) {
  return (await succeed(call)).body;
}

async function detailsOf(world: TestWorld, id: string) {
  return bodyOf(world.call("detailsDocument", { params: { id } }));
}

async function aContact(world: TestWorld): Promise<string> {
  return (await bodyOf(world.call("createContact", { body: { email: "deputy@client.example" } }))).id;
}

const anAttachment: Story = async (world) => {
  const id = await aDraft(world);
  const parts = { file: await aPdf() };
  const { uuid } = await bodyOf(world.call("createDocumentAttachmentFromFileUpload", { params: { id }, parts }));
  return { params: { id, attachment_id: uuid } };
};

async function aSection(world: TestWorld) {
  const document_id = await aDraft(world);
  const body = { name: "Annex", template_uuid: TEMPLATES.oneSigner, recipients: [CLIENT] };
  const { uuid } = await bodyOf(world.call("uploadSection", { params: { document_id }, body }));
  await world.advance("6s");
  return { document_id, upload_id: uuid as string };
}

const aRequest: Story = async (world) => {
  const { email, first_name, last_name } = CLIENT;
  const body = { document_id: await aDraft(world), invitation: { invitees: [{ email, first_name, last_name }] } };
  const { id } = await bodyOf(world.call("createNotarizationRequest", { body }));
  return { params: { session_request_id: id } };
};

const loggedBy = (list: "listLogs" | "listLogsV2"): Story => {
  return async (world) => {
    await succeed(world.call("listContacts"));
    const { results } = await bodyOf(world.call(list));
    return { params: { id: results[0].id } };
  };
};

/** Deliveries with at least one attempt. */
async function delivered(world: TestWorld): Promise<void> {
  const body = { name: "all", url: "http://127.0.0.1:9/", triggers: ["document_state_changed"], payload: [] };
  await succeed(world.call("createWebhookSubscription", { body }));
  await aDraft(world);
}

const PAGE = { count: 10, page: 1 };

export const OWN_STORIES: Partial<Record<OperationId, Story>> = {
  async updateTemplateSharingSettings(world) {
    const { id } = await anotherWorkspace(world);
    return { params: { template_id: TEMPLATES.oneSigner }, body: { workspace_ids: [id] } };
  },
  async createDocumentFromMarkdownUpload() {
    return { parts: { file: new File(["# Offer"], "offer.md", { type: "text/markdown" }), data: { name: "Offer" } } };
  },
  async createDocumentEditingSession(world) {
    return { params: { id: await aDraft(world) }, body: { email: NORA.email } };
  },
  async transferDocumentOwnership(world) {
    return { params: { id: await aDraft(world) }, body: { membership_id: SAM.member } };
  },
  async transferAllDocumentsOwnership() {
    return { body: { from_membership_id: NORA.member, to_membership_id: SAM.member } };
  },
  async uploadSectionWithUpload(world) {
    return { params: { document_id: await aDraft(world) }, parts: { file: await aPdf(), data: { recipients: [CLIENT] } } };
  },
  async getDocumentSummary(world) {
    return { params: { document_id: await aDraft(world) }, query: { type: "short" } };
  },
  async getDocumentContent(world) {
    return { params: { document_id: await aDraft(world) }, query: { format: "markdown" } };
  },
  async getDocxExportTask(world) {
    const params = { document_id: await aDraft(world) };
    const { id } = await bodyOf(world.call("createExportDocxTask", { params }));
    return { params: { ...params, task_id: id } };
  },
  async searchDocumentsAi(world) {
    await aDraft(world);
    return { query: { q: "agreement" } };
  },
  async accessToken(world) {
    const { code } = await bodyOf(world.admin("POST", "/oauth/codes", { client_id: "docdouble-client" }));
    const form = { grant_type: "authorization_code", client_id: "docdouble-client", client_secret: "docdouble-secret", code };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return { key: null, body: new URLSearchParams(form).toString(), headers };
  },
  async appendContentLibraryItemToDocument(world) {
    return { params: { id: await aDraft(world) }, body: { cli: { id: LIBRARY_ITEM, pages: [{ index: 0, name: "Prices" }] } } };
  },
  async updateDocumentFieldsAssignment(world) {
    const id = await aDraft(world);
    const { fields, recipients } = await detailsOf(world, id);
    return { params: { id }, body: { fields: [{ field_id: fields[0].uuid, assigned_to: recipients[0].id }] } };
  },
  async addDocumentRecipient(world) {
    return { params: { id: await aDraft(world) }, body: { id: await aContact(world), kind: "contact" } };
  },
  async reassignDocumentRecipient(world) {
    const id = await aDraft(world);
    const { recipients } = await detailsOf(world, id);
    return { params: { id, recipient_id: recipients[0].id }, body: { id: await aContact(world), kind: "contact" } };
  },
  async statusDocumentAutoReminder(world) {
    const params = { document_id: await aSentDocument(world, { silent: false }) };
    await succeed(world.call("updateDocumentAutoReminderSettings", { params, body: { enabled: true } }));
    return { params };
  },
  async listDocumentsByLinkedObject(world) {
    await succeed(world.call("createLinkedObject", { params: { id: await aDraft(world) }, body: LINK }));
    return { query: LINK };
  },
  async deleteLinkedObject(world) {
    const id = await aDraft(world);
    const linked = await bodyOf(world.call("createLinkedObject", { params: { id }, body: LINK }));
    return { params: { id, linked_object_id: linked.id } };
  },
  detailsDocumentAttachment: anAttachment,
  deleteDocumentAttachment: anAttachment,
  downloadDocumentAttachment: anAttachment,
  async createTemplateEditingSession() {
    return { params: { id: TEMPLATES.oneSigner }, body: { email: NORA.email, lifetime: 60 } };
  },
  async renameTemplateFolder(world) {
    const { uuid } = await bodyOf(world.call("createTemplateFolder", { body: { name: "Forms" } }));
    return { params: { id: uuid }, body: { name: "Old forms" } };
  },
  detailsLog: loggedBy("listLogs"),
  detailsLogV2: loggedBy("listLogsV2"),
  async listWebhookEvent(world) {
    await delivered(world);
    return { query: PAGE };
  },
  async detailsWebhookEvent(world) {
    await delivered(world);
    const { items } = await bodyOf(world.call("listWebhookEvent", { query: PAGE }));
    return { params: { id: items[0].uuid } };
  },
  async quoteUpdate(world) {
    const document_id = await aDraft(world, { template: "quote" });
    const { pricing } = await detailsOf(world, document_id);
    return { params: { document_id, quote_id: pricing.quotes[0].id }, body: {} };
  },
  async quotesBatchUpdate(world) {
    const document_id = await aDraft(world, { template: "quote" });
    const { pricing } = await detailsOf(world, document_id);
    return { params: { document_id }, body: { quotes: [{ id: pricing.quotes[0].id }] } };
  },
  async sectionDetails(world) {
    return { params: await aSection(world) };
  },
  async deleteSection(world) {
    const params = await aSection(world);
    const { sections_uuids } = await bodyOf(world.call("sectionDetails", { params }));
    return { params: { document_id: params.document_id, section_id: sections_uuids[0] } };
  },
  notarizationRequestDetails: aRequest,
  deleteNotarizationRequest: aRequest,
  async deleteCatalogItem(world) {
    const price_configuration = { currency: "EUR", price: 1, pricing_method: 0 };
    const { uuid } = await bodyOf(world.call("createCatalogItem", { body: { title: "Product", price_configuration } }));
    return { params: { item_uuid: uuid } };
  },
  async createUser() {
    const user = { email: "kim.vo@northpeak.example", first_name: "Kim", last_name: "Vo" };
    return { body: { user, workspaces: [{ workspace_id: WORKSPACE, role: "Member" }], license: "Full" } };
  },
  async addMember(world) {
    const { id } = await bodyOf(world.call("createWorkspace", { body: { name: "Branch" } }));
    return { params: { workspace_id: id }, body: { user_id: SAM.user, role: "Member" } };
  },
  async removeMember() {
    return { params: { workspace_id: WORKSPACE, member_id: INES.member } };
  },
  async changeMemberRole() {
    return { params: { workspace_id: WORKSPACE, member_id: SAM.member }, body: { role: "Member" } };
  },
};
