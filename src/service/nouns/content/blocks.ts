import type { Words } from "../../files/block-input.ts";
import type { Block } from "../../files/blocks.ts";
import { parseMarkdown } from "../../files/blocks.ts";
import type { DocumentRow } from "../documents/row.ts";
import { isFilled } from "../documents/view.ts";
import { displayName } from "../people/participants.ts";
import type { BillLine } from "../pricing/bill.ts";
import { CYCLES, NOT_CHOSEN, QUOTE_HEAD, itemBill, lineLabel, quoteBill, sectionBill, tableBill } from "../pricing/bill.ts";
import { bareAmount, chosenItems, chosenSections, itemAmounts, money } from "../pricing/money.ts";
import type { PricingTableRow, QuoteRow, QuoteSection } from "../pricing/row.ts";
import { isSelected, itemTotals, pricingTotal } from "../pricing/tables.ts";
import { fillTokens } from "./content.ts";
import type { FieldRow, NamedImage } from "./row.ts";
import { isMarkField } from "./row.ts";

export function blocksOf(document: DocumentRow): Block[] {
  return [
    ...head(document),
    ...textsOf(document),
    ...document.images.flatMap(namedImage),
    ...tablesOf(document),
    ...fieldsOf(document),
  ];
}

export function wordsOf(document: DocumentRow, imageOf: typeof namedImage): Words[] {
  return [...head(document), ...wordsOutsidePages(document, imageOf), ...fieldsOf(document)];
}

/** assumed: download.block_order. */
function head(document: DocumentRow): Block[] {
  return [{ kind: "heading", level: 1, text: document.name }, ...pageTexts(document).flat()];
}

export function namedImage(image: NamedImage): Block[] {
  return image.urls.length > 0 ? [{ kind: "entry", label: `Image ${image.name}`, value: image.urls.join(", ") }] : [];
}

export function wordsOutsidePages(document: DocumentRow, imageOf: typeof namedImage): Words[] {
  const texts = document.texts.map((text): Words => ({ kind: "markdown", text: fillTokens(text.data, document.tokens) }));
  return [...texts, ...document.images.flatMap(imageOf), ...tablesOf(document)];
}

export function pageTexts({ pages }: DocumentRow): Block[][] {
  return pages.map(({ text = "" }) =>
    text.split(/\n{2,}/).flatMap((part): Block[] => (part === "" ? [] : [{ kind: "paragraph", text: part }])),
  );
}

/** In letters. Workers format longer texts for files. */
const FORMATTED_MAX = 100_000;

/** Texts on pages and in previews. assumed: content.long_text. */
export function textsOf(document: Pick<DocumentRow, "texts" | "tokens">): Block[] {
  let left = FORMATTED_MAX;
  return document.texts.flatMap(({ data }) => {
    const text = fillTokens(data, document.tokens);
    const end = text.length <= left ? text.length : Math.max(0, text.lastIndexOf("\n", left));
    const blocks = parseMarkdown(text.slice(0, end));
    left -= end;
    return end < text.length ? [...blocks, { kind: "paragraph", text: text.slice(end).trim() }] : blocks;
  });
}

export function tablesOf(document: DocumentRow): Block[] {
  return [...tableBlocks(document), ...grandTotalOf(document)];
}

export function tableBlocks(document: Pick<DocumentRow, "tables" | "pricing_tables" | "quotes">): Block[] {
  return [
    ...document.tables.flatMap((table) =>
      table.data.sections.map((section) => ({ kind: "table" as const, rows: cellsOf(section) })),
    ),
    ...document.pricing_tables.flatMap(pricingOf),
    ...document.quotes.flatMap(quoteOf),
  ];
}

export function grandTotalOf(document: DocumentRow): Block[] {
  const [first, second] = [...document.pricing_tables, ...document.quotes];
  if (!first || !second) return [];
  const total = pricingTotal(document, first.currency);
  return [{ kind: "entry", label: "Grand total", value: `${total.amount} ${total.currency}` }];
}

function cellsOf(section: DocumentRow["tables"][number]["data"]["sections"][number]): string[][] {
  return [section.header, ...section.rows].filter((row) => row.length > 0).map((row) => row.map((cell) => cell.text));
}

function pricingOf(table: PricingTableRow): Block[] {
  const rows = table.items
    .filter(isSelected)
    .map((item) => [item.name, item.description, item.qty, item.price, money(itemTotals(item).subtotal, table.currency)]);
  return [
    { kind: "heading", level: 2, text: table.name },
    { kind: "table", rows: [["Name", "Description", "QTY", "Price", "Subtotal"], ...rows] },
    ...billBlocks(tableBill(table), table.currency),
  ];
}

function quoteOf(quote: QuoteRow): Block[] {
  const counted = chosenSections(quote);
  return [
    ...quote.sections.flatMap((section): Block[] => [
      { kind: "heading", level: 2, text: counted.includes(section) ? section.name : `${section.name} (${NOT_CHOSEN})` },
      { kind: "table", rows: [["Name", "Description", "QTY", "Price", "Total"], ...quoteRows(section, quote.currency)] },
      ...billBlocks(sectionBill(section, quote), quote.currency),
    ]),
    ...(quote.sections.length > 1 ? [{ kind: "heading" as const, level: 2 as const, text: QUOTE_HEAD }] : []),
    ...billBlocks(quoteBill(quote), quote.currency),
  ];
}

function quoteRows(section: QuoteSection, currency: string): string[][] {
  const counted = chosenItems(section);
  return section.items.map((item) => {
    const { price, total } = itemAmounts(item);
    const { billing_frequency: cycle, contract_term: term } = item;
    const notes = [
      item.description,
      cycle === null ? "" : `${CYCLES[cycle]}${term === null ? "" : term === 1 ? ", once" : `, ${term} times`}`,
      ...itemBill(item, currency).map((line) => `${lineLabel(line)} ${bareAmount(line.amount, currency)}`),
    ];
    return [
      counted.includes(item) ? item.name : `${item.name} (${NOT_CHOSEN})`,
      notes.filter(Boolean).join("; "),
      ...[item.qty, money(price, currency), money(total, currency)],
    ];
  });
}

/** Only totals name the currency. */
function billBlocks(lines: readonly BillLine[], currency: string): Block[] {
  return lines.map((line) => ({
    kind: "entry",
    label: lineLabel(line),
    value: line.isTotal ? `${line.amount} ${currency}` : line.amount,
    ...(line.isTotal ? { isTotal: true } : {}),
  }));
}

function fieldsOf(document: DocumentRow): Block[] {
  const blocks: Block[] = [];
  const groups = [...document.recipients.map((recipient) => recipient.id), null];
  for (const id of groups) {
    const fields = document.fields.filter((field) => field.recipient_id === id);
    if (fields.length === 0) continue;
    const recipient = document.recipients.find((one) => one.id === id);
    const role = recipient?.roles[0];
    blocks.push({
      kind: "heading",
      level: 2,
      text: recipient ? displayName(recipient) + (role ? `, ${role}` : "") : "Fields",
    });
    for (const field of fields) blocks.push(fieldBlock(field));
  }
  return blocks;
}

function fieldBlock(field: FieldRow): Block {
  const label = field.title || field.name;
  if (!isMarkField(field)) return { kind: "entry", label, value: fieldText(field) };
  return { kind: "mark", label, text: fieldText(field) };
}

export function fieldText(field: FieldRow): string {
  const { value } = field;
  if (field.type === "checkbox") return value === true ? "Yes" : "No";
  if (!isFilled(field)) return "";
  if (typeof value === "object" && value !== null) return String(value.text ?? value.name ?? "");
  return String(value);
}
