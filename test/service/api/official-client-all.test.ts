/** Calls each method of each class of the official client over a socket, and checks the client's typed results. */
import * as pandadoc from "pandadoc-node-client";
import { expect, test } from "vitest";
import { configurationOf, listeningSandbox } from "../../support/sdk.ts";
import { NORA, SAM, WORKSPACE } from "../../support/people.ts";
import { receiver } from "../../support/receiver.ts";
import { CLIENT, DIRECTOR, LIBRARY_ITEM, TEMPLATES } from "../../support/stories.ts";
import type { Sandbox } from "../../../src/library/types.ts";

/** The classes of the client whose name ends in Api, each with its methods. */
const METHODS = Object.entries(pandadoc)
  .filter(([name, value]) => /Api$/.test(name) && typeof value === "function")
  .flatMap(([name, value]) =>
    Object.getOwnPropertyNames((value as { prototype: object }).prototype)
      .filter((method) => method !== "constructor" && !method.endsWith("WithHttpInfo"))
      .map((method) => `${name}.${method}`),
  );

interface Clients {
  sandbox: Sandbox;
  configuration: pandadoc.Configuration;
}

async function start(): Promise<Clients> {
  const sandbox = await listeningSandbox();
  return { sandbox, configuration: configurationOf(sandbox) };
}

const called = new Set<string>();

/** The exported name of a class of the client. */
function nameOf(api: object): string {
  const found = Object.entries(pandadoc).find(([name, value]) => /Api$/.test(name) && api.constructor === value);
  return found?.[0] ?? "no class of the client";
}

/** Records the successful methods by the name of the class. */
function noted<T extends object>(api: T): T {
  return new Proxy(api, {
    get(target, name) {
      const method = Reflect.get(target, name) as unknown;
      if (typeof method !== "function") return method;
      return async (...input: unknown[]) => {
        const answer: unknown = await Reflect.apply(method, target, input);
        called.add(`${nameOf(target)}.${String(name)}`);
        return answer;
      };
    },
  });
}

async function simulate(sandbox: Sandbox, id: string, act: string): Promise<void> {
  const answer = await fetch(`${sandbox.url}/__admin/documents/${id}/simulate/${act}`, { method: "POST" });
  expect(answer.status).toBe(200);
}

async function aDraft({ sandbox, configuration }: Clients, templateUuid: string = TEMPLATES.oneSigner): Promise<string> {
  const documents = noted(new pandadoc.DocumentsApi(configuration));
  const recipients = [{ email: CLIENT.email, firstName: CLIENT.first_name, lastName: CLIENT.last_name, role: "Client" }];
  const made = await documents.createDocument({ documentCreateRequest: { name: "Agreement", templateUuid, recipients } });
  expect(made).toBeInstanceOf(pandadoc.DocumentCreateResponse);
  expect(made.links?.[0]).toMatchObject({ rel: "status", type: "GET" });
  await sandbox.clock.advance(5000);
  return made.id as string;
}

const isDate = (text: unknown) => typeof text === "string" && !Number.isNaN(Date.parse(text));

const STORIES: Record<string, () => Promise<void>> = {
  async "DocumentsApi: reading, changing, sending and transferring"() {
    const clients = await start();
    const { sandbox, configuration } = clients;
    const documents = noted(new pandadoc.DocumentsApi(configuration));
    const folders = new pandadoc.FoldersAPIApi(configuration);
    const id = await aDraft(clients, TEMPLATES.pricing);
    const status = await documents.statusDocument({ id });
    expect(status).toBeInstanceOf(pandadoc.DocumentStatusResponse);
    expect([status.status, status.version, isDate(status.dateCreated), status.dateCompleted]).toEqual([
      "document.draft",
      "2",
      true,
      null,
    ]);
    await documents.updateDocument({ id, documentUpdateRequest: { name: "Renamed", metadata: { lead: "7" } } });
    const { results = [] } = await documents.listDocuments({
      count: 5,
      page: 1,
      metadata: ["metadata_lead=7"],
      q: "Renamed",
      deleted: false,
    });
    expect(results).toHaveLength(1);
    expect(results[0]).toBeInstanceOf(pandadoc.DocumentListResponseResults);
    const linked = await documents.createLinkedObject({
      id,
      linkedObjectCreateRequest: { provider: "pipedrive", entityType: "deal", entityId: "7" },
    });
    expect((await documents.listLinkedObjects({ id })).linkedObjects?.map((one) => one.id)).toEqual([linked.id]);
    await documents.deleteLinkedObject({ id, linkedObjectId: linked.id as string });
    expect((await documents.listLinkedObjects({ id })).linkedObjects).toEqual([]);
    const folder = await folders.createDocumentFolder({ documentsFolderCreateRequest: { name: "Deals" } });
    await documents.documentMoveToFolder({ id, folderId: folder.uuid as string });
    await documents.transferDocumentOwnership({ id, documentTransferOwnershipRequest: { membershipId: SAM.member } });
    expect((await documents.listDocuments({ membershipId: SAM.member, folderUuid: folder.uuid as string })).results).toHaveLength(
      1,
    );
    const handOver = { fromMembershipId: SAM.member, toMembershipId: NORA.member };
    await documents.transferAllDocumentsOwnership({ documentTransferAllOwnershipRequest: handOver });
    expect((await documents.listDocuments({ membershipId: SAM.member })).results).toEqual([]);
    const sent = await documents.sendDocument({ id, documentSendRequest: { silent: true } });
    expect(sent).toMatchObject({ id, status: "document.sent" });
    const session = await documents.createDocumentLink({
      id,
      documentCreateLinkRequest: { recipient: CLIENT.email, lifetime: 900 },
    });
    expect([typeof session.id, Date.parse(String(session.expiresAt))]).toEqual(["string", sandbox.clock.now() + 900_000]);
    await simulate(sandbox, id, "sign");
    await sandbox.clock.advance(60_000);
    const details = await documents.detailsDocument({ id });
    expect(details).toBeInstanceOf(pandadoc.DocumentDetailsResponse);
    expect([details.grandTotal?.amount, isDate(details.dateCompleted)]).toEqual(["829.05", true]);
    expect(details.recipients?.[0]?.hasCompleted).toBe(true);
    expect(details.pricing?.tables?.[0]?.items?.[0]).toMatchObject({ qty: "2", price: "199.50" });
    for (const file of [
      await documents.downloadDocument({ id, watermarkText: "copy", watermarkFontSize: 12, watermarkOpacity: 0.5 }),
      await documents.downloadProtectedDocument({ id }),
    ])
      expect(file.data.subarray(0, 5).toString()).toBe("%PDF-");
    await documents.changeDocumentStatus({
      id,
      documentStatusChangeRequest: { status: "12", note: "by hand" },
    });
    await documents.deleteDocument({ id });
    expect((await documents.listDocuments({ deleted: true })).results?.map((one) => one.id)).toEqual([id]);
  },

  async "DocumentAttachmentsApi: a file by URL is listed, shown, downloaded and deleted"() {
    const clients = await start();
    const attachments = noted(new pandadoc.DocumentAttachmentsApi(clients.configuration));
    const hook = await receiver();
    const id = await aDraft(clients);
    const source = hook.serve("/terms.pdf", Buffer.from("%PDF-1.7 terms"));
    const made = await attachments.createDocumentAttachment({ id, source, name: "terms.pdf" });
    expect(made).toBeInstanceOf(pandadoc.DocumentAttachmentResponse);
    await clients.sandbox.clock.advance(5000);
    const attachmentId = made.uuid as string;
    const listed = await attachments.listDocumentAttachments({ id });
    expect([listed.length, listed[0] instanceof pandadoc.DocumentAttachmentResponse]).toEqual([1, true]);
    const details = await attachments.detailsDocumentAttachment({ id, attachmentId });
    expect([details.name, isDate(details.dateCreated), details.createdBy?.email]).toEqual(["terms.pdf", true, NORA.email]);
    const file = await attachments.downloadDocumentAttachment({ id, attachmentId });
    expect(file.data.toString()).toBe("%PDF-1.7 terms");
    await attachments.deleteDocumentAttachment({ id, attachmentId });
    expect(await attachments.listDocumentAttachments({ id })).toEqual([]);
  },

  async "DocumentRecipientsApi: recipients are added, edited, replaced and removed"() {
    const clients = await start();
    const recipients = noted(new pandadoc.DocumentRecipientsApi(clients.configuration));
    const contacts = noted(new pandadoc.ContactsApi(clients.configuration));
    const id = await aDraft(clients);
    const [copy, deputy] = await Promise.all(
      ["copy@client.example", DIRECTOR.email].map((email) =>
        contacts.createContact({ contactCreateRequest: { email, firstName: "New" } }),
      ),
    );
    const added = await recipients.addDocumentRecipient({
      id,
      documentRecipientCreateRequest: { id: copy?.id as string, kind: "contact" },
    });
    expect(added).toBeInstanceOf(pandadoc.DocumentRecipientResponse);
    const recipientId = added.recipientId as string;
    await recipients.editDocumentRecipient({ id, recipientId, documentRecipientEditRequest: { firstName: "Cora" } });
    const documents = new pandadoc.DocumentsApi(clients.configuration);
    const people = async () => (await documents.detailsDocument({ id })).recipients?.map((one) => [one.email, one.firstName]);
    expect(await people()).toEqual([
      [CLIENT.email, "Ivo"],
      ["copy@client.example", "Cora"],
    ]);
    await recipients.deleteDocumentRecipient({ id, recipientId });
    const signer = (await documents.detailsDocument({ id })).recipients?.[0]?.id as string;
    const replaced = await recipients.reassignDocumentRecipient({
      id,
      recipientId: signer,
      documentRecipientCreateRequest: { id: deputy?.id as string, kind: "contact" },
    });
    expect(typeof replaced.recipientId).toBe("string");
    expect(await people()).toEqual([[DIRECTOR.email, "New"]]);
  },

  async "SectionsApi and QuotesApi: a section from a template, and a rewritten quote"() {
    const clients = await start();
    const sections = noted(new pandadoc.SectionsApi(clients.configuration));
    const quotes = noted(new pandadoc.QuotesApi(clients.configuration));
    const documentId = await aDraft(clients, TEMPLATES.quote);
    const upload = await sections.uploadSection({
      documentId,
      uploadSectionRequest: {
        name: "Annex",
        templateUuid: TEMPLATES.oneSigner,
        recipients: [{ email: CLIENT.email, role: "Client" }],
      },
      mergeFieldScope: "upload",
    });
    expect(upload).toBeInstanceOf(pandadoc.UploadSectionResponse);
    expect(isDate(upload.dateCreated)).toBe(true);
    await clients.sandbox.clock.advance(6000);
    const details = await sections.sectionDetails({ documentId, uploadId: upload.uuid as string });
    expect([details.status, details.sectionsUuids?.length]).toEqual(["document_sections_upload.PROCESSED", 1]);
    const info = await sections.sectionInfo({ documentId, sectionId: details.sectionsUuids?.[0] as string });
    expect(info).toMatchObject({ name: "Annex", documentUuid: documentId });
    expect((await sections.listSections({ documentId })).results?.length).toBeGreaterThan(0);
    const documents = new pandadoc.DocumentsApi(clients.configuration);
    const quoteId = (await documents.detailsDocument({ id: documentId })).pricing?.quotes?.[0]?.id as string;
    const quote = await quotes.quoteUpdate({ documentId, quoteId, quoteUpdateRequest: {} });
    expect(quote).toBeInstanceOf(pandadoc.QuoteResponse);
    expect([quote.id, quote.currency, Array.isArray(quote.sections)]).toEqual([quoteId, "USD", true]);
  },

  async "TemplatesApi, ContentLibraryItemsApi and FormsApi: the content of the default world"() {
    const { configuration } = await start();
    const templates = noted(new pandadoc.TemplatesApi(configuration));
    const items = noted(new pandadoc.ContentLibraryItemsApi(configuration));
    const forms = noted(new pandadoc.FormsApi(configuration));
    const { results = [] } = await templates.listTemplates({ count: 3, page: 1 });
    expect([results.length, results[0] instanceof pandadoc.TemplateListResponseResults]).toEqual([3, true]);
    const details = await templates.detailsTemplate({ id: TEMPLATES.everyField });
    expect([details.id, isDate(details.dateCreated), Array.isArray(details.fields)]).toEqual([TEMPLATES.everyField, true, true]);
    await templates.deleteTemplate({ id: TEMPLATES.everyField });
    await expect(templates.detailsTemplate({ id: TEMPLATES.everyField })).rejects.toMatchObject({ code: 404 });
    expect((await items.listContentLibraryItems({ count: 5 })).results?.length).toBeGreaterThan(0);
    expect(await items.detailsContentLibraryItem({ id: LIBRARY_ITEM })).toMatchObject({
      id: LIBRARY_ITEM,
      tags: expect.any(Array),
    });
    const form = await forms.listForm({ count: 1, page: 1, status: ["active"], asc: true });
    expect([form.results?.length, typeof form.hasNextPage]).toEqual([1, "boolean"]);
  },

  async "ContactsApi, MembersApi, FoldersAPIApi and UserAndWorkspaceManagementApi: people and workspaces"() {
    const { configuration } = await start();
    const contacts = noted(new pandadoc.ContactsApi(configuration));
    const members = noted(new pandadoc.MembersApi(configuration));
    const folders = noted(new pandadoc.FoldersAPIApi(configuration));
    const people = noted(new pandadoc.UserAndWorkspaceManagementApi(configuration));
    const contact = await contacts.createContact({ contactCreateRequest: { email: "ada@buyer.example", firstName: "Ada" } });
    const id = contact.id as string;
    expect(await contacts.detailsContact({ id })).toEqual(contact);
    expect(await contacts.updateContact({ id, contactUpdateRequest: { company: "Buyer" } })).toMatchObject({ company: "Buyer" });
    expect((await contacts.listContacts({ email: "ada@buyer.example" })).results?.[0]).toBeInstanceOf(
      pandadoc.ContactDetailsResponse,
    );
    await contacts.deleteContact({ id });
    const me = await members.detailsCurrentMember();
    expect([me.membershipId, me.isActive, isDate(me.dateCreated)]).toEqual([NORA.member, true, true]);
    expect(await members.detailsMember({ id: SAM.member })).toMatchObject({ membershipId: SAM.member, email: SAM.email });
    expect((await members.listMembers()).results?.length).toBe(3);
    const made = await folders.createDocumentFolder({ documentsFolderCreateRequest: { name: "Deals" } });
    await folders.renameDocumentFolder({ id: made.uuid as string, documentsFolderRenameRequest: { name: "Old deals" } });
    expect((await folders.listDocumentFolders({ count: 50 })).results?.map((one) => one.name)).toContain("Old deals");
    const shelf = await folders.createTemplateFolder({ templatesFolderCreateRequest: { name: "Forms" } });
    await folders.renameTemplateFolder({ id: shelf.uuid as string, templatesFolderRenameRequest: { name: "Old forms" } });
    expect((await folders.listTemplateFolders({ count: 50 })).results?.map((one) => one.name)).toContain("Old forms");
    const branch = await people.createWorkspace({ createWorkspaceRequest: { name: "Branch" } });
    const workspaceId = branch.id as string;
    const added = await people.addMember({ workspaceId, addMemberRequest: { userId: SAM.user, role: "Member" } });
    expect(added).toMatchObject({ workspaceId, role: "Member" });
    const user = await people.createUser({
      createUserRequest: {
        user: { email: "kim@northpeak.example", firstName: "Kim" },
        workspaces: [{ workspaceId: WORKSPACE, role: "Member" }],
        license: "Full",
      },
    });
    expect(user.userId).toMatch(/^\w{22}$/);
  },

  async "WebhookSubscriptionsApi, WebhookEventsApi and APILogsApi: a subscription, its events and the calls"() {
    const clients = await start();
    const { configuration } = clients;
    const subscriptions = noted(new pandadoc.WebhookSubscriptionsApi(configuration));
    const events = noted(new pandadoc.WebhookEventsApi(configuration));
    const logs = noted(new pandadoc.APILogsApi(configuration));
    const hook = await receiver();
    const made = await subscriptions.createWebhookSubscription({
      webhookSubscriptionCreateRequest: { name: "All", url: hook.url, payload: ["fields"], triggers: ["document_state_changed"] },
    });
    expect(made).toBeInstanceOf(pandadoc.WebhookSubscriptionItemResponse);
    const id = made.uuid as string;
    expect(await subscriptions.detailsWebhookSubscription({ id })).toEqual(made);
    const changed = await subscriptions.updateWebhookSubscription({ id, webhookSubscriptionPatchRequest: { name: "Some" } });
    expect([changed.name, changed.active, changed.triggers]).toEqual(["Some", true, ["document_state_changed"]]);
    const key = (await subscriptions.updateWebhookSubscriptionSharedKey({ id })).sharedKey;
    expect(key).not.toBe(made.sharedKey);
    expect((await subscriptions.listWebhookSubscriptions()).items?.map((one) => one.sharedKey)).toEqual([key]);
    await aDraft(clients);
    const { items = [] } = await events.listWebhookEvent({ count: 10, page: 1, type: ["document_state_changed"] });
    expect([items.length, items[0]?.httpStatusCode, items[0]?.deliveryTime instanceof Date]).toEqual([1, 200, true]);
    const event = await events.detailsWebhookEvent({ id: items[0]?.uuid as string });
    expect([event.url, event.eventTime instanceof Date, JSON.parse(event.requestBody as string)[0].event]).toEqual([
      expect.stringContaining(hook.url),
      true,
      "document_state_changed",
    ]);
    await subscriptions.deleteWebhookSubscription({ id });
    const { results = [] } = await logs.listLogs({
      count: 5,
      page: 1,
      since: "-1d",
      to: "now",
      statuses: [200],
      methods: ["DELETE"],
    });
    expect([results.length, results[0]?.status]).toEqual([1, 204]);
    const log = await logs.detailsLog({ id: results[0]?.id as string });
    expect([log.method, typeof log.status, isDate(log.requestTime)]).toEqual(["DELETE", "number", true]);
  },

  async "OAuth20AuthenticationApi: accessToken by a code"() {
    const { sandbox, configuration } = await start();
    const oauth = noted(new pandadoc.OAuth20AuthenticationApi(configuration));
    const answer = await fetch(`${sandbox.url}/__admin/oauth/codes`, {
      method: "POST",
      body: JSON.stringify({ client_id: "docdouble-client" }),
      headers: { "content-type": "application/json" },
    });
    const { code } = (await answer.json()) as { code: string };
    const token = await oauth.accessToken({
      grantType: "authorization_code",
      clientId: "docdouble-client",
      clientSecret: "docdouble-secret",
      code,
    });
    expect(token).toBeInstanceOf(pandadoc.OAuth2AccessTokenResponse);
    expect([token.expiresIn, token.tokenType]).toEqual([31_535_999, "Bearer"]);
  },
};

test("each method of the client has a typed result", async () => {
  for (const play of Object.values(STORIES)) await play();
  expect(METHODS.length).toBeGreaterThan(50);
  expect(METHODS.filter((name) => !called.has(name))).toEqual([]);
});
