import { describe, expect, test } from "vitest";
import { aBrokenPdf, aPdf, eventsOf, FOREIGN_KEY, NOT_FOUND, plantForeigner, subscribe } from "../../support/content.ts";
import { aDraft, aSentDocument, CLIENT, LIBRARY_ITEM, succeed, TEMPLATES } from "../../support/stories.ts";
import { useWorld, type TestWorld } from "../../support/world.ts";
import type { TemplateRow } from "../../../src/service/nouns/templates/row.ts";

const world = useWorld();

const EVENTS = ["content_library_item_created", "content_library_item_creation_failed"];
const statusOf = async (world: TestWorld, id: string) =>
  (await succeed(world.call("statusContentLibraryItem", { params: { id } }))).body.status;

describe("createContentLibraryItem", () => {
  test("createContentLibraryItem ends in cli.ERROR when the address cannot be reached", async () => {
    await subscribe(world, EVENTS);
    const { body } = await world.call("createContentLibraryItem", { body: { name: "x", url: "http://127.0.0.1:9/x.pdf" } });
    expect(body.status).toBe("cli.UPLOADED");
    await world.advance("5s");
    expect(await statusOf(world, body.id)).toBe("cli.ERROR");
    expect(await eventsOf(world, "content_library_item_creation_failed")).toMatchObject([
      {
        id: body.id,
        status: "cli.ERROR",
        error: { type: "source", detail: "Failed to download file from link http://127.0.0.1:9/x.pdf." },
      },
    ]);
  });
});

describe("createContentLibraryItemFromUpload", () => {
  test("createContentLibraryItemFromUpload ends in cli.ERROR for a broken PDF, and emits an event with the reason", async () => {
    await subscribe(world, EVENTS);
    const { body } = await world.call("createContentLibraryItemFromUpload", { parts: { file: aBrokenPdf() } });
    expect(body.name).toBe("Broken");
    await world.advance("5s");
    expect(await statusOf(world, body.id)).toBe("cli.ERROR");
    expect(await eventsOf(world, "content_library_item_creation_failed")).toMatchObject([
      { id: body.id, error: { type: "processing", detail: "PDF content hasn't been processed: document is broken or locked" } },
    ]);
    expect(await eventsOf(world, "content_library_item_created")).toEqual([]);
    expect(await world.call("createContentLibraryItemFromUpload", { parts: { data: {} } })).toMatchObject({
      status: 400,
      body: { type: "validation_error", detail: { file: ["No file was submitted."] } },
    });
  });
});

describe("listContentLibraryItems", () => {
  test("listContentLibraryItems filters and pages", async () => {
    for (const name of ["One", "Two", "Three"]) await succeed(world.call("createContentLibraryItem", { body: { name } }));
    const names = async (query: Record<string, string>) =>
      (await succeed(world.call("listContentLibraryItems", { query }))).body.results.map((one: { name: string }) => one.name);
    expect((await names({})).sort()).toEqual(["One", "Services block", "Three", "Two"]);
    expect((await names({ q: "t" })).sort()).toEqual(["Three", "Two"]);
    expect(await names({ id: LIBRARY_ITEM })).toEqual(["Services block"]);
    expect(await names({ tag: "pricing" })).toEqual(["Services block"]);
    expect(await names({ tag: "other" })).toEqual([]);
    expect(await names({ deleted: "true" })).toEqual([]);
    expect(await names({ folder_uuid: "x" })).toEqual([]);
    const paged = [...(await names({ count: "3", page: "1" })), ...(await names({ count: "3", page: "2" }))];
    expect(paged.sort()).toEqual(["One", "Services block", "Three", "Two"]);
    expect(await names({ page: "9" })).toEqual([]);
    plantForeigner(world);
    expect((await world.call("listContentLibraryItems", { key: FOREIGN_KEY })).body).toEqual({ results: [] });
  });
});

describe("appendContentLibraryItemToDocument", () => {
  const body = { cli: { id: LIBRARY_ITEM, pages: [{ index: 0, name: "Prices" }] } };

  test("appendContentLibraryItemToDocument appends an item twice under different names", async () => {
    const id = await aDraft(world, { template: "pricing" });
    const before = (await world.call("detailsDocument", { params: { id } })).body;
    const first = await world.call("appendContentLibraryItemToDocument", { params: { id }, body });
    const same = (name: string) => [{ original_name: name, new_name: name }];
    expect(first).toMatchObject({ status: 201 });
    expect(first.body).toEqual({
      cli: { id: LIBRARY_ITEM, pages: [{ index: 0, name: "Prices" }] },
      block_mapping: {
        tables: same("Table 1"),
        pricing_tables: [{ original_name: "Pricing Table 1", new_name: "Pricing Table 1_1" }],
        images: same("Logo"),
        texts: same("Terms"),
      },
    });
    const second = await world.call("appendContentLibraryItemToDocument", { params: { id }, body });
    expect(second.body).toMatchObject({
      cli: { pages: [{ index: 0, name: "Prices_1" }] },
      block_mapping: {
        tables: [{ new_name: "Table 1_1" }],
        pricing_tables: [{ new_name: "Pricing Table 1_2" }],
        texts: [{ new_name: "Terms_1" }],
      },
    });
    const after = (await world.call("detailsDocument", { params: { id } })).body;
    expect(after.tables).toEqual([{ name: "Table 1" }, { name: "Table 1_1" }]);
    expect(Number(after.grand_total.amount)).toBe(Number(before.grand_total.amount) + 200);
    expect(after.tokens.map((token: { name: string }) => token.name)).toEqual(["Client.Company", "Deal.Name"]);
    expect(after.fields.map((field: { field_id: string }) => field.field_id)).toEqual([
      "signature1",
      "text1",
      "signature1_1",
      "text1_1",
      "signature1_2",
    ]);
    const row = world.tenant.store.documents.get(id);
    expect(row?.pages.map((page) => page.name)).toEqual([undefined, "Prices", "Prices_1"]);
    expect(row?.fields.map((field) => field.layout.page)).toEqual([0, 1, 1, 2, 2]);
  });

  test("appendContentLibraryItemToDocument assigns fields to the recipient with their role", async () => {
    const template = world.tenant.store.templates.get(TEMPLATES.oneSigner) as TemplateRow;
    const role = { id: "RoleApproverxxxxxxxxxx", name: "Approver", signing_order: null, preassigned_person: null };
    world.tenant.store.transaction(() => world.tenant.store.templates.put({ ...template, roles: [...template.roles, role] }));
    const approver = { ...CLIENT, role: "Approver" };
    const id = await aDraft(world, { body: { recipients: [approver] } });
    await succeed(world.call("appendContentLibraryItemToDocument", { params: { id }, body: { cli: { id: LIBRARY_ITEM } } }));
    const { body: details } = await world.call("detailsDocument", { params: { id } });
    expect(details.fields.at(-1)).toMatchObject({ name: "ApproverSignature", assigned_to: { email: CLIENT.email } });
    expect(details.recipients[0].recipient_type).toBe("signer");
  });

  test("appendContentLibraryItemToDocument refuses unknown items, pages that are not there, unprocessed items, and documents that are no drafts", async () => {
    plantForeigner(world);
    const call = (id: string, given: object = body) =>
      world.call("appendContentLibraryItemToDocument", { params: { id }, body: given });
    const draft = await aDraft(world);
    expect(await call(draft, { cli: { id: "nothing" } })).toMatchObject(NOT_FOUND);
    expect(await call(draft, { cli: { id: LIBRARY_ITEM, pages: [{ index: 1 }] } })).toMatchObject({
      status: 400,
      body: { detail: { cli: { pages: [{ index: ["Page not found."] }] } } },
    });
    const item = await world.call("createContentLibraryItemFromUpload", { parts: { file: await aPdf() } });
    expect(await call(draft, { cli: { id: item.body.id } })).toMatchObject({
      status: 409,
      body: { id: item.body.id, status: "cli.UPLOADED" },
    });
    expect(await call(await aSentDocument(world))).toMatchObject({ status: 409, body: { status: "document.sent" } });
  });
});

describe("content placeholders", () => {
  const placed = (items: unknown[], block_id = "placeholder1") => ({
    template_uuid: TEMPLATES.everyField,
    recipients: [{ ...CLIENT, role: "Signer" }],
    content_placeholders: [{ block_id, content_library_items: items }],
  });

  test("createDocument fills a placeholder with a library item, its values and its recipients", async () => {
    const approver = { email: "mara.sole@client.example", first_name: "Mara", last_name: "Sole", role: "Approver" };
    const item = {
      id: LIBRARY_ITEM,
      fields: { Remark: { value: "Fine" } },
      recipients: [approver],
      pricing_tables: [
        {
          name: "Pricing Table 1",
          sections: [{ title: "S", rows: [{ options: {}, data: { name: "Work", price: 30, qty: 3 } }] }],
        },
      ],
    };
    const created = await succeed(world.call("createDocument", { body: placed([item]) }));
    await world.advance("5s");
    const { body } = await world.call("detailsDocument", { params: { id: created.body.id } });
    expect(body.recipients).toMatchObject([
      { email: CLIENT.email, roles: ["Signer"], recipient_type: "signer" },
      { email: approver.email, roles: ["Approver"], recipient_type: "signer" },
    ]);
    const fields = new Map(body.fields.map((field: { name: string }) => [field.name, field]));
    expect(fields.get("Remark")).toMatchObject({ value: "Fine", assigned_to: { email: approver.email } });
    expect(body.pricing.tables).toMatchObject([{ name: "Pricing Table 1", items: [{ name: "Work" }], total: "90" }]);
    expect(body.grand_total.amount).toBe("90");
  });

  test("createDocument ignores a placeholder that the template lacks, and refuses an unknown or unprocessed library item", async () => {
    const other = await succeed(world.call("createDocument", { body: placed([{ id: LIBRARY_ITEM }], "elsewhere") }));
    await world.advance("5s");
    expect((await world.call("detailsDocument", { params: { id: other.body.id } })).body.pricing).toEqual({});
    const before = world.tenant.store.snapshot();
    expect(await world.call("createDocument", { body: placed([{ id: "nothing" }]) })).toMatchObject({
      status: 400,
      body: {
        type: "validation_error",
        detail: { content_placeholders: [{ content_library_items: [{ id: ["Content library item not found."] }] }] },
      },
    });
    expect(world.tenant.store.snapshot()).toEqual(before);
    const item = await world.call("createContentLibraryItemFromUpload", { parts: { file: await aPdf() } });
    expect(await world.call("createDocument", { body: placed([{ id: item.body.id }]) })).toMatchObject({
      status: 400,
      body: {
        detail: { content_placeholders: [{ content_library_items: [{ id: ["Content library item is not processed yet."] }] }] },
      },
    });
  });
});
