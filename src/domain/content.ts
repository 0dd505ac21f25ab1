/** What a document holds: built from a template at creation, changed in draft by name. Unknown names are passed over, as the service does. */
import { parseInstant } from "../core/clock.ts";
import { invalid } from "../core/errors.ts";
import { decimal } from "./money.ts";
import { freshQuote } from "./quotes.ts";
import type {
  Adjustment,
  Content,
  FieldInput,
  FieldRow,
  FieldValue,
  NamedImage,
  NamedTable,
  NamedText,
  PricingItem,
  PricingTableRow,
  RecipientRow,
  TemplateRow,
  Token,
} from "./tables.ts";
import type { World } from "./world.ts";

/** A letter page in points. */
export const LETTER = { width: 612, height: 792 };

export function emptyContent(): Content {
  return { fields: [], tokens: [], texts: [], images: [], tables: [], pricing_tables: [], quotes: [], pages: [LETTER] };
}

/** The parts of a request that change content by name. */
export interface ContentInput {
  fields?: Record<string, FieldInput> | undefined;
  tokens?: Token[] | undefined;
  texts?: NamedText[] | undefined;
  images?: ({ name: string; urls: string[] } | null)[] | undefined;
  tables?: NamedTable[] | undefined;
  pricing_tables?: PricingTableInput[] | undefined;
}

export interface AdjustmentInput {
  type?: string | undefined;
  value?: string | number | undefined;
  name?: string | undefined;
}

export interface PricingTableInput {
  name: string;
  data_merge?: boolean | undefined;
  options?: Record<string, unknown> | undefined;
  sections?:
    | {
        title: string;
        default?: boolean | undefined;
        multichoice_enabled?: boolean | undefined;
        rows?:
          | {
              options?:
                | { optional?: boolean | undefined; optional_selected?: boolean | undefined; qty_editable?: boolean | undefined }
                | undefined;
              data?: Record<string, unknown> | undefined;
              custom_fields?: Record<string, unknown> | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
}

/** A template's content made a document's own: fresh ids, fields given to the recipients of their roles. */
export function contentOf(world: World, template: TemplateRow, recipients: readonly RecipientRow[]): Content {
  return freshContent(
    world,
    template,
    (role) => recipients.find((recipient) => role !== null && recipient.roles.includes(role))?.id ?? null,
  );
}

/** The same content with ids of its own; its fields go to whom `owner` names by their role. */
export function freshContent(world: World, content: Content, owner?: (role: string | null) => string | null): Content {
  return {
    fields: content.fields.map((field) => ({
      ...field,
      uuid: world.ids.uuid(),
      recipient_id: owner ? owner(field.role) : field.recipient_id,
    })),
    tokens: content.tokens,
    texts: content.texts,
    images: content.images.map((image) => ({ ...image, block_uuid: world.ids.uuid() })),
    tables: content.tables,
    pricing_tables: content.pricing_tables.map((table) => ({
      ...table,
      id: world.ids.uuid(),
      items: table.items.map((item) => ({ ...item, id: world.ids.uuid() })),
    })),
    quotes: content.quotes.map((quote) => freshQuote(world, quote)),
    pages: content.pages,
  };
}

/** The content with what the request names changed. @throws 400 for values that their field cannot take */
export function applyContent<C extends Content>(world: World, content: C, input: ContentInput): C {
  return {
    ...content,
    ...(input.fields ? { fields: applyFields(content.fields, input.fields) } : {}),
    ...(input.tokens ? { tokens: applyTokens(content.tokens, input.tokens) } : {}),
    ...(input.texts ? { texts: replaceByName(content.texts, input.texts) } : {}),
    ...(input.images ? { images: applyImages(content.images, input.images) } : {}),
    ...(input.tables ? { tables: replaceByName(content.tables, input.tables) } : {}),
    ...(input.pricing_tables ? { pricing_tables: applyPricing(world, content.pricing_tables, input.pricing_tables) } : {}),
  };
}

function applyTokens(tokens: readonly Token[], input: readonly Token[]): Token[] {
  const values = new Map(input.map((token) => [token.name, token.value]));
  return tokens.map((token) => ({ name: token.name, value: values.get(token.name) ?? token.value }));
}

function replaceByName<T extends { name: string }>(items: readonly T[], input: readonly T[]): T[] {
  const byName = new Map(input.map((item) => [item.name, item]));
  return items.map((item) => ({ ...item, ...byName.get(item.name) }));
}

function applyImages(images: readonly NamedImage[], input: readonly ({ name: string; urls: string[] } | null)[]): NamedImage[] {
  const byName = new Map(input.flatMap((image) => (image ? [[image.name, image.urls] as const] : [])));
  return images.map((image) => {
    const urls = byName.get(image.name)?.slice(0, 1);
    if (!urls) return image;
    const { file_id: _, ...rest } = image;
    return { ...rest, urls };
  });
}

function applyFields(fields: readonly FieldRow[], input: Readonly<Record<string, FieldInput>>): FieldRow[] {
  return fields.map((field) => {
    const name = [field.merge_field, field.field_id, field.name].find((one) => one !== null && Object.hasOwn(input, one));
    const given = name === undefined || name === null ? undefined : input[name];
    if (given?.value === undefined) return field;
    return { ...field, value: fieldValue(field, given.value, `fields.${name}.value`) };
  });
}

/** The value in the field's own type. Signatures cannot be filled in for somebody: such values are passed over. */
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
        throw invalid({ [where]: [`"${String(value)}" is not a valid choice.`] }, `the field offers ${field.options.join(", ")}`);
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

/** The built-in columns by the names that requests give them: lower case, or the template's own with `data_merge`. */
const COLUMNS: Readonly<Record<string, keyof PricingItem>> = {
  name: "name",
  description: "description",
  price: "price",
  qty: "qty",
  sku: "sku",
  cost: "cost",
  discount: "discount",
  tax: "tax_first",
  tax_first: "tax_first",
  tax_second: "tax_second",
  fee: "fees",
};

function applyPricing(world: World, tables: readonly PricingTableRow[], input: readonly PricingTableInput[]): PricingTableRow[] {
  const byName = new Map(input.map((table) => [table.name, table]));
  return tables.map((table) => {
    const given = byName.get(table.name);
    if (!given || !table.accepts_rows) return table;
    const options = given.options ?? {};
    const items = (given.sections ?? []).flatMap((section) =>
      (section.rows ?? []).map((row) => toItem(world, row, section.multichoice_enabled ?? false)),
    );
    // assumed: what an option is, its key says, or else the name that it shows: the official example has Tax, shown as Tax First.
    const find = (part: string): Adjustment | null => {
      const given = Object.entries(options).map(([key, option]) => ({ key, name: nameOf(option), option }));
      const isIt = (text: string) => text.toLowerCase().includes(part);
      const found = given.find(({ key }) => isIt(key)) ?? given.find(({ key, name }) => !KINDS.test(key) && isIt(name));
      return found ? toAdjustment(found.option) : null;
    };
    return {
      ...table,
      currency: typeof options.currency === "string" ? options.currency : table.currency,
      discount: find("discount") ?? table.discount,
      tax: find("tax") ?? table.tax,
      fee: find("fee") ?? table.fee,
      items: given.sections ? items : table.items,
    };
  });
}

const KINDS = /discount|tax|fee/i;

function nameOf(option: unknown): string {
  const { name } = (typeof option === "object" && option !== null ? option : {}) as AdjustmentInput;
  return typeof name === "string" ? name : "";
}

type PricingRowInput = NonNullable<NonNullable<PricingTableInput["sections"]>[number]["rows"]>[number];

function toItem(world: World, row: PricingRowInput, multichoice: boolean): PricingItem {
  const item: PricingItem = {
    id: world.ids.uuid(),
    sku: "",
    name: "",
    description: "",
    qty: "1",
    price: "0",
    cost: "",
    discount: null,
    tax_first: null,
    tax_second: null,
    taxes: {},
    discounts: {},
    fees: {},
    options: {
      optional: row.options?.optional ?? false,
      optional_selected: row.options?.optional_selected ?? false,
      multichoice_enabled: multichoice,
      multichoice_selected: multichoice && (row.options?.optional_selected ?? false),
      qty_editable: row.options?.qty_editable ?? false,
    },
    custom_fields: row.custom_fields ?? {},
    custom_columns: {},
    merged_data: {},
  };
  const merged: Record<string, string> = {};
  for (const [name, value] of Object.entries(row.data ?? {})) {
    merged[name] =
      typeof value === "object" && value !== null ? String((value as AdjustmentInput).value ?? "") : String(value ?? "");
    const column = COLUMNS[name.toLowerCase()];
    if (column === "discount" || column === "tax_first" || column === "tax_second") item[column] = toAdjustment(value);
    else if (column === "fees") item.fees = { Fee: toAdjustment(value) ?? { type: "absolute", value: "0" } };
    else if (column === "price" || column === "qty" || column === "cost") item[column] = decimal(value).toString();
    else if (column === "name" || column === "description" || column === "sku") item[column] = String(value ?? "");
    else item.custom_columns = { ...item.custom_columns, [name]: value };
  }
  return { ...item, merged_data: merged };
}

function toAdjustment(value: unknown): Adjustment | null {
  if (typeof value === "number" || typeof value === "string") return { type: "percent", value: decimal(value).toString() };
  if (typeof value !== "object" || value === null) return null;
  const { type, value: amount, name } = value as AdjustmentInput;
  return {
    type: type === "percent" ? "percent" : "absolute",
    value: decimal(amount).toString(),
    ...(name === undefined ? {} : { name }),
  };
}

/** Source: an update creates variables too, while a new document passes over names that its template does not know. */
export function addTokens(tokens: readonly Token[], input: readonly Token[]): Token[] {
  const fresh = new Map(input.filter(({ name }) => !tokens.some((token) => token.name === name)).map((one) => [one.name, one]));
  return [...applyTokens(tokens, input), ...[...fresh.values()].map(({ name, value }) => ({ name, value }))];
}

/** The text with `[Token.Name]` replaced by the token's value. */
export function fillTokens(text: string, tokens: readonly Token[]): string {
  const values = new Map(tokens.map((token) => [token.name, token.value]));
  return text.replace(/\[([^[\]]{1,200})\]/g, (whole, name: string) => values.get(name) ?? whole);
}
