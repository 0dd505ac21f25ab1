/** The API creates no quotes, so the stories replace the quote of a draft from a template of the account. */
import { type Account, required } from "../account.ts";
import { templateWith } from "../own-templates.ts";
import { type Answer, at, listAt } from "../service.ts";
import { DOCUMENTS, isRefusal, stated } from "./checks.ts";
import type { Story } from "./story.ts";

type Path = (string | number)[];

const SUMMARY = { discounts: {}, taxes: {}, fees: {} };
const FIRST_ITEM = ["sections", 0, "items", 0];
const FIXED_COLUMNS = ["SKU", "Name", "Description", "Price", "QTY", "Subtotal"];

async function quoteOf(account: Account): Promise<string> {
  const path = ["pricing", "quotes", 0, "id"];
  const template = await templateWith(account, "quote", (one) => typeof at(one, ...path) === "string");
  const id = await account.once("draft with a quote", () => account.draftFrom(String(at(template, "id"))));
  const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  return `${DOCUMENTS}/${id}/quotes/${encodeURIComponent(String(at(details.json, ...path)))}`;
}

function put(account: Account, quote: string, sections: object[]): Promise<Answer> {
  const body = { currency: "USD", summary: SUMMARY, settings: { selection_type: "custom" }, sections };
  return account.call("PUT", quote, { body });
}

async function replaced(account: Account, ...sections: object[]): Promise<Answer> {
  return required(await put(account, await quoteOf(account), sections), "the sections of a quote");
}

function section(items: object[], settings: object = {}): object {
  return {
    name: "Probe",
    summary: SUMMARY,
    items: items.map((one) => ({ name: "Probe", qty: 1, ...one })),
    settings: { selection_type: "custom", optional: false, selected: true, ...settings },
  };
}

function isAmount(answer: Answer, path: Path, amount: number): boolean {
  const seen = at(answer.json, ...path);
  return typeof seen === "string" && Number(seen) === amount;
}

const adjustmentOrder: Story = async (account) => {
  const item = {
    price: 100,
    qty: 2,
    discounts: { Discount: { type: "flat", value: 10 } },
    taxes: { Tax: { type: "percent", value: 10 } },
    fees: { Fee: { type: "percent", value: 10 } },
  };
  const answer = await replaced(account, section([item]));
  return stated(isAmount(answer, [...FIRST_ITEM, "total"], 228), answer);
};

const columns: Story = async (account) => {
  const answer = await replaced(account, section([{ price: 1, custom_columns: { Docdouble: "1" } }]));
  const headers = listAt(answer.json, "sections", 0, "columns").map((one) => at(one, "header"));
  return stated(headers.join() === [...FIXED_COLUMNS, "Docdouble"].join(), answer);
};

const itemTexts: Story = async (account) => {
  const answer = await replaced(account, section([{ price: 1, text_columns: { Docdouble: "1" } }]));
  const item = at(answer.json, ...FIRST_ITEM);
  const isCatalogText = at(item, "type") === "regular" && at(item, "pricing_method") === "0";
  return stated(isCatalogText && at(item, "custom_columns", "Docdouble") === "1", answer);
};

const movedItem: Story = async (account) => {
  const quote = await quoteOf(account);
  const before = required(await put(account, quote, [section([{ price: 1 }]), section([])]), "two sections");
  const id = at(before.json, ...FIRST_ITEM, "id");
  const [first, second] = listAt(before.json, "sections").map((one) => ({ id: at(one, "id") }));
  const answer = required(
    await put(account, quote, [
      { ...first, items: [] },
      { ...second, items: [{ id }] },
    ]),
    "the move",
  );
  return stated(id !== undefined && at(answer.json, "sections", 1, "items", 0, "id") === id, answer);
};

const multipliers: Story = async (account) => {
  const items = [
    { price: 100, multipliers: { First: 2, Second: 3 } },
    { price: 100, billing_frequency: "monthly" },
  ];
  const answer = await replaced(account, section(items));
  const isProduct = isAmount(answer, [...FIRST_ITEM, "total"], 600);
  return stated(isProduct && isAmount(answer, ["sections", 0, "items", 1, "overall_total"], 100), answer);
};

const qtyEditable: Story = async (account) => {
  const answer = await put(account, await quoteOf(account), [section([{ price: 1, options: { selected: true } }])]);
  return stated(answer.status === 200 && at(answer.json, ...FIRST_ITEM, "options", "selected") === true, answer);
};

const selection: Story = async (account) => {
  const item = (price: number, selected: boolean, optional = false) => ({
    price,
    options: { selected, optional, qty_editable: true },
  });
  const answer = await replaced(
    account,
    section([item(1, false), item(2, false, true), item(4, true, true)]),
    section([item(1, true), item(2, false)], { selection_type: "multiple" }),
    section([item(1, true), item(2, true)], { selection_type: "single" }),
  );
  return stated(
    [5, 1, 1].every((total, i) => isAmount(answer, ["sections", i, "total"], total)),
    answer,
  );
};

const itemMembers: Story = async (account) => {
  const answer = await replaced(account, section([{ price: 1, sku: "PROBE" }]));
  const item = at(answer.json, ...FIRST_ITEM);
  const hasNoImage = listAt(item, "images").length === 0 && at(item, "thumbnail") === null;
  return stated(hasNoImage && at(item, "total_qty") === "1" && at(item, "merged_data", "SKU") === "PROBE", answer);
};

const priceAndSettings: Story = async (account) => {
  const price_settings = { base_value: null, tiers: [{ min_qty: 1, value: 2 }] };
  const answer = await put(account, await quoteOf(account), [section([{ price: 1, price_settings }])]);
  return stated(isRefusal(answer, 400), answer);
};

const partialAdjustment: Story = async (account) => {
  const item = { price: 100, discounts: { First: { value: 10 }, Second: { type: "percent" } } };
  const answer = await put(account, await quoteOf(account), [section([item])]);
  return stated(answer.status === 200 && isAmount(answer, [...FIRST_ITEM, "total"], 90), answer);
};

const semiannualSpelling: Story = async (account) => {
  const items = ["semiannually", "semiannualy"].map((billing_frequency) => ({ price: 1, billing_frequency, contract_term: 1 }));
  const answer = await replaced(account, section(items));
  const words = listAt(answer.json, "sections", 0, "items").map((one) => at(one, "billing_frequency"));
  return stated(words.join() === "semiannually,semiannually", answer);
};

export const quoteStories = {
  "quotes.item_members": itemMembers,
  "quotes.partial_adjustment": partialAdjustment,
  "quotes.price_and_settings": priceAndSettings,
  "quotes.semiannual_spelling": semiannualSpelling,
  "quotes.adjustment_order": adjustmentOrder,
  "quotes.columns": columns,
  "quotes.item_texts": itemTexts,
  "quotes.moved_item": movedItem,
  "quotes.multipliers": multipliers,
  "quotes.qty_editable": qtyEditable,
  "quotes.selection": selection,
} as const;
