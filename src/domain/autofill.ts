/** What a signer who does what is asked puts into fields. */
import { isFilled } from "./document-view.ts";
import { displayName } from "./recipients.ts";
import type { DocumentRow, FieldRow, FieldValue, RecipientRow } from "./tables.ts";

/** Whether a field is filled by a mark of the hand. */
export function drawn(field: FieldRow): boolean {
  return field.type === "signature" || field.type === "initials" || field.type === "stamp";
}

/** What a compliant signer would put into the required fields that are still empty. Plain and repeatable. */
export function autofill(document: DocumentRow, recipient: RecipientRow): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {};
  for (const field of document.fields) {
    if (field.recipient_id !== recipient.id || isFilled(field)) continue;
    if (!field.settings.required && !drawn(field)) continue;
    values[field.uuid] = sample(field, recipient);
  }
  return values;
}

function sample(field: FieldRow, recipient: RecipientRow): FieldValue {
  switch (field.type) {
    case "checkbox":
      return true;
    case "date":
      return "2026-01-15";
    case "dropdown":
    case "radio_buttons":
      return field.options[0] ?? "Option 1";
    case "collect_file":
      return { name: "file.pdf", url: "" };
    case "text":
      return field.placeholder || field.name;
    case "initials":
      return displayName(recipient)
        .split(/\s+/)
        .map((word) => word[0]?.toUpperCase() ?? "")
        .join("");
    case "payment_details":
      return "paid";
    default:
      return displayName(recipient);
  }
}
