/** Several workspaces in one tenant: a call in one workspace does not affect the others. */
import { expect, test } from "vitest";
import { asMember, NORA, SAM, WORKSPACE } from "../../support/people.ts";
import { plainPdf } from "../../support/pdf.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, CLIENT, succeed } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

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
