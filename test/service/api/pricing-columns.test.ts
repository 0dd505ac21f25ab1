/** What pricing tables tell of their columns and of data merge, and which rows they refuse. */
import { describe, expect, test } from "vitest";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type Answer, type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const ROLES = [{ name: "Client" }];
const MERGED = { options: {}, data: { Name: "Roof", Price: 100, QTY: 2 } };
const PLAIN = { options: {}, data: { name: "Roof", price: 100, qty: 2 } };

async function aWorldWith(tables: object[], place: "templates" | "content_library_items" = "templates") {
  const one = { id: "TemplateOfTablesxxxxxx", name: "Tables", roles: ROLES, pricing_tables: tables };
  const load = () => world.admin("POST", "/scenarios", { version: 1, name: "tables", world: { [place]: [one] } });
  return { world, loaded: await load() };
}

function create(world: TestWorld, pricing_tables?: object[]): Promise<Answer> {
  return world.call("createDocument", {
    body: {
      template_uuid: "TemplateOfTablesxxxxxx",
      name: "Deal",
      recipients: [CLIENT],
      ...(pricing_tables ? { pricing_tables } : {}),
    },
  });
}

const rows = (name: string, row: object, data_merge?: boolean) => ({
  name,
  ...(data_merge === undefined ? {} : { data_merge }),
  sections: [{ title: "A", rows: [row] }],
});

// biome-ignore lint/suspicious/noExplicitAny: details have many shapes
async function tablesOf(world: TestWorld, id: string): Promise<any[]> {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body.pricing.tables;
}

describe("columns", () => {
  test("details of a template and of its document tell data_merge_enabled and the columns of each table", async () => {
    const { world } = await aWorldWith([
      {
        name: "Prices",
        columns: [
          { name: "Price", hidden: true },
          { name: "Weight", header: "Weight in kg", merge_name: "kg" },
        ],
        merge_names: { name: "Final Payment" },
        items: [{ name: "Base", price: "1", sku: "B-1" }],
      },
      { name: "Fixed", accepts_rows: false },
      { name: "Odd", accepts_rows: false, data_merge_enabled: true },
    ]);
    const template = (await succeed(world.call("detailsTemplate", { params: { id: "TemplateOfTablesxxxxxx" } }))).body;
    const [prices, fixed, odd] = template.pricing.tables;
    expect([prices, fixed, odd].map((one) => one.data_merge_enabled)).toEqual([true, false, true]);
    expect(prices.columns).toEqual([
      { header: "Name", name: "Name", merge_name: "Final Payment", hidden: false },
      { header: "Description", name: "Description", merge_name: "Description", hidden: false },
      { header: "Price", name: "Price", merge_name: "Price", hidden: true },
      { header: "QTY", name: "QTY", merge_name: "QTY", hidden: false },
      { header: "SKU", name: "SKU", merge_name: "SKU", hidden: false },
      ...["Cost", "Discount", "Tax", "Tax First", "Tax Second", "Fee"].map((name) => ({
        header: name,
        name,
        merge_name: name,
        hidden: true,
      })),
      { header: "Weight in kg", name: "Weight", merge_name: "kg", hidden: false },
    ]);
    const { id } = (await succeed(create(world))).body;
    await world.advance("6s");
    expect((await tablesOf(world, id)).map((one) => one.columns)).toEqual([prices, fixed, odd].map((one) => one.columns));
  });

  test("rows with data merge take the merge name of every column, and details show a custom column of a row", async () => {
    const { world } = await aWorldWith([{ name: "Prices", merge_names: { name: "Final Payment", Color: "Paint" } }]);
    const template = (await world.call("detailsTemplate", { params: { id: "TemplateOfTablesxxxxxx" } })).body;
    const names: string[] = template.pricing.tables[0].columns.map((one: { merge_name: string }) => one.merge_name);
    const data = Object.fromEntries(names.map((name) => [name, "1"]));
    expect((await create(world, [rows("Prices", { options: {}, data }, true)])).status).toBe(201);
    expect((await create(world, [rows("Prices", MERGED, true)])).status).toBe(400);
    const { id } = (await succeed(create(world, [rows("Prices", { options: {}, data: { ...PLAIN.data, Size: "L" } })]))).body;
    await world.advance("6s");
    const [table] = await tablesOf(world, id);
    expect(table.columns.at(-1)).toEqual({ header: "Size", name: "Size", merge_name: "Size", hidden: false });
  });

  test.each([
    [{ merge_names: { Name: "Final Payment" } }, "unknown column Name; did you mean name?"],
    [{ merge_names: { Qty: "Count" } }, "unknown column Qty; did you mean qty?"],
    [{ merge_names: { "Tax First": "VAT" } }, "unknown column Tax First; did you mean tax_first?"],
    [{ columns: [{ name: "qty" }] }, "unknown column qty; did you mean QTY?"],
    [{ columns: [{ name: "Weight" }], merge_names: { weight: "kg" } }, "unknown column weight; did you mean Weight?"],
    [{ columns: [{ name: "Weight" }, { name: "Weight" }] }, "two columns have the name Weight"],
    [{ columns: [{ name: "Price", merge_name: "Name" }] }, "two columns have the merge name Name"],
    [
      { columns: [{ name: "Price", merge_name: "A" }], merge_names: { price: "B" } },
      "the column Price has the merge names A and B",
    ],
  ])("a file whose table has %j is refused", async (more, problem) => {
    for (const place of ["templates", "content_library_items"] as const) {
      const { loaded } = await aWorldWith([{ name: "Prices", ...more }], place);
      expect(loaded.status).toBe(400);
      expect(JSON.stringify(loaded.body)).toContain(`pricing table Prices: ${problem}`);
    }
  });
});

describe("rows in a table without data merge", () => {
  const TABLES = [
    { name: "Prices", items: [{ name: "Base", price: "1" }] },
    { name: "Fixed", accepts_rows: false, items: [{ name: "Base", price: "1" }] },
  ];

  test("createDocument and uploadSection refuse them in a library item, each at the call", async () => {
    const { world } = await aWorldWith([{ name: "Fixed", accepts_rows: false }], "content_library_items");
    const items = [{ id: "TemplateOfTablesxxxxxx", pricing_tables: [rows("Fixed", MERGED, true)] }];
    const body = {
      template_uuid: TEMPLATES.everyField,
      name: "Deal",
      recipients: [{ ...CLIENT, role: "Signer" }],
      content_placeholders: [{ block_id: "placeholder1", content_library_items: items }],
    };
    const id = await aDraft(world);
    const section = { ...body, recipients: [CLIENT] };
    for (const answer of [
      await world.call("createDocument", { body }),
      await world.call("uploadSection", { params: { document_id: id }, body: section }),
    ]) {
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.body)).toContain("data merge is disabled");
    }
  });

  test("rows without data_merge are taken, and client lint reports the table", async () => {
    const { world } = await aWorldWith(TABLES);
    const { id } = (await succeed(create(world, [rows("Fixed", PLAIN)]))).body;
    await world.advance("6s");
    const [, fixed] = await tablesOf(world, id);
    expect(fixed.items).toMatchObject([{ name: "Roof", price: "100", qty: "2" }]);
    expect(world.sandbox.lint()).toMatchObject([{ kind: "unknown_pricing_name", place: { pointer: "/pricing_tables/0" } }]);
  });

  test("data_merge without rows changes only the options, because no source refuses it", async () => {
    const { world } = await aWorldWith(TABLES);
    const made = await create(world, [{ name: "Fixed", data_merge: true, options: {}, sections: [{ title: "A", rows: [] }] }]);
    expect(made.status).toBe(201);
  });
});
