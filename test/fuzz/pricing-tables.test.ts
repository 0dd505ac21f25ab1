/** Random pricing tables through the API. An independent calculation gives the same amounts, to the smallest unit. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { rounded, sum } from "../support/exact.ts";
import {
  aTableInput,
  changed,
  type Currency,
  DIGITS,
  priced,
  type Table,
  type TableInput,
  toTable,
} from "../support/priced-tables.ts";
import { CLIENT, succeed } from "../support/stories.ts";
import { type TestWorld, testWorld } from "../support/world.ts";
import { PRICING_RUNS, PRICING_TIMEOUT_MS } from "./run.ts";
import { law } from "../support/law.ts";

const CURRENCIES = Object.keys(DIGITS) as Currency[];
const TABLES = ["Plain", "Reduced"] as const;
/** A world with more documents becomes slow. */
const DOCUMENTS_MAX = 400;

const fixed = (type: "percent" | "absolute", value: string) => ({ type, value });
const amount = (text: string) => ({ text, isText: true });

const fixtures = {
  templates: CURRENCIES.map((currency) => ({
    id: `TemplateOf${currency}`,
    name: `In ${currency}`,
    roles: [{ name: "Client" }],
    pricing_tables: [
      { name: "Plain", currency },
      {
        name: "Reduced",
        currency,
        discount: fixed("percent", "15"),
        tax: fixed("percent", "7.5"),
        items: [{ name: "Own", price: "199.995", qty: "3" }],
      },
    ],
  })),
};

function ofTemplate(): Record<(typeof TABLES)[number], Table> {
  const own = { price: amount("199.995"), qty: amount("3"), options: {} };
  const none = { discount: null, tax_first: null, tax_second: null, fee: null };
  return {
    Plain: { discounts: new Map(), tax: null, fee: null, rows: [] },
    Reduced: {
      discounts: new Map([["Discount", { type: "percent" as const, value: amount("15") }]]),
      tax: { type: "percent", value: amount("7.5") },
      fee: null,
      rows: [{ ...own, ...none }],
    },
  };
}

type Request = Partial<Record<(typeof TABLES)[number], TableInput>>;

const aRequest = fc.record({ Plain: aTableInput, Reduced: aTableInput }, { requiredKeys: [] });

const toTables = (request: Request) => TABLES.flatMap((name) => (request[name] ? [toTable(name, request[name])] : []));

function after(tables: Record<(typeof TABLES)[number], Table>, request: Request) {
  const next = { ...tables };
  for (const name of TABLES) if (request[name]) next[name] = changed(tables[name], request[name]);
  return next;
}

interface Shown {
  total: string;
  currency: string;
  summary: object;
  items: {
    price: string;
    qty: string;
    subtotal: string;
    sale_price: string;
    options: { optional_selected: boolean };
    discounts: object;
  }[];
}

function seen({ total, summary, items }: Shown, hasRows: boolean) {
  return {
    total,
    summary,
    // Only rows name the discounts.
    discounts: hasRows ? withoutOwn(items[0]?.discounts) : undefined,
    items: items.map(({ price, qty, subtotal, sale_price, options }) => ({
      price,
      qty,
      subtotal,
      sale_price,
      optional_selected: options.optional_selected,
    })),
  };
}

const withoutOwn = (discounts: object | undefined) => Object.keys(discounts ?? {}).sort();

async function check(world: TestWorld, id: string, currency: Currency, tables: Record<(typeof TABLES)[number], Table>) {
  const { body } = await succeed(world.call("detailsDocument", { params: { id } }));
  const wanted = TABLES.map((name) => ({ ...priced(tables[name], DIGITS[currency]), hasRows: tables[name].rows.length > 0 }));
  expect(body.pricing.tables.map((one: Shown, i: number) => seen(one, wanted[i]?.hasRows ?? false))).toEqual(
    wanted.map(({ shown, hasRows }) => ({ ...shown, discounts: hasRows ? shown.discounts : undefined })),
  );
  const total = rounded(sum(wanted.map((one) => one.exact)), DIGITS[currency]);
  expect(body.pricing.total).toBe(total);
  expect(body.grand_total).toEqual({ amount: currency === "USD" ? total : "0", currency: "USD" });
}

test("documents and updates with random pricing tables show the amounts of an independent calculation", {
  timeout: PRICING_TIMEOUT_MS,
}, async () => {
  let world = await testWorld({ fixtures });
  let made = 0;
  await law(
    fc.asyncProperty(fc.constantFrom(...CURRENCIES), aRequest, fc.option(aRequest), async (currency, first, second) => {
      if (++made % DOCUMENTS_MAX === 0) world = await testWorld({ fixtures });
      const body = {
        template_uuid: `TemplateOf${currency}`,
        name: "Deal",
        recipients: [CLIENT],
        pricing_tables: toTables(first),
      };
      const { id } = (await succeed(world.call("createDocument", { body }))).body;
      await world.advance("5s");
      const created = after(ofTemplate(), first);
      await check(world, id, currency, created);
      if (!second) return;
      await succeed(world.call("updateDocument", { params: { id }, body: { pricing_tables: toTables(second) } }));
      await check(world, id, currency, after(created, second));
    }),
    { numRuns: PRICING_RUNS },
  );
});
