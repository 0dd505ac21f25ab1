import { describe, expect, test } from "vitest";
import { aDraft, CLIENT, simulate, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { SANDBOX_KEY, useWorld, type TestWorld } from "../../support/world.ts";

const world = useWorld();

const send = (world: TestWorld, id: string, body: object = {}, key?: string) =>
  world.call("sendDocument", { params: { id }, body, ...(key === undefined ? {} : { key }) });

const members = ["sam.ode@northpeak.example", "ines.carvalho@northpeak.example"];

/** A world whose approval template has one step: a group of Sam and Ines. */
async function withGroup(type = "selectable"): Promise<TestWorld> {
  const scenario = {
    version: 1,
    name: "group",
    world: {
      templates: [
        {
          id: TEMPLATES.approval,
          name: "Approval",
          roles: [{ name: "Client" }],
          fields: [{ name: "Sign", type: "signature", role: "Client" }],
          approval: { steps: [{ type, members }] },
        },
      ],
    },
  };
  await succeed(world.admin("POST", "/scenarios", scenario));
  return world;
}

const stepsOf = async (world: TestWorld, id: string) =>
  (await succeed(world.call("detailsDocument", { params: { id } }))).body.approval_execution.steps;

// biome-ignore lint/suspicious/noExplicitAny: the value comes from an answer
const choose = (steps: any, ...users: string[]) => ({
  // biome-ignore lint/suspicious/noExplicitAny: the value comes from an answer
  steps: steps.map((step: any) => ({
    ...step,
    group: {
      ...step.group,
      assignees: step.group.assignees.map((one: { user: string }) => ({ ...one, is_selected: users.includes(one.user) })),
    },
  })),
});

describe("sendDocument", () => {
  test("sendDocument answers each recipient's shared link, and sets sent_by and the expiration date", async () => {
    const id = await aDraft(world);
    const answer = await send(world, id, { silent: true, sender: { email: members[0] } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ id, uuid: id, status: "document.sent", version: "2", date_completed: null });
    expect(answer.body.recipients).toEqual([
      {
        id: expect.stringMatching(/^\w{22}$/),
        first_name: "Ivo",
        last_name: "Marek",
        recipient_type: "signer",
        email: CLIENT.email,
        phone: null,
        delivery_methods: { email: true, sms: false },
        signing_order: null,
        shared_link: expect.stringMatching(/^http:\/\/docdouble\.test\/document\/[0-9a-f]{40}$/),
        type: "recipient",
      },
    ]);
    const { body } = await world.call("detailsDocument", { params: { id } });
    expect(body.sent_by.email).toBe(members[0]);
    expect(body.expiration_date).toBe("2026-05-01T09:00:05.000000Z");
  });

  test("sendDocument computes the expiration date from the document's settings", async () => {
    const id = await aDraft(world);
    await succeed(world.call("documentSettingsUpdate", { params: { document_id: id }, body: { expires_in: 3 } }));
    expect((await send(world, id)).body.expiration_date).toBe("2026-03-05T09:00:05.000000Z");
    await world.advance("3d");
    expect(await statusOf(world, id)).toBe("document.voided");
  });

  test("sendDocument stores reply_to with the mail", async () => {
    const id = await aDraft(world);
    await send(world, id, { reply_to: "desk@northpeak.example", subject: "Please sign" });
    const { body } = await world.admin("GET", "/emails");
    expect(JSON.stringify(body)).toContain("desk@northpeak.example");
    const [mail] = world.tenant.store.emails.where("document", id);
    expect(mail).toMatchObject({ reply_to: "desk@northpeak.example", subject: "Please sign" });
  });

  test("sendDocument lets only the selected approver of a selectable group approve", async () => {
    const world = await withGroup();
    const id = await aDraft(world, { template: "approval" });
    const steps = await stepsOf(world, id);
    const [sam, ines] = steps[0].group.assignees.map((one: { user: string }) => one.user);
    expect(steps[0].group).toMatchObject({
      type: "selectable",
      assignees: [
        { user: sam, is_selected: false, decision: null },
        { user: ines, is_selected: false },
      ],
    });
    const answer = await send(world, id, { selected_approvers: choose(steps, ines) });
    expect(answer.body).toMatchObject({ status: "document.waiting_approval", expiration_date: null });
    expect((await stepsOf(world, id))[0].group.assignees).toEqual([
      { user: sam, is_selected: false, decision: null },
      { user: ines, is_selected: true, decision: null },
    ]);
    expect(await world.admin("POST", `/documents/${id}/simulate/approve`, { member: members[0] })).toMatchObject({ status: 400 });
    await simulate(world, id, "approve", { member: members[1] });
    expect(await statusOf(world, id)).toBe("document.approved");
    expect((await send(world, id)).body.status).toBe("document.sent");
  });

  test.each([
    ["any", "document.approved"],
    ["all", "document.waiting_approval"],
  ])("sendDocument asks a group of type %s, and one approval of two makes it %s", async (type, status) => {
    const world = await withGroup(type);
    const id = await aDraft(world, { template: "approval" });
    await succeed(send(world, id));
    await simulate(world, id, "approve", { member: members[1] });
    expect(await statusOf(world, id)).toBe(status);
  });

  test("sendDocument refuses a wrong selection of approvers, and changes nothing", async () => {
    const world = await withGroup();
    const id = await aDraft(world, { template: "approval" });
    const steps = await stepsOf(world, id);
    const [sam, ines] = steps[0].group.assignees.map((one: { user: string }) => one.user);
    const before = world.tenant.store.snapshot();
    const refusals: [object, string][] = [
      [choose(steps, sam, ines), "Exactly one assignee of a selectable group must be selected."],
      [choose(steps), "Exactly one assignee of a selectable group must be selected."],
      [{ steps: [{ ...steps[0], id: "other" }] }, "Approval step not found."],
      [
        { steps: [{ ...steps[0], group: { ...steps[0].group, assignees: [{ user: "stranger", is_selected: true }] } }] },
        "Assignee is not a member of the group.",
      ],
    ];
    for (const [selected_approvers, message] of refusals)
      expect(await send(world, id, { selected_approvers })).toMatchObject({
        status: 400,
        body: { type: "request_error", detail: { selected_approvers: [message] } },
      });
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("sendDocument accepts another selection of approvers only after a revert to draft", async () => {
    const world = await withGroup();
    const id = await aDraft(world, { template: "approval" });
    const steps = await stepsOf(world, id);
    const [sam, ines] = steps[0].group.assignees.map((one: { user: string }) => one.user);
    await send(world, id, { selected_approvers: choose(steps, sam) });
    expect((await send(world, id, { selected_approvers: choose(steps, ines) })).status).toBe(409);
    await succeed(world.call("documentRevertToDraft", { params: { id } }));
    await send(world, id, { selected_approvers: choose(steps, ines) });
    expect((await stepsOf(world, id))[0].group.assignees.find((one: { is_selected: boolean }) => one.is_selected).user).toBe(
      ines,
    );
  });

  test("sendDocument with a sandbox key takes members of the workspace and the own domain, and refuses others in a group", async () => {
    const member = { email: "sam@elsewhere.example", first_name: "Sam" };
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "member", world: { members: [member] } }));
    const to = async (recipient: object) => {
      const body = { recipients: [{ role: "Client", ...recipient }] };
      const id = await aDraft(world, { key: SANDBOX_KEY, body });
      return (await send(world, id, {}, SANDBOX_KEY)).status;
    };
    expect(await to({ email: "SAM@elsewhere.example" })).toBe(200);
    expect(await to({ email: "new@northpeak.example" })).toBe(200);
    expect(await to({ email: "pat@elsewhere.example" })).toBe(403);
    const group = (email: string) => ({
      type: "recipient_group",
      name: "Group",
      members: [member, { email, first_name: "Pat" }],
    });
    expect(await to(group("pat@elsewhere.example"))).toBe(403);
    expect(await to(group("pat@northpeak.example"))).toBe(200);
  });

  test("sendDocument refuses delivery by SMS to a phone number without a country code", async () => {
    const recipients = [{ ...CLIENT, phone: "555-1234", delivery_methods: { sms: true } }];
    const id = await aDraft(world, { body: { recipients } });
    expect(await send(world, id)).toMatchObject({
      status: 400,
      body: { type: "request_error", detail: { recipients: [{ phone: ["Enter a valid phone number."] }] } },
    });
    const fine = await aDraft(world, { body: { recipients: [{ ...recipients[0], phone: "+1 (555) 123-4567" }] } });
    expect((await send(world, fine)).status).toBe(200);
  });
});
