/** Client lint names prices that docdouble accepts although no source says what the service does with them. */
import { describe, expect, test } from "vitest";
import { aDraft, CLIENT, succeed, TEMPLATES } from "../../support/stories.ts";
import { type TestWorld, testWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const CATALOG_ITEM = "c0ffee00-0000-4000-8000-000000000001";

function findings(world: TestWorld): [string, string | undefined][] {
  return world.sandbox.lint().map((one) => {
    expect(one.kind).toMatch(/^doubtful_(pricing|value)$/);
    return [one.message, one.place.pointer];
  });
}

async function aQuote(world: TestWorld) {
  const document_id = await aDraft(world, { template: "quote" });
  const { body } = await succeed(world.call("detailsDocument", { params: { id: document_id } }));
  const [quote] = body.pricing.quotes;
  return { quote, params: { document_id, quote_id: quote.id } };
}

async function foundInQuote(body: object): Promise<[string, string | undefined][]> {
  const { params } = await aQuote(world);
  await succeed(world.call("quoteUpdate", { params, body }));
  return findings(world);
}

const foundInItem = (item: object) => foundInQuote({ sections: [{ items: [item] }] });

describe("client lint of quotes", () => {
  test.each<[object, string, string]>([
    [{ qty: 0 }, 'quoteUpdate got zero in "sections[0].items[0].qty"', "/qty"],
    [{ qty: -1 }, 'quoteUpdate got a negative number in "sections[0].items[0].qty"', "/qty"],
    [{ price: -1 }, 'quoteUpdate got a negative number in "sections[0].items[0].price"', "/price"],
    [{ cost: -1 }, 'quoteUpdate got a negative number in "sections[0].items[0].cost"', "/cost"],
    [{ contract_term: 12 }, "The item has no billing frequency, so docdouble ignores its contract term", "/contract_term"],
    [
      { contract_term: 0, billing_frequency: "monthly" },
      'quoteUpdate got zero in "sections[0].items[0].contract_term"',
      "/contract_term",
    ],
    [{ multipliers: { "a/b": 0 } }, 'The multiplier "a/b" is not positive, so the item adds nothing', "/multipliers/a~1b"],
    [
      { multipliers: { Months: -2 } },
      'The multiplier "Months" is not positive, so the item adds a negative amount',
      "/multipliers/Months",
    ],
    [{ discounts: { Sale: {} } }, '"Sale" has no value, so it counts as 0', "/discounts/Sale"],
    [{ taxes: { VAT: { value: 2 } } }, '"VAT" has no type, so docdouble takes an amount', "/taxes/VAT"],
    [
      { fees: { Fee: { type: "flat", value: -2 } } },
      'quoteUpdate got a negative number in "sections[0].items[0].fees.Fee.value"',
      "/fees/Fee/value",
    ],
  ])("client lint names %j in an item of a quote", async (item, message, pointer) => {
    const found = await foundInItem({ price: 100, ...item });
    expect(found).toContainEqual([message, `/sections/0/items/0${pointer}`]);
  });

  test("client lint names a negative base value, and tiers that begin below 1 or are negative", async () => {
    const negative = (name: string) => `quoteUpdate got a negative number in "sections[0].items[0].price_settings.${name}"`;
    const tiers = [
      { min_qty: 0, value: 5 },
      { min_qty: 10, value: -5 },
    ];
    expect(await foundInItem({ price_settings: { base_value: -1, tiers } })).toEqual(
      expect.arrayContaining([
        [negative("base_value"), "/sections/0/items/0/price_settings/base_value"],
        [
          'quoteUpdate got zero in "sections[0].items[0].price_settings.tiers[0].min_qty"',
          "/sections/0/items/0/price_settings/tiers/0/min_qty",
        ],
        [negative("tiers[1].value"), "/sections/0/items/0/price_settings/tiers/1/value"],
      ]),
    );
  });

  test("client lint names adjustments of a summary, also of a section", async () => {
    const summary = { discounts: { A: { type: "percent" } }, taxes: {}, fees: { B: { value: 1 } } };
    const ofSection = { discounts: { C: { type: "percent" } }, fees: { D: { value: 1 } } };
    expect(await foundInQuote({ summary, sections: [{ summary: ofSection, items: [{ price: 9 }] }] })).toEqual([
      ['"A" has no value, so it counts as 0', "/summary/discounts/A"],
      ['"B" has no type, so docdouble takes an amount', "/summary/fees/B"],
      ['"C" has no value, so it counts as 0', "/sections/0/summary/discounts/C"],
      ['"D" has no type, so docdouble takes an amount', "/sections/0/summary/fees/D"],
    ]);
  });

  test("client lint is silent about usual quotes, zero prices, and the term of a known item", async () => {
    const { quote, params } = await aQuote(world);
    const [setup, seats] = quote.sections;
    const sections = [
      { id: setup.id, items: [{ price: 0, qty: 1, discounts: { A: { type: "percent", value: 0 } } }] },
      {
        id: seats.id,
        items: [
          { id: seats.items[0].id, contract_term: 24 },
          { billing_frequency: "weekly", contract_term: 1 },
        ],
      },
    ];
    await succeed(world.call("quoteUpdate", { params, body: { sections } }));
    expect(findings(world)).toEqual([]);
  });

  test("client lint names the place in a batch, and what a quote ignores only if it was replaced", async () => {
    const { params } = await aQuote(world);
    const sections = [{ items: [{ price: 5, contract_term: 3 }] }];
    const quotes = [
      { id: "nothing", sections },
      { id: params.quote_id, summary: { discounts: {} }, sections },
    ];
    await succeed(world.call("quotesBatchUpdate", { params, body: { quotes } }));
    expect(findings(world)).toEqual([
      ["The item has no billing frequency, so docdouble ignores its contract term", "/quotes/1/sections/0/items/0/contract_term"],
    ]);
  });
});

const PRICE = { currency: "USD", price: 5, pricing_method: 0 };

describe("client lint of the catalog", () => {
  test.each<[object, string | RegExp, string]>([
    [{ ...PRICE, price: -1 }, /a negative number in .*price_configuration.price"$/, "/price"],
    [{ ...PRICE, cost: -1 }, /a negative number in .*price_configuration.cost"$/, "/cost"],
    [{ ...PRICE, price: null }, "The pricing method 0 has no price", "/pricing_method"],
    [
      { ...PRICE, tiers: [{ min_qty: 1, value: 2 }] },
      "The pricing method 0 has one price, so the tiers count for nothing",
      "/pricing_method",
    ],
  ])("client lint names %j in createCatalogItem and updateCatalogItem", async (price_configuration, message, pointer) => {
    const created = await testWorld();
    await succeed(created.call("createCatalogItem", { body: { title: "Mug", price_configuration } }));
    const named = (at: string) => [[expect.stringMatching(message), `${at}/price_configuration${pointer}`]];
    expect(findings(created)).toEqual(named(""));
    const updated = await testWorld();
    const body = { product_variant: { price_configuration } };
    await succeed(updated.call("updateCatalogItem", { params: { item_uuid: CATALOG_ITEM }, body }));
    expect(findings(updated)).toEqual(named("/product_variant"));
  });

  test("client lint names a bundle without items, parts of a regular item, and negative prices of parts", async () => {
    const create = (body: object) =>
      succeed(world.call("createCatalogItem", { body: { title: "Kit", price_configuration: PRICE, ...body } }));
    const negative = (name: string) => `createCatalogItem got a negative number in "bundle_items[0].item_or_uuid.${name}"`;
    const part = { title: "Part", price: -1, price_configuration: { ...PRICE, cost: -2 } };
    await create({ type: "bundle", bundle_items: [] });
    await create({ bundle_items: [{ item_or_uuid: CATALOG_ITEM }] });
    await create({ type: "bundle", bundle_items: [{ item_or_uuid: part }] });
    expect(findings(world)).toEqual([
      ["The bundle has no items", "/bundle_items"],
      ["Only a bundle has bundle_items, so docdouble ignored them", "/bundle_items"],
      [negative("price"), "/bundle_items/0/item_or_uuid/price"],
      [negative("price_configuration.cost"), "/bundle_items/0/item_or_uuid/price_configuration/cost"],
    ]);
  });

  test("client lint is silent about a plain item, tiers, and a bundle of known items", async () => {
    const tiers = [{ min_qty: 1, value: 0 }];
    for (const body of [
      { price_configuration: { ...PRICE, price: 0, tiers: null } },
      { price_configuration: { ...PRICE, price: null, tiers, pricing_method: 1 } },
      { price_configuration: PRICE, type: "bundle", bundle_items: [{ item_or_uuid: CATALOG_ITEM }] },
    ])
      await succeed(world.call("createCatalogItem", { body: { title: "Mug", ...body } }));
    await succeed(world.call("updateCatalogItem", { params: { item_uuid: CATALOG_ITEM }, body: { title: "Brewer" } }));
    expect(findings(world)).toEqual([]);
  });

  test("createCatalogItem and updateCatalogItem refuse volume prices without tiers, also in a bundle, and name their place", async () => {
    const volume = { currency: "USD", pricing_method: 1, tiers: [] };
    const bundle = {
      type: "bundle",
      bundle_items: [{ item_or_uuid: { title: "Part", price_configuration: volume } }],
    };
    const params = { item_uuid: CATALOG_ITEM };
    const answers = [
      await world.call("createCatalogItem", { body: { title: "Mug", price_configuration: volume } }),
      await world.call("createCatalogItem", { body: { title: "Kit", price_configuration: PRICE, ...bundle } }),
      await world.call("updateCatalogItem", { params, body: { product_variant: { price_configuration: volume } } }),
      await world.call("updateCatalogItem", { params, body: bundle }),
    ];
    expect(answers.map(({ status, body }) => [status, body.details.map((one: { pointer: string }) => one.pointer)])).toEqual([
      [400, ["/price_configuration/tiers"]],
      [400, ["/bundle_items/0/item_or_uuid/price_configuration/tiers"]],
      [400, ["/product_variant/price_configuration/tiers"]],
      [400, ["/bundle_items/0/item_or_uuid/price_configuration/tiers"]],
    ]);
  });
});

describe("client lint of pricing tables", () => {
  const found = async (data: object, options: object = {}) => {
    const rows = [{ options: {}, data: { name: "Roof", price: 100, qty: 2, ...data } }];
    const body = {
      template_uuid: TEMPLATES.pricing,
      recipients: [CLIENT],
      pricing_tables: [{ name: "Pricing Table 1", options, sections: [{ title: "A", rows }] }],
    };
    await succeed(world.call("createDocument", { body }));
    return findings(world);
  };
  const AT = "/pricing_tables/0/sections/0/rows/0/data";

  test.each<[object, string, string]>([
    [{ price: "free" }, '"price" is not a number, so it counts as 0', "/price"],
    [{ qty: -2 }, '"qty" is negative', "/qty"],
    [{ qty: "0" }, '"qty" is 0, so the row adds nothing', "/qty"],
    [{ name: 7 }, '"name" is not a text, so the document shows "7"', "/name"],
    [{ discount: 10 }, '"discount" is not an object with type and value', "/discount"],
    [
      { tax_first: { type: "flat", value: 1 } },
      'The type of "tax_first" is not known, so docdouble takes an amount',
      "/tax_first/type",
    ],
    [{ fee: { type: "absolute", value: "x" } }, 'The value of "fee" is not a number, so it counts as 0', "/fee/value"],
    [{ Color: ["red"] }, '"Color" is not a text, so docdouble shows an empty one', "/Color"],
  ])("client lint names %j in a row", async (data, message, pointer) => {
    expect(await found(data)).toContainEqual([message, AT + pointer]);
  });

  test.each<[object, string, string]>([
    [{ color: { type: "percent", value: 1 } }, 'No part of the table reads the option "color"', "/color"],
    [
      { discount: { type: "percent", value: 1, name: 7 } },
      'The name of "discount" is not a text, so docdouble ignores it',
      "/discount/name",
    ],
    [
      { tax: { type: "percent", value: 1 }, Tax2: { type: "percent", value: 1 } },
      'The table has one tax, so docdouble ignored "Tax2"',
      "/Tax2",
    ],
  ])("client lint names %j in the options of a table", async (options, message, pointer) => {
    expect(await found({}, options)).toEqual([[message, `/pricing_tables/0/options${pointer}`]]);
  });

  test("client lint is silent about custom columns with texts, numbers and amounts", async () => {
    expect(await found({ Color: "red", Weight: 7, "Early bird": { type: "percent", value: 5 } })).toEqual([]);
  });
});
