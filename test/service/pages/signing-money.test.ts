/** The signing page and the API agree about money to the smallest unit: rows, names of discounts, taxes, fees, cycles and totals. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OFFER } from "../../support/choice-offer.ts";
import { type Fraction, fraction, rounded, sum } from "../../support/exact.ts";
import { lab } from "../../support/lab.ts";
import { aQuote } from "../../support/priced-quotes.ts";
import { aTableInput, type Currency, DIGITS, toTable } from "../../support/priced-tables.ts";
import { aDraft, CLIENT, simulate, succeed } from "../../support/stories.ts";
import { type TestWorld, useWorld } from "../../support/world.ts";

const world = useWorld();

/** The details of a document, as far as this file reads them. */
// biome-ignore lint/suspicious/noExplicitAny: an answer of the API
type Answer = any;

const SEED = 4711;

async function sessionOf(world: TestWorld, id: string): Promise<string> {
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
  const { body } = await succeed(world.call("createDocumentLink", { params: { id }, body: { recipient: CLIENT.email } }));
  return `/s/${body.id}/`;
}

const detailsOf = async (world: TestWorld, id: string): Promise<Answer> =>
  (await succeed(world.call("detailsDocument", { params: { id } }))).body;

const textOf = (html: string) =>
  html
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .trim();

/** The lines of a sum: label and amount. */
function lines(page: string, id: string): [label: string, amount: string][] {
  const found = new RegExp(`<div id="live-${id}"[^>]*>(?:<dl class="sums">(.*?)</dl>)?</div>`, "s").exec(page);
  if (!found) throw new Error(`the page has no sums of ${id}`);
  return [...(found[1] ?? "").matchAll(/<dt[^>]*>(.*?)<\/dt><dd>(.*?)<\/dd>/gs)].map(([, dt, dd]) => [
    textOf(dt ?? ""),
    textOf(dd ?? ""),
  ]);
}

function live(page: string, id: string): string {
  const found = new RegExp(`<span id="live-${id}" data-live>(.*?)</span>`, "s").exec(page);
  if (!found) throw new Error(`the page has no ${id}`);
  return textOf(found[1] ?? "");
}

const value = (text: string): Fraction => fraction(text.replaceAll(",", "").replace(/ [A-Z]{3}$/, ""));
const plain = (amount: Fraction) => rounded(amount, 9);
const same = (text: string, other: string) => [plain(value(text)), plain(value(other))];

/** All lines of a kind, added up. A discount is negative on the page. */
function added(all: readonly [string, string][], kind: string): string {
  return plain(sum(all.filter(([label]) => new RegExp(`^${kind}( \\(|$)`).test(label)).map(([, amount]) => value(amount))));
}

function expectEqual(pairs: readonly (readonly [what: string, shown: string, answered: string])[]): void {
  for (const [what, shown, answered] of pairs) {
    const [one, other] = same(shown, answered);
    expect(one, what).toBe(other);
  }
}

const negative = (text: string) => (text.startsWith("-") ? text.slice(1) : text === "0" ? "0" : `-${text}`);

describe("the signing page shows the amounts of the API", () => {
  test("of random quotes", async () => {
    for (const quote of fc.sample(aQuote, { seed: SEED, numRuns: 30 })) {
      const id = await aDraft(world, { template: "quote" });
      const before = await detailsOf(world, id);
      await succeed(
        world.call("quoteUpdate", { params: { document_id: id, quote_id: before.pricing.quotes[0].id }, body: quote }),
      );
      const path = await sessionOf(world, id);
      const page = await (await world.sandbox.fetch(path)).text();
      const [shown] = (await detailsOf(world, id)).pricing.quotes;
      const all = lines(page, shown.id);
      const { summary } = shown;
      expectEqual([
        ["total", all.find(([label]) => label === "Quote total")?.[1] ?? "", shown.total],
        ["discount", added(all, "Discount"), negative(summary.total_discount)],
        ["tax", added(all, "Tax"), summary.total_tax],
        ["fee", added(all, "Fee"), summary.total_fee],
        ["contract", all.find(([label]) => label.startsWith("Value"))?.[1] ?? shown.total, summary.total_contract_value],
      ]);
      const cycles = summary.recurring_subtotal.map((one: Answer) => plain(value(one.value)));
      const cycle = /^(Weekly|Monthly|Quarterly|Half-yearly|Yearly) subtotal$/;
      expect(all.filter(([label]) => cycle.test(label)).map(([, amount]) => plain(value(amount)))).toEqual(cycles);
      for (const section of shown.sections) {
        if (shown.sections.length > 1)
          expectEqual([
            [
              "section",
              lines(page, section.id).find(([label]) => /^Section total( [(]not chosen[)])?$/.test(label))?.[1] ?? "",
              section.total,
            ],
          ]);
        for (const item of section.items)
          expectEqual([
            ["unit", live(page, `unit-${item.id}`), item.price],
            ["row", live(page, `line-${item.id}`), item.total],
          ]);
      }
    }
  });

  test("of random pricing tables, each discount by its name", async () => {
    const currencies = Object.keys(DIGITS) as Currency[];
    const templates = currencies.map((currency) => ({
      ...{ id: `TemplateOf${currency}`, name: `In ${currency}`, roles: [{ name: "Client" }] },
      fields: [{ name: "Signature", type: "signature", role: "Client" }],
      pricing_tables: [{ name: "Plain", currency }],
    }));
    const world = await lab({ world: { templates } } as never);
    for (const [i, input] of fc.sample(aTableInput, { seed: SEED, numRuns: 30 }).entries()) {
      const currency = currencies[i % currencies.length] as Currency;
      const body = { template_uuid: `TemplateOf${currency}`, pricing_tables: [toTable("Plain", input)] as never };
      const id = await aDraft(world, { body });
      const page = await (await world.sandbox.fetch(await sessionOf(world, id))).text();
      const [table] = (await detailsOf(world, id)).pricing.tables;
      const all = lines(page, table.id);
      expectEqual([
        ["subtotal", all[0]?.[1] ?? "", table.summary.subtotal],
        ["discount", added(all, "Discount"), negative(table.summary.discount)],
        ["tax", added(all, "Tax"), table.summary.tax],
        ["fee", added(all, "Fee"), table.summary.fee],
        ["total", all.at(-1)?.[1] ?? "", table.total],
        ...table.items.map((item: Answer) => ["row", live(page, `line-${item.id}`), item.subtotal] as const),
      ]);
      expect(all.at(-1)?.[1]).toMatch(
        new RegExp(`(^|[^.\\d])[\\d,]+${DIGITS[currency] === 0 ? "" : `\\.\\d{${DIGITS[currency]}}`} ${currency}$`),
      );
    }
  });

  test("after each choice, before anything is saved, and after the signature", async () => {
    const world = await lab(OFFER);
    const id = await aDraft(world, { body: { template_uuid: "TemplateChoicexxxxxxxx" } });
    const path = await sessionOf(world, id);
    const first = await (await world.sandbox.fetch(path)).text();
    expect(first.match(/role="radiogroup"/g)).toHaveLength(1);
    const before = await detailsOf(world, id);
    const [table, quote] = [before.pricing.tables[0], before.pricing.quotes[0]];
    const itemOf = (name: string) =>
      [...table.items, ...quote.sections.flatMap((one: Answer) => one.items)].find((one) => one.name === name).id;
    const body = new FormData();
    for (const [name, text] of [
      ["choices", "1"],
      [`c.${itemOf("Extra")}`, itemOf("Extra")],
      [`q.${itemOf("Seats")}`, "5"],
      [`q.${itemOf("Onboarding")}`, "1"],
      [`g.${quote.sections[1].id}`, itemOf("Large")],
    ])
      body.append(name as string, text as string);
    const fresh = await (await world.sandbox.fetch(`${path}totals`, { method: "POST", body })).text();
    expect([lines(fresh, table.id), lines(fresh, quote.id).at(-1), live(fresh, `line-${itemOf("Seats")}`)]).toEqual([
      [
        ["Subtotal", "180.00"],
        ["Total", "180.00 USD"],
      ],
      ["Quote total", "490.00 USD"],
      "50.00",
    ]);
    expect((await detailsOf(world, id)).pricing.total).toBe(before.pricing.total);
    await simulate(world, id, "sign", { pricing: { Extra: { selected: true }, Large: { selected: true }, Seats: { qty: 5 } } });
    const after = await (await world.sandbox.fetch(path)).text();
    expect((await detailsOf(world, id)).pricing.total).toBe("670");
    expect(lines(after, quote.id)).toEqual(lines(fresh, quote.id));
    const rows = [...after.matchAll(/<tr id="f-([\w-]+)"[^>]* class="left">.*?<\/tr>/gs)];
    expect(rows.map((row) => row[1])).toEqual([itemOf("Small")]);
    expect(rows[0]?.[0]).toContain('data-testid="not-chosen"');
    expect(after).not.toContain("radiogroup");
  });

  test("of a discount with its name and rate, and of cycles, with the total that they lead to", async () => {
    const id = await aDraft(world, { template: "quote" });
    const path = await sessionOf(world, id);
    const [quote] = (await detailsOf(world, id)).pricing.quotes;
    expect(lines(await (await world.sandbox.fetch(path)).text(), quote.id)).toEqual([
      ["One-time subtotal", "500.00"],
      ["Monthly subtotal", "500.00"],
      ["Subtotal", "1,000.00"],
      ["Discount (10%)", "-100.00"],
      ["Quote total", "900.00 USD"],
      ["Value of the whole contract", "5,850.00"],
    ]);
  });
});

describe("the signing page says when payment comes", () => {
  test("before the signature, while others sign, when it is due, and never for a document without payment", async () => {
    const id = await aDraft(world, { template: "payment" });
    const path = await sessionOf(world, id);
    const shown = async () => textOf(await (await world.sandbox.fetch(path)).text());
    expect(await shown()).toContain("Nothing is paid now. 1,200.00 USD is due when everybody has signed.");
    await simulate(world, id, "sign");
    expect(await shown()).toContain("Everybody has signed. 1,200.00 USD is due now. The document is complete when it is paid.");
    await simulate(world, id, "pay");
    expect(await shown()).toContain("Everybody has finished, so there is nothing left to do.");
    const free = await aDraft(world, { template: "pricing" });
    expect(textOf(await (await world.sandbox.fetch(await sessionOf(world, free))).text())).not.toContain("is due");
  });
});
