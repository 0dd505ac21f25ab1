import { drawnPng, fieldText } from "../../domain/content/blocks.ts";
import { isFilled } from "../../domain/document-model/view.ts";
import { boxOf } from "../../domain/document-model/pages.ts";
import { displayName } from "../../domain/recipients/recipients.ts";
import { html, type Html, type Part, raw } from "../../../engine/http/html.ts";
import { type Translate, translatedMessage } from "./languages.ts";
import type { FieldRow } from "../../model/content/rows.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import { groupBy } from "../../../engine/core/maps.ts";

const LABELS: Partial<Record<FieldRow["type"], string>> = {
  signature: "signature",
  initials: "initials",
  stamp: "stamp",
};

export function labelOf(field: FieldRow): string {
  return field.title || field.name;
}

export function fieldsByPage(document: DocumentRow): { page: number; fields: FieldRow[] }[] {
  return [...groupBy(document.fields, (field) => field.layout.page)]
    .sort(([a], [b]) => a - b)
    .map(([page, fields]) => ({
      page,
      fields: fields
        .map((field) => ({ field, box: boxOf(document, field) }))
        .sort(({ box: a }, { box: b }) => a.y - b.y || a.x - b.x)
        .map(({ field }) => field),
    }));
}

interface Attributes {
  id: string;
  name: string;
  aria: Html;
}

export function fieldControl(t: Translate, field: FieldRow, error: string | undefined): Html {
  const id = `f-${field.uuid}`;
  const { required } = field.settings;
  const aria = html`${required ? raw(' aria-required="true"') : null}${
    error ? html` aria-invalid="true" aria-describedby="e-${field.uuid}"` : null
  }`;
  const attributes = { id, name: `f.${field.uuid}`, aria };
  const isGroup = field.type === "radio_buttons" || field.type in LABELS;
  const label = html`${labelOf(field)}${required ? html` <span class="required">${t("required")}</span>` : html` <span class="optional">${t("optional")}</span>`}`;
  const problem = html`<p class="error" id="e-${field.uuid}"${error ? null : raw(" hidden")}>${error === undefined ? "" : translatedMessage(t, error)}</p>`;
  const open = html`class="field${error ? " wrong" : ""}" id="field-${field.uuid}" data-testid="field-${field.name}" data-type="${field.type}"${
    required ? raw(" data-required") : null
  }${isFilled(field) ? raw(" data-filled") : null}`;
  if (isGroup) return html`<fieldset ${open}><legend>${label}</legend>${groupControl(t, field, attributes)}${problem}</fieldset>`;
  if (field.type === "checkbox") return html`<div ${open}>${checkbox(field, attributes, label)}${problem}</div>`;
  if (field.type === "payment_details")
    return html`<div class="field read" data-testid="field-${field.name}"><span class="label">${labelOf(field)}</span>
<span class="value">${t("Payment is asked for when everybody has signed.")}</span></div>`;
  return html`<div ${open}><label for="${id}">${label}</label>${control(t, field, attributes)}${problem}</div>`;
}

function control(t: Translate, field: FieldRow, { id, name, aria }: Attributes): Html {
  const value = fieldText(field);
  const hint = field.placeholder && field.placeholder !== labelOf(field) ? html` placeholder="${field.placeholder}"` : null;
  switch (field.type) {
    case "date":
      return html`<input type="date" id="${id}" name="${name}" value="${value.slice(0, 10)}"${aria}>`;
    case "dropdown":
      return html`<select id="${id}" name="${name}"${aria}><option value="">${t("Choose…")}</option>${choices(field).map(
        (one) => html`<option${one === value ? raw(" selected") : null}>${one}</option>`,
      )}</select>`;
    case "collect_file":
      return html`${submittedFileHtml(t, field)}${filePicker(t, html`<input type="file" id="${id}" name="u.${field.uuid}"${aria}>`)}`;
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

function submittedFileHtml(t: Translate, field: FieldRow): Part {
  const { value } = field;
  if (typeof value !== "object" || value === null) return null;
  const [before = "", after = ""] = t("Handed in: {file}. Choose another file to replace it.").split("{file}");
  return html`<p class="kept">${before}<a href="${String(value.url ?? "")}">${String(value.name ?? t("file"))}</a>${after}</p>`;
}

/** The browser's own button uses the browser's language. The script covers it with this button, in the document's language. */
function filePicker(t: Translate, input: Html): Html {
  return html`<div class="pick">${input}<span class="choose" aria-hidden="true" hidden>${t("Choose a file")}</span><span class="picked" aria-hidden="true" hidden>${t("No file chosen")}</span></div>`;
}

function checkbox(field: FieldRow, { id, name, aria }: Attributes, label: Html): Html {
  return html`<label class="check" for="${id}"><input type="checkbox" id="${id}" name="${name}" value="true"${
    field.value === true ? raw(" checked") : null
  }${aria}><span>${label}</span></label>`;
}

function groupControl(t: Translate, field: FieldRow, attributes: Attributes): Html {
  if (field.type !== "radio_buttons") return drawnControl(t, field, attributes);
  const value = fieldText(field);
  const boxes = field.settings.widgets?.map((one) => html` data-box="${one.x} ${one.y} ${one.width} ${one.height}"`);
  return html`${choices(field).map(
    (one, i) =>
      html`<label class="check"${boxes?.[i] ?? null}><input type="radio" id="${attributes.id}${i === 0 ? "" : `-${i}`}" name="${attributes.name}" value="${one}"${
        one === value ? raw(" checked") : null
      }><span>${one}</span></label>`,
  )}`;
}

function drawnControl(t: Translate, field: FieldRow, { id, name, aria }: Attributes): Html {
  const what = LABELS[field.type] ?? "signature";
  const png = drawnPng(field);
  const asks = { signature: "Type your full name", initials: "Type your initials", stamp: "Text of the stamp" }[what] ?? what;
  return html`<div class="pad" data-pad${png ? raw(' data-mode="draw"') : null}>
<div class="tabs" role="group" aria-label="${t(`How to give your ${what}`)}" hidden><button type="button" data-mode="type" aria-pressed="${png ? "false" : "true"}">${t("Type")}</button><button type="button" data-mode="draw" aria-pressed="${png ? "true" : "false"}">${t("Draw")}</button></div>
${png ? html`<img class="mark" data-kept src="${png}" alt="${t("Your mark, as drawn")}">` : null}
<div data-part="type"><label for="${id}">${t(asks)}</label><input class="typed" dir="auto" id="${id}" name="${name}" value="${png ? "" : fieldText(field)}" autocomplete="${
    what === "signature" ? "name" : "off"
  }"${aria}></div>
${what === "stamp" ? html`<div data-part="type"><label for="u-${field.uuid}">${t("or an image of it")}</label>${filePicker(t, html`<input type="file" accept="image/png,image/jpeg" id="u-${field.uuid}" name="u.${field.uuid}">`)}</div>` : null}
<div data-part="draw" hidden><canvas width="600" height="180" role="img" aria-label="${t("Area to draw in")}"></canvas><button type="button" class="plain" data-clear>${t("Clear the drawing")}</button></div>
<input type="hidden" name="d.${field.uuid}" value="" data-drawn><input type="hidden" name="m.${field.uuid}" value="${png ? "draw" : "type"}" data-way>
</div>`;
}

export function fieldValueHtml(t: Translate, document: DocumentRow, field: FieldRow, visitor: RecipientRow): Html {
  const owner = document.recipients.find((one) => one.id === field.recipient_id);
  const who = owner && owner.id !== visitor.id ? displayName(owner) : owner ? t("You") : t("Nobody");
  const png = drawnPng(field);
  const isMark = field.type in LABELS;
  const value = field.type === "payment_details" ? t(paymentText(document)) : shownText(t, field);
  const shown = png
    ? html`<img class="mark" src="${png}" alt="${t("{field} of {person}", { field: labelOf(field), person: who })}">`
    : field.type === "collect_file" && isFilled(field)
      ? html`<a href="${String((field.value as { url?: unknown }).url ?? "")}">${value}</a>`
      : value === "" || (field.type === "checkbox" && field.value !== true)
        ? html`<span class="empty">${field.type === "checkbox" ? t("Not ticked") : t("Empty")}</span>`
        : html`<span${isMark ? raw(' class="script"') : field.type === "checkbox" ? raw(' class="ticked"') : null}>${value}</span>`;
  const isBlank = value === "" && !png;
  return html`<div class="field read${isBlank ? " blank" : ""}" data-testid="field-${field.name}" data-type="${field.type}"><span class="label">${labelOf(field)}</span>
<span class="value" dir="auto">${shown}</span><span class="who">${who}</span></div>`;
}

function shownText(t: Translate, field: FieldRow): string {
  const text = fieldText(field);
  return field.type === "checkbox" ? t(text) : text;
}

function paymentText({ status, internal }: DocumentRow): string {
  return status === "document.paid" || internal.payment?.paid_at ? "Paid" : "To be paid";
}
