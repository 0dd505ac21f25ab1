/** Field tags: fields written into a text as `{type*:role:optId____}`. Underscores widen the field. */
import { LIMITS } from "../../files/limits.ts";
import { CreationFailure } from "./pdf-fields.ts";
import type { World } from "../../model/world.ts";
import { type DroppedTag, type FieldLayout, type FieldRow, type FieldType, isMarkField } from "../../model/content/rows.ts";
import { recipientOfRole } from "../recipients/recipients.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import type { FieldInput } from "../../model/content/inputs.ts";

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
