/** The prices of a document: rows, what the signer may choose, and all sums. */
import { grandTotalOf } from "../../nouns/content/blocks.ts";
import type { BillLine } from "../../nouns/pricing/bill.ts";
import {
  CYCLES,
  NOT_CHOSEN,
  QUOTE_HEAD,
  itemBill,
  lineLabel,
  quoteBill,
  sectionBill,
  tableBill,
} from "../../nouns/pricing/bill.ts";
import { amount, bareAmount, chosenItems, chosenSections, itemAmounts, money, sectionSums } from "../../nouns/pricing/money.ts";
import { amountDue, isSelected, itemTotals } from "../../nouns/pricing/tables.ts";
import type { ChoosableItem } from "../../nouns/pricing/signer-choices.ts";
import { choosableItems } from "../../nouns/pricing/signer-choices.ts";
import type { Errors } from "../../nouns/signing/sessions.ts";
import { blocksHtml } from "./blocks.ts";
import { html, type Html, type Part, raw } from "../../../engine/http/html.ts";
import type { DocumentRow } from "../../nouns/documents/row.ts";

type Priced = Pick<DocumentRow, "pricing_tables" | "quotes">;
type PricingTable = DocumentRow["pricing_tables"][number];
type Quote = DocumentRow["quotes"][number];
type Section = Quote["sections"][number];

/** `unit` and `total` are amounts of the API. */
interface Line {
  id: string;
  name: string;
  description: string;
  qty: string;
  unit: string;
  total: string;
  /** Billing cycle, discounts, taxes and fees of the row alone. */
  notes: string[];
  isChosen: boolean;
}

interface Look {
  /** Empty when the visitor only reads. */
  items: ReadonlyMap<string, ChoosableItem>;
  errors: Errors;
}

/** `isOpen` lets the visitor choose. */
export function pricingHtml(document: DocumentRow, content: Priced, errors: Errors, isOpen: boolean): Html {
  const items = new Map(isOpen ? choosableItems(document).map((item) => [item.id, item]) : []);
  const look = { items, errors };
  return html`${content.pricing_tables.map((table) => tableHtml(look, table))}${content.quotes.map((quote) => quoteHtml(look, quote))}`;
}

function tableLines(table: PricingTable): Line[] {
  return table.items.map((item) => ({
    ...{ id: item.id, name: item.name, description: item.description, qty: item.qty, unit: item.price },
    total: money(itemTotals(item).subtotal, table.currency),
    notes: [],
    isChosen: isSelected(item),
  }));
}

function sectionLines(section: Section, { currency }: Quote): Line[] {
  const chosen = chosenItems(section);
  return section.items.map((item) => {
    const { price, total } = itemAmounts(item);
    const { billing_frequency: cycle, contract_term: count } = item;
    const billed =
      cycle === null ? [] : [CYCLES[cycle] ?? cycle, ...(count === null ? [] : [count === 1 ? "once" : `${count} times`])];
    return {
      ...{ id: item.id, name: item.name, description: item.description, qty: item.qty },
      unit: money(price, currency),
      total: money(total, currency),
      notes: [
        ...(billed.length === 0 ? [] : [billed.join(", ")]),
        ...itemBill(item, currency).map((line) => `${lineLabel(line)} ${amount(`${line.amount} ${currency}`)}`),
      ],
      isChosen: chosen.includes(item),
    };
  });
}

function tableHtml(look: Look, table: PricingTable): Html {
  const lines = tableLines(table);
  const isSingle = lines.some((one) => look.items.get(one.id)?.group !== undefined);
  return html`<section class="choosing" aria-label="${table.name}" data-testid="choices"><h2 dir="auto">${table.name}</h2>${oneOf(table.id, isSingle, linesHtml(look, lines, table.currency))}${billHtml(table.id, tableBill(table), table.currency)}</section>`;
}

function quoteHtml(look: Look, quote: Quote): Html {
  const chosen = chosenSections(quote);
  const isSingle = quote.sections.some((one) => look.items.get(one.id)?.group !== undefined);
  const sections = quote.sections.map((section) => {
    const whole = look.items.get(section.id);
    const lines = sectionLines(section, quote);
    const isOneOf = lines.some((one) => look.items.get(one.id)?.group !== undefined);
    const name = whole
      ? choiceHtml(whole, section.id)
      : html`${section.name}${chosen.includes(section) ? null : NOT_CHOSEN_HTML}`;
    return html`<div class="part${chosen.includes(section) ? "" : " left"}"><h2 dir="auto">${name}</h2>${oneOf(section.id, isOneOf, linesHtml(look, lines, quote.currency))}${billHtml(section.id, sectionBill(section, quote), quote.currency)}</div>`;
  });
  return html`<section class="choosing" aria-label="${quote.sections.map((one) => one.name).join(", ")}" data-testid="choices">${oneOf(quote.id, isSingle, html`${sections}`)}${quote.sections.length > 1 ? html`<h2 class="all">${QUOTE_HEAD}</h2>` : null}${billHtml(quote.id, quoteBill(quote), quote.currency)}</section>`;
}

/** Names a group of radio buttons, for eyes and for screen readers. */
function oneOf(id: string, isGroup: boolean, content: Html): Html {
  if (!isGroup) return content;
  return html`<div role="radiogroup" aria-labelledby="one-${id}"><p class="one" id="one-${id}">Choose one of these</p>${content}</div>`;
}

const NOT_CHOSEN_HTML = html` <span class="optional" data-testid="not-chosen">${NOT_CHOSEN}</span>`;

function linesHtml({ items, errors }: Look, lines: readonly Line[], currency: string): Html {
  return html`<table><thead><tr><th scope="col">Item</th><th scope="col" class="number">Quantity</th><th scope="col" class="number">Amount</th></tr></thead><tbody>${lines.map(
    (line) => {
      const item = items.get(line.id);
      const error = errors[line.id];
      const isOpen = item?.selected !== undefined;
      return html`<tr id="f-${line.id}" data-testid="choice-${line.id}"${line.isChosen || isOpen ? null : raw(' class="left"')}><td data-column="Item"><div>${isOpen ? choiceHtml(item, line.id, line.unit) : nameHtml(line, currency)}${line.isChosen || isOpen ? null : NOT_CHOSEN_HTML}${line.description ? html`<div class="optional" dir="auto">${line.description}</div>` : null}${live(`notes-${line.id}`, notesHtml(line))}</div></td><td class="number" data-column="Quantity">${item?.qty === undefined ? line.qty : quantityHtml(item, error)}${error ? html`<p class="error">${error}</p>` : null}</td><td class="number" data-column="Amount">${live(`line-${line.id}`, bareAmount(line.total, currency))}</td></tr>`;
    },
  )}</tbody></table>`;
}

function notesHtml({ notes }: Line): Html {
  return html`${notes.map((note) => html`<span class="optional note" dir="auto">${note}</span>`)}`;
}

function nameHtml({ id, name, unit }: Pick<Line, "id" | "name" | "unit">, currency: string): Html {
  return html`<span><bdi>${name}</bdi> <span class="optional">${live(`unit-${id}`, amount(`${unit} ${currency}`))}</span></span>`;
}

function choiceHtml(item: ChoosableItem, id: string, unit = item.price): Html {
  const [type, at] = item.group === undefined ? ["checkbox", `c.${item.id}`] : ["radio", `g.${item.group}`];
  return html`<label class="check"><input type="${type}" name="${at}" value="${item.id}" data-choice${item.selected ? raw(" checked") : null}>${nameHtml({ id, name: item.name, unit }, item.currency)}</label>`;
}

function quantityHtml({ id, name, qty = "" }: ChoosableItem, error: string | undefined): Html {
  return html`<input class="qty" name="q.${id}" value="${qty}" data-choice aria-label="Quantity of ${name}" inputmode="decimal" autocomplete="off"${error ? raw(` aria-invalid="true"`) : null}>`;
}

function live(id: string, content: Part): Html {
  return html`<span id="live-${id}" data-live>${content}</span>`;
}

/** The page has an element for the sums also when there are none yet, because a choice may bring some. */
function billHtml(id: string, lines: readonly BillLine[], currency: string): Html {
  const rows = lines.map(
    (line) =>
      html`<div${line.isTotal ? raw(' class="total"') : null}><dt dir="auto">${lineLabel(line)}</dt><dd>${line.isTotal ? amount(`${line.amount} ${currency}`) : bareAmount(line.amount, currency)}</dd></div>`,
  );
  return sumsHtml(id, rows.length === 0 ? html`` : html`<dl class="sums">${rows}</dl>`);
}

function sumsHtml(id: string, sums: Html): Html {
  return html`<div id="live-${id}" data-live aria-live="polite">${sums}</div>`;
}

export function grandTotalHtml(document: DocumentRow): Html {
  const blocks = grandTotalOf(document);
  return blocks.length === 0 ? html`` : sumsHtml("grand-total", blocksHtml(blocks));
}

/** When and how much to pay, for who has not paid yet. Undefined for a document without payment. */
export function dueText(document: DocumentRow, currency: string): string | undefined {
  const { payment } = document.internal;
  if (!payment || payment.paid_at) return undefined;
  const due = payment.currency || currency;
  return amount(`${amountDue(document, payment.amount, due)} ${due}`);
}

export function dueHtml(document: DocumentRow, currency: string): Part {
  const due = dueText(document, currency);
  if (due === undefined) return null;
  return html`<p class="due" data-testid="due">Nothing is paid now. <strong>${live("due", due)}</strong> is due when everybody has signed.</p>`;
}

/** All that changes with a choice. */
export function liveParts(document: DocumentRow, currency: string): Html {
  const line = (priced: string) => (one: Line) =>
    html`${live(`unit-${one.id}`, amount(`${one.unit} ${priced}`))}${live(`notes-${one.id}`, notesHtml(one))}${live(`line-${one.id}`, bareAmount(one.total, priced))}`;
  return html`${document.pricing_tables.map((table) => [...tableLines(table).map(line(table.currency)), billHtml(table.id, tableBill(table), table.currency)])}${document.quotes.map(
    (quote) => [
      ...quote.sections.flatMap((section) => [
        ...sectionLines(section, quote).map(line(quote.currency)),
        live(`unit-${section.id}`, amount(`${money(sectionSums(section).total, quote.currency)} ${quote.currency}`)),
        billHtml(section.id, sectionBill(section, quote), quote.currency),
      ]),
      billHtml(quote.id, quoteBill(quote), quote.currency),
    ],
  )}${grandTotalHtml(document)}${live("due", dueText(document, currency))}`;
}
