import { describe, expect, test } from "vitest";
import { WORKSPACE } from "../../support/people.ts";
import { lab } from "../../support/lab.ts";
import { aDraft, aSentDocument, CLIENT, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const workspace = (settings: object) => ({ world: { workspaces: [{ id: WORKSPACE, name: "Northpeak", settings }] } });
const user = (email: string, license: string) => ({
  body: {
    user: { email, first_name: "Kim", last_name: "Vo" },
    workspaces: [{ workspace_id: WORKSPACE, role: "Member" }],
    license,
  },
});

describe("licenses and notary transactions of an organization", () => {
  test("createUser is refused when the license has no free seat, and another license still works", async () => {
    const world = await lab(workspace({ licenses: { Guest: 1 } }));
    await succeed(world.call("createUser", user("kim.vo@northpeak.example", "Guest")));
    const { status, body } = await world.call("createUser", user("lea.roy@northpeak.example", "Guest"));
    expect({ status, body }).toEqual({
      status: 400,
      body: { type: "request_error", detail: { license: ["Unable to add more licenses."] } },
    });
    await succeed(world.call("createUser", user("lea.roy@northpeak.example", "Full")));
  });

  test("createNotarizationRequest answers 403 when the transactions are used up, and a canceled request frees one", async () => {
    const world = await lab(workspace({ notary: true, notary_transactions: 1 }));
    const request = async () =>
      world.call("createNotarizationRequest", {
        body: { document_id: await aDraft(world), invitation: { invitees: [{ email: CLIENT.email }] } },
      });
    const { id } = (await succeed(request())).body;
    const { status, body } = await request();
    expect({ status, body }).toEqual({ status: 403, body: { code: "forbidden", details: [] } });
    await succeed(world.admin("POST", `/notary/${id}/simulate/cancel`, {}));
    await succeed(request());
  });
});

describe("answers to text messages", () => {
  test("listRecentSmsOptOuts shows a recipient who answered STOP, and then START", async () => {
    const phone = "+15550001122";
    const id = await aSentDocument(world, { body: { recipients: [{ ...CLIENT, phone }] } });
    const ours = async () =>
      (await succeed(world.call("listRecentSmsOptOuts"))).body.results.filter(
        (one: { phone_number: string }) => one.phone_number === phone,
      );
    for (const [act, status] of [
      ["opt_out", "opt-out"],
      ["opt_in", "opt-in"],
    ]) {
      await world.advance("1m");
      await succeed(world.admin("POST", `/documents/${id}/simulate/${act}`, {}));
      expect(await ours()).toMatchObject([{ phone_number: phone, status }]);
    }
  });

  test("opt_out is refused for a recipient without a phone number", async () => {
    const id = await aSentDocument(world);
    const { status, body } = await world.admin("POST", `/documents/${id}/simulate/opt_out`, {});
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: "The recipient has no phone number." });
  });
});

/** Loads a scenario that changes the settings of the default workspace. */
const settle = (world: TestWorld, settings: object) =>
  succeed(
    world.admin("POST", "/scenarios", {
      version: 1,
      name: "settings",
      ...workspace(settings),
    }),
  );

describe("settings that an administrator certifies", () => {
  test("createManualReminder and automatic reminders send no text message until an administrator certifies consent", async () => {
    const person = { ...CLIENT, phone: "+15550001122", delivery_methods: { email: true, sms: true } };
    const id = await aSentDocument(world, { body: { recipients: [person] } });
    const recipient_id = world.sandbox.documents.get(id)?.recipients[0]?.id ?? "";
    const remind = async () => {
      const body = { reminders: [{ recipient_id, delivery_methods: { email: true, sms: true } }] };
      return (await succeed(world.call("createManualReminder", { params: { document_id: id }, body }))).body.result[0];
    };
    await settle(world, { sms_consent_certified: false });
    expect(await remind()).toMatchObject({
      email: { status: "sent" },
      sms: {
        status: "error",
        detail:
          "Can't send SMS reminder. Confirmation of recipient consent is required. Admin should access workspace settings to certify",
      },
    });
    const params = { document_id: id };
    const auto = { enabled: true, delivery_method: "sms", initial_delay_days: 1 };
    await succeed(world.call("updateDocumentAutoReminderSettings", { params, body: auto }));
    await world.advance("2d");
    const { reminders } = (await succeed(world.call("statusDocumentAutoReminder", { params }))).body;
    expect(reminders).toEqual([{ recipient_id, status: "error" }]);
    expect(world.sandbox.emails.find({ channel: "sms" })).toEqual([]);
    await settle(world, { sms_consent_certified: true });
    expect((await remind()).sms.status).toBe("sent");
    expect(world.sandbox.emails.find({ channel: "sms" })).toHaveLength(1);
  });

  test("createDocumentFields requires large signature fields only in a workspace under 21 CFR Part 11", async () => {
    const id = await aDraft(world);
    const place = (type: string, width: number, height: number) => {
      const position = { offset_x: 10, offset_y: 20, anchor_point: "topleft" };
      const fields = [{ type, layout: { page: 1, position, style: { width, height } } }];
      return world.call("createDocumentFields", { params: { id }, body: { fields } });
    };
    expect((await place("signature", 107, 32)).status).toBe(200);
    await settle(world, { cfr_part_11: true });
    const before = world.tenant.store.snapshot();
    for (const [width, height, sides] of [
      [107, 32, { width: 108, height: 33 }],
      [107, 33, { width: 108 }],
      [108, 32, { height: 33 }],
    ] as const) {
      const detail = Object.fromEntries(
        Object.entries(sides).map(([side, least]) => [side, [`Ensure this value is greater than or equal to ${least}.`]]),
      );
      expect(await place("signature", width, height)).toMatchObject({
        status: 400,
        body: { type: "validation_error", detail: { fields: [{ layout: { style: detail } }] } },
      });
    }
    expect(world.tenant.store.snapshot()).toEqual(before);
    for (const [type, width, height] of [
      ["signature", 108, 33],
      ["initials", 20, 20],
      ["text", 20, 20],
    ] as const)
      expect((await place(type, width, height)).status, type).toBe(200);
  });
});
