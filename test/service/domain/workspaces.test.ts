/** Several workspaces in one tenant: a call in one workspace does not affect the others. */
import { expect, test } from "vitest";
import { anotherWorkspace, asMember, NORA, SAM, WORKSPACE } from "../../support/people.ts";
import { plainPdf } from "../../support/pdf.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, CLIENT, simulate, succeed } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

test("a document passes its whole life in a second workspace, and only that workspace's subscription receives events", async () => {
  const { key } = await anotherWorkspace(world);
  const [here, there] = [await receiver(), await receiver()];
  const subscribe = (url: string, withKey: object) =>
    succeed(
      world.call("createWebhookSubscription", { ...withKey, body: { name: url, url, triggers: ["document_state_changed"] } }),
    );
  const [ours, theirs] = [await subscribe(here.url, {}), await subscribe(there.url, { key })];
  here.key = ours.body.shared_key;
  there.key = theirs.body.shared_key;
  const file = new File([(await plainPdf()) as Uint8Array<ArrayBuffer>], "branch.pdf", { type: "application/pdf" });
  const made = await succeed(
    world.call("createDocumentFromUpload", {
      key,
      parts: { file, data: { name: "Branch agreement", recipients: [CLIENT], parse_form_fields: false } },
    }),
  );
  const params = { id: made.body.id as string };
  await world.advance("5s");
  await succeed(world.call("sendDocument", { key, params, body: { silent: true } }));
  await simulate(world, params.id, "view");
  await succeed(world.call("changeDocumentStatus", { key, params, body: { status: 2 } }));
  await world.advance("10s");
  expect((await world.call("statusDocument", { key, params })).body.status).toBe("document.completed");
  expect((await world.call("statusDocument", { params })).status).toBe(404);
  expect((await world.call("listDocuments")).body.results).toEqual([]);
  const seen = there.events().map((event) => event.data.status);
  expect(seen).toContain("document.draft");
  expect(seen).toContain("document.completed");
  expect(there.received.every((one) => one.verified)).toBe(true);
  expect(here.received).toEqual([]);
  expect((await world.call("listContacts", { key })).body.results).toMatchObject([{ email: CLIENT.email }]);
});

test("a document that fails to convert in a second workspace ends in document.error there", async () => {
  const { key } = await anotherWorkspace(world);
  const file = new File(["no PDF at all"], "broken.pdf", { type: "application/pdf" });
  const made = await succeed(
    world.call("createDocumentFromUpload", { key, parts: { file, data: { name: "Agreement", recipients: [CLIENT] } } }),
  );
  await world.advance("5s");
  expect((await world.call("statusDocument", { key, params: { id: made.body.id } })).body.status).toBe("document.error");
});

test("amounts without a currency use the currency of their workspace, also in conversions and events", async () => {
  const workspaces = [{ id: "WorkspaceOslo", name: "Oslo", settings: { currency: "NOK" } }];
  const members = [{ id: "MemberOslo", workspace_id: "WorkspaceOslo", email: NORA.email, role: "Admin" }];
  const api_keys = [{ key: "oslo-key", member: "MemberOslo" }];
  await succeed(world.admin("POST", "/scenarios", { version: 1, name: "oslo", world: { workspaces, members, api_keys } }));
  const there = await receiver();
  await succeed(
    world.call("createWebhookSubscription", {
      key: "oslo-key",
      body: { name: "oslo", url: there.url, triggers: ["document_state_changed"] },
    }),
  );
  const file = new File([(await plainPdf()) as Uint8Array<ArrayBuffer>], "oslo.pdf", { type: "application/pdf" });
  const made = await succeed(
    world.call("createDocumentFromUpload", {
      key: "oslo-key",
      parts: { file, data: { name: "Agreement", recipients: [CLIENT] } },
    }),
  );
  await world.advance("5s");
  const details = await succeed(world.call("detailsDocument", { key: "oslo-key", params: { id: made.body.id } }));
  expect(details.body.grand_total.currency).toBe("NOK");
  expect(there.events()[0].data.grand_total.currency).toBe("NOK");
});

test("a removed member stays the creator of documents, and gets no token", async () => {
  const sam = await asMember(world, SAM.member);
  const id = await aDraft(world);
  const made = await succeed(
    world.call("createDocument", {
      ...sam,
      body: { template_uuid: "TemplateOneSignerxxxxx", name: "By Sam", recipients: [CLIENT] },
    }),
  );
  await world.advance("5s");
  await succeed(world.call("removeMember", { params: { workspace_id: WORKSPACE, member_id: SAM.member } }));
  const { body } = await succeed(world.call("detailsDocument", { params: { id: made.body.id } }));
  expect(body.created_by).toMatchObject({ email: SAM.email, membership_id: SAM.member, first_name: "Sam" });
  expect((await world.call("createMemberToken", { params: { member_id: SAM.member } })).status).toBe(404);
  expect((await world.call("listDocuments", { query: { membership_id: SAM.member } })).body.results).toHaveLength(1);
  expect((await world.call("statusDocument", { params: { id } })).status).toBe(200);
});
