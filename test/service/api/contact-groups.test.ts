import { describe, expect, test } from "vitest";
import { aDraft, aSentDocument, simulate, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const BOARD = "ContactGroupBoardxxxxx";
const KNOWN = { id: BOARD, kind: "contact_group" };

async function recipientsOf(world: TestWorld, id: string) {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body.recipients;
}

const BOARD_IN_DETAILS = {
  id: expect.any(String),
  type: "recipient_group",
  name: "Board",
  has_completed: false,
  signing_order: null,
  members: [
    { email: "abraham.fay@harborline.example", first_name: "Abraham", last_name: "Fay" },
    { email: "nels.kutch@fernhill.example", first_name: "Nels", last_name: "Kutch" },
  ],
};

describe("contact groups", () => {
  test("addDocumentRecipient adds a contact group of the fixtures as CC, and refuses to add it again", async () => {
    const id = await aSentDocument(world, { silent: false });
    const { status, body } = await world.call("addDocumentRecipient", { params: { id }, body: KNOWN });
    expect({ status, body }).toEqual({ status: 200, body: { recipient_id: expect.any(String) } });
    const [, group] = await recipientsOf(world, id);
    expect(group).toMatchObject({ ...BOARD_IN_DETAILS, id: body.recipient_id, recipient_type: "CC", roles: [] });
    const mailed = world.tenant.store.emails.all().map((mail) => mail.to);
    expect(mailed).toEqual(expect.arrayContaining(["abraham.fay@harborline.example", "nels.kutch@fernhill.example"]));
    const again = await world.call("addDocumentRecipient", { params: { id }, body: KNOWN });
    expect({ status: again.status, body: again.body }).toEqual({
      status: 400,
      body: { type: "request_error", detail: { id: ["Board already in recipients list"] } },
    });
  });

  test("reassignDocumentRecipient replaces a signer by a contact group, and one member signs for the group", async () => {
    const id = await aDraft(world);
    const [signer] = await recipientsOf(world, id);
    const { body } = await succeed(
      world.call("reassignDocumentRecipient", { params: { id, recipient_id: signer.id }, body: KNOWN }),
    );
    expect(await recipientsOf(world, id)).toMatchObject([
      { ...BOARD_IN_DETAILS, id: body.recipient_id, recipient_type: "signer", roles: ["Client"] },
    ]);
    await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
    await simulate(world, id, "sign", { recipient: "nels.kutch@fernhill.example" });
    expect((await recipientsOf(world, id))[0]).toMatchObject({ has_completed: true });
  });

  test("addDocumentRecipient accepts a contact group of a scenario, and a group member without a contact is a file error", async () => {
    const made = { name: "Heirs", id: "Heirs", members: ["kit@client.example"] };
    const contacts = [{ email: "kit@client.example", first_name: "Kit" }];
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "a", world: { contacts, contact_groups: [made] } }));
    const id = await aDraft(world);
    await succeed(world.call("addDocumentRecipient", { params: { id }, body: { id: "Heirs", kind: "contact_group" } }));
    expect((await recipientsOf(world, id))[1]).toMatchObject({ name: "Heirs", members: [{ email: "kit@client.example" }] });
    const wrong = await world.admin("POST", "/scenarios", {
      version: 1,
      name: "b",
      world: { contact_groups: [{ ...made, members: ["x@y.z"] }] },
    });
    expect(wrong).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining("contact group Heirs: no contact x@y.z") },
    });
  });
});
