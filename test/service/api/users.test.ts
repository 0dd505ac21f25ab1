import { describe, expect, test } from "vitest";
import { anotherWorkspace, asMember, NORA, SAM, WORKSPACE } from "../../support/people.ts";
import { succeed } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const NEW_USER = {
  user: { email: "Kim.Vo@Northpeak.example", first_name: "Kim", last_name: "Vo", phone_number: "+14842634627" },
  workspaces: [{ workspace_id: WORKSPACE, role: "Member" }],
  license: "eSign",
};

describe("listUsers", () => {
  test("listUsers counts pages from 1, treats page 0 as page 1, and answers the overall total", async () => {
    const all = (await world.call("listUsers")).body.results;
    const page = async (query: Record<string, number>) => (await world.call("listUsers", { query })).body;
    expect(await page({ count: 2, page: 1 })).toEqual({ total: 3, results: all.slice(0, 2) });
    expect(await page({ count: 2, page: 0 })).toEqual({ total: 3, results: all.slice(0, 2) });
    expect(await page({ count: 2, page: 2 })).toEqual({ total: 3, results: all.slice(2) });
    expect(await page({ count: 0 })).toEqual({ total: 3, results: [] });
  });

  test("listUsers with show_removed false leaves out users without a workspace", async () => {
    await succeed(world.call("removeMember", { params: { workspace_id: WORKSPACE, member_id: SAM.member } }));
    const shown = await world.call("listUsers");
    expect(shown.body.results).toContainEqual(expect.objectContaining({ user_id: SAM.user, workspaces: [] }));
    const kept = await world.call("listUsers", { query: { show_removed: false } });
    expect(kept.body.total).toBe(2);
    expect(kept.body.results.map((row: { user_id: string }) => row.user_id)).not.toContain(SAM.user);
  });
});

describe("createUser", () => {
  test("createUser adds the user to each workspace of the request", async () => {
    const branch = await anotherWorkspace(world);
    const workspaces = [...NEW_USER.workspaces, { workspace_id: branch.id, role: "Admin" }];
    const made = await world.call("createUser", { body: { ...NEW_USER, workspaces } });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      user_id: expect.stringMatching(/^\w{22}$/),
      workspaces: workspaces.map((one) => ({ ...one, member_id: expect.stringMatching(/^\w{22}$/) })),
    });
    const { user_id } = made.body;
    expect((await world.call("detailsUser", { params: { user_id } })).body).toEqual({
      user_id,
      ...NEW_USER.user,
      license: "eSign",
      is_organization_owner: false,
      workspaces: made.body.workspaces.map((one: { role: string; workspace_id: string; member_id: string }) => ({
        role: one.role,
        workspace_id: one.workspace_id,
        membership_id: one.member_id,
      })),
    });
    expect((await world.call("listMembers", { key: branch.key })).body.results).toHaveLength(2);
    const self = await asMember(world, made.body.workspaces[0].member_id);
    expect((await world.call("detailsCurrentMember", self)).body).toMatchObject({ user_id, user_license: "eSignature" });
    expect(
      (await world.call("createUser", { body: { ...NEW_USER, user: { email: "b@northpeak.example", phone_number: "" } } }))
        .status,
    ).toBe(201);
  });

  test("createUser mails the user and the admins only when the query requests it", async () => {
    const other = { ...NEW_USER, user: { ...NEW_USER.user, email: "lea.roy@northpeak.example" } };
    await succeed(world.call("createUser", { body: other }));
    expect(world.tenant.store.emails.all()).toEqual([]);
    await succeed(world.call("createUser", { body: NEW_USER, query: { notify_user: true, notify_ws_admins: true } }));
    expect(world.tenant.store.emails.all().map(({ to, subject }) => ({ to, subject }))).toEqual([
      { to: NEW_USER.user.email, subject: "You were added to the workspace Northpeak" },
      { to: NORA.email, subject: "Kim Vo was added to the workspace Northpeak" },
    ]);
  });

  const refusals: [string, object, Record<string, string[]>][] = [
    ["a known email", { user: { email: NORA.email.toUpperCase() } }, { email: ["User already exists"] }],
    [
      "an email of another domain",
      { user: { email: "kim@elsewhere.example" } },
      { email: ["User email should have the same email domain as org admin."] },
    ],
    ["no email", { user: {} }, { email: ["This field is required."] }],
    ["an invalid email", { user: { email: "kim at northpeak" } }, { email: ["Enter a valid email address."] }],
    [
      "an invalid phone number",
      { user: { email: "kim@northpeak.example", phone_number: "call me" } },
      { phone_number: ["Enter a valid phone number."] },
    ],
    ["an unknown license", { license: "Gold" }, { license: ["License is not a valid choice."] }],
    ["no license", { license: undefined }, { license: ["This field is required."] }],
    ["an unknown role", { workspaces: [{ workspace_id: WORKSPACE, role: "King" }] }, { role: ["Role is not a valid choice."] }],
    [
      "a workspace without role and id",
      { workspaces: [{}] },
      { role: ["This field is required."], workspace_id: ["This field is required."] },
    ],
    [
      "an unknown workspace",
      { workspaces: [{ workspace_id: "nothing", role: "Member" }] },
      { workspace_id: ["Workspace with uuid nothing not found."] },
    ],
    [
      "a repeated workspace",
      { workspaces: [...NEW_USER.workspaces, ...NEW_USER.workspaces] },
      { workspace_id: ["A workspace is given more than once."] },
    ],
    ["an empty list of workspaces", { workspaces: [] }, { workspaces: ["This list may not be empty."] }],
    [
      "wrong types",
      { user: 7, workspaces: "x", license: 7 },
      {
        user: ["Invalid data. Expected a dictionary, but got int."],
        workspaces: ['Expected a list of items but got type "str".'],
        license: ["Not a valid string."],
      },
    ],
  ];

  test.each(refusals)("createUser refuses %s, and creates no user", async (_, change, detail) => {
    const answer = await world.call("createUser", { body: { ...NEW_USER, ...change } });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ type: "request_error", detail });
    expect((await world.call("listUsers")).body.total).toBe(3);
  });
});
