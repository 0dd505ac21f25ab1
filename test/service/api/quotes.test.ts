import { describe, expect, test } from "vitest";
import { aDraft, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

async function aQuote(world: TestWorld) {
  const document_id = await aDraft(world, { template: "quote" });
  const { body } = await succeed(world.call("detailsDocument", { params: { id: document_id } }));
  return {
    document_id,
    details: body,
    quote: body.pricing.quotes[0],
    params: { document_id, quote_id: body.pricing.quotes[0].id },
  };
}

/** Updates the quote and returns it. */
async function put(world: TestWorld, params: Record<string, string>, body: object) {
  return (await succeed(world.call("quoteUpdate", { params, body }))).body;
}

describe("a quote in details", () => {
  test("detailsDocument shows the template's quote with its sums", async () => {
    const { details, quote } = await aQuote(world);
    // One-time: 400 + 2 * 50. Monthly: 20 * 25 for 12 months. The optional section is not selected. The discount is 10 %.
    expect(quote).toMatchObject({
      currency: "USD",
      total: "900",
      summary: {
        total: "900",
        subtotal: "1000",
        one_time_subtotal: "500",
        recurring_subtotal: [{ billing_cycle: "monthly", value: "500" }],
        total_qty: "23",
        discounts: { Discount: { type: "percent", value: "10" } },
        taxes: {},
        fees: {},
        custom_fields: {},
        total_discount: "100",
        total_tax: "0",
        total_fee: "0",
        total_savings: "100",
        total_contract_value: "5850",
      },
      settings: { selection_type: "custom" },
      merge_rules: [],
    });
    expect(quote.sections.map((section: { name: string; total: string }) => [section.name, section.total])).toEqual([
      ["Setup", "500"],
      ["Subscription", "500"],
      ["Extras", "1200"],
    ]);
    expect(quote.sections[1]).toMatchObject({
      summary: { total_section_value: "6000", recurring_subtotal: [{ billing_cycle: "monthly", value: "500" }] },
      items: [{ name: "Seats", qty: "20", price: "25", total: "500", overall_total: "6000", contract_term: "12", cost: null }],
      settings: { optional: false, selected: true, selection_type: "custom" },
    });
    expect(quote.sections[0].columns[1]).toEqual({ header: "Name", name: "name", merge_name: "Name", hidden: false });
    expect(details.pricing).toMatchObject({ tables: [], total: "900" });
    expect(details.grand_total).toEqual({ amount: "900", currency: "USD" });
  });

  test("createDocument gives the quote of each document its own ids, also for sections and items", async () => {
    const [one, two] = [await aQuote(world), await aQuote(world)];
    const ids = (quote: { id: string; sections: { id: string; items: { id: string }[] }[] }) => [
      quote.id,
      ...quote.sections.flatMap((section) => [section.id, ...section.items.map((item) => item.id)]),
    ];
    const all = [...ids(one.quote), ...ids(two.quote)];
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("quoteUpdate", () => {
  test("quoteUpdate replaces sections and items, keeps known ids, gives unknown entries new ids, and removes missing entries", async () => {
    const { params, quote } = await aQuote(world);
    const [setup, subscription] = quote.sections;
    const updated = await put(world, params, {
      sections: [
        { id: subscription.id, name: "Seats" },
        { id: setup.id, items: [{ id: setup.items[1].id, price: 60 }, { id: "not-an-id", name: "New" }, {}] },
        { name: null },
      ],
    });
    expect(updated.id).toBe(quote.id);
    expect(updated.sections.map((section: { id: string; name: string }) => [section.id, section.name])).toEqual([
      [subscription.id, "Seats"],
      [setup.id, "Setup"],
      [updated.sections[2].id, "Section name"],
    ]);
    expect(updated.sections[0].items).toEqual(subscription.items);
    expect(updated.sections[1].items).toMatchObject([
      { id: setup.items[1].id, sku: "TRAIN", name: "Training", qty: "2", price: "60", total: "120" },
      { name: "New", sku: "#", description: "", qty: "1", price: "0", total: "0" },
      { name: "", options: { selected: true, qty_editable: true } },
    ]);
    expect(updated.sections[1].items[1].id).not.toBe("not-an-id");
    const { body: details } = await world.call("detailsDocument", { params: { id: params.document_id } });
    expect(details.pricing.quotes).toEqual([updated]);
    expect(details.grand_total.amount).toBe(updated.total);
  });

  test.each([
    [{ price: 10, qty: 3 }, "30"],
    [{ price: 0.1, qty: 3 }, "0.3"],
    [{ price: 100, discounts: { a: { type: "percent", value: 10 } }, taxes: { b: { type: "percent", value: 20 } } }, "108"],
    [{ price: 100, qty: 2, discounts: { a: { type: "flat", value: 30 } }, fees: { b: { type: "flat", value: 5 } } }, "175"],
    [{ price: 100, discounts: { a: { value: 10 }, b: { type: "percent" }, c: {} } }, "90"],
    [{ price: 10, qty: 2, multipliers: { Months: 3 } }, "60"],
    [{ qty: 1, price_settings: { base_value: null, tiers: [{ min_qty: 5, value: 6 }] } }, "0"],
    [
      {
        qty: 10,
        price_settings: {
          base_value: null,
          tiers: [
            { min_qty: 1, value: 9.99 },
            { min_qty: 10, value: 8.5 },
          ],
        },
      },
      "85",
    ],
    [
      {
        qty: 10,
        price_settings: {
          base_value: 20,
          tiers: [
            { min_qty: 1, value: 0 },
            { min_qty: 10, value: 25 },
          ],
        },
      },
      "150",
    ],
    [{ qty: 1, price_settings: { base_value: 20, tiers: [{ min_qty: 10, value: 25 }] } }, "20"],
  ])("quoteUpdate computes the total of the item %j", async (item, total) => {
    const { params } = await aQuote(world);
    const updated = await put(world, params, { summary: { discounts: {} }, sections: [{ items: [item] }] });
    expect(updated.sections[0].items[0].total).toBe(total);
    expect(updated.total).toBe(total);
  });
});

/** A quote with merge rules by family, name and SKU. The last rule, by quantity, is disabled. */
const RULED = {
  currency: "USD",
  sections: [{ id: "all", name: "All" }, { name: "Hardware", items: [{ name: "Rack", price: 10 }] }, { name: "Services" }],
  merge_rules: [
    rule("Hardware", "family", [["equals", "hardware"]]),
    rule("Services", "Name", [
      ["contains", "Training"],
      ["contains", "Support"],
    ]),
    rule("Hardware", "SKU", [
      ["not_equals", "#"],
      ["not_contains", "-OLD"],
    ]),
    { ...rule("Services", "QTY", [["equals", "1"]]), enabled: false },
  ],
};

function rule(section_id: string, field_name: string, comparison: [type: string, value: string][]) {
  return {
    id: `${section_id}-${field_name}`,
    action: { section_id },
    condition: {
      field_name,
      type: field_name === "Name" ? "or" : "and",
      comparison: comparison.map(([type, value]) => ({ type, value })),
    },
  };
}

function plant(world: TestWorld, quote: object) {
  const template = { id: "TemplateRuled", name: "Ruled", roles: [{ name: "Client" }], quotes: [quote] };
  return world.admin("POST", "/scenarios", { version: 1, name: "ruled", world: { templates: [template] } });
}

async function aRuledQuote(quote: object = RULED) {
  await succeed(plant(world, quote));
  const document_id = await aDraft(world, { body: { template_uuid: "TemplateRuled" } });
  const { body } = await succeed(world.call("detailsDocument", { params: { id: document_id } }));
  const before = body.pricing.quotes[0];
  return { world, before, params: { document_id, quote_id: before.id } };
}

const placed = (quote: { sections: { name: string; total: string; items: { name: string }[] }[] }) =>
  quote.sections.map(({ name, total, items }) => [name, total, items.map((item) => item.name)]);

describe("merge rules", () => {
  test("quoteUpdate moves each new item to the section of the first matching rule, and counts it there", async () => {
    const { world, before, params } = await aRuledQuote();
    const [all, hardware, services] = before.sections;
    const updated = await put(world, params, {
      sections: [
        {
          id: all.id,
          items: [
            { name: "Server", price: 100, external_columns: { family: "hardware" } },
            { name: "Support of hardware", price: 7, external_columns: { family: "hardware" } },
            { name: "Support", price: 20, qty: 2 },
            { name: "Cable", price: 3, sku: "CABLE" },
            { name: "Old cable", price: 2, sku: "CABLE-OLD" },
            { name: "Misc", price: 1 },
          ],
        },
        { id: hardware.id, items: [{ id: hardware.items[0].id }, { name: "Training", price: 50 }] },
        { id: services.id },
      ],
    });
    expect(placed(updated)).toEqual([
      ["All", "3", ["Old cable", "Misc"]],
      ["Hardware", "120", ["Rack", "Server", "Support of hardware", "Cable"]],
      ["Services", "90", ["Support", "Training"]],
    ]);
    expect(updated.total).toBe("213");
    const { body } = await world.call("detailsDocument", { params: { id: params.document_id } });
    expect(body.pricing.quotes).toEqual([updated]);
    // Rules do not move existing items: they stay where an update puts them.
    const [server] = updated.sections[1].items.filter((item: { name: string }) => item.name === "Server");
    const moved = await put(world, params, { sections: [{ id: services.id, items: [{ id: server.id }] }, { id: hardware.id }] });
    expect(placed(moved)[0]).toEqual(["Services", "100", ["Server"]]);
  });

  test.each([
    ["Price", "equals", "12.50", true],
    ["Price", "equals", "12.51", false],
    ["Price", "not_equals", "12.5", false],
    ["QTY", "equals", "3", true],
    ["Cost", "equals", "", true],
    ["Description", "contains", "blue", true],
    ["Description", "contains", "Blue", false],
    ["Discount", "contains", "10%", true],
    ["name", "contains", "Chair", false],
    ["Colour", "equals", "red", true],
    ["Room", "not_contains", "Hall", false],
    ["toString", "equals", "", true],
  ])("quoteUpdate checks the field %s of a merge rule: %s %j is %s", async (field, type, value, fits) => {
    const { world, before, params } = await aRuledQuote({
      sections: [{ name: "From" }, { name: "To" }],
      merge_rules: [rule("To", field, [[type, value]])],
    });
    const updated = await put(world, params, {
      sections: before.sections.map((section: { id: string }, at: number) => ({
        id: section.id,
        items:
          at > 0
            ? []
            : [
                {
                  name: "Chair",
                  description: "A blue chair",
                  price: 12.5,
                  qty: 3,
                  discounts: { Sale: { type: "percent", value: 10 } },
                  custom_columns: { Colour: "red" },
                  text_columns: { Room: "Hall 1" },
                },
              ],
      })),
    });
    expect(updated.sections.map((section: { items: unknown[] }) => section.items.length)).toEqual(fits ? [0, 1] : [1, 0]);
  });

  test("quoteUpdate removes the merge rules of a removed section", async () => {
    const { world, before, params } = await aRuledQuote();
    const updated = await put(world, params, { sections: [{ id: before.sections[0].id, items: [{ name: "Support" }] }] });
    expect(placed(updated)).toEqual([["All", "0", ["Support"]]]);
    expect(updated.merge_rules).toEqual([]);
  });
});
