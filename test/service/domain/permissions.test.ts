import { describe, expect, test } from "vitest";
import type { OperationId } from "../../../src/service/nouns/index.ts";
import { asMember, INES, NORA, PERMISSION, SAM, WORKSPACE } from "../../support/people.ts";
import { aDraft, succeed, TEMPLATES } from "../../support/stories.ts";
import { type Answer, type CallOptions, type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

type Call = (world: TestWorld, document: string) => Promise<[OperationId, CallOptions]>;

async function recipientOf(world: TestWorld, id: string): Promise<string> {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body.recipients[0].id;
}

/** The operations that check an ability. Each makes a call that an administrator may make. */
const ASKING: Readonly<Record<string, Call>> = {
  updateDocument: async (_, id) => ["updateDocument", { params: { id }, body: { name: "Other" } }],
  updateDocumentFieldsAssignment: async (world, id) => {
    const { fields } = (await succeed(world.call("listDocumentFields", { params: { id } }))).body;
    return [
      "updateDocumentFieldsAssignment",
      { params: { id }, body: { fields: [{ field_id: fields[0].uuid, assigned_to: null }] } },
    ];
  },
  editDocumentRecipient: async (world, id) => [
    "editDocumentRecipient",
    { params: { id, recipient_id: await recipientOf(world, id) }, body: { first_name: "Ida" } },
  ],
  addDocumentRecipient: async (_, id) => [
    "addDocumentRecipient",
    { params: { id }, body: { id: "ContactAxxxxxxxxxxxxxx", kind: "contact" } },
  ],
  deleteDocumentRecipient: async (world, id) => [
    "deleteDocumentRecipient",
    { params: { id, recipient_id: await recipientOf(world, id) } },
  ],
  reassignDocumentRecipient: async (world, id) => [
    "reassignDocumentRecipient",
    { params: { id, recipient_id: await recipientOf(world, id) }, body: { id: "ContactAxxxxxxxxxxxxxx", kind: "contact" } },
  ],
};

/** Whether each role may make the call: for its own document, and for the document of another member. */
const TABLE: readonly [role: string, own: boolean, others: boolean][] = [
  ["Admin", true, true],
  ["Manager", true, true],
  ["Member", true, false],
  ["Legal", true, false],
  ["Collaborator", false, false],
];

async function as(world: TestWorld, role: string): Promise<{ member: string; key: Pick<CallOptions, "key" | "headers"> }> {
  await succeed(world.call("changeMemberRole", { params: { workspace_id: WORKSPACE, member_id: SAM.member }, body: { role } }));
  return { member: SAM.member, key: await asMember(world, SAM.member) };
}

describe("abilities of roles", () => {
  test.each(Object.keys(ASKING))("%s checks the ability of the caller's role", async (id) => {
    const found: [string, boolean, boolean][] = [];
    for (const [role] of TABLE) {
      const { member, key } = await as(world, role);
      const answers: Answer[] = [];
      for (const owner of [member, NORA.member]) {
        const document = await aDraft(world, { body: { owner: { membership_id: owner } } });
        // The creator of a document has the abilities of its owner.
        const [operation, options] = await (ASKING[id] as Call)(world, document);
        const answer = await world.call(operation, { ...options, ...key });
        if (answer.status >= 300) expect({ status: answer.status, body: answer.body }).toEqual({ status: 403, body: PERMISSION });
        answers.push(answer);
      }
      found.push([role, (answers[0]?.status ?? 500) < 300, (answers[1]?.status ?? 500) < 300]);
    }
    expect(found).toEqual(TABLE);
  });

  test("duplicateTemplate requires the ability, and more for templates of other members", async () => {
    const mine = (await succeed(world.call("createTemplate", { body: { name: "Mine", owner: { membership_id: INES.member } } })))
      .body.id;
    await world.advance("6s");
    const key = await asMember(world, INES.member);
    await succeed(world.call("duplicateTemplate", { params: { id: mine }, ...key }));
    const refused = await world.call("duplicateTemplate", { params: { id: TEMPLATES.oneSigner }, ...key });
    expect({ status: refused.status, body: refused.body }).toEqual({ status: 403, body: PERMISSION });
    expect(refused.headers.get("x-docdouble-why")).toContain("has can_duplicate_templates only for what");
  });
});
