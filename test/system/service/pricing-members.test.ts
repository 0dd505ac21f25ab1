/**
 * Sends wrong values for each member of pricing tables, quotes and prices of the catalog. They have another type, name nothing,
 * or are empty, zero or negative. The service must refuse the call, or client lint must name the value, or a source lets it pass.
 * `EXPECTED` says which, and an entry without a member fails the test. The members come from the schemas.
 */
import { expect, test } from "vitest";
import { type OperationId, operations } from "../../../src/service/api/index.ts";
import { fieldsOf, type Kind, kindsOf, nameOf, partsOf, type Step } from "../../support/request-fields.ts";
import type { Json } from "../../support/sample.ts";
import { aDraft, CLIENT, LIBRARY_ITEM, succeed, TEMPLATES } from "../../support/stories.ts";
import { type Answer, type CallOptions, type TestWorld, testWorld } from "../../support/world.ts";

type Outcome = "refused" | "named" | "taken";
type What = "table" | "quote" | "item";

/** A place of prices in requests. `begin` makes a call that succeeds and has every member below `at`. */
interface Place {
  id: OperationId;
  what: What;
  at: readonly Step[];
  begin(world: TestWorld): Promise<CallOptions>;
}

const CELL = { type: "percent", value: 5 };
const CELLS = { discount: CELL, tax_first: CELL, tax_second: CELL, fee: CELL };
const TABLE = {
  name: "Pricing Table 1",
  data_merge: false,
  options: { any: { ...CELL, name: "Early discount" }, currency: "USD" },
  sections: [
    {
      title: "A",
      default: true,
      multichoice_enabled: false,
      rows: [
        {
          options: { optional: true, optional_selected: true, qty_editable: true },
          data: { any: "text", name: "Roof", description: "", sku: "", price: 100, qty: 2, cost: 1, ...CELLS },
          custom_fields: { any: "text" },
        },
      ],
    },
  ],
};

const ADJUSTMENTS = { any: { type: "percent", value: 5 } };
const SUMMARY = { discounts: ADJUSTMENTS, taxes: ADJUSTMENTS, fees: ADJUSTMENTS, custom_columns: { any: "text" } };
const ITEM = {
  id: "00000000-0000-4000-8000-000000000000",
  sku: "SKU",
  name: "Roof",
  description: "Red",
  qty: 2,
  price_settings: { base_value: 10, tiers: [{ min_qty: 1, value: 5 }] },
  cost: 3,
  billing_frequency: "monthly",
  contract_term: 12,
  reference_id: "reference",
  options: { selected: true, qty_editable: true, optional: false },
  custom_columns: { any: "text" },
  external_columns: { any: "text" },
  text_columns: { any: "text" },
  discounts: ADJUSTMENTS,
  taxes: ADJUSTMENTS,
  fees: ADJUSTMENTS,
  multipliers: { any: 2 },
};
const quoteOf = (item: object) => ({
  currency: "USD",
  summary: SUMMARY,
  sections: [
    {
      id: "00000000-0000-4000-8000-000000000001",
      name: "Section",
      summary: SUMMARY,
      items: [item],
      settings: { optional: true, selected: true, selection_type: "custom", data_merge_enabled: false },
    },
  ],
  settings: { selection_type: "custom" },
});

const PRICE = {
  currency: "USD",
  price: 5,
  cost: 3,
  billing_type: "recurring",
  billing_cycle: "1",
  tiers: [{ value: 4, min_qty: 10 }],
  pricing_method: 1,
};
const ROW = { sku: "SKU", description: "Red", images: [{ is_main: true, order: 0, src: "https://a.example/b.png" }] };
const VARIANT = { ...ROW, custom_fields: [{ name: "Color", value: "red" }] };
const BUNDLE = {
  type: "bundle",
  category_id: null,
  bundle_items: [
    { quantity: 2, item_or_uuid: { ...ROW, uuid: "part", title: "Part", price: 5, currency: "USD", price_configuration: PRICE } },
  ],
};
const CATALOG_ITEM = "c0ffee00-0000-4000-8000-000000000001";

const inQuote = (id: OperationId, at: readonly Step[]): Place => ({
  id,
  what: "quote",
  at,
  async begin(world) {
    const document_id = await aDraft(world, { template: "quote" });
    const { body } = await succeed(world.call("detailsDocument", { params: { id: document_id } }));
    const quote_id = body.pricing.quotes[0].id;
    const quote = quoteOf(ITEM);
    return {
      params: { document_id, quote_id },
      body: id === "quoteUpdate" ? quote : { quotes: [{ id: quote_id, ...quote }] },
    };
  },
});

const placeholders = (block_id: string) => [{ block_id, content_library_items: [{ id: LIBRARY_ITEM, pricing_tables: [TABLE] }] }];
const IN_PLACEHOLDER = ["content_placeholders", 0, "content_library_items", 0, "pricing_tables", 0] as const;
const FROM_TEMPLATE = { template_uuid: TEMPLATES.pricing, recipients: [CLIENT] };
const WITH_PLACEHOLDER = { template_uuid: TEMPLATES.everyField, recipients: [{ ...CLIENT, role: "Signer" }] };

const PLACES: readonly Place[] = [
  {
    id: "createDocument",
    what: "table",
    at: ["pricing_tables", 0],
    begin: async () => ({ body: { ...FROM_TEMPLATE, pricing_tables: [TABLE] } }),
  },
  {
    id: "createDocument",
    what: "table",
    at: IN_PLACEHOLDER,
    begin: async () => ({ body: { ...WITH_PLACEHOLDER, content_placeholders: placeholders("placeholder1") } }),
  },
  {
    id: "updateDocument",
    what: "table",
    at: ["pricing_tables", 0],
    begin: async (world) => ({ params: { id: await aDraft(world, { template: "pricing" }) }, body: { pricing_tables: [TABLE] } }),
  },
  {
    id: "uploadSection",
    what: "table",
    at: ["pricing_tables", 0],
    begin: async (world) => ({
      params: { document_id: await aDraft(world) },
      body: { ...FROM_TEMPLATE, recipients: [], name: "More", pricing_tables: [TABLE] },
    }),
  },
  {
    id: "uploadSection",
    what: "table",
    at: IN_PLACEHOLDER,
    begin: async (world) => ({
      params: { document_id: await aDraft(world) },
      body: { ...WITH_PLACEHOLDER, recipients: [], name: "More", content_placeholders: placeholders("placeholder1") },
    }),
  },
  inQuote("quoteUpdate", []),
  inQuote("quotesBatchUpdate", ["quotes", 0]),
  {
    id: "createCatalogItem",
    what: "item",
    at: [],
    begin: async () => ({ body: { title: "Mug", ...BUNDLE, ...VARIANT, price_configuration: PRICE } }),
  },
  {
    id: "updateCatalogItem",
    what: "item",
    at: [],
    begin: async () => ({
      params: { item_uuid: CATALOG_ITEM },
      body: { title: "Mug", ...BUNDLE, product_variant: { ...VARIANT, price_configuration: PRICE } },
    }),
  },
];

type Wrong = "another type" | "unknown" | "empty" | "zero" | "negative";

interface Member {
  /** Below the place. */
  path: readonly Step[];
  /** Undefined for a member of any type. */
  kinds: ReadonlySet<Kind> | undefined;
}

const ROW_DATA = ["sections", 0, "rows", 0, "data"] as const;

/** What a pricing table reads in its free members. */
const FREE: readonly Member[] = [
  ...["name", "description", "sku", "price", "qty", "cost", "discount", "tax_first", "tax_second", "fee"].map((name) => [
    ...ROW_DATA,
    name,
  ]),
  ...["discount", "tax_first", "tax_second", "fee"].flatMap((name) =>
    ["type", "value"].map((member) => [...ROW_DATA, name, member]),
  ),
  ...["type", "value", "name"].map((member) => ["options", "any", member]),
  ["options", "currency"],
].map((path) => ({ path, kinds: undefined }));

function membersOf({ id, what, at }: Place): Member[] {
  const operation = operations.find((one) => one.id === id);
  const body = operation && partsOf(operation).find(([part]) => part === "body");
  const fields = fieldsOf(body?.[1] as Json)
    .filter(({ path }) => path.length > at.length && at.every((step, i) => path[i] === step))
    .map((field) => ({ path: field.path.slice(at.length), kinds: kindsOf(field) }));
  return what === "table" ? [...fields, ...FREE] : fields;
}

function wrongValues({ kinds }: Member): [Wrong, unknown][] {
  const has = (kind: Kind) => kinds === undefined || kinds.has(kind);
  return [
    ["another type", kinds?.has("array") ? true : []],
    ...(has("string") ? [["unknown", "nothing such"] as const, ["empty", ""] as const] : []),
    ...(has("number") || has("integer") ? [["zero", 0] as const, ["negative", -1] as const] : []),
    ...(kinds?.has("array") ? [["empty", []] as const] : []),
    ...(kinds?.has("object") ? [["empty", {}] as const] : []),
  ] as [Wrong, unknown][];
}

/** `body` with `value` at the path. A price takes the place of `price_settings`, because an item has one of them. */
function put(body: unknown, path: readonly Step[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === 0) return [put((body as unknown[])[0], rest, value)];
  const key = step === "*" ? "any" : step;
  const { ...changed } = body as Record<string, unknown>;
  if (key === "price") delete changed.price_settings;
  return { ...changed, [key]: put(changed[key], rest, value) };
}

function outcomeOf(world: TestWorld, { status, body }: Answer, path: readonly Step[]): Outcome {
  if (status >= 400 || body?.results?.some((one: { status: string }) => one.status !== "ok")) return "refused";
  const at = path.map((step) => `/${step === "*" ? "any" : step}`).join("");
  const parent = at.slice(0, at.lastIndexOf("/"));
  const isNamed = world.sandbox.lint().some(({ kind, message, place: { pointer = "" } }) => {
    const isHere = pointer === at || pointer === parent || pointer.startsWith(`${at}/`);
    // The order of images is no price.
    const isNumber = /got (a negative number|zero) /.test(message) && !pointer.endsWith("/order");
    return isHere && (kind === "doubtful_pricing" || kind === "unknown_pricing_name" || isNumber);
  });
  return isNamed ? "named" : "taken";
}

const isAdjustment = "(discounts|taxes|fees)\\.any";

/** The first entry that matches a member decides. Everything else is refused. */
const EXPECTED: readonly { is: RegExp; outcome: Outcome; why: string }[] = [
  // Pricing tables.
  { is: /^table name: (unknown|empty)/, outcome: "named", why: "a table of another name is not filled" },
  {
    is: /^table (options|sections|.*rows|.*\.options): empty/,
    outcome: "taken",
    why: "a public report: an empty section clears",
  },
  { is: /^table .*\.(data|custom_fields): empty/, outcome: "taken", why: "an empty row is a row" },
  { is: /^table .*\.title: (unknown|empty)/, outcome: "taken", why: "any text" },
  { is: /^table options\.currency: /, outcome: "refused", why: "pricing.currency_codes" },
  { is: /^table (options\.any|.*data\.\w+)\.value: zero/, outcome: "taken", why: "no discount, tax or fee" },
  { is: /^table options\.any(\.\w+)?: /, outcome: "named", why: "no source says what the service does" },
  { is: /^table .*custom_fields\.any: /, outcome: "taken", why: "free data" },
  { is: /^table .*data\.any: another type/, outcome: "named", why: "the column shows nothing" },
  { is: /^table .*data\.any: /, outcome: "taken", why: "a custom column" },
  { is: /^table .*data\.(name|description|sku): (unknown|empty)/, outcome: "taken", why: "any text" },
  { is: /^table .*data\.(price|cost): zero/, outcome: "taken", why: "something free" },
  { is: /^table .*data\.\w+(\.type|\.value)?: /, outcome: "named", why: "no source says what the service does" },
  // Quotes.
  { is: new RegExp(`^quote .*${isAdjustment}: empty`), outcome: "named", why: "quotes.partial_adjustment" },
  { is: new RegExp(`^quote .*${isAdjustment}\\.value: zero`), outcome: "taken", why: "no discount, tax or fee" },
  {
    is: /^quote (sections\[0\]\.(items\[0\]\.)?)id: (unknown|empty)/,
    outcome: "taken",
    why: "the description: an invalid id makes a new entry",
  },
  {
    is: /^quote .*(sections|items|sections\[0\]|items\[0\]): empty/,
    outcome: "taken",
    why: "the description: lists replace, members have defaults",
  },
  { is: /^quote .*(price_settings|tiers|tiers\[0\]): empty/, outcome: "refused", why: "the description requires the members" },
  {
    is: /^quote .*(summary|settings|options|columns|discounts|taxes|fees|multipliers): empty/,
    outcome: "taken",
    why: "says nothing",
  },
  { is: /^quote .*(columns\.any|sku|name|description|reference_id): (unknown|empty)/, outcome: "taken", why: "any text" },
  { is: /^quote .*\.(price|cost|base_value|tiers\[0\]\.value): zero/, outcome: "taken", why: "something free" },
  { is: /^quote .*: (zero|negative)/, outcome: "named", why: "no source says what the service does" },
  // The catalog.
  { is: /^item .*\.(price|cost|tiers\[0\]\.value): zero/, outcome: "taken", why: "something free" },
  { is: /^item .*\.(price|cost): negative/, outcome: "named", why: "no source says what the service does" },
  { is: /^item .*pricing_method: zero/, outcome: "named", why: "its tiers count for nothing" },
  { is: /^item bundle_items: empty/, outcome: "named", why: "a bundle of nothing" },
  { is: /^item (.*images|.*custom_fields|product_variant): empty/, outcome: "taken", why: "none" },
  { is: /^item .*\.order: (zero|negative)/, outcome: "taken", why: "the description has no minimum, and images are no prices" },
  { is: /^item (.*\.)?(title|uuid): unknown/, outcome: "taken", why: "any text: no source lists the values" },
  {
    is: /^item .*billing_cycle: (unknown|empty)/,
    outcome: "named",
    why: "the search shows a number, and no source lists the values",
  },
  {
    is: /^item (.*\.)?(sku|description|image_url|src|custom_fields\[0\]\.(name|value)): (unknown|empty)/,
    outcome: "taken",
    why: "any text",
  },
];

test("each member of prices in requests refuses a wrong value, or client lint names it, or a source lets it pass", {
  timeout: 180_000,
}, async () => {
  const found: string[] = [];
  const used = new Set<RegExp>();
  let members = 0;
  let tried = 0;
  for (const place of PLACES) {
    let world = await testWorld();
    let base = await place.begin(world);
    const fresh = async () => {
      world = await testWorld();
      base = await place.begin(world);
    };
    expect([(await world.call(place.id, base)).status < 300, world.sandbox.lint()], place.id).toEqual([true, []]);
    await fresh();
    for (const member of membersOf(place)) {
      members++;
      for (const [wrong, value] of wrongValues(member)) {
        tried++;
        const path = [...place.at, ...member.path];
        const answer = await world.call(place.id, { ...base, body: put(base.body, path, value) });
        const outcome = outcomeOf(world, answer, path);
        const rule = EXPECTED.find(({ is }) => is.test(`${place.what} ${nameOf(member.path)}: ${wrong}`));
        const expected = rule?.outcome ?? "refused";
        if (rule) used.add(rule.is);
        if (outcome !== expected) found.push(`${place.id} ${nameOf(path)}: ${wrong} is ${outcome}, not ${expected}`);
        // A refused call changes nothing, so the next one can use the same world.
        if (answer.status < 400) await fresh();
      }
    }
  }
  expect(found).toEqual([]);
  expect(EXPECTED.filter(({ is }) => !used.has(is))).toEqual([]);
  expect([members > 450, tried > 1400]).toEqual([true, true]);
});
