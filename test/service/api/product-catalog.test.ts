import { describe, expect, test } from "vitest";
import { succeed } from "../../support/stories.ts";
import { anotherWorkspace } from "../../support/people.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

const id = (last: number) => `c0ffee00-0000-4000-8000-00000000000${last}`;
const HARDWARE = "ca7e0000-0000-4000-8000-000000000001";
const NOT_FOUND = { status: 404, body: { code: "not_found", details: [] } };
const flat = (price: number) => ({ currency: "EUR", price, pricing_method: 0 });

const titles = async (world: TestWorld, query: Record<string, string | number | readonly string[]>) =>
  (await succeed(world.call("searchCatalogItems", { query }))).body.items.map((one: { title: string }) => one.title);

describe("createCatalogItem", () => {
  test("createCatalogItem gives an image without an order the order 0, and none of them is the main one", async () => {
    const images = [{ src: "https://shop.example/front.png" }, { src: "https://shop.example/back.png", is_main: true, order: 2 }];
    const { body } = await succeed(
      world.call("createCatalogItem", { body: { title: "Mug", price_configuration: flat(1), images } }),
    );
    expect(body.variants[0].images).toMatchObject([
      { src: "https://shop.example/front.png", is_main: false, order: 0 },
      { src: "https://shop.example/back.png", is_main: true, order: 2 },
    ]);
  });

  test("createCatalogItem makes a bundle of catalog items and inline items", async () => {
    const { body } = await succeed(
      world.call("createCatalogItem", {
        body: {
          title: "Set",
          type: "bundle",
          price_configuration: flat(10),
          bundle_items: [
            { quantity: 2, item_or_uuid: id(1) },
            { quantity: 1, item_or_uuid: { title: "Card", price: 3, currency: "EUR" } },
          ],
        },
      }),
    );
    expect(body.bundle_items).toMatchObject([
      { quantity: 2, item: { uuid: id(1), title: "Siphon brewer", sku: "BREWER", price: 250, currency: "USD" } },
      { quantity: 1, item: { title: "Card", price: 3, currency: "EUR" } },
    ]);
  });

  test.each([
    [{}, ["/title", "/price_configuration"]],
    [{ title: 1, price_configuration: flat(1) }, ["/title"]],
    [{ title: "x", price_configuration: { ...flat(1), price: "1" } }, ["/price_configuration/price"]],
    [{ title: "x", price_configuration: { ...flat(1), pricing_method: 3 } }, ["/price_configuration/pricing_method"]],
    [{ title: "x", price_configuration: { currency: "EUR", pricing_method: 1 } }, ["/price_configuration/tiers"]],
    [{ title: "x", category_id: "nothing", price_configuration: flat(1) }, ["/category_id"]],
    [
      { title: "x", type: "bundle", bundle_items: [{ quantity: 1, item_or_uuid: id(4) }], price_configuration: flat(1) },
      ["/bundle_items/0/item_or_uuid"],
    ],
    [{ title: "x", type: "other", custom_fields: 1, price_configuration: flat(1) }, ["/type", "/custom_fields"]],
  ])("createCatalogItem refuses %j", async (body, pointers) => {
    const before = world.tenant.store.snapshot();
    const answer = await world.call("createCatalogItem", { body });
    expect(answer).toMatchObject({ status: 400, body: { code: "bad_request" } });
    expect(answer.body.details.map((one: { pointer: string }) => one.pointer).sort()).toEqual([...pointers].sort());
    expect(world.tenant.store.snapshot()).toEqual(before);
  });
});

describe("updateCatalogItem and deleteCatalogItem", () => {
  test("updateCatalogItem changes the named members and keeps the rest", async () => {
    const params = { item_uuid: id(1) };
    const before = (await world.call("getCatalogItem", { params })).body;
    await world.advance("1m");
    const tiers = [
      { value: 10, min_qty: 1 },
      { value: 8, min_qty: 2 },
    ];
    const { status, body } = await world.call("updateCatalogItem", {
      params,
      body: { title: "New name", product_variant: { price_configuration: { currency: "USD", pricing_method: 1, tiers } } },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: "New name",
      category_id: HARDWARE,
      date_created: before.date_created,
      date_modified: "2026-03-02T09:01:00.000000",
      default_price_configuration: { price: null, pricing_method: 1, tiers },
      variants: [{ uuid: before.variants[0].uuid, sku: "BREWER", description: "Brews under vacuum." }],
    });
    const cleared = await succeed(
      world.call("updateCatalogItem", { params, body: { category_id: null, product_variant: { sku: "X", description: null } } }),
    );
    expect(cleared.body).toMatchObject({ category_id: null, category_name: null, variants: [{ sku: "X", description: null }] });
  });

  test("deleteCatalogItem answers 200 without a body, and refuses an item of a bundle", async () => {
    const call = (item_uuid: string) => world.call("deleteCatalogItem", { params: { item_uuid } });
    expect(await call(id(1))).toMatchObject({ status: 400, body: { code: "bad_request" } });
    const deleted = await call(id(4));
    expect({ status: deleted.status, length: deleted.body.length }).toEqual({ status: 200, length: 0 });
    expect((await call(id(1))).status).toBe(200);
    expect(await call(id(1))).toMatchObject(NOT_FOUND);
  });
});

describe("searchCatalogItems", () => {
  test("searchCatalogItems highlights the query in every text member, and highlights nothing without a query", async () => {
    await succeed(
      world.call("createCatalogItem", {
        body: {
          title: "Tin of tea",
          sku: "T-1",
          description: "Two tins in a tin box",
          category_id: HARDWARE,
          custom_fields: [
            { name: "Tint", value: "tin" },
            { name: "Weight", value: null },
          ],
          price_configuration: { currency: "USD", price: 4, pricing_method: 0 },
        },
      }),
    );
    const found = async (query?: string) => {
      const { body } = await succeed(
        world.call("searchCatalogItems", { query: { order_by: "sku", ...(query === undefined ? {} : { query }) } }),
      );
      return body.items.map((item: { sku: string; highlights: unknown }) => [item.sku, item.highlights]);
    };
    expect(await found("TIN")).toEqual([
      [
        "T-1",
        {
          title: { fragments: ["<em>Tin</em> of tea"] },
          description: { fragments: ["Two <em>tin</em>s in a <em>tin</em> box"] },
          custom_fields: { fragments: ["<em>Tin</em>t", "<em>tin</em>"] },
        },
      ],
    ]);
    expect((await found("hardware")).map(([, highlights]: [string, unknown]) => highlights)).toEqual(
      Array(3).fill({ category_name: { fragments: ["<em>Hardware</em>"] } }),
    );
    for (const query of [undefined, ""])
      expect((await found(query)).map(([, highlights]: [string, unknown]) => highlights)).toEqual(Array(5).fill(null));
  });

  test("searchCatalogItems finds, filters, orders and pages", async () => {
    const all = ["Beans by mail", "Mug", "Siphon brewer", "Starter set"];
    expect(await titles(world, { order_by: "title" })).toEqual(all);
    expect(await titles(world, { order_by: "-title" })).toEqual([...all].reverse());
    expect(await titles(world, { order_by: "price" })).toEqual(["Beans by mail", "Mug", "Siphon brewer", "Starter set"]);
    expect(await titles(world, { order_by: "-sku" })).toEqual(["Starter set", "Mug", "Siphon brewer", "Beans by mail"]);
    const { key } = await anotherWorkspace(world);
    expect((await world.call("searchCatalogItems", { key })).body).toEqual({ items: [], has_more_items: false, total: 0 });
    expect(await titles(world, { query: "green" })).toEqual(["Mug"]);
    expect(await titles(world, { query: "vacuum" })).toEqual(["Siphon brewer"]);
    expect(await titles(world, { query: "hardware", order_by: "sku" })).toEqual(["Siphon brewer", "Mug"]);
    expect(await titles(world, { types: "bundle" })).toEqual(["Starter set"]);
    expect((await titles(world, { types: ["bundle", "regular"] })).length).toBe(4);
    expect(await titles(world, { billing_types: "recurring" })).toEqual(["Beans by mail"]);
    expect(await titles(world, { exclude_uuids: [id(1), id(2)], order_by: "title" })).toEqual(["Beans by mail", "Starter set"]);
    expect(await titles(world, { category_id: HARDWARE, order_by: "title" })).toEqual(["Mug", "Siphon brewer"]);
    expect(await titles(world, { no_category: "true", order_by: "title" })).toEqual(["Beans by mail", "Starter set"]);
    const page = await world.call("searchCatalogItems", { query: { order_by: "title", per_page: 3, page: 1 } });
    expect(page.body).toMatchObject({ total: 4, has_more_items: true });
    const last = await world.call("searchCatalogItems", { query: { order_by: "title", per_page: 3, page: 2 } });
    expect(last.body).toMatchObject({ total: 4, has_more_items: false, items: [{ title: "Starter set" }] });
    await world.advance("1m");
    await succeed(world.call("updateCatalogItem", { params: { item_uuid: id(3) }, body: {} }));
    expect((await titles(world, { order_by: "-date_modified" }))[0]).toBe("Beans by mail");
  });
});
