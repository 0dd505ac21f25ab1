/** Facts about prices that the vendor states about its own service. The numbers are those of the vendor's facts in the ledger's sources. */
import { describe, expect, test } from "vitest";
import { eventsOf, subscribe } from "../../support/content.ts";
import { aDraft, CLIENT, LIBRARY_ITEM, statusOf, succeed, TEMPLATES } from "../../support/stories.ts";
import { type Answer, type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const ROW = { options: {}, data: { name: "Roof", price: 100, qty: 2 } };

const table = (rows: readonly object[] = [ROW], options: object = {}) => ({
  name: "Pricing Table 1",
  options,
  sections: [{ title: "A", rows }],
});

const percent = (value: number, name?: string) => ({ type: "percent", value, ...(name === undefined ? {} : { name }) });
const absolute = (value: number, name?: string) => ({ type: "absolute", value, ...(name === undefined ? {} : { name }) });

function create(world: TestWorld, body: object): Promise<Answer> {
  return world.call("createDocument", {
    body: { template_uuid: TEMPLATES.euro, name: "Deal", recipients: [CLIENT], ...body },
  });
}

// biome-ignore lint/suspicious/noExplicitAny: details have many shapes
async function pricingOf(world: TestWorld, id: string): Promise<any> {
  return (await succeed(world.call("detailsDocument", { params: { id } }))).body.pricing;
}

/** The summary of the only table of a new document. */
async function summaryWith(world: TestWorld, options: object, template: "euro" | "pricing" = "euro") {
  const id = await aDraft(world, { template, body: { pricing_tables: [table([ROW], options)] } });
  return (await pricingOf(world, id)).tables[0].summary;
}

function update(world: TestWorld, id: string, pricing_tables: object[]): Promise<Answer> {
  return world.call("updateDocument", { params: { id }, body: { pricing_tables } });
}

const findings = (world: TestWorld) => world.sandbox.lint().map((one) => [one.kind, one.message, one.place.pointer]);

const MISSING = { options: ["This field is required."] };

describe("rows without options", () => {
  test("createDocument refuses each row without options, and names it", async () => {
    const { data } = ROW;
    const made = await create(world, { pricing_tables: [table([ROW, { data }, { data }])] });
    expect([made.status, made.body]).toEqual([
      400,
      { type: "validation_error", detail: { pricing_tables: [{ sections: [{ rows: [{}, MISSING, MISSING] }] }] } },
    ]);
    expect(made.headers.get("x-docdouble-why")).toContain("pricing.row_options");
    expect((await world.call("listDocuments")).body.results).toEqual([]);
  });

  test("updateDocument and uploadSection refuse it too, and change nothing", async () => {
    const id = await aDraft(world, { template: "euro" });
    const before = await pricingOf(world, id);
    const pricing_tables = [table([{ data: ROW.data }])];
    const updated = await update(world, id, pricing_tables);
    const section = await world.call("uploadSection", {
      params: { document_id: id },
      body: { template_uuid: TEMPLATES.euro, name: "More", recipients: [CLIENT], pricing_tables },
    });
    expect([updated.status, section.status]).toEqual([400, 400]);
    expect(await pricingOf(world, id)).toEqual(before);
  });
});

describe("another currency", () => {
  test("createDocument refuses another currency, and a broken document stays in the account", async () => {
    await subscribe(world, ["document_creation_failed"]);
    const made = await create(world, { name: "Broken", pricing_tables: [table([ROW], { currency: "USD" })] });
    expect([made.status, made.body]).toEqual([
      400,
      { type: "validation_error", detail: "Wrong request currency USD mismatch template currency" },
    ]);
    expect(made.headers.get("x-docdouble-why")).toContain("pricing.other_currency");
    const { results } = (await world.call("listDocuments")).body;
    expect(results.map((one: { name: string; status: string }) => [one.name, one.status])).toEqual([
      ["Broken", "document.error"],
    ]);
    expect((await eventsOf(world, "document_creation_failed")).map((one) => one.id)).toEqual([results[0].id]);
    await world.advance("1m");
    expect(await statusOf(world, results[0].id)).toBe("document.error");
  });

  test("createDocument leaves nothing behind if it refuses something else first", async () => {
    const recipients = [{ ...CLIENT, role: "Nobody" }];
    const made = await create(world, { recipients, pricing_tables: [table([ROW], { currency: "USD" })] });
    expect(made.status).toBe(400);
    expect((await world.call("listDocuments")).body.results).toEqual([]);
  });

  test("createDocument refuses the currency in a library item, and takes it for a table that accepts no rows", async () => {
    const items = [{ id: LIBRARY_ITEM, pricing_tables: [table([ROW], { currency: "EUR" })] }];
    const placed = await create(world, {
      template_uuid: TEMPLATES.everyField,
      recipients: [{ ...CLIENT, role: "Signer" }],
      content_placeholders: [{ block_id: "placeholder1", content_library_items: items }],
    });
    expect([placed.status, placed.body.detail]).toEqual([400, "Wrong request currency EUR mismatch template currency"]);
    const unknown = await create(world, { pricing_tables: [{ ...table([ROW], { currency: "USD" }), name: "Other" }] });
    expect(unknown.status).toBe(201);
  });

  test("uploadSection refuses another currency", async () => {
    const id = await aDraft(world);
    const section = await world.call("uploadSection", {
      params: { document_id: id },
      body: {
        template_uuid: TEMPLATES.euro,
        name: "More",
        recipients: [CLIENT],
        pricing_tables: [table([ROW], { currency: "USD" })],
      },
    });
    expect([section.status, section.body.detail]).toEqual([400, "Wrong request currency USD mismatch template currency"]);
  });

  test("createDocument puts numbers without a currency into the currency of the template", async () => {
    const id = await aDraft(world, { template: "euro", body: { pricing_tables: [table()] } });
    const { tables } = await pricingOf(world, id);
    expect([tables[0].currency, tables[0].summary.subtotal]).toEqual(["EUR", "200"]);
  });
});

describe("names of discounts", () => {
  test.each([
    ["the template's own name replaces", { discount: percent(10, "Discount") }, "20"],
    ["a missing name replaces the default one", { discount: percent(10) }, "20"],
    ["another name adds", { discount: percent(10, "Special promo") }, "50"],
    ["another spelling adds", { discount: percent(10, "discount") }, "50"],
    ["two names do both", { a: percent(5, "Discount"), Discount: percent(10, "Promo discount") }, "30"],
    ["an amount adds to a percentage", { discount: absolute(7, "Loyalty discount") }, "37"],
    ["a negative value under the template's name is a surcharge", { discount: percent(-5, "Discount") }, "-10"],
    ["a negative value under another name subtracts from the discount", { discount: percent(-5, "Extra discount") }, "20"],
  ])("%s", async (_, options, discount) => {
    const summary = await summaryWith(world, options);
    expect(summary).toEqual({
      subtotal: "200",
      discount,
      tax: "0",
      fee: "0",
      total: String(200 - Number(discount)),
    });
  });
});

describe("totals", () => {
  test("an optional row that is not selected adds nothing", async () => {
    const row = (options: object, price: number) => ({ options, data: { name: String(price), price, qty: 1 } });
    const rows = [
      row({ optional: false, optional_selected: false }, 1),
      row({ optional: true, optional_selected: false }, 10),
      row({ optional: true }, 100),
      row({ optional: true, optional_selected: true }, 1000),
      row({ optional_selected: false }, 10_000),
      row({ optional_selected: true }, 100_000),
    ];
    const id = await aDraft(world, { template: "euro", body: { pricing_tables: [table(rows)] } });
    const { tables, total } = await pricingOf(world, id);
    expect(tables[0].items.map((one: { options: { optional_selected: boolean } }) => one.options.optional_selected)).toEqual([
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
    expect([tables[0].summary.subtotal, total]).toEqual(["101001", "85850.85"]);
    expect(findings(world)).toEqual([
      [
        "doubtful_pricing",
        "The row is neither optional nor selected, and docdouble counts it",
        "/pricing_tables/0/sections/0/rows/0/options/optional_selected",
      ],
    ]);
  });

  test("a template with a quote ignores pricing_tables, and client lint names it", async () => {
    const template = await succeed(world.call("detailsTemplate", { params: { id: TEMPLATES.quote } }));
    const id = await aDraft(world, { template: "quote", body: { pricing_tables: [table()] } });
    const { tables, quotes, total } = await pricingOf(world, id);
    expect([tables, total]).toEqual([[], template.body.pricing.total]);
    expect(quotes[0].summary).toEqual(template.body.pricing.quotes[0].summary);
    expect(findings(world)).toEqual([
      [
        "unknown_pricing_name",
        '"Quote" has a quote and no pricing table "Pricing Table 1", so the service ignored it',
        "/pricing_tables/0/name",
      ],
    ]);
  });
});
