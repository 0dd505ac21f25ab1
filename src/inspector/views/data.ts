/** The data of a document, which people edit in place. */
import { html, type Html, type Part, raw } from "../../engine/http/html.ts";
import { breakable, facts } from "./parts.ts";
import { type DocumentRow, type FieldRow, documents } from "../../service/service.ts";

const VALUES_MAX = 120;

export function fieldsHtml(row: DocumentRow): Html {
  const { fields } = row;
  return html`<div class="wide" tabindex="0" role="group" aria-labelledby="h-fields"><table data-testid="fields"><thead><tr><th scope="col">Field</th><th scope="col">Role</th><th scope="col">Value</th></tr></thead><tbody>${fields
    .slice(0, VALUES_MAX)
    .map(
      (field) =>
        html`<tr><td>${field.name} <span class="soft">${field.type.replaceAll("_", " ")}${field.settings.required ? ", required" : ""}</span></td><td>${field.role || "–"}</td><td>${fieldHtml(row, field)}</td></tr>`,
    )}</tbody></table></div>`;
}

export function tokensHtml({ tokens, ...row }: DocumentRow): Html {
  return facts(
    tokens
      .slice(0, VALUES_MAX)
      .map(({ name, value }) => [breakable(name), edited(row, { path: `tokens[${name}]`, label: `Token ${name}`, value })]),
  );
}

export function metadataHtml(row: DocumentRow): Html {
  return html`<div data-testid="metadata">${facts(
    Object.entries(row.metadata).map(([name, value]) => [
      breakable(name),
      edited(row, { path: `metadata[${name}]`, label: `Metadata ${name}`, value: String(value) }),
    ]),
  )}</div>`;
}

export function nameHtml(row: DocumentRow): Html {
  return edited(row, { path: "name", label: "Name", value: row.name });
}

function fieldHtml(row: DocumentRow, field: FieldRow): Part {
  const value = documents.fieldText(field);
  if (!documents.editable.includes(field.type)) return shownValue(value);
  const one = { path: `fields[${field.uuid}]`, label: `Field ${field.name}`, value };
  if (field.type === "checkbox") return edited(row, { ...one, value: String(field.value === true), options: ["true", "false"] });
  return edited(row, field.options.length > 0 ? { ...one, options: ["", ...field.options] } : one);
}

function shownValue(value: string): Part {
  return value === "" ? html`<span class="soft">empty</span>` : value;
}

interface Edited {
  /** The place of the value in the body of the change. */
  path: string;
  label: string;
  value: string;
  options?: readonly string[];
}

/** A value that looks like text until somebody points at it. Without the script it is text. */
function edited(row: Pick<DocumentRow, "id">, { path, label, value, options }: Edited): Html {
  const id = `edit-${path.replace(/[^\w-]+/g, "-")}`;
  const input = options
    ? html`<select id="${id}" name="${path}" aria-label="${label}">${options.map((one) => html`<option${one === value ? raw(" selected") : null}>${one}</option>`)}</select>`
    : html`<input id="${id}" name="${path}" value="${value}" aria-label="${label}" placeholder="empty" autocomplete="off">`;
  return html`<span class="still">${shownValue(value)}</span><form class="edit act" data-call="POST /__admin/documents/${encodeURIComponent(row.id)}/edit" data-body="{}" data-label="${label}" data-was="${value}" data-empty>${input}<button>Save</button></form>`;
}
