import { isoMillis, isoSeconds, parseInstant, toDate } from "../../../engine/core/clock.ts";
import { DAY_MS, LATEST } from "../../../engine/core/time-limits.ts";
import { toPlainText } from "../../files/blocks.ts";
import type { World } from "../../kit/world.ts";
import type { ContactRow } from "../contacts.ts";
import { blocksOf } from "../content/blocks.ts";
import { fullName, personOf } from "../members/members.ts";
import type { RecipientRow } from "../people/inputs.ts";
import { displayName } from "../people/participants.ts";
import { pricingTotal } from "../pricing/tables.ts";
import type { DocumentRow } from "./row.ts";
import type { DocumentStatus } from "./status-machine.ts";
import { STATUSES, statusWords } from "./status-machine.ts";
import { currencyOf } from "./view.ts";

/** What an extraction finds in a completed document. Source of the names: the vendor's skill files. assumed: insights.metadata_fields. */

export interface MetadataField {
  id: string;
  key: string;
  field_type: "single_line" | "multi_line" | "date" | "checkbox";
  settings: Record<string, never>;
  value: { value: string; acceptance_status: "pending" };
}

/** The words that check a box, in lower case. */
const BOXES: readonly (readonly [key: string, words: RegExp])[] = [
  ["Audit rights", /\baudit/],
  ["Exclusivity", /\bexclusiv/],
  ["HIPAA / BAA", /\bhipaa\b|\bbusiness associate\b/],
  ["Include SLA", /\bsla\b|\bservice levels?\b/],
  ["Most favored customer", /\bmost[- ]favou?red\b/],
  ["Data processing addendum incorporated", /\bdata processing (?:addendum|agreement)\b/],
  ["Includes logo rights", /\blogos?\b/],
  ["Include special terms", /\bspecial terms\b/],
  ["Has referenced documents", /\b(?:exhibit|annex|appendix|schedule|incorporated by reference)\b/],
];

/** Every name of an extracted value. */
export const EXTRACTED_KEYS: readonly string[] = [
  "Counterparty name",
  "Counterparty address",
  "Counterparty signer name",
  "Internal party legal name",
  "Internal signer name",
  "Agreement date",
  ...BOXES.map(([key]) => key),
];

/** Texts that the document does not have are left out. Check boxes always have a value. */
export function extractedValues(world: World, document: DocumentRow): MetadataField[] {
  const members = membersOf(world, document);
  const signers = document.recipients.filter((one) => one.recipient_type === "signer");
  const other = signers.find((one) => !isMember(one, members)) ?? document.recipients.find((one) => !isMember(one, members));
  const own = signers.find((one) => isMember(one, members));
  const contact = other && world.store.contacts.get(other.contact_id);
  const texts: [key: string, field_type: MetadataField["field_type"], value: string][] = [
    ["Counterparty name", "multi_line", other ? contact?.company || displayName(other) : ""],
    ["Counterparty address", "multi_line", contact ? addressOf(contact) : ""],
    ["Counterparty signer name", "single_line", other ? displayName(other) : ""],
    ["Internal party legal name", "single_line", world.store.workspaces.get(document.workspace_id)?.name ?? ""],
    ["Internal signer name", "single_line", own ? displayName(own) : ""],
    ["Agreement date", "date", document.date_completed === null ? "" : isoMillis(document.date_completed).slice(0, 10)],
  ];
  const text = toPlainText(blocksOf(document)).toLowerCase();
  return [
    ...texts.filter(([, , value]) => value !== "").map(([key, type, value]) => toField(key, type, value)),
    ...BOXES.map(([key, words]) => toField(key, "checkbox", String(words.test(text)))),
  ];
}

function toField(key: string, field_type: MetadataField["field_type"], value: string): MetadataField {
  const id = `ai${key.replace(/[^a-z]/gi, "")}`.padEnd(22, "x").slice(0, 22);
  return { id, key, field_type, settings: {}, value: { value, acceptance_status: "pending" } };
}

function membersOf(world: World, document: DocumentRow): ReadonlySet<string> {
  const members = world.store.members.where("workspace", document.workspace_id);
  return new Set(members.flatMap((member) => world.store.users.get(member.user_id)?.email.toLowerCase() ?? []));
}

function isMember({ email }: RecipientRow, members: ReadonlySet<string>): boolean {
  return email !== null && members.has(email.toLowerCase());
}

function addressOf({ street_address, city, state, postal_code, country }: ContactRow): string {
  return [street_address, [city, state, postal_code].filter(Boolean).join(" "), country].filter(Boolean).join("\n");
}

/** Source: the official description, Returns top 100 results. */
const RESULTS_MAX = 100;

interface Filter {
  field: string;
  value: string;
  passes: (document: DocumentRow) => boolean;
}

const FILLERS = new Set(
  "a all an and any at by contract contracts created document documents file files find for from get give in is list me my of on or our please shared show signed that the their this to up was were what which with".split(
    " ",
  ),
);

/** assumed: search.consistency. */
export function searchDocuments(world: World, q: string) {
  const live = world.store.documents.where("life", `${world.caller.workspace_id}:live`);
  let remaining = ` ${q.toLowerCase().replace(/[^\p{L}\p{N}@.+_-]+/gu, " ")} `;
  const filters: Filter[] = [];
  const takeFilter = (words: string, filter: Filter): void => {
    if (!remaining.includes(` ${words} `)) return;
    remaining = remaining.replace(` ${words} `, " ");
    filters.push(filter);
  };
  for (const [words, value, from, to] of timeSpans(world.clock.now())) {
    const isWithin = (instant: number | null) => instant !== null && instant >= from && instant < to;
    const signed: Filter = {
      field: "signature_date",
      value,
      // Source: the vendor's skill files: a document that was completed by hand has no signature date, and is found too.
      passes: (row) => isWithin(row.date_completed) || row.recipients.some((one) => isWithin(one.signature_date)),
    };
    for (const link of ["", "in ", "on ", "during ", "since "]) takeFilter(`signed ${link}${words}`, signed);
    takeFilter(words, { field: "date_created", value, passes: (row) => isWithin(row.date_created) });
  }
  for (const status of STATUSES) {
    const word = statusWords(status);
    takeFilter(word, { field: "status", value: status, passes: (row) => row.status === status });
  }
  for (const member of world.store.members.where("workspace", world.caller.workspace_id)) {
    const user = world.store.users.get(member.user_id);
    if (!user) continue;
    const owner: Filter = { field: "owner", value: user.email, passes: (row) => row.owner === member.id };
    for (const words of [user.email, `${user.first_name} ${user.last_name}`]) takeFilter(words.toLowerCase(), owner);
  }
  // Folder names are often ordinary words, so a query must say `contracts folder` or `in contracts`.
  for (const folder of world.store.folders.where("kind", "document")) {
    if (folder.workspace_id !== world.caller.workspace_id) continue;
    const name = folder.name.toLowerCase();
    const filter: Filter = { field: "folder", value: folder.name, passes: (row) => row.folder_uuid === folder.id };
    for (const words of [`folder ${name}`, `${name} folder`, `in ${name}`]) takeFilter(words, filter);
  }
  const words = remaining
    .split(" ")
    .map((word) => word.replace(/^[.+_-]+|[.+_-]+$/g, ""))
    .filter((word) => word.length > 1 && !FILLERS.has(word));
  if (words.length > 0)
    filters.push({
      field: "keywords",
      value: words.join(" "),
      passes(row) {
        const text = textOf(row);
        return words.every((word) => text.includes(word));
      },
    });
  const found = live
    .filter((row) => filters.every((filter) => filter.passes(row)))
    .sort((a, b) => b.date_created - a.date_created);
  return {
    results: found.slice(0, RESULTS_MAX).map((row) => toResult(world, row)),
    count: found.length,
    suggestions: suggestionsOf(found, filters),
    message:
      found.length === 0
        ? "No documents found matching your query."
        : `Found ${found.length} document${found.length === 1 ? "" : "s"} matching your query.`,
    intent: filters.map(({ field, value }) => ({ field, value })),
  };
}

function textOf(row: DocumentRow): string {
  const people = row.recipients.map((one) => [one.first_name, one.last_name, one.email, one.name].filter(Boolean).join(" "));
  return [toPlainText(blocksOf(row)), ...people, ...row.tags].join("\n").toLowerCase();
}

/** Words for a time, with bounds in UTC. assumed: search.time_spans. */
function timeSpans(now: number): [words: string, value: string, from: number, to: number][] {
  const date = toDate(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const today = now - (now % DAY_MS);
  const monday = today - ((date.getUTCDay() + 6) % 7) * DAY_MS;
  const start = (months: number): number =>
    parseInstant(`${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, "0")}-01`) ?? LATEST;
  const thisMonth = year * 12 + month;
  const quarter = thisMonth - (month % 3);
  const spans: [string, number, number][] = [
    ["today", today, today + DAY_MS],
    ["yesterday", today - DAY_MS, today],
    ["this week", monday, monday + 7 * DAY_MS],
    ["last week", monday - 7 * DAY_MS, monday],
    ["this month", start(thisMonth), start(thisMonth + 1)],
    ["last month", start(thisMonth - 1), start(thisMonth)],
    ["this quarter", start(quarter), start(quarter + 3)],
    ["last quarter", start(quarter - 3), start(quarter)],
    ["this year", start(year * 12), start((year + 1) * 12)],
    ["last year", start((year - 1) * 12), start(year * 12)],
  ];
  for (let y = year - 10; y <= year + 1; y++) {
    for (let i = 0; i < 4; i++) spans.push([`q${i + 1} ${y}`, start(y * 12 + i * 3), start(y * 12 + i * 3 + 3)]);
    spans.push([String(y), start(y * 12), start((y + 1) * 12)]);
  }
  return spans.map(([words, from, to]) => [words, `${isoMillis(from).slice(0, 10)} to ${isoMillis(to).slice(0, 10)}`, from, to]);
}

function suggestionsOf(found: readonly DocumentRow[], filters: readonly Filter[]): { text: string }[] {
  if (found.length === 0) return [{ text: "Try searching for all draft documents" }];
  if (filters.some((filter) => filter.field === "status")) return [];
  const statuses = [...new Set<DocumentStatus>(found.map((row) => row.status))];
  return statuses.length < 2
    ? []
    : statuses.slice(0, 3).map((status) => ({ text: `Show only ${status.replace("document.", "")} documents` }));
}

function toResult(world: World, row: DocumentRow) {
  const owner = personOf(world, row.owner);
  const folder = row.folder_uuid === null ? undefined : world.store.folders.get(row.folder_uuid);
  const total = pricingTotal(row, currencyOf(world, row));
  const signers = row.recipients.filter((one) => one.recipient_type === "signer");
  const signed = signers.filter((one) => one.has_completed).length;
  return {
    document_id: row.id,
    name: row.name,
    status: row.status,
    date_created: isoSeconds(row.date_created),
    owner: { id: owner.id, name: fullName(owner), email: owner.email, avatar: owner.avatar },
    // assumed: search.root_folder.
    folder: { id: folder?.id ?? "", name: folder?.name ?? "" },
    extra_fields: {
      date_modified: isoSeconds(row.date_modified),
      date_sent: secondsOrNull(row.date_sent),
      date_completed: secondsOrNull(row.date_completed),
      date_expiration: secondsOrNull(row.expiration_date),
      tags: row.tags,
      recipients: row.recipients.map((one) => ({
        id: one.id,
        email: one.email,
        first_name: one.first_name,
        last_name: one.last_name,
        role_name: one.roles[0] ?? null,
        date_signed: secondsOrNull(one.signature_date),
        type: one.recipient_type,
        is_done: one.has_completed,
      })),
      recipient_count: row.recipients.length,
      signed_count: signed,
      completion_rate: signers.length === 0 ? null : signed / signers.length,
      total: { amount: Number(total.amount), currency: total.currency },
    },
  };
}

function secondsOrNull(instant: number | null): string | null {
  return instant === null ? null : isoSeconds(instant);
}
