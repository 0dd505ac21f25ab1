import { describe, expect, test } from "vitest";
import {
  anotherWorkspace,
  asMember,
  bearer,
  INES,
  NORA,
  NOT_FOUND,
  PERMISSION,
  SAM,
  UNKNOWN_KEY,
  WORKSPACE,
} from "../../support/people.ts";
import { png } from "../../support/images.ts";
import { receiver } from "../../support/receiver.ts";
import { aDraft, succeed, TEMPLATES } from "../../support/stories.ts";
import { SANDBOX_KEY, useWorld } from "../../support/world.ts";

const world = useWorld();

describe("createWorkspace", () => {
  test("createWorkspace makes an empty workspace that shares no data with other workspaces", async () => {
    const icon_url = (await receiver()).serve("/i.png", png(64, 64), "image/png");
    const made = await world.call("createWorkspace", {
      body: { name: "Branch", icon_url, settings: { allow_request_access: false } },
    });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({ id: expect.stringMatching(/^\w{22}$/), name: "Branch" });
    const params = { workspace_id: made.body.id };
    const { key } = (await succeed(world.call("createApiKey", { params, body: { type: "production" } }))).body;
    const document = await aDraft(world);
    for (const list of [
      "listDocuments",
      "listTemplates",
      "listContacts",
      "listDocumentFolders",
      "listTemplateFolders",
    ] as const) {
      expect((await world.call(list)).body.results.length).toBeGreaterThan(0);
      expect((await world.call(list, { key })).body, list).toEqual({ results: [] });
    }
    expect((await world.call("listWebhookSubscriptions", { key })).body).toEqual({ items: [] });
    expect((await world.call("statusDocument", { key, params: { id: document } })).status).toBe(404);
    expect((await world.call("detailsTemplate", { key, params: { id: TEMPLATES.oneSigner } })).status).toBe(404);
    expect((await world.call("detailsCurrentMember", { key })).body).toMatchObject({ workspace: made.body.id, role: "Admin" });
    await succeed(world.call("createContact", { key, body: { email: "only@branch.example" } }));
    expect((await world.call("listContacts", { query: { email: "only@branch.example" } })).body).toEqual({ results: [] });
    expect(world.tenant.store.workspaces.get(made.body.id)?.settings).toMatchObject({
      allow_join_by_domain: true,
      allow_request_access: false,
      icon_url,
    });
  });
});

describe("deactivateWorkspace", () => {
  test("deactivateWorkspace removes its members, revokes its keys and removes the workspace from the list", async () => {
    const { id, key } = await anotherWorkspace(world);
    const params = { workspace_id: id };
    await succeed(world.call("addMember", { params, body: { user_id: SAM.user, role: "Member" } }));
    const gone = await world.call("deactivateWorkspace", { params });
    expect(gone).toMatchObject({ status: 200, body: {} });
    expect(await world.call("listContacts", { key })).toMatchObject({ status: 401, body: UNKNOWN_KEY });
    expect((await world.call("getWorkspacesList")).body).toMatchObject({ total: 1, results: [{ id: WORKSPACE }] });
    const sam = await world.call("detailsUser", { params: { user_id: SAM.user } });
    expect(sam.body.workspaces).toEqual([{ role: "Manager", workspace_id: WORKSPACE, membership_id: SAM.member }]);
    expect(await world.call("deactivateWorkspace", { params })).toMatchObject({ status: 404, body: NOT_FOUND });
    expect(await world.call("createApiKey", { params, body: { type: "sandbox" } })).toMatchObject({ status: 404 });
    expect(await world.call("addMember", { params, body: {} })).toMatchObject({ status: 404, body: NOT_FOUND });
  });
});

describe("createApiKey", () => {
  const params = { workspace_id: WORKSPACE };

  test("createApiKey replaces the owner's key of the same type, even the key that makes the call", async () => {
    const made = await world.call("createApiKey", { params, body: { type: "production" } });
    expect(made.status).toBe(200);
    expect(made.body).toEqual({
      user_id: NORA.user,
      type: "production",
      workspace_id: WORKSPACE,
      key: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(await world.call("listContacts")).toMatchObject({ status: 401, body: UNKNOWN_KEY });
    expect((await world.call("listContacts", { key: made.body.key })).status).toBe(200);
    expect((await world.call("listContacts", { key: SANDBOX_KEY })).status).toBe(200);
    const again = await succeed(world.call("createApiKey", { key: made.body.key, params, body: {} }));
    expect(again.body.type).toBe("sandbox");
    expect((await world.call("listContacts", { key: SANDBOX_KEY })).status).toBe(401);
    expect((await world.call("listContacts", { key: made.body.key })).status).toBe(200);
  });

  test("createApiKey for another admin keeps the caller's key, and a sandbox key makes [DEV] documents", async () => {
    const body = { type: "sandbox", user_id: SAM.user };
    expect(await world.call("createApiKey", { params, body })).toMatchObject({
      status: 400,
      body: { type: "request_error", detail: { user_id: ["User should have an Admin role in the workspace."] } },
    });
    await succeed(world.call("changeMemberRole", { params: { ...params, member_id: SAM.member }, body: { role: "Admin" } }));
    const { key, user_id } = (await succeed(world.call("createApiKey", { params, body }))).body;
    expect(user_id).toBe(SAM.user);
    expect((await world.call("listContacts", { key: SANDBOX_KEY })).status).toBe(200);
    expect((await world.call("detailsCurrentMember", { key })).body.email).toBe(SAM.email);
    const made = await world.call("createDocument", { key, body: { template_uuid: TEMPLATES.oneSigner, recipients: [] } });
    expect(made.body.name).toBe("[DEV] One signer");
  });
});

describe("addMember", () => {
  test("addMember adds a user to a workspace, and the user can then make calls there", async () => {
    const branch = await anotherWorkspace(world);
    const params = { workspace_id: branch.id };
    const added = await world.call("addMember", { params, body: { user_id: SAM.user, role: "Manager" } });
    expect(added.status).toBe(201);
    expect(added.body).toEqual({
      member_id: expect.stringMatching(/^\w{22}$/),
      workspace_id: branch.id,
      role: "Manager",
      email: SAM.email,
      first_name: "Sam",
      last_name: "Ode",
    });
    const { member_id } = added.body;
    const { token } = (await succeed(world.call("createMemberToken", { key: branch.key, params: { member_id } }))).body;
    expect((await world.call("detailsCurrentMember", bearer(token))).body).toMatchObject({
      workspace: branch.id,
      role: "Manager",
    });
    expect((await world.call("listContacts", bearer(token))).body).toEqual({ results: [] });
  });

  test("addMember refuses wrong input with the service's exact messages", async () => {
    const params = { workspace_id: WORKSPACE };
    const refused = async (body: unknown, detail: unknown) =>
      expect(await world.call("addMember", { params, body })).toMatchObject({
        status: 400,
        body: { type: "request_error", detail },
      });
    await refused({}, { user_id: ["This field is required"], role: ["This field is required"] });
    await refused({ user_id: "nobody", role: "King" }, { user_id: ["User doesn't exist"], role: ["Role is not a valid choice"] });
    await refused({ user_id: SAM.user, role: "Member" }, { user_id: ["Member already exists"] });
    await refused({ user_id: 7, role: [] }, { user_id: ["Not a valid string."], role: ["Not a valid string."] });
    const query = { notify_user: "maybe", notify_ws_admins: "maybe" };
    expect(await world.call("addMember", { params, query, body: { user_id: SAM.user, role: "Member" } })).toMatchObject({
      status: 400,
      body: { detail: { notify_user: ["Must be a valid boolean."], notify_ws_admins: ["Must be a valid boolean."] } },
    });
  });
});

describe("removeMember", () => {
  const sams = { workspace_id: WORKSPACE, member_id: SAM.member };

  test("removeMember removes the membership, all keys and all tokens, and a returning user gets a new membership", async () => {
    await succeed(world.call("changeMemberRole", { params: sams, body: { role: "Admin" } }));
    const { key } = (
      await succeed(
        world.call("createApiKey", { params: { workspace_id: WORKSPACE }, body: { type: "production", user_id: SAM.user } }),
      )
    ).body;
    const token = await asMember(world, SAM.member);
    expect((await world.call("removeMember", { params: sams })).status).toBe(204);
    expect(await world.call("listContacts", { key })).toMatchObject({ status: 401, body: UNKNOWN_KEY });
    expect(await world.call("listContacts", token)).toMatchObject({ status: 401, body: UNKNOWN_KEY });
    expect((await world.call("detailsMember", { params: { id: SAM.member } })).status).toBe(404);
    expect((await world.call("listMembers")).body.results).toHaveLength(2);
    const document = await world.call("createDocument", {
      body: { template_uuid: TEMPLATES.oneSigner, recipients: [], owner: { email: SAM.email } },
    });
    expect(document.status).toBe(400);
    const back = await world.call("addMember", {
      params: { workspace_id: WORKSPACE },
      body: { user_id: SAM.user, role: "Member" },
    });
    expect(back.status).toBe(201);
    expect(back.body.member_id).not.toBe(SAM.member);
    expect((await world.call("listContacts", { key })).status).toBe(401);
  });

  test("removeMember refuses the owner, and answers 404 with its own message for unknown members and workspaces", async () => {
    const owner = { workspace_id: WORKSPACE, member_id: NORA.member };
    expect(await world.call("removeMember", { params: owner })).toMatchObject({
      status: 400,
      body: { type: "request_error", detail: "Owner can not be removed." },
    });
    const branch = await anotherWorkspace(world);
    for (const params of [
      { workspace_id: WORKSPACE, member_id: "nobody" },
      { workspace_id: branch.id, member_id: SAM.member },
      { workspace_id: "nothing", member_id: SAM.member },
    ])
      expect(await world.call("removeMember", { params })).toMatchObject({
        status: 404,
        body: { type: "request_error", detail: "This member or workspace does not exist." },
      });
    const ines = await asMember(world, INES.member);
    expect(await world.call("removeMember", { ...ines, params: sams })).toMatchObject({ status: 403, body: PERMISSION });
    expect((await world.call("listMembers")).body.results).toHaveLength(3);
  });
});

describe("changeMemberRole", () => {
  const sams = { workspace_id: WORKSPACE, member_id: SAM.member };

  test("changeMemberRole accepts the four standard roles and a custom role of the workspace", async () => {
    await world.advance("1h");
    for (const role of ["Admin", "Manager", "Member", "Collaborator", "Legal"]) {
      const changed = await world.call("changeMemberRole", { params: sams, body: { role } });
      expect(changed.status).toBe(200);
      expect(changed.body).toEqual({ member_id: SAM.member, workspace_id: WORKSPACE, role, email: SAM.email });
    }
    expect((await world.call("detailsMember", { params: { id: SAM.member } })).body).toMatchObject({
      role: "Legal",
      date_modified: "2026-03-02T10:00:00.000000Z",
    });
  });

  test("changeMemberRole refuses wrong input with the service's exact messages", async () => {
    const refused = async (member_id: string, body: unknown, detail: unknown) =>
      expect(await world.call("changeMemberRole", { params: { ...sams, member_id }, body })).toMatchObject({
        status: 400,
        body: { type: "request_error", detail },
      });
    await refused(SAM.member, {}, { role: ["This field is required."] });
    await refused(SAM.member, { role: 7 }, { role: ["Not a valid string."] });
    await refused(
      SAM.member,
      { role: "King" },
      {
        role: [
          `The role 'King' does not exist in the workspace with ID '${WORKSPACE}'. Please ensure the role is correctly defined and try again.`,
        ],
      },
    );
    await refused(NORA.member, { role: "Member" }, "Cannot change the role of the workspace owner.");
  });

  test("changeMemberRole refuses to demote the last admin, if the owner is not an admin", async () => {
    const members = [
      { id: NORA.member, user_id: NORA.user, email: NORA.email, role: "Manager" },
      { id: SAM.member, user_id: SAM.user, email: SAM.email, role: "Admin" },
    ];
    await succeed(world.admin("POST", "/scenarios", { version: 1, name: "swapped", world: { members } }));
    expect(await world.call("changeMemberRole", { params: sams, body: { role: "Member" } })).toMatchObject({
      status: 400,
      body: { type: "request_error", detail: "Cannot change the role of the last member with admin privileges." },
    });
    expect((await world.call("changeMemberRole", { params: sams, body: { role: "Admin" } })).status).toBe(200);
  });

  test("changeMemberRole gives a guest the full license with a role above collaborator", async () => {
    const made = await succeed(
      world.call("createUser", {
        body: {
          user: { email: "gil@northpeak.example" },
          workspaces: [{ workspace_id: WORKSPACE, role: "Collaborator" }],
          license: "Guest",
        },
      }),
    );
    const { user_id } = made.body;
    const params = { workspace_id: WORKSPACE, member_id: made.body.workspaces[0].member_id };
    const license = async () => (await world.call("detailsUser", { params: { user_id } })).body.license;
    await succeed(world.call("changeMemberRole", { params, body: { role: "Collaborator" } }));
    expect(await license()).toBe("Guest");
    await succeed(world.call("changeMemberRole", { params, body: { role: "Member" } }));
    expect(await license()).toBe("Full");
  });
});
