import { html, type Html, type Part } from "../../engine/http/html.ts";
import { quoted } from "./code.ts";
import { documentPage } from "./document.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { ago, copy, countOf, filtered } from "./lists.ts";
import { badge, empty, link, type Look, pre, search } from "./parts.ts";
import { pageOf } from "./rows.ts";
import { words } from "../../service/words.ts";
import { type DocumentRow, documents, lifecycle } from "../../service/service.ts";

export function documentsSection(look: Look): Html {
  if (look.id !== undefined) {
    const row = look.tenant.store.documents.get(look.id);
    return row
      ? documentPage(look, row)
      : html`<h1>No such document</h1>${empty("Not found", html`There is no document ${look.id} in this tenant. A reset removes documents. <a href="${link(look, "documents")}">All documents</a>`)}`;
  }
  const { rows: found, bar } = filtered(
    look,
    look.documents,
    (row) => [lifecycle.words(row.status)],
    words.statuses.map(lifecycle.words),
  );
  const columns = columnsOf(look);
  const { rows, pager } = pageOf(look, sorted(look, columns, found));
  return html`<h1>Documents <span class="soft">${countOf(found.length, look.documents.length)}</span></h1>
${search(look, "Search documents", "Search name, id, recipient, template, tag or metadata")}${bar}
${
  found.length === 0
    ? look.q || look.is
      ? empty("No documents", "No document matches.")
      : empty("No documents yet", "Your application's calls make them appear here. Or make this one:", firstCall(look))
    : html`${documentsGrid(look, "documents", rows)}${pager}`
}`;
}

export function documentsGrid(look: Look, id: string, rows: readonly DocumentRow[]): Html {
  const line = (row: DocumentRow) => ({ href: link(look, "documents", { id: row.id }) });
  return grid(look, { id, label: "Documents", columns: columnsOf(look), rows, line });
}

function columnsOf(look: Look): readonly Column<DocumentRow>[] {
  const { tenant } = look;
  const now = tenant.clock.now();
  return [
    { id: "name", title: "Name", kind: "grow", by: ({ name }) => name, cell: (row) => nameCell(documents.line(row, now)) },
    {
      id: "status",
      title: "Status",
      kind: "w-status",
      by: ({ status }) => words.statuses.indexOf(status),
      cell: ({ status }) => badge(status),
    },
    { id: "recipients", title: "Recipients", kind: "w-people from-m", by: namesOf, cell: (row) => peopleCell(row) },
    {
      id: "value",
      title: "Value",
      kind: "w-value number from-m",
      falls: true,
      by: (row) => Number(documents.value(tenant.world, row)?.amount ?? 0),
      cell: (row) => valueCell(documents.value(tenant.world, row)),
    },
    { id: "template", title: "Template", kind: "w-people from-l", by: templateOf, cell: templateOf },
    {
      id: "changed",
      title: "Changed",
      kind: "w-ago number",
      falls: true,
      by: (row) => row.date_modified,
      cell: (row) => ago(look, row.date_modified),
    },
    { id: "id", title: "Id", kind: "w-id from-xl", cell: ({ id }) => html`<code>${id}</code>` },
  ];
}

function templateOf({ template }: DocumentRow): string {
  return template?.name ?? "from a file";
}

function nameCell({ name, locked, deleted }: ReturnType<typeof documents.line>): Html {
  return html`<strong>${name}</strong>${locked ? html` <span class="badge bad">locked</span>` : null}${deleted ? html` <span class="badge bad">deleted</span>` : null}`;
}

/** The people who may sign now stand first. */
function peopleCell(row: DocumentRow): Part {
  const turn = new Set(documents.turn(row).map((one) => one.id));
  const people = [...row.recipients].sort((a, b) => Number(turn.has(b.id)) - Number(turn.has(a.id)));
  if (people.length === 0) return html`<span class="soft">nobody</span>`;
  return people.map(
    (one, i) =>
      html`${i > 0 ? ", " : null}${documents.displayName(one)}${turn.has(one.id) ? html` <span class="soft">signs next</span>` : one.has_completed ? html` <span class="soft">signed</span>` : null}`,
  );
}

/** With the decimals that its currency has, so that amounts stand below each other. */
function amountText({ amount, currency }: { amount: string; currency: string }): string {
  const decimals = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().minimumFractionDigits ?? 0;
  const [whole = "", part = ""] = amount.split(".");
  const shown = part.padEnd(decimals, "0");
  return `${whole}${shown ? `.${shown}` : ""} ${currency}`;
}

function valueCell(value: ReturnType<typeof documents.value>): Part {
  return value ? amountText(value) : html`<span class="soft">–</span>`;
}

function firstCall({ tenant, isDefault, host }: Look): Html {
  const known = isDefault ? tenant.store.api_keys.all().find((one) => one.environment === "production")?.id : tenant.id;
  const call = firstCreate(tenant.settings.publicUrl, host.adminToken === undefined ? known : undefined);
  return html`${pre(call, "A first call")}${copy(call, "the call")}`;
}

export function firstCreate(url: string, key = "YOUR-KEY"): string {
  const body = `{
    "name": "Offer 42",
    "template_uuid": "TemplateOneSignerxxxxx",
    "recipients": [{
      "email": "pat@client.example", "role": "Client",
      "first_name": "Pat", "last_name": "Lee"
    }]
  }`;
  return `curl -H ${quoted(`Authorization: API-Key ${key}`)} \\\n  ${quoted(`${url}/public/v1/documents`)} --json '${body}'`;
}

function namesOf({ recipients }: DocumentRow): string {
  return recipients.map(documents.displayName).join(", ");
}
