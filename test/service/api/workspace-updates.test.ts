import { describe, expect, test } from "vitest";
import { png } from "../../support/images.ts";
import { anotherWorkspace, WORKSPACE } from "../../support/people.ts";
import { receiver } from "../../support/receiver.ts";
import { succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const params = { workspace_id: WORKSPACE };
const update = (world: TestWorld, body: unknown) => world.call("updateWorkspace", { params, body });
const settingsOf = (world: TestWorld) => world.tenant.store.workspaces.get(WORKSPACE)?.settings;

describe("updateWorkspace", () => {
  test("updateWorkspace changes the named members, keeps the others, and clears members that are null", async () => {
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
});

test("getWorkspacesList with q lists the workspaces whose names contain the text, in upper or lower case", async () => {
  await anotherWorkspace(world, "Branch Oslo");
  const named = async (q: string) => {
    const { total, results } = (await succeed(world.call("getWorkspacesList", { query: { q } }))).body;
    return [total, results.map(({ name }: { name: string }) => name)];
  };
  expect(await named("OSLO")).toEqual([1, ["Branch Oslo"]]);
  expect(await named("n")).toEqual([2, ["Northpeak", "Branch Oslo"]]);
  expect(await named("nothing")).toEqual([0, []]);
});
