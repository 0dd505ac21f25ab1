import { invalid } from "../../../engine/core/errors.ts";
import { wrongStatus } from "../../kit/errors.ts";
import type { World } from "../../kit/world.ts";
import { applyContent, copyContent } from "../content/content.ts";
import { planImages } from "../content/file-content.ts";
import { withSourceFile } from "../content/file-conversion.ts";
import type { BlockNames, Content } from "../content/row.ts";
import { fixOf, remarkUnknownNames } from "../content/unknown-names.ts";
import { requireDocument, requireUnlocked } from "../documents/row.ts";
import { putContent, requireAllowed } from "../documents/transitions.ts";
import type { RecipientInput, RecipientRow } from "../people/inputs.ts";
import { addRecipient, assignRecipientTypes, mergeRecipient, recipientOfRole } from "../people/recipients.ts";
import type { PricingTableInput } from "../pricing/inputs.ts";
import type { OtherCurrency } from "../pricing/table-input.ts";
import { checkPricing, checkTables, otherCurrency } from "../pricing/table-input.ts";
import type { TemplateRow } from "../templates/row.ts";
import type { AppendInput, LibraryItemRow, PlaceholderInput } from "./items.ts";
import { requireLibraryItem } from "./items.ts";

export interface NameMapping {
  original_name: string;
  new_name: string;
}

export interface BlockMapping {
  tables: NameMapping[];
  pricing_tables: NameMapping[];
  images: NameMapping[];
  texts: NameMapping[];
}

function freeName(taken: Set<string>, name: string): string {
  let free = name;
  for (let i = 1; taken.has(free); i++) free = `${name}_${i}`;
  taken.add(free);
  return free;
}

function renameBlocks<T extends { name: string }>(
  existing: readonly T[],
  added: readonly T[],
): { blocks: T[]; mapping: NameMapping[] } {
  const taken = new Set(existing.map((block) => block.name));
  const blocks = added.map((block) => ({ ...block, name: freeName(taken, block.name) }));
  return { blocks, mapping: added.map((block, i) => ({ original_name: block.name, new_name: blocks[i]?.name ?? "" })) };
}

function namesOf(blocks: readonly { name: string }[]): string[] {
  return blocks.map((block) => block.name);
}

export function appendContent(
  world: World,
  content: Content,
  added: Content,
  recipients: readonly RecipientRow[],
): { content: Content; mapping: BlockMapping; blocks: BlockNames } {
  const copy = copyContent(world, added);
  const ids = new Set(content.fields.map((field) => field.field_id));
  const tokenNames = new Set(content.tokens.map((token) => token.name));
  const tables = renameBlocks(content.tables, copy.tables);
  const pricing = renameBlocks(content.pricing_tables, copy.pricing_tables);
  const images = renameBlocks(content.images, copy.images);
  const texts = renameBlocks(content.texts, copy.texts);
  const blocks: BlockNames = {
    texts: namesOf(texts.blocks),
    images: namesOf(images.blocks),
    tables: namesOf(tables.blocks),
    pricing_tables: namesOf(pricing.blocks),
    quotes: copy.quotes.map((quote) => quote.id),
  };
  const pageNames = new Set(content.pages.flatMap((page) => page.name ?? []));
  return {
    content: {
      fields: [
        ...content.fields,
        ...copy.fields.map((field) => ({
          ...field,
          field_id: freeName(ids, field.field_id),
          recipient_id: recipientOfRole(recipients, field.role),
          layout: { ...field.layout, page: field.layout.page + content.pages.length },
        })),
      ],
      tokens: [...content.tokens, ...copy.tokens.filter((token) => !tokenNames.has(token.name))],
      texts: [...content.texts, ...texts.blocks],
      images: [...content.images, ...images.blocks],
      tables: [...content.tables, ...tables.blocks],
      pricing_tables: [...content.pricing_tables, ...pricing.blocks],
      quotes: [...content.quotes, ...copy.quotes],
      pages: [
        ...content.pages,
        ...copy.pages.map((page, i) => ({
          ...page,
          name: page.name === undefined ? undefined : freeName(pageNames, page.name),
          ...(i === 0 && { blocks }),
        })),
      ],
    },
    mapping: { tables: tables.mapping, pricing_tables: pricing.mapping, images: images.mapping, texts: texts.mapping },
    blocks,
  };
}

export function appendLibraryItem(world: World, documentId: string, input: AppendInput) {
  const document = requireDocument(world, documentId);
  requireUnlocked(world, document);
  requireAllowed(document, "edit");
  const item = requireLibraryItem(world, input.id);
  if (item.status !== "cli.PROCESSED") {
    // assumed: library.unprocessed_item.
    const info = "The content library item is not processed";
    throw wrongStatus(item, info, `the item is in ${item.status}; wait until it is cli.PROCESSED`);
  }
  const names = new Map(input.pages?.map(({ index, name }) => [index, name ?? undefined]));
  for (const [i, { index }] of (input.pages ?? []).entries()) {
    if (index >= item.pages.length)
      throw invalid(
        { [`cli.pages[${i}].index`]: ["Page not found."] },
        `the item has ${item.pages.length} pages; the first page is 0`,
      );
  }
  const pages = withSourceFile(item.pages, item.internal.file_id).map((page, i) => {
    const name = names.get(i) ?? page.name;
    return name === undefined ? page : { ...page, name };
  });
  const { content, mapping } = appendContent(world, document, { ...item, pages }, document.recipients);
  const changed = putContent(world, {
    ...document,
    ...content,
    recipients: assignRecipientTypes(document.recipients, content.fields),
  });
  planImages(world, changed);
  return {
    cli: {
      id: item.id,
      pages: (input.pages ?? []).map(({ index }) => ({
        index,
        name: content.pages[document.pages.length + index]?.name ?? null,
      })),
    },
    block_mapping: mapping,
  };
}

/**
 * Fills placeholders of the template. Each library item has its own values and recipients. With `refuses: false`, nobody waits for an
 * answer, and the caller has checked the people. assumed: library.placeholders.
 */
export function fillPlaceholders(
  world: World,
  template: TemplateRow,
  content: Content,
  recipients: RecipientRow[],
  input: readonly PlaceholderInput[],
  { refuses = true } = {},
): { content: Content; recipients: RecipientRow[] } {
  checkPlaceholders(world, template, input);
  let filled = content;
  let people = recipients;
  for (const [p, place] of input.entries()) {
    if (!isPlace(template, place)) continue;
    for (const [i, one] of (place.content_library_items ?? []).entries()) {
      const path = `content_placeholders[${p}].content_library_items[${i}]`;
      const item = requireUsable(world, one.id, path);
      people = joinRecipients(world, people, one.recipients ?? [], refuses ? path : "");
      filled = appendContent(
        world,
        filled,
        { ...applyContent(world, item, one, `${path}.`), pages: withSourceFile(item.pages, item.internal.file_id) },
        people,
      ).content;
    }
  }
  return { content: filled, recipients: people };
}

/** The first pricing table of the request, or of a library item in it, whose currency differs from that of its content. */
export function otherCurrencyIn(
  world: World,
  template: TemplateRow,
  input: { pricing_tables?: PricingTableInput[] | undefined; content_placeholders?: PlaceholderInput[] | undefined },
): OtherCurrency | undefined {
  const places = (input.content_placeholders ?? []).filter((place) => isPlace(template, place));
  const items = places.flatMap((place) => place.content_library_items ?? []);
  const inItems = items.map((one) => otherCurrency(requireLibraryItem(world, one.id).pricing_tables, one.pricing_tables ?? []));
  return otherCurrency(template.pricing_tables, input.pricing_tables ?? []) ?? inItems.find((one) => one !== undefined);
}

function isPlace(template: TemplateRow, { block_id }: PlaceholderInput): boolean {
  return template.content_placeholders.some((one) => one.block_id === block_id);
}

export function remarkPlaces(world: World, template: TemplateRow, input: readonly PlaceholderInput[]): void {
  const known = template.content_placeholders.map((one) => one.block_id);
  for (const [p, place] of input.entries()) {
    const at = `/content_placeholders/${p}`;
    if (!known.includes(place.block_id)) {
      world.remark({
        kind: "unknown_block",
        message: `"${template.name}" has no placeholder "${place.block_id}", so the service ignored it`,
        fix: fixOf("placeholder", place.block_id, known),
        pointer: `${at}/block_id`,
      });
      continue;
    }
    for (const [i, one] of (place.content_library_items ?? []).entries())
      remarkUnknownNames(world, requireLibraryItem(world, one.id), one, `${at}/content_library_items/${i}`);
  }
}

export function checkPlaceholders(world: World, template: TemplateRow, input: readonly PlaceholderInput[]): void {
  for (const [p, place] of input.entries()) {
    for (const [i, one] of (place.content_library_items ?? []).entries())
      checkTables(world, one.pricing_tables ?? [], `content_placeholders[${p}].content_library_items[${i}].`);
    if (!isPlace(template, place)) continue;
    for (const [i, one] of (place.content_library_items ?? []).entries())
      requireUsable(world, one.id, `content_placeholders[${p}].content_library_items[${i}]`);
  }
}

/** After `checkPlaceholders`, for a caller that fills the placeholders later. */
export function checkPlacedPricing(world: World, template: TemplateRow, input: readonly PlaceholderInput[]): void {
  for (const [p, place] of input.entries()) {
    if (!isPlace(template, place)) continue;
    for (const [i, { id, pricing_tables }] of (place.content_library_items ?? []).entries()) {
      const at = `content_placeholders[${p}].content_library_items[${i}].`;
      checkPricing(world, requireLibraryItem(world, id).pricing_tables, pricing_tables, at);
    }
  }
}

function requireUsable(world: World, id: string, path: string): LibraryItemRow {
  const refuse = (message: string, why: string) => invalid({ [`${path}.id`]: [message] }, why);
  const item = requireLibraryItem(world, id, () =>
    refuse("Content library item not found.", `no content library item ${id} in this workspace`),
  );
  if (item.status !== "cli.PROCESSED")
    throw refuse("Content library item is not processed yet.", `the item is in ${item.status}; wait until it is cli.PROCESSED`);
  return item;
}

export function joinRecipients(
  world: World,
  recipients: readonly RecipientRow[],
  input: readonly RecipientInput[],
  path: string,
): RecipientRow[] {
  return input
    .map((one, i) => addRecipient(world, one, `${path}.recipients[${i}]`))
    .reduce<RecipientRow[]>(
      // Without a path nobody waits for an answer, so nothing can be refused.
      (all, one, i) => mergeRecipient(world, all, one, path === "" ? undefined : `${path}.recipients[${i}]`),
      [...recipients],
    );
}
