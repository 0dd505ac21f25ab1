import { fieldText } from "../../nouns/content/blocks.ts";
import { isFilled } from "../../nouns/documents/view.ts";
import { boxOf } from "../../nouns/documents/pages.ts";
import { displayName } from "../../nouns/people/participants.ts";
import { html, type Html, type Part, raw } from "../../../engine/http/html.ts";
import type { FieldRow } from "../../nouns/content/row.ts";
import { isMarkField } from "../../nouns/content/row.ts";
import type { DocumentRow } from "../../nouns/documents/row.ts";
import type { RecipientRow } from "../../nouns/people/inputs.ts";
import { groupBy } from "../../../engine/core/maps.ts";

export function labelOf(field: FieldRow): string {
  return field.title || field.name;
}

/** The fields of each page, from top to bottom. */
export function fieldsByPage(document: DocumentRow): Map<number, FieldRow[]> {
  const placed = document.fields.map((field) => ({ field, box: boxOf(document, field) }));
  const sorted = placed.sort(({ box: a }, { box: b }) => a.y - b.y || a.x - b.x).map(({ field }) => field);
  return groupBy(sorted, (field) => field.layout.page);
}

interface Attributes {
  id: string;
  name: string;
  aria: Html;
}

export function fieldControl(field: FieldRow, error: string | undefined): Html {
  const id = `f-${field.uuid}`;
  const { required } = field.settings;
  const aria = html`${required ? raw(' aria-required="true"') : null}${
    error ? html` aria-invalid="true" aria-describedby="e-${field.uuid}"` : null
  }`;
  const attributes = { id, name: `f.${field.uuid}`, aria };
  const label = html`${labelOf(field)} ${required ? html`<span class="required">required</span>` : html`<span class="optional">optional</span>`}`;
  const problem = html`<p class="error" id="e-${field.uuid}"${error ? null : raw(" hidden")}>${error}</p>`;
  const open = html`class="field${error ? " wrong" : ""}" id="field-${field.uuid}" data-testid="field-${field.name}" data-type="${field.type}"${
    required ? raw(" data-required") : null
  }${isFilled(field) ? raw(" data-filled") : null}`;
  if (field.type === "radio_buttons")
    return html`<fieldset ${open}><legend>${label}</legend>${radioButtons(field, attributes)}${problem}</fieldset>`;
  if (isMarkField(field))
    return html`<fieldset ${open}><legend>${label}</legend>${typedMark(field, attributes)}${problem}</fieldset>`;
  if (field.type === "checkbox") return html`<div ${open}>${checkbox(field, attributes, label)}${problem}</div>`;
  if (field.type === "payment_details")
    return html`<div class="field read" data-testid="field-${field.name}"><span class="label">${labelOf(field)}</span>
<span class="value">Payment is asked for when everybody has signed.</span></div>`;
  return html`<div ${open}><label for="${id}">${label}</label>${control(field, attributes)}${problem}</div>`;
}

function control(field: FieldRow, { id, name, aria }: Attributes): Html {
  const value = fieldText(field);
  const hint = field.placeholder && field.placeholder !== labelOf(field) ? html` placeholder="${field.placeholder}"` : null;
  switch (field.type) {
    case "date":
      return html`<input type="date" id="${id}" name="${name}" value="${value.slice(0, 10)}"${aria}>`;
    case "dropdown":
      return html`<select id="${id}" name="${name}"${aria}><option value="">Choose…</option>${choices(field).map(
        (one) => html`<option${one === value ? raw(" selected") : null}>${one}</option>`,
      )}</select>`;
    case "collect_file":
      return html`${submittedFileHtml(field)}<input type="file" id="${id}" name="u.${field.uuid}"${aria}>`;
    default:
      if (field.settings.multiline)
        return html`<textarea dir="auto" id="${id}" name="${name}" rows="4"${hint}${aria}>${value}</textarea>`;
      return html`<input type="${field.settings.masked ? "password" : "text"}" autocomplete="off" dir="auto" id="${id}" name="${name}" value="${value}"${hint}${aria}>`;
  }
}

/** Nobody can fill a choice without options. The editor names the first option Option 1. */
function choices(field: FieldRow): string[] {
  return field.options.length > 0 ? field.options : ["Option 1"];
}

function submittedFileHtml({ value }: FieldRow): Part {
  if (typeof value !== "object" || value === null) return null;
  return html`<p class="kept">Handed in: <a href="${String(value.url ?? "")}">${String(value.name ?? "file")}</a>. Choose another file to replace it.</p>`;
}

function checkbox(field: FieldRow, { id, name, aria }: Attributes, label: Html): Html {
  return html`<label class="check" for="${id}"><input type="checkbox" id="${id}" name="${name}" value="true"${
    field.value === true ? raw(" checked") : null
  }${aria}><span>${label}</span></label>`;
}

function radioButtons(field: FieldRow, { id, name, aria }: Attributes): Html {
  const value = fieldText(field);
  return html`${choices(field).map(
    (one, i) =>
      html`<label class="check"><input type="radio" id="${id}${i === 0 ? "" : `-${i}`}" name="${name}" value="${one}"${
        one === value ? raw(" checked") : null
      }${aria}><span>${one}</span></label>`,
  )}`;
}

const ASKS: Partial<Record<FieldRow["type"], string>> = {
  signature: "Type your full name",
  initials: "Type your initials",
  stamp: "Text of the stamp",
};

function typedMark(field: FieldRow, { id, name, aria }: Attributes): Html {
  return html`<label for="${id}">${ASKS[field.type]}</label><input class="typed" dir="auto" id="${id}" name="${name}" value="${fieldText(field)}" autocomplete="${
    field.type === "signature" ? "name" : "off"
  }"${aria}>`;
}

export function fieldValueHtml(document: DocumentRow, field: FieldRow, visitor: RecipientRow): Html {
  const owner = document.recipients.find((one) => one.id === field.recipient_id);
  const who = owner && owner.id !== visitor.id ? displayName(owner) : owner ? "You" : "Nobody";
  const value = field.type === "payment_details" ? paymentText(document) : fieldText(field);
  const shown =
    field.type === "collect_file" && isFilled(field)
      ? html`<a href="${String((field.value as { url?: unknown }).url ?? "")}">${value}</a>`
      : value === "" || (field.type === "checkbox" && field.value !== true)
        ? html`<span class="empty">${field.type === "checkbox" ? "Not ticked" : "Empty"}</span>`
        : html`<span${isMarkField(field) ? raw(' class="script"') : null}>${value}</span>`;
  return html`<div class="field read" data-testid="field-${field.name}" data-type="${field.type}"><span class="label">${labelOf(field)}</span>
<span class="value" dir="auto">${shown}</span><span class="who">${who}</span></div>`;
}

function paymentText({ status, internal }: DocumentRow): string {
  return status === "document.paid" || internal.payment?.paid_at ? "Paid" : "To be paid";
}
