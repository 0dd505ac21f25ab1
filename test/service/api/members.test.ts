import { describe, expect, test } from "vitest";
import { anotherWorkspace, asMember, bearer, INES, NORA, NOT_FOUND, SAM, UNKNOWN_KEY, WORKSPACE } from "../../support/people.ts";
import { succeed } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const NORA_SHOWN = {
  user_id: NORA.user,
  membership_id: NORA.member,
  email: NORA.email,
  first_name: "Nora",
  last_name: "Lind",
  is_active: true,
  workspace: WORKSPACE,
  workspace_name: "Northpeak",
  email_verified: true,
  emails_verified: true,
  role: "Admin",
  user_license: "Full",
  date_created: "2026-03-02T09:00:00.000000Z",
  date_modified: "2026-03-02T09:00:00.000000Z",
};

describe("listMembers", () => {
  test("listMembers shows all members of the key's workspace and no others", async () => {
    const { status, body } = await world.call("listMembers");
    expect(status).toBe(200);
    expect(body.results).toHaveLength(3);
    expect(body.results).toContainEqual(NORA_SHOWN);
    const branch = await anotherWorkspace(world);
    const theirs = await world.call("listMembers", { key: branch.key });
    expect(theirs.body.results).toMatchObject([
      { user_id: NORA.user, workspace: branch.id, workspace_name: "Branch", role: "Admin" },
    ]);
    expect(theirs.body.results[0].membership_id).not.toBe(NORA.member);
  });
});

describe("detailsMember", () => {
  test("detailsMember shows a blocked member as inactive, and an eSign license as eSignature", async () => {
    const member = { id: "MemberBlocked", email: "bo@northpeak.example", license: "eSign", is_active: false };
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "blocked", world: { members: [member] } }));
    const answer = await world.call("detailsMember", { params: { id: member.id } });
    expect(answer).toMatchObject({ status: 200, body: { is_active: false, user_license: "eSignature", role: "Member" } });
    const token = await asMember(world, member.id);
    expect(await world.call("detailsCurrentMember", token)).toMatchObject({ status: 401, body: UNKNOWN_KEY });
  });

  test("detailsMember shows a member, and answers 404 for an unknown member or another workspace's member", async () => {
    const sam = await world.call("detailsMember", { params: { id: SAM.member } });
    expect(sam).toMatchObject({ status: 200, body: { membership_id: SAM.member, user_id: SAM.user, role: "Manager" } });
    const branch = await anotherWorkspace(world);
    const [{ membership_id }] = (await world.call("listMembers", { key: branch.key })).body.results;
    for (const id of [membership_id, SAM.user, "__proto__"])
      expect(await world.call("detailsMember", { params: { id } })).toMatchObject({ status: 404, body: NOT_FOUND });
    expect((await world.call("detailsMember", { key: branch.key, params: { id: SAM.member } })).status).toBe(404);
  });
});

describe("createMemberToken", () => {
  test("createMemberToken issues a Bearer token that acts as the member until its lifetime ends", async () => {
    const made = await world.call("createMemberToken", { params: { member_id: INES.member }, body: { lifetime: 60 } });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({ token: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const ines = bearer(made.body.token);
    expect((await world.call("detailsCurrentMember", ines)).body).toMatchObject({ membership_id: INES.member });
    const contact = await world.call("createContact", { ...ines, body: { first_name: "By Ines" } });
    expect(contact.status).toBe(201);
    await world.advance("59s");
    expect((await world.call("detailsCurrentMember", ines)).status).toBe(200);
    await world.advance("1s");
    expect(await world.call("detailsCurrentMember", ines)).toMatchObject({ status: 401, body: UNKNOWN_KEY });
    expect((await world.call("detailsCurrentMember", { key: made.body.token })).status).toBe(401);
  });

  test("createMemberToken without a body issues a token for one hour", async () => {
    const token = await asMember(world, SAM.member);
    await world.advance("3599s");
    expect((await world.call("detailsCurrentMember", token)).status).toBe(200);
    await world.advance("1s");
    expect((await world.call("detailsCurrentMember", token)).status).toBe(401);
  });

  test("createMemberToken issues a token that cannot be refreshed", async () => {
    await succeed(world.call("createMemberToken", { params: { member_id: SAM.member } }));
    const form = (refresh_token: string) =>
      new URLSearchParams({
        grant_type: "refresh_token",
        client_id: "docdouble-client",
        client_secret: "docdouble-secret",
        refresh_token,
      }).toString();
    for (const word of ["null", "undefined"]) {
      const answer = await world.call("accessToken", {
        key: null,
        body: form(word),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      expect(answer).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    }
  });
});
