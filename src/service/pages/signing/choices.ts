import { grandTotalOf, tableBlocks } from "../../domain/content/blocks.ts";
import { decimal, money } from "../../domain/pricing/money.ts";
import { choosableItems, type ChoosableItem } from "../../domain/pricing/signer-choices.ts";
import type { Errors } from "../../domain/signing/sessions.ts";
import { amount, blocksHtml } from "./blocks.ts";
import { html, type Html, type Part, raw } from "../../../engine/http/html.ts";
import { type Translate, translatedMessage, translator } from "./languages.ts";
import type { DocumentRow } from "../../model/documents/document.ts";

type Priced = Pick<DocumentRow, "pricing_tables" | "quotes">;
type PricingTable = DocumentRow["pricing_tables"][number];
type Quote = DocumentRow["quotes"][number];

interface Line {
  id: string;
  name: string;
  description?: string | null;
  qty: string;
  price: string;
}

export function pricingHtml(document: DocumentRow, content: Priced, errors: Errors): Html {
  const items = new Map(choosableItems(document).map((item) => [item.id, item]));
  const t = translator(document);
  const look = { t, items, errors };
  return html`${content.pricing_tables.map((table) => (table.items.some((one) => items.has(one.id)) ? tableHtml(look, table) : blocksHtml(tableBlocks({ tables: [], pricing_tables: [table], quotes: [] }), t)))}${content.quotes.map((quote) => (quote.sections.some((section) => items.has(section.id) || section.items.some((one) => items.has(one.id))) ? quoteHtml(look, quote) : blocksHtml(tableBlocks({ tables: [], pricing_tables: [], quotes: [quote] }), t)))}`;
}

interface Look {
  t: Translate;
  items: ReadonlyMap<string, ChoosableItem>;
  errors: Errors;
}

function tableHtml(look: Look, table: PricingTable): Html {
  return html`<section class="choosing" aria-label="${table.name}" data-testid="choices"><h2 dir="auto">${table.name}</h2>${linesHtml(look, table.items, table.currency)}${sumsHtml(table.id, tableSums(look.t, table))}</section>`;
}

function quoteHtml(look: Look, quote: Quote): Html {
  return html`<section class="choosing" aria-label="${quote.sections.map((one) => one.name).join(", ")}" data-testid="choices">${quote.sections.map(
    (section) => {
      const whole = look.items.get(section.id);
      return html`<h2 dir="auto">${section.name}</h2>${whole ? html`<p>${choiceHtml(whole)}</p>` : null}${linesHtml(look, section.items, quote.currency)}`;
    },
  )}${sumsHtml(quote.id, quoteSums(look.t, quote))}</section>`;
}

function linesHtml({ t, items, errors }: Look, lines: readonly Line[], currency: string): Html {
  return html`<table><thead><tr><th scope="col">${t("Item")}</th><th scope="col" class="number">${t("Quantity")}</th><th scope="col" class="number">${t("Price")}</th></tr></thead><tbody>${lines.map(
    (line) => {
      const item = items.get(line.id);
      const error = errors[line.id];
      return html`<tr id="f-${line.id}" data-testid="choice-${line.id}"><td data-column="${t("Item")}"><div>${item?.selected === undefined ? nameHtml(line, currency) : choiceHtml(item)}${line.description ? html`<div class="optional" dir="auto">${line.description}</div>` : null}</div></td><td class="number" data-column="${t("Quantity")}">${item?.qty === undefined ? line.qty : quantityHtml(t, item, error)}${error ? html`<p class="error">${translatedMessage(t, error)}</p>` : null}</td><td class="number" data-column="${t("Price")}">${live(`line-${line.id}`, html`${amount(money(decimal(line.price).times(decimal(line.qty)), currency))}`)}</td></tr>`;
    },
  )}</tbody></table>`;
}

function nameHtml({ name, price }: Pick<Line, "name" | "price">, currency: string): Html {
  return html`<span><bdi>${name}</bdi> <span class="optional">${amount(`${price} ${currency}`)}</span></span>`;
}

function choiceHtml(item: ChoosableItem): Html {
  const [type, at] = item.group === undefined ? ["checkbox", `c.${item.id}`] : ["radio", `g.${item.group}`];
  return html`<label class="check"><input type="${type}" name="${at}" value="${item.id}" data-choice${item.selected ? raw(" checked") : null}>${nameHtml(item, item.currency)}</label>`;
}

function quantityHtml(t: Translate, { id, name, qty = "" }: ChoosableItem, error: string | undefined): Html {
  return html`<input class="qty" name="q.${id}" value="${qty}" data-choice aria-label="${t("Quantity of {name}", { name })}" inputmode="decimal" autocomplete="off"${error ? raw(` aria-invalid="true"`) : null}>`;
}

function live(id: string, content: Part): Html {
  return html`<span id="live-${id}" data-live>${content}</span>`;
}

function sumsHtml(id: string, sums: Html): Html {
  return html`<div id="live-${id}" data-live aria-live="polite">${sums}</div>`;
}

function entriesOf(t: Translate, content: Priced): Html {
  const isNested = content.quotes.length > 0;
  const blocks = tableBlocks({ tables: [], ...content });
  // The sums of a quote's sections would repeat its lines.
  const last = isNested ? blocks.slice(blocks.findLastIndex((block) => block.kind === "table") + 1) : blocks;
  return blocksHtml(
    last.filter((block) => block.kind === "entry"),
    t,
  );
}

function tableSums(t: Translate, table: PricingTable): Html {
  return entriesOf(t, { pricing_tables: [table], quotes: [] });
}

function quoteSums(t: Translate, quote: Quote): Html {
  return entriesOf(t, { pricing_tables: [], quotes: [quote] });
}

export function grandTotalHtml(document: DocumentRow, currency: string): Html {
  const blocks = grandTotalOf(document, currency);
  return blocks.length === 0 ? html`` : sumsHtml("grand-total", blocksHtml(blocks, translator(document)));
}

export function liveParts(document: DocumentRow, currency: string): Html {
  const t = translator(document);
  const line =
    (priced: string) =>
    ({ id, qty, price }: Line) =>
      live(`line-${id}`, amount(money(decimal(price).times(decimal(qty)), priced)));
  return html`${document.pricing_tables.map((table) => [...table.items.map(line(table.currency)), sumsHtml(table.id, tableSums(t, table))])}${document.quotes.map((quote) => [...quote.sections.flatMap((section) => section.items.map(line(quote.currency))), sumsHtml(quote.id, quoteSums(t, quote))])}${grandTotalHtml(document, currency)}`;
}
