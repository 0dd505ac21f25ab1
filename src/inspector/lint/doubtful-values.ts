/** Rules of client lint for values that docdouble accepts and no source allows. */
import type { z } from "zod";
import { own } from "../../engine/core/maps.ts";
import { definitionOf, innermost } from "../../engine/core/schema-parts.ts";
import { pointerOf } from "../../engine/core/text.ts";
import { checks } from "../../service/service.ts";
import type { Found } from "./one-call.ts";

/** Texts that people read. An empty one shows nothing, and the official description has examples. */
const FREE_TEXT =
  /^(value|message|subject|note|description|text|data|title|placeholder|sku|reference_id|city|state|country|postal_code|street_address|job_title|company)$/;

/** The official description says what an empty text means here. */
const DOCUMENTED_EMPTY: Readonly<Record<string, readonly string[]>> = { duplicateTemplate: ["name"] };

/** Zero of these does nothing or counts nothing. Zero is a place or a price elsewhere. */
const COUNT = /(^|_)(quantity|qty|count|sec|threshold|width|height|page|contract_term)$/;

/** The official description allows no null here, and docdouble does. */
const NOT_NULL =
  /^(message|subject|reply_to|sender|forwarding_settings|selected_approvers|user\.phone_number)$|(^|\.)(redirect|verification_settings)$|^fields\..+\.value$/;

const PHONE = /^\+?[\d\s().-]{5,}$/;
const WEB_NAME = /^(url|src|image_url|urls)$/;
const WEB_ADDRESS = /(^|\.)(url|src|image_url|urls\[\d+\])$/;

/** The file of the whole call, and images: the service fetches them. Only this machine and private networks may do without https. */
const FETCHED = /^url$|^images\[\d+\]\.urls\[\d+\]$/;

/** What tells the entries of a list apart. The empty name is a list that is the body. assumed: json.repeated_entries. */
const DISTINCT: Readonly<Record<string, readonly string[]>> = {
  "": ["id"],
  recipients: ["id", "email", "role"],
  members: ["email"],
  invitees: ["email"],
  tokens: ["name"],
  texts: ["name"],
  images: ["name"],
  tables: ["name"],
  pricing_tables: ["name"],
  custom_fields: ["name"],
  content_placeholders: ["block_id"],
  pages: ["index"],
  fields: ["field_id"],
  reminders: ["recipient_id"],
  sections: ["id"],
  items: ["id"],
};

/** Places where a value may stand twice. */
const REPEATABLE = /^urls$/;

/** A list of the body itself, or the addresses of an image. Another empty list inside clears something. */
const TOP = /^\w+$|^images\[\d+\]\.urls$/;

interface Doubt {
  what: string;
  fix: string;
}

/** Values in the JSON of an accepted call that no source allows. */
export function doubtfulValues(operation: string, schema: z.ZodType, value: unknown): Found[] {
  const found: Found[] = [];
  walk(schema, value, "", (path, { what, fix }) => {
    if (DOCUMENTED_EMPTY[operation]?.includes(path)) return;
    found.push({ kind: "doubtful_value", message: `${operation} got ${what} in "${path}"`, fix, pointer: pointerOf(path) });
  });
  return found;
}

function walk(schema: z.ZodType, value: unknown, path: string, report: (path: string, doubt: Doubt) => void): void {
  const inner = innermost(schema);
  const definition = definitionOf(inner);
  if (!definition) return;
  if (definition.type === "union") {
    for (const option of definition.options as z.ZodType[])
      if (fits(option, value)) {
        walk(option, value, path, report);
        return;
      }
    return;
  }
  if (Array.isArray(value)) {
    if (definition.type !== "array") return;
    if (value.length === 0 && TOP.test(path) && (path === "triggers" || !fits(schema, undefined))) report(path, nothing("list"));
    const again = firstRepeated(nameOf(path), value);
    if (again) report(`${path}[${again.at}]`, again);
    for (const [i, one] of value.entries()) walk(definition.element as z.ZodType, one, `${path}[${i}]`, report);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const shape = definition.type === "object" ? (definition.shape as Record<string, z.ZodType>) : undefined;
    // The client chooses the names of a map.
    for (const [key, one] of Object.entries(value)) {
      if (isBeyondDoubt(key, one)) continue;
      const at = path ? `${path}.${key}` : key;
      if (one === null) {
        if (NOT_NULL.test(at)) report(at, { what: "null", fix: "Leave it out, or send a value." });
        continue;
      }
      const member = shape ? own(shape, key) : (definition.valueType as z.ZodType | undefined);
      if (!member || (!shape && (typeof one !== "object" || one === null))) continue;
      walk(member, one, at, report);
    }
    return;
  }
  const doubt = doubtOf(path, value);
  if (doubt) report(path, doubt);
}

function firstRepeated(list: string, entries: readonly unknown[]): (Doubt & { at: number }) | undefined {
  if (REPEATABLE.test(list)) return undefined;
  for (const key of ["", ...(DISTINCT[list] ?? [])]) {
    const seen = new Set<string>();
    for (const [at, entry] of entries.entries()) {
      const value = key === "" ? entry : (entry as Record<string, unknown> | null)?.[key];
      if ((typeof value !== "string" && typeof value !== "number") || value === "") continue;
      if (key === "role" && /^cc$/i.test(String(value))) continue;
      const name = key === "email" ? String(value).toLowerCase() : String(value);
      if (seen.has(name))
        return { at, what: `${key ? `the ${key} ` : ""}"${value}" twice`, fix: "Send each entry of the list once." };
      seen.add(name);
    }
  }
  return undefined;
}

/** Members whose form `doubtOf` looks at. */
const FORMED = new Set(["phone", "phone_number", "url", "src", "image_url"]);

/** Most members. Their paths need not be made. */
function isBeyondDoubt(name: string, value: unknown): boolean {
  if (typeof value === "string") return value.trim() !== "" && !FORMED.has(name);
  return typeof value === "number" ? value > 0 : typeof value === "boolean";
}

function fits(schema: z.ZodType, value: unknown): boolean {
  return schema.safeParse(value, { jitless: true }).success;
}

const nothing = (what: string): Doubt => ({
  what: `an empty ${what}`,
  fix: "Send at least one entry: without one, the call does nothing.",
});

/** The name of the member at the end of a path, without places in lists. */
function nameOf(path: string): string {
  const last = path.slice(path.lastIndexOf(".") + 1);
  const bracket = last.indexOf("[");
  return bracket < 0 ? last : last.slice(0, bracket);
}

function doubtOf(path: string, value: unknown): Doubt | undefined {
  const name = nameOf(path);
  if (typeof value === "string" && value.trim() === "") {
    if (FREE_TEXT.test(name)) return undefined;
    return { what: value === "" ? "an empty text" : "a text of spaces", fix: "Leave it out, or send a value." };
  }
  if (typeof value === "string") {
    if (/^phone(_number)?$/.test(name) && !PHONE.test(value))
      return { what: "a text that is not a phone number", fix: "Send the number in international form, such as +14155550100." };
    if (WEB_NAME.test(name) && WEB_ADDRESS.test(path) && !checks.isFileUrl(value))
      return { what: "a text that is not a web address", fix: "Send an address that starts with https://." };
    if (FETCHED.test(path) && checks.isPlainHttp(value))
      return { what: "an address without https", fix: "Send an address that starts with https://." };
    return undefined;
  }
  if (typeof value !== "number") return undefined;
  if (value < 0) return { what: "a negative number", fix: "Send a positive number." };
  if (value === 0 && COUNT.test(name)) return { what: "zero", fix: "Send a positive number, or leave it out." };
  return undefined;
}
