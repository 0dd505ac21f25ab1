import { parseInstant } from "../../../engine/core/clock.ts";
import { ApiError, badRequest, invalid } from "../../../engine/core/errors.ts";
import { fieldName } from "../../../engine/core/field-path.ts";
import { Ids } from "../../../engine/core/ids.ts";
import { lazyList } from "../../../engine/core/lazy-list.ts";
import { own } from "../../../engine/core/maps.ts";
import { escapePointer } from "../../../engine/core/text.ts";
import { LIMITS } from "../../files/limits.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentRow } from "../documents/row.ts";
import { isFilled } from "../documents/view.ts";
import type { RecipientRow } from "../people/inputs.ts";
import type { Participant } from "../people/recipients.ts";
import { recipientOfRole } from "../people/recipients.ts";
import { participantName } from "../people/participants.ts";
import { copyQuote } from "../pricing/quotes.ts";
import type { PricingTableRow, QuoteRow } from "../pricing/row.ts";
import { applyPricing } from "../pricing/table-input.ts";
import type { Content, ContentInput, FieldInput, FieldRow, FieldValue, NamedImage, Token } from "./row.ts";
import { isMarkField } from "./row.ts";

/** `today` is the day on the clock, as `2026-03-02`. */
export function autofill(document: DocumentRow, who: Participant, today: string): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {};
  for (const field of document.fields) {
    if (field.recipient_id !== who.recipient.id || isFilled(field)) continue;
    if (field.type === "payment_details" || (!field.settings.required && !isMarkField(field))) continue;
    values[field.uuid] = sample(field, who, today);
  }
  return values;
}

function sample(field: FieldRow, who: Participant, today: string): FieldValue {
  switch (field.type) {
    case "checkbox":
      return true;
    case "date":
      return today;
    case "dropdown":
    case "radio_buttons":
      return field.options[0] ?? "Option 1";
    case "collect_file":
      return "file.pdf";
    case "text":
      return field.placeholder || field.name;
    case "initials":
      return participantName(who)
        .split(/\s+/)
        .map((word) => word[0]?.toUpperCase() ?? "")
        .join("");
    default:
      return participantName(who);
  }
}

/** Returns a file for a `collect_file` field. assumed: fields.sample_file. */
export function sampleFile(name: string): { name: string; type: string; bytes: Uint8Array } {
  return { name, type: "application/octet-stream", bytes: Buffer.from(`${name}\n`) };
}

/** In points. */
export const LETTER = { width: 612, height: 792 };

export function emptyContent(): Content {
  return { fields: [], tokens: [], texts: [], images: [], tables: [], pricing_tables: [], quotes: [], pages: [LETTER] };
}

/** What the lists of a copy are made from. Ids follow from `seed`, so they do not depend on when a list is read. */
interface CopySource {
  content: Content;
  seed: number;
  /** The people who get the fields of their roles. Without them, fields keep their recipients. */
  recipients: readonly RecipientRow[] | undefined;
}

/** The parts of the copy get new ids. Each list is copied when something first reads it. */
export function copyContent(world: World, content: Content, recipients?: readonly RecipientRow[]): Content {
  const source: CopySource = { content, seed: world.ids.seed(), recipients };
  const { fields, images, pricing_tables, quotes } = content;
  return {
    fields: fields.length > 0 ? lazyList(copyFields, source) : fields,
    tokens: content.tokens,
    texts: content.texts,
    images: images.length > 0 ? lazyList(copyImages, source) : images,
    tables: content.tables,
    pricing_tables: pricing_tables.length > 0 ? lazyList(copyPricingTables, source) : pricing_tables,
    quotes: quotes.length > 0 ? lazyList(copyQuotes, source) : quotes,
    pages: content.pages,
  };
}

function copyFields({ content, seed, recipients }: CopySource): FieldRow[] {
  const ids = new Ids(`fields ${seed}`);
  return content.fields.map((field) => ({
    ...field,
    uuid: ids.uuid(),
    recipient_id: recipients ? recipientOfRole(recipients, field.role) : field.recipient_id,
  }));
}

function copyImages({ content, seed }: CopySource): NamedImage[] {
  const ids = new Ids(`images ${seed}`);
  return content.images.map((image) => ({ ...image, block_uuid: ids.uuid() }));
}

function copyPricingTables({ content, seed }: CopySource): PricingTableRow[] {
  const ids = new Ids(`pricing tables ${seed}`);
  return content.pricing_tables.map((table) => ({
    ...table,
    id: ids.uuid(),
    items: table.items.map((item) => ({ ...item, id: ids.uuid() })),
  }));
}

function copyQuotes({ content, seed }: CopySource): QuoteRow[] {
  const ids = new Ids(`quotes ${seed}`);
  return content.quotes.map((quote) => copyQuote(ids, quote));
}

export function hasContent({ fields, tokens, texts, images, tables, pricing_tables }: ContentInput): boolean {
  return (fields ?? tokens ?? texts ?? images ?? tables ?? pricing_tables) !== undefined;
}

/** `at` prefixes the field paths in errors. @throws 400 for invalid values */
export function applyContent<C extends Content>(world: World, content: C, input: ContentInput, at = ""): C {
  if (!hasContent(input)) return content;
  return {
    ...content,
    fields: input.fields ? applyFields(world, content.fields, input.fields, at) : content.fields,
    tokens: applyTokens(content.tokens, input.tokens ?? []),
    texts: replaceByName(content.texts, input.texts ?? []),
    images: applyImages(content.images, input.images ?? []),
    tables: replaceByName(content.tables, input.tables ?? []),
    pricing_tables: applyPricing(world, content.pricing_tables, input.pricing_tables ?? [], at),
  };
}

function applyTokens(tokens: Token[], input: readonly Token[]): Token[] {
  if (input.length === 0) return tokens;
  const values = new Map(input.map((token) => [token.name, token.value]));
  return tokens.map((token) => ({ name: token.name, value: values.get(token.name) ?? token.value }));
}

function replaceByName<T extends { name: string }>(items: T[], input: readonly T[]): T[] {
  if (input.length === 0) return items;
  const byName = new Map(input.map((item) => [item.name, item]));
  return items.map((item) => ({ ...item, ...byName.get(item.name) }));
}

function applyImages(images: NamedImage[], input: readonly ({ name: string; urls: string[] } | null)[]): NamedImage[] {
  if (input.length === 0) return images;
  const byName = new Map(input.flatMap((image) => (image ? [[image.name, image.urls] as const] : [])));
  return images.map((image) => {
    const urls = byName.get(image.name)?.slice(0, 1);
    if (!urls) return image;
    const { file_id: _, ...rest } = image;
    return { ...rest, urls };
  });
}

/** One merge name fills every field that has it. */
function applyFields(
  world: World,
  fields: readonly FieldRow[],
  input: Readonly<Record<string, FieldInput>>,
  at: string,
): FieldRow[] {
  return fields.map((field) => {
    const name = keysOf(world, field).find((one) => Object.hasOwn(input, one));
    const replacement = name === undefined ? undefined : input[name];
    if (name === undefined || replacement?.value === undefined) return field;
    return { ...field, value: fieldValue(field, replacement.value, `${at}${fieldName(["fields", name, "value"])}`) };
  });
}

/** The names under which `fields` of a request finds the field. assumed: fields.keys. */
export function keysOf(world: World, field: FieldRow): string[] {
  const { merge_field, field_id, name } = field;
  const keys = world.reading("fields.keys") === "any" ? [merge_field, field_id, name] : [merge_field];
  return keys.flatMap((key) => key ?? []);
}

/** An update names existing fields only. assumed: fields.unknown_key_update. @throws 400 */
export function refuseUnknownFields(world: World, fields: readonly FieldRow[], input: ContentInput["fields"]): void {
  if (input === undefined) return;
  const known = new Set(fields.flatMap((field) => keysOf(world, field)));
  const unknown = Object.keys(input).filter((key) => !known.has(key));
  if (unknown.length === 0 || world.decide("fields.unknown_key_update") === "ignore") return;
  const list = [...known].map((key) => `"${key}"`).join(", ");
  throw badRequest(`There are no such fields in the document: ${unknown.join(", ")}`, {
    type: "validation_error",
    why: `only the merge_field of a field is a key of fields; this document has ${list || "no merge field"}`,
  });
}

/** Source: a request gives the fields of a key to a role of its recipients. Client lint names a role that no recipient has. */
export function giveToRoles<C extends Content>(
  world: World,
  content: C,
  input: ContentInput,
  recipients: readonly RecipientRow[],
): C {
  const wanted = input.fields ?? {};
  if (!Object.values(wanted).some((one) => one.role !== undefined)) return content;
  const fields = content.fields.map((field) => {
    const key = keysOf(world, field).find((one) => Object.hasOwn(wanted, one));
    const role = key === undefined ? undefined : wanted[key]?.role;
    const recipient_id = role === undefined ? null : recipientOfRole(recipients, role);
    return role === undefined || recipient_id === null ? field : { ...field, role, recipient_id };
  });
  return { ...content, fields };
}

export function fieldValue(field: FieldRow, value: FieldValue, where: string): FieldValue {
  switch (field.type) {
    case "checkbox":
      if (typeof value === "boolean") return value;
      if (value === "true" || value === "false") return value === "true";
      throw invalid({ [where]: ["Must be a valid boolean."] });
    case "date": {
      if (value === null || value === "") return null;
      const instant = typeof value === "string" ? parseInstant(value) : undefined;
      if (instant === undefined) {
        throw invalid({
          [where]: [
            "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].",
          ],
        });
      }
      return value;
    }
    case "dropdown":
    case "radio_buttons":
      if (value === null || value === "") return "";
      if (field.options.length > 0 && !field.options.includes(String(value))) {
        throw invalid(
          { [where]: [`"${String(value)}" is not a valid choice.`] },
          `the options of the field are ${field.options.join(", ")}`,
        );
      }
      return String(value);
    case "text":
      return value === null ? "" : String(value);
    case "collect_file":
      return typeof value === "object" ? value : field.value;
    default:
      return field.value;
  }
}

/** Whether a field takes the value of a request. Nobody prefills a signature. assumed: field_tags.values. */
export function takesValue(field: FieldRow, value: FieldValue): boolean {
  if (isMarkField(field)) return false;
  try {
    fieldValue(field, value, "");
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

/** Source: an update also creates variables, while a create ignores variables that the template lacks. */
export function addTokens(tokens: Token[], input: readonly Token[]): Token[] {
  const fresh = new Map(input.filter(({ name }) => !tokens.some((token) => token.name === name)).map((one) => [one.name, one]));
  return [...applyTokens(tokens, input), ...[...fresh.values()].map(({ name, value }) => ({ name, value }))];
}

/** What fills variables of the service. */
export interface TokenFacts {
  recipients: readonly RecipientRow[];
  sender: { first_name: string; last_name: string; email: string };
  /** The day of creation, as `2026-03-02`. */
  created: string;
}

/**
 * Variables about recipients, the sender and the document fill themselves. A value of the request wins. `Client.Company` and all
 * others stay as they are. assumed: tokens.self_filling.
 */
export function fillOwnTokens(tokens: Token[], facts: TokenFacts, input: readonly Token[] = []): Token[] {
  const given = new Set(input.map(({ name }) => name));
  return tokens.map((token) => {
    const value = given.has(token.name) ? undefined : ownValueOf(token.name, facts);
    return value ? { ...token, value } : token;
  });
}

function ownValueOf(token: string, { sender, created, recipients }: TokenFacts): string | undefined {
  if (token === "Document.CreatedDate") return created;
  const of = token.slice(0, Math.max(token.lastIndexOf("."), 0));
  const member = own(NAMES_OF_PEOPLE, token.slice(of.length + 1));
  if (member === undefined) return undefined;
  const recipient = recipients.findLast(({ roles }) => roles.includes(of));
  if (recipient && member !== "email") return recipient[member];
  return of === "Sender" ? sender[member] : undefined;
}

const NAMES_OF_PEOPLE: Readonly<Record<string, "first_name" | "last_name" | "email">> = {
  FirstName: "first_name",
  LastName: "last_name",
  Email: "email",
};

/** Replaces `[Token.Name]` by the value. assumed: content.token_overflow. */
export function fillTokens(text: string, tokens: readonly Token[]): string {
  const values = new Map(tokens.map((token) => [token.name, token.value]));
  let remaining = LIMITS.letters;
  return text.replace(/\[([^[\]]{1,200})\]/g, (whole, name: string) => {
    const value = values.get(name);
    if (value === undefined || value.length > remaining) return whole;
    remaining -= value.length;
    return value;
  });
}

/** spec: metadata holds texts. assumed: content.scalar_values. assumed: content.metadata_length. */
export function metadataOf(world: World, metadata: Record<string, unknown> | null | undefined): Record<string, string> {
  const entries = Object.entries(metadata ?? {});
  for (const [name, value] of entries)
    if (typeof value !== "string")
      world.remark({
        kind: "doubtful_value",
        message: `metadata holds texts, and "${name}" is ${kindOf(value)}`,
        fix: "Send a text.",
        pointer: `/metadata/${escapePointer(name)}`,
      });
  return Object.fromEntries(
    entries
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [key, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  );
}

function kindOf(value: unknown): string {
  if (value === null) return "null, which adds nothing";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
