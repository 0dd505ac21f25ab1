import { describe, expect, test } from "vitest";
import { anotherWorkspace, asMember, bearer, INES, NORA, UNKNOWN_KEY, WORKSPACE } from "../../support/people.ts";
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
});
