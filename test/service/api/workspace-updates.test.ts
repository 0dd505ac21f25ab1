import { describe, expect, test } from "vitest";
import { png } from "../../support/images.ts";
import { anotherWorkspace, asMember, NOT_FOUND, PERMISSION, SAM, WORKSPACE } from "../../support/people.ts";
import { receiver } from "../../support/receiver.ts";
import { succeed } from "../../support/stories.ts";
import { type TestWorld, testWorld } from "../../support/world.ts";

const params = { workspace_id: WORKSPACE };
const update = (world: TestWorld, body: unknown) => world.call("updateWorkspace", { params, body });
const settingsOf = (world: TestWorld) => world.tenant.store.workspaces.get(WORKSPACE)?.settings;

describe("updateWorkspace", () => {
  test("updateWorkspace changes the named members, keeps the others, and clears members that are null", async () => {
    const world = await testWorld();
    const server = await receiver();
    const [icon_url, logo_url] = [
      server.serve("/i.png", png(64, 64), "image/png"),
      server.serve("/l.png", png(300, 80), "image/png"),
    ];
    const branding = { logo_url, accent_color: "#248567" };
    expect(await update(world, { name: "Northpeak Europe", icon_url, branding })).toMatchObject({
      status: 200,
      body: { id: WORKSPACE, name: "Northpeak Europe", branding },
    });
    expect((await succeed(update(world, {}))).body).toEqual({ id: WORKSPACE, name: "Northpeak Europe", branding });
    expect(settingsOf(world)?.icon_url).toBe(icon_url);
    const { results } = (await succeed(world.call("getWorkspacesList"))).body;
    expect(results.map(({ name }: { name: string }) => name)).toEqual(["Northpeak Europe"]);
    expect((await succeed(update(world, { branding: { accent_color: "#AbCdEf" } }))).body.branding).toEqual({
      logo_url,
      accent_color: "#AbCdEf",
    });
    const cleared = await succeed(update(world, { icon_url: null, branding: { logo_url: null, accent_color: null } }));
    expect(cleared.body.branding).toEqual({ logo_url: null, accent_color: null });
    expect(settingsOf(world)?.icon_url).toBeNull();
  });

  test("updateWorkspace names every wrong member in the format of version 1, and changes nothing", async () => {
    const world = await testWorld();
    const before = world.tenant.store.snapshot();
    const server = await receiver();
    const [wide, text] = [server.serve("/w.png", png(17, 16), "image/png"), server.serve("/t", Buffer.from("no"), "image/png")];
    const long = "Ensure this field has no more than 255 characters.";
    const refusals: [unknown, object][] = [
      [{ name: "" }, { name: ["This field may not be blank."] }],
      [{ name: null }, { name: ["This field may not be null."] }],
      [{ name: "x".repeat(256) }, { name: [long] }],
      [{ branding: { accent_color: "248567" } }, { branding: { accent_color: [expect.stringMatching(/\w/)] } }],
      [{ branding: { accent_color: "#24856" } }, { branding: { accent_color: [expect.stringMatching(/\w/)] } }],
      [{ branding: { logo_url: "ftp://x.example/l.png" } }, { branding: { logo_url: ["Enter a valid URL."] } }],
      [{ icon_url: wide }, { icon_url: ["Icon should have square proportions."] }],
      [{ icon_url: text }, { icon_url: ["Supported formats: JPEG, PNG, GIF, WEBP."] }],
      [{ name: "New", branding: { logo_url: text } }, { branding: { logo_url: ["Supported formats: JPEG, PNG, GIF, WEBP."] } }],
    ];
    for (const [body, detail] of refusals)
      expect(await update(world, body)).toMatchObject({ status: 400, body: { type: "validation_error", detail } });
    expect(world.tenant.store.snapshot()).toEqual(before);
  });

  test("updateWorkspace refuses everybody but organization admins before a download, and unknown or deactivated workspaces", async () => {
    const world = await testWorld();
    const server = await receiver();
    await succeed(world.call("changeMemberRole", { params: { ...params, member_id: SAM.member }, body: { role: "Admin" } }));
    const sam = await asMember(world, SAM.member);
    for (const body of [{ name: "x" }, { branding: { logo_url: `${server.url}/l.png` } }])
      expect(await world.call("updateWorkspace", { ...sam, params, body })).toMatchObject({ status: 403, body: PERMISSION });
    expect(server.received).toHaveLength(0);
    const call = (workspace_id: string) => world.call("updateWorkspace", { params: { workspace_id }, body: { name: "x" } });
    expect(await call("Nowhere")).toMatchObject({ status: 404, body: NOT_FOUND });
    const { id } = await anotherWorkspace(world);
    expect((await call(id)).body).toMatchObject({ id, name: "x" });
    await succeed(world.call("deactivateWorkspace", { params: { workspace_id: id } }));
    expect((await call(id)).status).toBe(404);
  });
});

test("getWorkspacesList with q lists the workspaces whose names contain the text, in upper or lower case", async () => {
  const world = await testWorld();
  await anotherWorkspace(world, "Branch Oslo");
  const named = async (q: string) => {
    const { total, results } = (await succeed(world.call("getWorkspacesList", { query: { q } }))).body;
    return [total, results.map(({ name }: { name: string }) => name)];
  };
  expect(await named("OSLO")).toEqual([1, ["Branch Oslo"]]);
  expect(await named("n")).toEqual([2, ["Northpeak", "Branch Oslo"]]);
  expect(await named("nothing")).toEqual([0, []]);
});
