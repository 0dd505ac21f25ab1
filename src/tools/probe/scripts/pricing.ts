/** The API creates no pricing tables, so the scripts use the first template of the account that has one. */
import type { Account } from "../account.ts";
import { idOf, required } from "../account.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { detailsOf, outcomeOf, type Script } from "./script.ts";

async function request(account: Account, options: object, row: object = { options: { optional: false } }) {
  const { template, table } = await account.pricingTemplate();
  const rows = [{ data: { name: "Probe", price: "100", qty: "1" }, ...row }];
  const sections = [{ title: "Probe", default: true, rows }];
  return { template, body: { pricing_tables: [{ name: table, data_merge: false, options, sections }] } };
}

async function create(account: Account, options: object, row?: object): Promise<Answer> {
  const { template, body } = await request(account, options, row);
  return account.createDocument({ template_uuid: template, recipients: [], ...body });
}

/** The discount in the summary of the only table. */
async function discountOf(account: Account, options: object): Promise<number> {
  const { template, body } = await request(account, options);
  const details = await detailsOf(account, await account.draftFrom(template, body));
  if (listAt(details, "pricing", "tables", 0, "items").length !== 1)
    throw new Undecided("The pricing table takes no rows. Switch on “Automatically add products to this table” in the template.");
  return Number(at(details, "pricing", "tables", 0, "summary", "discount"));
}

const percent = (name: string, value: number) => ({ type: "percent", name, value });

export const pricingScripts = {
  "pricing.column_names": async (account) => {
    const row = { options: { optional: false }, data: { NAME: "Probe", Price: "10", qty: "1" } };
    const made = await create(account, {}, row);
    if (made.status === 400) return /pricing|data_merge|column|data/i.test(made.text);
    return account.processed(idOf(required(made, "a document with a pricing table")));
  },
  /** Another name than that of the template's discount, or, without one, two names. */
  "pricing.discount_name": async (account) => {
    const options = { discount: percent("Docdouble discount 1", 10), discount_2: percent("Docdouble discount 2", 20) };
    const [before, after] = [await discountOf(account, {}), await discountOf(account, options)];
    return [after - before === 30, after === 10];
  },
  "pricing.negative_total": async (account) =>
    outcomeOf(await create(account, { discount: { type: "absolute", name: "Discount", value: 500 } }), [400]),
  /** The script updates a draft, because a refused create would leave a broken document behind. */
  "pricing.other_currency": async (account) => {
    const { template } = await account.pricingTemplate();
    const id = await account.draftFrom(template);
    const currency = async () => at(await detailsOf(account, id), "pricing", "tables", 0, "currency");
    const before = await currency();
    const asked = before === "EUR" ? "USD" : "EUR";
    const { body } = await request(account, { currency: asked });
    required(await account.call("PATCH", `/public/v1/documents/${id}`, { body }), "the update");
    const after = await currency();
    return [after === before, after === asked];
  },
  "pricing.row_options": async (account) => {
    const made = await create(account, {}, {});
    return made.status < 300 ? "done" : [made.status, made.text.includes("options")];
  },
} as const satisfies Record<string, Script>;
