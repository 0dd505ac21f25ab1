import { describe, expect, test } from "vitest";
import { WORKSPACE } from "../support/people.ts";
import { lab } from "../support/lab.ts";
import { aDraft, aSentDocument, CLIENT, succeed } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";

const workspace = (settings: object) => ({ world: { workspaces: [{ id: WORKSPACE, name: "Northpeak", settings }] } });
const user = (email: string, license: string) => ({
  body: {
    user: { email, first_name: "Kim", last_name: "Vo" },
    workspaces: [{ workspace_id: WORKSPACE, role: "Member" }],
    license,
  },
});

describe("what an organization has bought", () => {
  test("createUser is refused when no seat of the licence is left, and others are still there", async () => {
    const world = await lab(workspace({ licenses: { Guest: 1 } }));
    await succeed(world.call("createUser", user("kim.vo@northpeak.example", "Guest")));
    const { status, body } = await world.call("createUser", user("lea.roy@northpeak.example", "Guest"));
    expect({ status, body }).toEqual({
      status: 400,
      body: { type: "request_error", detail: { license: ["Unable to add more licenses."] } },
    });
    await succeed(world.call("createUser", user("lea.roy@northpeak.example", "Full")));
  });

  test("createNotarizationRequest is 403 when the transactions are used up; a cancelled one counts no more", async () => {
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
  test("listRecentSmsOptOuts tells of a recipient who answered STOP, and then START", async () => {
    const world = await testWorld();
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

  test("listRecentSmsOptOuts: somebody without a phone cannot answer", async () => {
    const world = await testWorld();
    const id = await aSentDocument(world);
    const { status, body } = await world.admin("POST", `/documents/${id}/simulate/opt_out`, {});
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: "The recipient has no phone number." });
  });
});
