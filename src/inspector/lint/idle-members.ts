/** Rules of client lint for members that count for nothing beside the rest of the call. */
import { parseInstant } from "../../engine/core/clock.ts";
import { pointerOf } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Found } from "./one-call.ts";

type Body = Record<string, unknown>;

interface Rule {
  of: readonly string[];
  members: readonly string[];
  isIdle: (body: Body) => boolean;
  because: string;
}

const fromFile = ({ template_uuid }: Body) => template_uuid === undefined;
const fromTemplate = ({ template_uuid }: Body) => template_uuid !== undefined;

/** Source: in the official description, each kind of creation has its own members. */
const RULES: readonly Rule[] = [
  {
    of: ["createDocument"],
    members: ["texts", "images", "tables", "pricing_tables", "content_placeholders", "detect_title_variables"],
    isIdle: fromFile,
    because: "only a creation from a template uses it",
  },
  {
    of: ["uploadSection"],
    members: ["pricing_tables", "content_placeholders"],
    isIdle: fromFile,
    because: "only a section from a template uses it",
  },
  {
    of: ["createDocument", "uploadSection"],
    members: ["parse_form_fields"],
    isIdle: fromTemplate,
    because: "a template has no form fields to read",
  },
  { of: ["uploadSection"], members: ["url"], isIdle: fromTemplate, because: "the template counts" },
];

/** Source: the description names either the one or the other. */
const PEOPLE = ["owner", "sender"];

/** Source: the help center: the application offers at most so many days. */
const EXPIRES_IN_MAX = 3650;

/** What an accepted call sends although it counts for nothing beside the rest. assumed: json.idle_members. */
export function idleMembers(operation: string, { query }: Pick<JournalEntry, "query">, body: unknown): Found[] {
  const found = idleParameters(query).map((message): Found => doubt(`${operation} ${message}`));
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject ? [...found, ...idleInBody(operation, body as Body)] : found;
}

function doubt(message: string, path?: string): Found {
  const found: Found = { kind: "doubtful_value", message, fix: "Leave out what counts for nothing." };
  return path === undefined ? found : { ...found, pointer: pointerOf(path) };
}

function idleInBody(id: string, body: Body): Found[] {
  const found: Found[] = [];
  for (const { of, members, isIdle, because } of RULES) {
    if (!of.includes(id) || !isIdle(body)) continue;
    for (const name of members) if (says(body[name])) found.push(doubt(`${id} got "${name}", and ${because}`, name));
  }
  for (const name of PEOPLE) {
    const { membership_id, email } = (body[name] ?? {}) as Body;
    if (says(membership_id) && says(email)) found.push(doubt(`${id} got membership_id and email of one ${name}`, name));
  }
  for (const [i, image] of (Array.isArray(body.images) ? body.images : []).entries())
    if (image?.urls?.length > 1)
      found.push(doubt(`${id} got several addresses of an image, and a block shows one`, `images[${i}].urls`));
  if (typeof body.expires_in === "number" && body.expires_in > EXPIRES_IN_MAX)
    found.push(doubt(`${id} got more than the ${EXPIRES_IN_MAX} days that the application offers`, "expires_in"));
  return found;
}

/** Empty lists and false say the same as nothing. */
function says(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== false && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
}

function idleParameters(query: JournalEntry["query"]): string[] {
  const found: string[] = [];
  const last = (name: string) => query[name]?.at(-1);
  for (const name of Object.keys(query)) {
    const end = name === "since" ? "to" : name.replace(/_from$/, "_to");
    const [from, to] = [parseInstant(last(name) ?? ""), parseInstant(last(end) ?? "")];
    if (end !== name && from !== undefined && to !== undefined && from > to)
      found.push(`got a time in "${name}" after the time in "${end}", so it finds nothing`);
    if (name.startsWith("watermark_") && !last("watermark_text")) found.push(`got "${name}" without a watermark_text`);
  }
  if (last("no_category") === "true" && last("category_id"))
    found.push('got "category_id" and "no_category", so it finds nothing');
  return found;
}
