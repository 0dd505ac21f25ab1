import { type Switch, Switches } from "../../engine/assumptions/switches.ts";

export const SWITCHES = {
  "audit_trail.access": { readings: ["given", "refuse"], default: "given", strict: "refuse" },
  "auth.key_as_bearer": { readings: ["refuse", "accept"], default: "refuse" },
  "contacts.known_email": { readings: ["update", "duplicate", "refuse"], default: "update" },
  "create.unknown_role": { readings: ["refuse", "cc", "drop"], default: "refuse" },
  "create.unknown_template": { readings: [400, 404], default: 400 },
  "decline.date_completed": { readings: ["keep", "clear"], default: "keep" },
  "delete.bulk_locked": { readings: ["delete", "refuse"], default: "delete", strict: "refuse" },
  "delete.second": { readings: [403, 404], default: 403 },
  "details.grand_total": { readings: ["same_currency", "pricing", "zero"], default: "same_currency" },
  "details.right_after_create": { readings: [409, 404], default: 409 },
  "details.role_of_uploads": { readings: ["empty", "name"], default: "empty" },
  "download.before_completion": { readings: ["given", "refused"], default: "given", strict: "refused" },
  "errors.list_paths": { readings: ["nested", "flat"], default: "nested" },
  "field_tags.undeclared": { readings: ["drop", "error"], default: "drop", strict: "error" },
  "fields.keys": { readings: ["merge_field", "any"], default: "merge_field" },
  "fields.unknown_key_update": { readings: ["refuse", "ignore"], default: "refuse" },
  "json.types": { readings: ["strict", "lenient"], default: "strict" },
  "list.date_sent": { readings: ["present", "absent"], default: "present", strict: "absent" },
  "list.repeated_status": { readings: ["any_of", "refuse"], default: "any_of", strict: "refuse" },
  "pricing.column_names": { readings: ["check", "any"], default: "check" },
  "pricing.discount_name": { readings: ["key", "single"], default: "key" },
  "pricing.negative_total": { readings: ["take", "refuse"], default: "take", strict: "refuse" },
  "pricing.other_currency": { readings: ["vendor", "take"], default: "vendor" },
  "pricing.row_options": { readings: ["required", "optional"], default: "required" },
  "privacy.ai_off": { readings: ["refuse", "serve"], default: "refuse" },
  "query.empty_values": { readings: ["check", "refuse", "ignore"], default: "check", strict: "refuse" },
  "rate_limit.profile": { readings: ["none", "sandbox", "production"], default: "none", strict: "sandbox" },
  "recipients.limit": { readings: [50, "none"], default: 50 },
  "recipients.same_email": { readings: ["refuse", "join", "separate"], default: "refuse" },
  "revert.draft": { readings: ["allow", "refuse"], default: "allow", strict: "refuse" },
  "revert.error": { readings: ["allow", "refuse"], default: "allow", strict: "refuse" },
  "sandbox.foreign_recipients": { readings: ["refuse", "trial"], default: "refuse" },
  "sections.recipients": { readings: ["optional", "required"], default: "optional", strict: "required" },
  "send.recipient_id": { readings: ["text", "integer"], default: "text" },
  "send.unassigned_signatures": { readings: ["refuse", "allow"], default: "refuse" },
  "send.without_recipients": { readings: ["allow", "refuse"], default: "allow", strict: "refuse" },
  "templates.search": { readings: ["fuzzy", "name"], default: "fuzzy" },
  "update.outside_draft": { readings: [400, 409], default: 400 },
  "webhook.https_only": { readings: ["off", "on"], default: "off", strict: "on" },
  "webhook.retry_schedule": { readings: "durations", default: [60_000, 300_000, 1_800_000] },
  "webhook.shared_link": { readings: ["empty", "link"], default: "empty" },
  "webhook.zero_total": { readings: ["cents", "plain"], default: "cents" },
} as const satisfies Readonly<Record<string, Switch>>;

export type SwitchId = keyof typeof SWITCHES;

/** The readings of one switch: `Reading<"delete.second">` is 403 | 404. A list of durations is in ms. */
export type Reading<Id extends SwitchId> = (typeof SWITCHES)[Id]["readings"] extends readonly (infer Word)[]
  ? Word
  : readonly number[];

export const switches = new Switches(SWITCHES, ["delete.second", 404]);

export const SWITCH_IDS = switches.ids as readonly SwitchId[];

export function switchOf(id: SwitchId): Switch {
  return SWITCHES[id];
}
