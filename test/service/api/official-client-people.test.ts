/** The official client over a socket: contacts, members, folders, forms, logs, users and workspaces, with the client's types. */
import * as pandadoc from "pandadoc-node-client";
import { expect, test } from "vitest";
import { configurationOf, listeningSandbox } from "../../support/sdk.ts";
import { NORA, SAM } from "../../support/people.ts";

async function clients() {
  const configuration = configurationOf(await listeningSandbox());
  return {
    contacts: new pandadoc.ContactsApi(configuration),
    members: new pandadoc.MembersApi(configuration),
    folders: new pandadoc.FoldersAPIApi(configuration),
    forms: new pandadoc.FormsApi(configuration),
    logs: new pandadoc.APILogsApi(configuration),
    people: new pandadoc.UserAndWorkspaceManagementApi(configuration),
  };
}

test("createContact, updateContact, listContacts and deleteContact by the official client", async () => {
  const { contacts } = await clients();
  const made = await contacts.createContact({ contactCreateRequest: { email: "ada@buyer.example", firstName: "Ada" } });
  const id = made.id as string;
  const changed = await contacts.updateContact({ id, contactUpdateRequest: { lastName: "Berg" } });
  expect(changed).toMatchObject({ id, firstName: "Ada", lastName: "Berg", email: "ada@buyer.example" });
  expect((await contacts.listContacts({ email: "ada@buyer.example" })).results).toHaveLength(1);
  await contacts.deleteContact({ id });
  expect((await contacts.listContacts({ email: "ada@buyer.example" })).results).toEqual([]);
  await expect(contacts.createContact({ contactCreateRequest: { email: "nobody" } })).rejects.toMatchObject({ code: 400 });
});

test("listMembers, folders and listForm by the official client", async () => {
  const { members, folders, forms } = await clients();
  expect(await members.detailsCurrentMember()).toMatchObject({ membershipId: NORA.member, userLicense: "Full" });
  expect((await members.listMembers()).results).toHaveLength(3);
  const made = await folders.createDocumentFolder({ documentsFolderCreateRequest: { name: "By the client" } });
  const renamed = await folders.renameDocumentFolder({
    id: made.uuid as string,
    documentsFolderRenameRequest: { name: "Renamed" },
  });
  expect(renamed.dateCreated).toEqual(made.dateCreated);
  const listed = await folders.listDocumentFolders({ count: 50 });
  expect(listed.results?.at(-1)).toMatchObject({ name: "Renamed", hasItems: false });
  const draft = await forms.listForm({ status: ["draft", "active"], asc: true });
  expect(draft.results?.map((one) => one.status)).toEqual(["ACTIVE", "DRAFT"]);
});

test("listLogs and detailsLog by the official client", async () => {
  const { contacts, logs } = await clients();
  await contacts.listContacts({ email: "ada+b@buyer.example" });
  const { results = [] } = await logs.listLogs({ since: "-1d", to: "now", statuses: [200], methods: ["GET"] });
  expect(results).toHaveLength(1);
  const log = await logs.detailsLog({ id: results[0]?.id as string });
  expect(log).toMatchObject({
    tokenType: "API_KEY",
    userEmail: NORA.email,
    queryParamsString: "email=ada%2Bb%40buyer.example",
  });
});

test("createWorkspace, createUser and addMember by the official client", async () => {
  const { people } = await clients();
  const branch = await people.createWorkspace({ createWorkspaceRequest: { name: "Branch" } });
  const workspaceId = branch.id as string;
  const added = await people.addMember({ workspaceId, addMemberRequest: { userId: SAM.user, role: "Member" }, notifyUser: true });
  expect(added).toMatchObject({ email: SAM.email, workspaceId, role: "Member" });
  const user = await people.createUser({
    createUserRequest: {
      user: { email: "kim@northpeak.example", firstName: "Kim" },
      workspaces: [{ workspaceId, role: "Manager" }],
      license: "Full",
    },
  });
  expect(user.userId).toMatch(/^\w{22}$/);
});
