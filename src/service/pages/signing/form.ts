import type { UploadedFile } from "../../../engine/core/operation.ts";
import type { Choice } from "../../nouns/pricing/signer-choices.ts";
import { choosableItems } from "../../nouns/pricing/signer-choices.ts";
import type { FieldRow, FieldValue } from "../../nouns/content/row.ts";
import type { DocumentRow } from "../../nouns/documents/row.ts";
import type { RecipientRow } from "../../nouns/people/inputs.ts";

/** Values are by field uuid, choices by item id. Unchanged values are absent. */
export interface Submitted {
  act: string;
  values: Record<string, FieldValue>;
  files: { field: FieldRow; file: UploadedFile }[];
  choices: Record<string, Choice>;
  texts: Record<string, string>;
}

export async function readForm(form: FormData, document: DocumentRow, recipient: RecipientRow): Promise<Submitted> {
  const submitted: Submitted = { act: textOf(form, "act"), values: {}, files: [], choices: {}, texts: {} };
  for (const name of ["answer", "reason", "text", "email", "first_name", "last_name", "reassign", "embedded"])
    submitted.texts[name] = textOf(form, name);
  if (!form.has("fields")) return submitted;
  for (const field of document.fields) if (field.recipient_id === recipient.id) await readField(form, field, submitted);
  if (form.has("choices")) submitted.choices = readChoices(form, document);
  return submitted;
}

export function readChoices(form: FormData, document: DocumentRow): Record<string, Choice> {
  const choices: Record<string, Choice> = {};
  for (const { id, selected, qty, group } of choosableItems(document)) {
    const isChosen = group === undefined ? form.has(`c.${id}`) : form.get(`g.${group}`) === id;
    const quantity = form.has(`q.${id}`) ? textOf(form, `q.${id}`).trim() : undefined;
    const choice: Choice = {
      ...(selected !== undefined && selected !== isChosen ? { selected: isChosen } : {}),
      ...(qty !== undefined && quantity !== undefined && quantity !== qty ? { qty: quantity } : {}),
    };
    if (Object.keys(choice).length > 0) choices[id] = choice;
  }
  return choices;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

async function readField(form: FormData, field: FieldRow, submitted: Submitted): Promise<void> {
  const { uuid } = field;
  const file = await fileOf(form, `u.${uuid}`);
  switch (field.type) {
    case "checkbox":
      submitted.values[uuid] = form.has(`f.${uuid}`);
      return;
    case "collect_file":
      if (file) submitted.files.push({ field, file });
      return;
    case "signature":
    case "initials":
    case "stamp":
      submitted.values[uuid] = textOf(form, `f.${uuid}`).trim();
      return;
    case "payment_details":
      return;
    default:
      if (form.has(`f.${uuid}`)) submitted.values[uuid] = textOf(form, `f.${uuid}`).replace(/\r\n/g, "\n");
      // Radio buttons without a choice send nothing.
      else if (field.type === "radio_buttons" && field.value === null) submitted.values[uuid] = "";
  }
}

/** An empty file input sends a part without a file name. */
async function fileOf(form: FormData, name: string): Promise<UploadedFile | undefined> {
  const part = form.get(name);
  if (part === null || typeof part === "string" || part.name === "") return undefined;
  return { name: part.name, type: part.type, bytes: new Uint8Array(await part.arrayBuffer()) };
}
