import { describe, expect, test } from "vitest";
import { anotherWorkspace, asMember, NOT_FOUND, PERMISSION, SAM, WORKSPACE } from "../../support/people.ts";
import { CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const template_id = TEMPLATES.oneSigner;
const params = { template_id };
const share = (world: TestWorld, workspace_ids: unknown, options = {}) =>
  world.call("updateTemplateSharingSettings", { params, body: { workspace_ids }, ...options });
const shares = async (world: TestWorld) => (await succeed(world.call("getTemplateShares", { params }))).body;
const names = async (world: TestWorld, query: object, key?: string) => {
  const { results } = (await succeed(world.call("listTemplates", { query: query as never, ...(key ? { key } : {}) }))).body;
  return results.map(({ id }: { id: string }) => id);
};

describe("updateTemplateSharingSettings", () => {
  test("updateTemplateSharingSettings replaces the whole list, without duplicates", async () => {
    const [one, two] = [await anotherWorkspace(world, "One"), await anotherWorkspace(world, "Two")];
    expect(await shares(world)).toEqual({ workspace_ids: [] });
    expect(await share(world, [one.id, two.id, one.id])).toMatchObject({
      status: 200,
      body: { workspace_ids: [one.id, two.id] },
    });
    expect(await shares(world)).toEqual({ workspace_ids: [one.id, two.id] });
    expect((await succeed(share(world, [two.id]))).body).toEqual({ workspace_ids: [two.id] });
    expect((await succeed(share(world, []))).body).toEqual({ workspace_ids: [] });
    expect(await shares(world)).toEqual({ workspace_ids: [] });
  });

  test("updateTemplateSharingSettings lets the other workspace list, read, duplicate and use the template, but not change it", async () => {
    const { id, key } = await anotherWorkspace(world);
    const body = { name: "Deal", template_uuid: template_id, recipients: [CLIENT] };
    const read = () => world.call("detailsTemplate", { key, params: { id: template_id } });
    expect([await names(world, {}, key), (await read()).status]).toEqual([[], 404]);
    expect(await names(world, { shared: true })).not.toContain(template_id);
    await succeed(share(world, [id]));
    expect(await names(world, {}, key)).toEqual([template_id]);
    expect(await names(world, { shared: true }, key)).toEqual([template_id]);
    expect(await names(world, { shared: false }, key)).toEqual([]);
    expect(await names(world, { shared: true })).toContain(template_id);
    expect((await succeed(read())).body).toMatchObject({ id: template_id, name: "One signer" });
    const made = await succeed(world.call("createDocument", { key, body }));
    await world.advance("5s");
    const details = await succeed(world.call("detailsDocument", { key, params: { id: made.body.id } }));
    expect(details.body.template).toEqual({ id: template_id, name: "One signer" });
    const copy = await succeed(world.call("duplicateTemplate", { key, params: { id: template_id }, body: { name: "Ours" } }));
    await succeed(world.call("updateTemplate", { key, params: { id: copy.body.id }, body: { tokens: [] } }));
    const before = world.tenant.store.templates.get(template_id);
    for (const refused of [
      await world.call("updateTemplate", { key, params: { id: template_id }, body: { tokens: [] } }),
      await world.call("deleteTemplate", { key, params: { id: template_id } }),
      await world.call("createTemplateEditingSession", { key, params: { id: template_id }, body: { email: CLIENT.email } }),
      await world.call("getTemplateShares", { key, params }),
      await share(world, [], { key }),
    ])
      expect(refused).toMatchObject({ status: 403, body: PERMISSION });
    const settings = await world.call("templateSettingsUpdate", { key, params, body: { language: "fr-FR" } });
    expect(settings).toMatchObject({ status: 403, body: { code: "forbidden", details: [] } });
    expect(world.tenant.store.templates.get(template_id)).toBe(before);
    await succeed(share(world, []));
    expect(await names(world, {}, key)).toEqual([copy.body.id]);
    expect(await read()).toMatchObject({ status: 404, body: NOT_FOUND });
    expect((await world.call("statusDocument", { key, params: { id: made.body.id } })).status).toBe(200);
  });

  test("updateTemplateSharingSettings hides a deleted template from the other workspace", async () => {
    const { id, key } = await anotherWorkspace(world);
    await succeed(share(world, [id]));
    await succeed(world.call("deleteTemplate", { params: { id: template_id } }));
    expect([await names(world, {}, key), await names(world, { deleted: true }, key)]).toEqual([[], []]);
    expect((await world.call("deleteTemplate", { key, params: { id: template_id } })).status).toBe(404);
    expect(await share(world, [])).toMatchObject({ status: 404, body: NOT_FOUND });
  });

  test("updateTemplateSharingSettings needs a membership in each new workspace, but not in a workspace that stays or leaves", async () => {
    const [one, two] = [await anotherWorkspace(world, "One"), await anotherWorkspace(world, "Two")];
    await succeed(share(world, [one.id]));
    await succeed(
      world.call("changeMemberRole", { params: { workspace_id: WORKSPACE, member_id: SAM.member }, body: { role: "Admin" } }),
    );
    const sam = await asMember(world, SAM.member);
    const refused = await share(world, [one.id, two.id], sam);
    expect(refused).toMatchObject({ status: 403, body: PERMISSION });
    expect(refused.headers.get("x-docdouble-why")).toContain(two.id);
    expect((await share(world, [one.id], sam)).status).toBe(200);
    expect((await share(world, [], sam)).body).toEqual({ workspace_ids: [] });
    await succeed(world.call("addMember", { params: { workspace_id: two.id }, body: { user_id: SAM.user, role: "Member" } }));
    expect((await share(world, [two.id], sam)).body).toEqual({ workspace_ids: [two.id] });
  });
});
