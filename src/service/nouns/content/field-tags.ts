import { own } from "../../../engine/core/maps.ts";
import { LIMITS } from "../../files/limits.ts";
import type { PdfContent, PdfField } from "../../files/pdf.ts";
import type { World } from "../../kit/world.ts";
import type { RecipientRow } from "../people/inputs.ts";
import { recipientOfRole } from "../people/recipients.ts";
import type { DroppedTag, FieldInput, FieldLayout, FieldRow, FieldType } from "./row.ts";
import { isMarkField } from "./row.ts";

/** Field tags: fields written into a text as `{type*:role:optId____}`. Underscores widen the field. */

const TYPES: Readonly<Record<string, FieldType>> = {
  text: "text",
  textfield: "text",
  t: "text",
  checkbox: "checkbox",
  c: "checkbox",
  signature: "signature",
  s: "signature",
  date: "date",
  d: "date",
  initials: "initials",
  i: "initials",
  dropdown: "dropdown",
  dd: "dropdown",
};

/**
 * Source: measured on six uploads: only curly braces make a field. Older official pages show square brackets too.
 * assumed: field_tags.short_roles.
 */
const TAG = /\{([a-z]+)(\*?):([^:{}[\]\n]*)(?::([^:{}[\]\n]*))?\}/gi;

export interface FieldTag {
  type: FieldType;
  word: string;
  required: boolean;
  role: string;
  optId: string;
  index: number;
  length: number;
}

/** @throws CreationFailure beyond the limits of a file */
export function tagsIn(text: string): FieldTag[] {
  // assumed: field_tags.text_limit.
  if (text.length > LIMITS.letters)
    throw new CreationFailure("processing", `The text could not be processed: it has more than ${LIMITS.letters} letters`);
  const tags = findTags(text, LIMITS.fields + 1);
  requireFewTags(tags.length);
  return tags;
}

export function hasTag(text: string): boolean {
  return findTags(text, 1).length > 0;
}

export function requireFewTags(count: number): void {
  if (count > LIMITS.fields)
    throw new CreationFailure("field_tag", `The text could not be processed: it has more than ${LIMITS.fields} field tags`);
}

function findTags(text: string, maxTags = Number.POSITIVE_INFINITY): FieldTag[] {
  const tags: FieldTag[] = [];
  for (const match of text.matchAll(TAG)) {
    const [, word, star, role, optId] = match;
    const type = TYPES[word?.toLowerCase() ?? ""];
    if (!type || word === undefined) continue;
    const name = (part: string | undefined) => withoutUnderscores((part ?? "").trim());
    tags.push({
      type,
      word,
      required: star === "",
      role: name(role),
      optId: name(optId),
      index: match.index,
      length: match[0].length,
    });
    if (tags.length >= maxTags) break;
  }
  return tags;
}

/** In linear time, unlike a pattern. */
function withoutUnderscores(text: string): string {
  let end = text.length;
  while (text[end - 1] === "_") end--;
  return text.slice(0, end);
}

export function withoutTags(text: string): string {
  let rest = "";
  let end = 0;
  for (const { index, length } of findTags(text)) {
    rest += text.slice(end, index);
    end = index + length;
  }
  return rest + text.slice(end);
}

/**
 * Source: six measured uploads: a tag never makes a creation fail, and two tags with one optId make one field. The official table of
 * errors disagrees. There, an undeclared optId, a missing role and a role that no recipient has fail the document.
 * assumed: field_tags.same_id.
 */
export function usableTags<T extends { tag: FieldTag }>(
  world: World,
  found: readonly T[],
  fields: Readonly<Record<string, FieldInput>>,
  recipients: readonly RecipientRow[],
): T[] {
  const isStrict = world.reading("field_tags.undeclared") === "error";
  const roles = rolesOf(recipients);
  const seen = new Set<string>();
  return found.filter(({ tag }) => {
    if (tag.optId !== "" && seen.has(tag.optId)) return false;
    const fault = faultOf(tag, fields, roles);
    if (fault !== undefined && isStrict) throw new CreationFailure("field_tag", fault.text);
    if (fault !== undefined) return false;
    seen.add(tag.optId);
    return true;
  });
}

/** The tags that make no field. Client lint reports them, because the service drops them silently. */
export function droppedTags(
  found: readonly { tag: FieldTag }[],
  fields: Readonly<Record<string, FieldInput>>,
  recipients: readonly RecipientRow[],
): DroppedTag[] {
  const roles = rolesOf(recipients);
  const dropped = found.flatMap(({ tag }) => {
    const fault = faultOf(tag, fields, roles);
    return fault ? [{ id: tag.optId, type: tag.word, role: tag.role, cause: fault.cause }] : [];
  });
  return dropped.slice(0, DROPPED_MAX);
}

/** A document keeps this many dropped tags. */
const DROPPED_MAX = 50;

function rolesOf(recipients: readonly RecipientRow[]): string[] {
  return recipients.flatMap((recipient) => recipient.roles);
}

/** Source: the texts of the official table of creation errors. */
function faultOf(
  tag: FieldTag,
  fields: Readonly<Record<string, FieldInput>>,
  roles: readonly string[],
): { cause: DroppedTag["cause"]; text: string } | undefined {
  if (tag.optId !== "" && !Object.hasOwn(fields, tag.optId))
    return {
      cause: "undeclared",
      text: `All field tags within PDF must be declared within \`fields\`  object of the JSON Payload. No field with optId='${tag.optId}' found in fields object, fields passed were ${Object.keys(fields).join(", ")}`,
    };
  if (tag.role === "") return { cause: "no_role", text: `One of field tags in PDF with type='${tag.word}' doesn't have a role` };
  if (!roles.includes(tag.role))
    return {
      cause: "unknown_role",
      text: `No role='${tag.role}' for field tag specified in \`recipients\` found, roles passed were ${roles.join(", ")}`,
    };
  return undefined;
}

/** As in the editor, type and number name a field without an optId. */
export function placeTags(
  newId: () => string,
  tags: readonly { tag: FieldTag; layout: FieldLayout }[],
  fields: Readonly<Record<string, FieldInput>>,
  recipients: readonly RecipientRow[],
): FieldRow[] {
  const counts = new Map<FieldType, number>();
  return tags.map(({ tag, layout }) => {
    const count = (counts.get(tag.type) ?? 0) + 1;
    counts.set(tag.type, count);
    const name = tag.optId || `${tag.type}${count}`;
    const isDrawn = isMarkField(tag);
    const input = isDrawn ? undefined : fields[tag.optId]?.value;
    const value = input === undefined || input === "" ? null : input;
    return {
      uuid: newId(),
      field_id: name,
      name,
      title: "",
      placeholder: name,
      type: tag.type,
      merge_field: isDrawn ? null : name,
      value: tag.type === "checkbox" ? value === true || value === "true" : value === null ? null : String(value),
      recipient_id: recipientOfRole(recipients, tag.role),
      role: tag.role,
      settings: { required: tag.required },
      options: tag.type === "dropdown" ? (fields[tag.optId]?.options ?? []) : [],
      layout,
      section_uuid: null,
    };
  });
}

/** In points, for a text whose size is unknown. */
export const FONT_SIZE = 11;

/**
 * In points. Source: a public measurement: a signature is 3.25 times as high as its text. docdouble takes the same for initials, and for
 * others the height of a line. assumed: field_tags.height.
 */
export function heightOfTag(type: FieldType, font_size: number): number {
  return Math.max(1, Math.round(font_size * (type === "signature" || type === "initials" ? 3.25 : 4 / 3)));
}

export function stackTags(tags: readonly FieldTag[]): { tag: FieldTag; layout: FieldLayout }[] {
  return tags.map((tag, i) => ({
    tag,
    layout: {
      page: 0,
      position: { offset_x: 72, offset_y: 180 + i * 48, anchor_point: "topleft" },
      style: { width: Math.max(108, tag.length * 6), height: heightOfTag(tag.type, FONT_SIZE) },
    },
  }));
}

/** Ends the processing in `document.error`. `type` is a class of the official table of errors. */
export class CreationFailure extends Error {
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

const TYPE_OF: Readonly<Record<PdfField["kind"], FieldType | undefined>> = {
  text: "text",
  checkbox: "checkbox",
  radio: "radio_buttons",
  dropdown: "dropdown",
  list: "dropdown",
  signature: "signature",
  button: undefined,
};

export interface PlacedField {
  pdf: PdfField;
  type: FieldType;
  role: string;
  value: FieldInput["value"];
  required: boolean;
}

/** @throws CreationFailure for a form field that `fields` omits, or whose role no recipient has */
export function formFieldsOf(
  content: PdfContent,
  source: { fields: Readonly<Record<string, FieldInput>>; use_properties: boolean },
  recipients: readonly RecipientRow[],
): PlacedField[] {
  const roles = recipients.flatMap((recipient) => recipient.roles);
  return content.fields.flatMap((pdf) => {
    const type = typeOf(pdf);
    if (!type) return [];
    const declared = own(source.fields, pdf.name);
    if (!declared) {
      const names = content.fields.map((field) => field.name).join(", ");
      throw new CreationFailure(
        "form_field",
        `Field for form field with name='${pdf.name}' is not specified in payload, available names are ${names}`,
      );
    }
    if (!declared.role)
      throw new CreationFailure("form_field", `Role for form field with name='${pdf.name}' is not provided in payload`);
    if (!roles.includes(declared.role)) {
      throw new CreationFailure(
        "form_field",
        `No role='${declared.role}' for form field specified in 'recipients' found, roles passed were ${roles.join(", ")}"`,
      );
    }
    // assumed: form_fields.required.
    const required = source.use_properties ? pdf.required : type === "signature";
    return [{ pdf, type, role: declared.role, value: declared.value, required }];
  });
}

/** assumed: form_fields.date_by_name. */
function typeOf(pdf: PdfField): FieldType | undefined {
  return pdf.kind === "text" && /(^|[^a-z])date([^a-z]|$)/i.test(pdf.name) ? "date" : TYPE_OF[pdf.kind];
}

export function placeFields(world: World, placed: readonly PlacedField[], recipients: readonly RecipientRow[]): FieldRow[] {
  return placed.map(({ pdf, type, role, value, required }) => {
    const fillable = type !== "signature" && value !== undefined && value !== null && value !== "";
    const uuid = world.ids.uuid();
    return {
      uuid,
      field_id: pdf.name,
      name: pdf.name,
      title: "",
      placeholder: pdf.name,
      type,
      merge_field: type === "signature" ? null : pdf.name,
      value: fillable ? (type === "checkbox" ? value === true || value === "true" : String(value)) : pdf.value,
      recipient_id: recipientOfRole(recipients, role),
      role,
      settings: {
        required,
        ...(pdf.multiline ? { multiline: true } : {}),
        ...(type === "radio_buttons" && pdf.widgets ? { widgets: pdf.widgets } : {}),
      },
      options: pdf.options,
      layout: {
        page: pdf.page,
        position: { offset_x: pdf.box.x, offset_y: pdf.box.y, anchor_point: "topleft" },
        style: { width: Math.round(pdf.box.width), height: Math.round(pdf.box.height) },
      },
      section_uuid: null,
    };
  });
}
