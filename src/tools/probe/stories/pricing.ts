/** The API creates no pricing tables, so the stories use the first template of the account that has one. */
import { type Account, required } from "../account.ts";
import { pricingTemplateOf } from "../own-templates.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { DOCUMENTS, stated } from "./checks.ts";
import type { Story } from "./story.ts";

interface Input {
  data: Record<string, unknown>;
  isMerge?: boolean;
  options?: object;
}

async function requestOf(account: Account, { data, isMerge = false, options = {} }: Input): Promise<[string, object]> {
  const { template, table } = await pricingTemplateOf(account);
  const sections = [{ title: "Probe", default: true, rows: [{ options: { optional: false }, data }] }];
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

export const pricingStories = {
  "pricing.fault_texts": faultTexts,
  "pricing.merge_names": mergeNames,
  "pricing.option_kind": optionKind,
  "pricing.table_order": tableOrder,
} as const;
