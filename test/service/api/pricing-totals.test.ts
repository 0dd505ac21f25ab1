/** Combinations of pricing input that no source describes: negative totals, texts that name no currency, and decimals of currencies. */
import { describe, expect, test } from "vitest";
import { CURRENCIES, digitsOf } from "../../../src/service/kit/currencies.ts";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const ROW = { options: {}, data: { name: "Roof", price: 100, qty: 1 } };
const table = (options: object) => ({ name: "Pricing Table 1", options, sections: [{ title: "A", rows: [ROW] }] });
const OFF = { Discount: { type: "absolute", name: "Discount", value: 150 } };

function create(world: TestWorld, options: object) {
  const body = { template_uuid: TEMPLATES.pricing, name: "Deal", recipients: [CLIENT], pricing_tables: [table(options)] };
  return world.call("createDocument", { body });
}

async function aQuote(world: TestWorld) {
  const document_id = await aDraft(world, { template: "quote" });
  const { body } = await succeed(world.call("detailsDocument", { params: { id: document_id } }));
  return { document_id, quote_id: body.pricing.quotes[0].id };
}

const pointers = (world: TestWorld) => world.sandbox.lint().map((one) => [one.kind, one.message, one.place.pointer]);

describe("negative totals", () => {
  test("a table with discounts above its sum has a negative total, and client lint names it at create and at update", async () => {
    const made = await create(world, OFF);
    expect(made.status).toBe(201);
    await world.advance("5s");
    const { body } = await world.call("detailsDocument", { params: { id: made.body.id } });
    expect([body.pricing.total, body.grand_total]).toEqual(["-54.25", { amount: "-54.25", currency: "USD" }]);
    expect(pointers(world)).toEqual([
      ["doubtful_pricing", "The discounts exceed the sum, so the total is -54.25", "/pricing_tables/0"],
    ]);
  });

  test("a quote with discounts above its sum has a negative total, and client lint names it", async () => {
    const params = await aQuote(world);
    const summary = { discounts: { Discount: { type: "flat", value: 1100 } } };
    const { body } = await succeed(world.call("quoteUpdate", { params, body: { summary } }));
    expect(body.total).toBe("-100");
    expect(pointers(world)).toEqual([["doubtful_pricing", "The discounts exceed the sum, so the total is -100", "/summary"]]);
  });

  test("the reading refuse refuses tables and quotes, and changes nothing", async () => {
    const world = await testWorld({ assume: "pricing.negative_total=refuse" });
    const params = await aQuote(world);
    const before = world.tenant.store.documents.get(params.document_id);
    const summary = { discounts: { Discount: { type: "flat", value: 1100 } } };
    const quote = await world.call("quoteUpdate", { params, body: { summary } });
    const updated = await world.call("updateDocument", {
      params: { id: await aDraft(world, { template: "pricing" }) },
      body: { pricing_tables: [table(OFF)] },
    });
    expect([(await create(world, OFF)).status, updated.status, quote.status]).toEqual([400, 400, 400]);
    expect(quote.headers.get("x-docdouble-why")).toContain("pricing.negative_total");
    expect(world.tenant.store.documents.get(params.document_id)).toEqual(before);
  });
});

describe("currencies", () => {
  const WRONG: [unknown, string][] = [
    ["", '"" is not a valid choice.'],
    ["usd", '"usd" is not a valid choice.'],
    ["XXX", '"XXX" is not a valid choice.'],
    ["DOLLAR", '"DOLLAR" is not a valid choice.'],
  ];

  test.each(WRONG)("a pricing table refuses the currency %j, at create and at update", async (currency, message) => {
    const id = await aDraft(world, { template: "pricing" });
    const made = await create(world, { currency });
    const updated = await world.call("updateDocument", { params: { id }, body: { pricing_tables: [table({ currency })] } });
    const detail = { pricing_tables: [{ options: { currency: [message] } }] };
    expect([made.status, made.body.detail]).toEqual([400, detail]);
    expect([updated.status, updated.body.detail]).toEqual([400, detail]);
  });

  test.each(WRONG)("a quote and a catalog item refuse the currency %j", async (currency, message) => {
    const quote = await world.call("quoteUpdate", { params: await aQuote(world), body: { currency } });
    expect([quote.status, quote.body.detail]).toEqual([400, { currency: [message] }]);
    const price_configuration = { currency, price: 1, pricing_method: 0 };
    const item = await world.call("createCatalogItem", { body: { title: "Mug", price_configuration } });
    const changed = await world.call("updateCatalogItem", {
      params: { item_uuid: "c0ffee00-0000-4000-8000-000000000001" },
      body: { product_variant: { price_configuration } },
    });
    expect([item.status, changed.status]).toEqual([400, 400]);
    expect(JSON.stringify(item.body)).toContain(message.replaceAll('"', '\\"'));
  });

  test("fixtures refuse a currency that does not exist", async () => {
    const templates = [{ id: "TemplateWrongxxxxxxxxx", name: "Wrong", pricing_tables: [{ name: "A", currency: "euro" }] }];
    await expect(testWorld({ fixtures: { templates } })).rejects.toThrow("currency");
  });

  test.each([
    ["JPY", "33", "3"],
    ["KWD", "33.333", "3.333"],
    ["EUR", "33.33", "3.33"],
  ])("amounts in %s have the decimals of the currency", async (currency, subtotal, tax) => {
    const templates = [
      {
        id: TEMPLATES.pricing,
        name: "Priced",
        roles: [{ name: "Client" }],
        pricing_tables: [
          {
            name: "Pricing Table 1",
            currency,
            tax: { type: "percent" as const, value: "10" },
            items: [{ name: "Roof", price: "33.3334" }],
          },
        ],
        quotes: [{ currency, sections: [{ items: [{ name: "Roof", price: 33.3334 }] }] }],
      },
    ];
    const world = await testWorld({ fixtures: { templates } });
    const id = await aDraft(world, { template: "pricing" });
    const { pricing } = (await succeed(world.call("detailsDocument", { params: { id } }))).body;
    const [shown] = pricing.tables;
    expect([shown.summary.subtotal, shown.summary.tax, shown.items[0].subtotal, pricing.quotes[0].total]).toEqual([
      subtotal,
      tax,
      subtotal,
      subtotal,
    ]);
  });

  test("the list of currencies contains those of this runtime, except withdrawn ones and units of account", () => {
    const withdrawn = ["CUC", "HRK", "SLL", "VEF", "XDR", "XSU", "XUA", "ZWL"];
    const known = Intl.supportedValuesOf("currency");
    expect(known.filter((code) => !CURRENCIES.has(code) && !withdrawn.includes(code))).toEqual([]);
    const newer = ["XCG", "ZWG"];
    expect([...CURRENCIES].filter((code) => !known.includes(code) && !newer.includes(code))).toEqual([]);
    expect([digitsOf("USD"), digitsOf("JPY"), digitsOf("KWD")]).toEqual([2, 0, 3]);
  });
});
