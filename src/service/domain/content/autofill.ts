import { isFilled } from "../document-model/view.ts";
import { type Participant, participantName } from "../recipients/recipients.ts";
import { type FieldRow, type FieldValue, isMarkField } from "../../model/content/rows.ts";
import type { DocumentRow } from "../../model/documents/document.ts";

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
