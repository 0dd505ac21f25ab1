/** Field tags: fields written into a text as `{type*:role:optId____}`. Underscores widen the field. */
import { LIMITS } from "../../files/limits.ts";
import { CreationFailure } from "./pdf-fields.ts";
import type { World } from "../../model/world.ts";
import { type FieldLayout, type FieldRow, type FieldType, isDrawnField } from "../../model/content/rows.ts";
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

/** Source: measured on six uploads: only curly braces make a field. Older official pages show square brackets too. */
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
 * Source: six measured uploads: an undeclared optId makes no field, and two tags with one optId make one field. The official
 * table of errors fails the document for an undeclared optId. assumed: field_tags.same_id.
 */
export function usableTags<T extends { tag: FieldTag }>(
  world: World,
  found: readonly T[],
  fields: Readonly<Record<string, FieldInput>>,
): T[] {
  const seen = new Set<string>();
  return found.filter(({ tag: { optId } }) => {
    if (optId === "") return true;
    if (seen.has(optId)) return false;
    if (!Object.hasOwn(fields, optId)) {
      if (world.reading("field_tags.undeclared") === "error") throw undeclared(optId, fields);
      return false;
    }
    seen.add(optId);
    return true;
  });
}

function undeclared(optId: string, fields: Readonly<Record<string, FieldInput>>): CreationFailure {
  // Source: the text of the official table of creation errors.
  return new CreationFailure(
    "field_tag",
    `All field tags within PDF must be declared within \`fields\`  object of the JSON Payload. No field with optId='${optId}' found in fields object, fields passed were ${Object.keys(fields).join(", ")}`,
  );
}

/** @throws CreationFailure for a tag without a role, or with a role that no recipient has */
export function checkTags(tags: readonly FieldTag[], recipients: readonly RecipientRow[]): void {
  const roles = recipients.flatMap((recipient) => recipient.roles);
  for (const tag of tags) {
    if (tag.role === "")
      throw new CreationFailure("field_tag", `One of field tags in PDF with type='${tag.word}' doesn't have a role`);
    if (!roles.includes(tag.role)) {
      throw new CreationFailure(
        "field_tag",
        `No role='${tag.role}' for field tag specified in \`recipients\` found, roles passed were ${roles.join(", ")}`,
      );
    }
  }
}

/** As in the editor, type and number name a field without an optId. */
export function placeTags(
  world: World,
  tags: readonly { tag: FieldTag; layout: FieldLayout }[],
  fields: Readonly<Record<string, FieldInput>>,
  recipients: readonly RecipientRow[],
): FieldRow[] {
  const counts = new Map<FieldType, number>();
  return tags.map(({ tag, layout }) => {
    const count = (counts.get(tag.type) ?? 0) + 1;
    counts.set(tag.type, count);
    const name = tag.optId || `${tag.type}${count}`;
    const isDrawn = isDrawnField(tag);
    const input = isDrawn ? undefined : fields[tag.optId]?.value;
    const value = input === undefined || input === "" ? null : input;
    return {
      uuid: world.ids.uuid(),
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
      options: [],
      layout,
      section_uuid: null,
    };
  });
}

export function stackTags(tags: readonly FieldTag[]): { tag: FieldTag; layout: FieldLayout }[] {
  return tags.map((tag, i) => ({
    tag,
    layout: {
      page: 0,
      position: { offset_x: 72, offset_y: 180 + i * 48, anchor_point: "topleft" },
      style: { width: Math.max(108, tag.length * 6), height: 33 },
    },
  }));
}
