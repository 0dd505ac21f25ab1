/** The API creates no pricing tables, so the stories use the first template of the account that has one. */
import { type Account, required } from "../account.ts";
import { pricingTemplateOf } from "../own-templates.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, isRefusal, stated, undecided } from "./checks.ts";
import { allowedOrRefused, type Story } from "./story.ts";

interface Input {
  data: Record<string, unknown>;
  isMerge?: boolean;
  options?: object;
  /** Null: the row has no options. */
  row?: object | null;
}

async function requestOf(
  account: Account,
  { data, isMerge = false, options = {}, row = { optional: false } }: Input,
): Promise<[string, object]> {
  const { template, table } = await pricingTemplateOf(account);
  const sections = [{ title: "Probe", default: true, rows: [row === null ? { data } : { options: row, data }] }];
  return [template, { pricing_tables: [{ name: table, data_merge: isMerge, options, sections }] }];
}

async function priced(account: Account, input: Input): Promise<Answer> {
  const id = await account.draftFrom(...(await requestOf(account, input)));
  const details = await account.call("GET", `${DOCUMENTS}/${id}/details`);
  if (details.status === 200 && listAt(details.json, "pricing", "tables", 0, "items").length !== 1)
    throw new Undecided("The pricing table takes no rows. Switch on “Automatically add products to this table” in the template.");
  return details;
}

const ROW = { name: "Probe", price: "100", qty: "1" };

const faultTexts: Story = async (account) => {
  const [template, body] = await requestOf(account, { data: { "Docdouble probe": "1" }, isMerge: true });
  const made = await account.createDocument({ template_uuid: template, recipients: [], ...body });
  if (made.status < 300) throw new Undecided("The service refuses no unknown column.");
  return stated(made.status === 400 && made.text.includes("is not a column of the pricing table."), made);
};

const mergeNames: Story = async (account) => {
  const data = { Name: "Probe", Description: "Docdouble", Price: "10", QTY: "2", SKU: "PROBE", Cost: "5" };
  const details = required(await priced(account, { data, isMerge: true }), "the details");
  const item = at(details.json, "pricing", "tables", 0, "items", 0);
  const isText = (name: string, text: string) => at(item, name) === text;
  const isNumber = (name: string, number: number) => Number(at(item, name)) === number;
  const hasTexts = isText("name", "Probe") && isText("description", "Docdouble") && isText("sku", "PROBE");
  return stated(hasTexts && isNumber("price", 10) && isNumber("qty", 2) && isNumber("cost", 5), details);
};

const optionKind: Story = async (account) => {
  const options = {
    docdouble: { type: "absolute", name: "Docdouble discount", value: 3 },
    docdouble_tax: { type: "absolute", name: "Docdouble", value: 2 },
  };
  const details = required(await priced(account, { data: ROW, options }), "the details");
  const summary = at(details.json, "pricing", "tables", 0, "summary");
  return stated(Number(at(summary, "discount")) === 3 && Number(at(summary, "tax")) === 2, details);
};

const tableOrder: Story = async (account) => {
  const options = {
    discount: { type: "absolute", name: "Discount", value: 10 },
    tax: { type: "percent", name: "Tax", value: 10 },
  };
  const details = required(await priced(account, { data: ROW, options }), "the details");
  return stated(Number(at(details.json, "pricing", "tables", 0, "total")) === 99, details);
};

/** The amounts in the summary of the only table. */
async function summaryOf(account: Account, options: object): Promise<[Answer, Record<string, number>]> {
  const details = required(await priced(account, { data: ROW, options }), "the details");
  const summary = at(details.json, "pricing", "tables", 0, "summary");
  const names = ["subtotal", "discount", "tax", "total"];
  return [details, Object.fromEntries(names.map((name) => [name, Number(at(summary, name))]))];
}

const percent = (name: string | undefined, value: number) => ({ type: "percent", name, value });

const combinedDiscounts: Story = async (account) => {
  const options = {
    discount: percent("Docdouble discount 1", 10),
    discount_2: percent("Docdouble discount 2", 20),
    discount_3: { type: "absolute", name: "Docdouble discount 3", value: 3 },
  };
  const [, before] = await summaryOf(account, {});
  const [details, after] = await summaryOf(account, options);
  return stated(Number(after.discount) - Number(before.discount) === 33, details);
};

const currencyCodes: Story = async (account) => {
  const [template, body] = await requestOf(account, { data: ROW, options: { currency: "usd" } });
  const id = await account.draftFrom(template);
  const { pricing_tables } = body as { pricing_tables: unknown };
  const answer = await account.call("PATCH", `${DOCUMENTS}/${id}`, { body: { pricing_tables } });
  return stated(answer.status === 400 && answer.text.includes("is not a valid choice."), answer);
};

const discountPlaces: Story = async (account) => {
  const options = { discount: percent("Docdouble discount", 10) };
  const details = required(await priced(account, { data: ROW, options }), "the details");
  const names = at(details.json, "pricing", "tables", 0, "items", 0, "discounts", "Docdouble discount");
  const { template } = await pricingTemplateOf(account);
  const shown = required(await account.call("GET", `/public/v1/templates/${template}/details`), "the template");
  const items = listAt(shown.json, "pricing", "tables", 0, "items");
  if (items.length === 0) throw new Undecided("The pricing table of the template has no rows.");
  const isHidden = items.every((one) => Object.keys(Object(at(one, "discounts"))).length === 0);
  return stated(names !== undefined && isHidden, details);
};

const unnamedDiscount: Story = async (account) => {
  const [, named] = await summaryOf(account, { discount: percent("Discount", 10) });
  const [details, unnamed] = await summaryOf(account, { discount: percent(undefined, 10) });
  return stated(named.discount === unnamed.discount, details);
};

const unselectedRow: Story = async (account) => {
  const subtotal = async (row: object) => {
    const details = required(await priced(account, { data: ROW, row }), "the details");
    return [details, Number(at(details.json, "pricing", "tables", 0, "summary", "subtotal"))] as const;
  };
  const [details, unselected] = await subtotal({ optional_selected: false });
  const [, plain] = await subtotal({ optional: false, optional_selected: false });
  return stated(unselected === 0 && plain === 100, details);
};

/** Another name than that of the template's discount, or, without one, two names. */
const discountName: Story = async (account) => {
  const options = { discount: percent("Docdouble discount 1", 10), discount_2: percent("Docdouble discount 2", 20) };
  const [, before] = await summaryOf(account, {});
  const [details, after] = await summaryOf(account, options);
  if (Number(after.discount) - Number(before.discount) === 30) return "key";
  return after.discount === 10 ? "single" : undecided(details);
};

const negativeTotal: Story = async (account) => {
  const options = { discount: { type: "absolute", name: "Discount", value: 500 } };
  const [template, body] = await requestOf(account, { data: ROW, options });
  const made = await account.createDocument({ template_uuid: template, recipients: [], ...body });
  return allowedOrRefused(made, "take", "refuse", [400]);
};

/** The story updates a draft, because a refused create would leave a broken document behind. */
const otherCurrency: Story = async (account) => {
  const [template] = await requestOf(account, { data: ROW });
  const id = await account.draftFrom(template);
  const currency = async () => {
    const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
    return at(details.json, "pricing", "tables", 0, "currency");
  };
  const before = await currency();
  const asked = before === "EUR" ? "USD" : "EUR";
  const [, body] = await requestOf(account, { data: ROW, options: { currency: asked } });
  const { pricing_tables } = body as { pricing_tables: unknown };
  const answer = required(await account.call("PATCH", `${DOCUMENTS}/${id}`, { body: { pricing_tables } }), "the update");
  const after = await currency();
  if (after === before) return "vendor";
  return after === asked ? "take" : undecided(answer);
};

const rowOptions: Story = async (account) => {
  const [template, body] = await requestOf(account, { data: ROW, row: null });
  const made = await account.createDocument({ template_uuid: template, recipients: [], ...body });
  if (made.status < 300) return "optional";
  return isRefusal(made, 400) && made.text.includes("options") ? "required" : undecided(made);
};

export const pricingSwitches = {
  "pricing.discount_name": discountName,
  "pricing.negative_total": negativeTotal,
  "pricing.other_currency": otherCurrency,
  "pricing.row_options": rowOptions,
} as const;

export const pricingStories = {
  "pricing.combined_discounts": combinedDiscounts,
  "pricing.currency_codes": currencyCodes,
  "pricing.discount_places": discountPlaces,
  "pricing.unnamed_discount": unnamedDiscount,
  "pricing.fault_texts": faultTexts,
  "pricing.merge_names": mergeNames,
  "pricing.option_kind": optionKind,
  "pricing.table_order": tableOrder,
  "pricing.unselected_row": unselectedRow,
} as const;
