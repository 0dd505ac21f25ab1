/** The API creates no pricing tables, so the stories use the first template of the account that has one. */
import { type Account, required } from "../account.ts";
import { type Answer, at, listAt } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import { allowedOrRefused, type Story, undecided } from "./story.ts";

const DOCUMENTS = "/public/v1/documents";

const ROW = { name: "Probe", price: "100", qty: "1" };

async function requestOf(account: Account, options: object, row: object = { options: { optional: false } }) {
  const { template, table } = await account.pricingTemplate();
  const sections = [{ title: "Probe", default: true, rows: [{ ...row, data: ROW }] }];
  return { template, body: { pricing_tables: [{ name: table, data_merge: false, options, sections }] } };
}

async function create(account: Account, options: object, row?: object): Promise<Answer> {
  const { template, body } = await requestOf(account, options, row);
  return account.createDocument({ template_uuid: template, recipients: [], ...body });
}

/** The discount in the summary of the only table. */
async function discountOf(account: Account, options: object): Promise<[Answer, number]> {
  const { template, body } = await requestOf(account, options);
  const id = await account.draftFrom(template, body);
  const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
  if (listAt(details.json, "pricing", "tables", 0, "items").length !== 1)
    throw new Undecided("The pricing table takes no rows. Switch on “Automatically add products to this table” in the template.");
  return [details, Number(at(details.json, "pricing", "tables", 0, "summary", "discount"))];
}

const percent = (name: string, value: number) => ({ type: "percent", name, value });

/** Another name than that of the template's discount, or, without one, two names. */
const discountName: Story = async (account) => {
  const options = { discount: percent("Docdouble discount 1", 10), discount_2: percent("Docdouble discount 2", 20) };
  const [, before] = await discountOf(account, {});
  const [details, after] = await discountOf(account, options);
  if (after - before === 30) return "key";
  return after === 10 ? "single" : undecided(details);
};

const negativeTotal: Story = async (account) => {
  const options = { discount: { type: "absolute", name: "Discount", value: 500 } };
  return allowedOrRefused(await create(account, options), "take", "refuse", [400]);
};

/** The story updates a draft, because a refused create would leave a broken document behind. */
const otherCurrency: Story = async (account) => {
  const { template } = await account.pricingTemplate();
  const id = await account.draftFrom(template);
  const currency = async () => {
    const details = required(await account.call("GET", `${DOCUMENTS}/${id}/details`), "the details");
    return at(details.json, "pricing", "tables", 0, "currency");
  };
  const before = await currency();
  const asked = before === "EUR" ? "USD" : "EUR";
  const { body } = await requestOf(account, { currency: asked });
  const answer = required(await account.call("PATCH", `${DOCUMENTS}/${id}`, { body }), "the update");
  const after = await currency();
  if (after === before) return "vendor";
  return after === asked ? "take" : undecided(answer);
};

const rowOptions: Story = async (account) => {
  const made = await create(account, {}, {});
  if (made.status < 300) return "optional";
  return made.status === 400 && made.text.includes("options") ? "required" : undecided(made);
};

export const pricingStories = {
  "pricing.discount_name": discountName,
  "pricing.negative_total": negativeTotal,
  "pricing.other_currency": otherCurrency,
  "pricing.row_options": rowOptions,
} as const;
