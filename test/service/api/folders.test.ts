import { describe, expect, test } from "vitest";
import { anotherWorkspace, NOT_FOUND } from "../../support/people.ts";
import { aDraft, succeed, TEMPLATES } from "../../support/stories.ts";
import { useWorld } from "../../support/world.ts";

const world = useWorld();

const CONTRACTS = "FolderContractsxxxxxxx";
const SALES = "FolderTemplatesSalesxx";

const KINDS = [
  { kind: "Document", root: ["Contracts", "Quotes"], other: SALES },
  { kind: "Template", root: ["Sales"], other: CONTRACTS },
] as const;

const names = (body: { results: { name: string }[] }): string[] => body.results.map((row) => row.name);

describe.each(KINDS)("$kind folders", ({ kind, root, other }) => {
  const list = `list${kind}Folders` as const;
  const create = `create${kind}Folder` as const;
  const rename = `rename${kind}Folder` as const;

  test(`${list} shows the folders of the root in pages, without the root itself`, async () => {
    const { status, body } = await world.call(list);
    expect(status).toBe(200);
    expect(names(body)).toEqual(root);
    for (let i = 0; i < 3; i++) await succeed(world.call(create, { body: { name: `More ${i}` } }));
    const all = names((await world.call(list)).body);
    expect(all).toHaveLength(root.length + 3);
    const paged = await world.call(list, { query: { count: 2, page: 2 } });
    expect(names(paged.body)).toEqual(all.slice(2, 4));
  });

  test(`${create} creates a folder inside a folder, and its parent then shows has_folders`, async () => {
    const outer = await world.call(create, { body: { name: "Outer" } });
    expect(outer.status).toBe(201);
    expect(outer.body).toEqual({
      uuid: expect.stringMatching(/^\w{22}$/),
      name: "Outer",
      date_created: "2026-03-02T09:00:00.000000Z",
    });
    const inner = await succeed(world.call(create, { body: { name: "Inner", parent_uuid: outer.body.uuid } }));
    const { body } = await world.call(list, { query: { parent_uuid: outer.body.uuid } });
    expect(body).toEqual({ results: [{ ...inner.body, has_folders: false, has_items: false }] });
    const parents = (await world.call(list)).body.results;
    expect(parents.find((row: { uuid: string }) => row.uuid === outer.body.uuid)).toMatchObject({ has_folders: true });
  });

  test(`${rename} answers 404 for an unknown folder, a folder of the other kind and another workspace's folder`, async () => {
    const branch = await anotherWorkspace(world);
    const theirs = await succeed(world.call(create, { key: branch.key, body: { name: "Theirs" } }));
    const strange = await succeed(world.call(create, { key: "test-folders", body: { name: "Far" } }));
    for (const id of ["nothing", other, theirs.body.uuid, strange.body.uuid])
      expect(await world.call(rename, { params: { id }, body: { name: "Mine" } })).toMatchObject({
        status: 404,
        body: NOT_FOUND,
      });
    expect(names((await world.call(list, { key: branch.key })).body)).toEqual(["Theirs"]);
  });
});

describe("folders and their items", () => {
  test("listDocumentFolders shows has_items while a document is in the folder", async () => {
    const itemsIn = async () =>
      (await world.call("listDocumentFolders")).body.results.find((row: { uuid: string }) => row.uuid === CONTRACTS).has_items;
    expect(await itemsIn()).toBe(false);
    const id = await aDraft(world, { body: { folder_uuid: CONTRACTS } });
    expect(await itemsIn()).toBe(true);
    expect((await world.call("listDocuments", { query: { folder_uuid: CONTRACTS } })).body.results).toHaveLength(1);
    await succeed(world.call("deleteDocument", { params: { id } }));
    expect(await itemsIn()).toBe(false);
  });

  test("listTemplateFolders shows has_items for a folder with a template", async () => {
    expect((await world.call("listTemplateFolders")).body.results).toMatchObject([{ uuid: SALES, has_items: true }]);
    const inside = await world.call("listTemplates", { query: { folder_uuid: SALES } });
    expect(inside.body.results.map((row: { id: string }) => row.id)).toEqual([TEMPLATES.twoSigners]);
  });

  test("createDocument refuses a folder of another workspace", async () => {
    const branch = await anotherWorkspace(world);
    const theirs = await succeed(world.call("createDocumentFolder", { key: branch.key, body: { name: "Theirs" } }));
    const answer = await world.call("createDocument", {
      body: { template_uuid: TEMPLATES.oneSigner, recipients: [], folder_uuid: theirs.body.uuid },
    });
    expect(answer).toMatchObject({ status: 400, body: { detail: { folder_uuid: ["Folder not found."] } } });
  });
});
