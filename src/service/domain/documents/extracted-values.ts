/** What an extraction finds in a completed document. Source of the names: the vendor's skill files. assumed: insights.metadata_fields. */
import { toPlainText } from "../../files/blocks.ts";
import { isoMillis } from "../../../engine/core/clock.ts";
import { blocksOf } from "../content/blocks.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import { displayName } from "../recipients/recipients.ts";
import type { ContactRow } from "../../model/contacts/rows.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import type { World } from "../../model/world.ts";

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
