import { html, type Html, type Part } from "../../engine/http/html.ts";
import { quoted } from "./code.ts";
import { nearest } from "../../engine/core/text.ts";
import { documentPage } from "./document.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { ago, copy, countOf, filtered, moneyText } from "./lists.ts";
import { badge, empty, here, keyOf, link, type Look, pre, search } from "./parts.ts";
import { pageOf } from "./rows.ts";
import { type DocumentRow, documents, lifecycle } from "../../service/service.ts";
import { words } from "../../service/words.ts";

const TYPOS_MAX = 4;

export function documentsSection(look: Look): Html {
  if (look.id !== undefined) {
    const row = look.tenant.store.documents.get(look.id);
    return row ? documentPage(look, row) : missingDocument(look, look.id);
  }
  const { rows: found, bar } = filtered(
    look,
    look.documents,
    (row) => [lifecycle.words(row.status)],
    words.life.map(lifecycle.words),
  );
  const columns = columnsOf(look);
  const { rows, pager } = pageOf(look, sorted(look, columns, found));
  const isSearch = look.q !== undefined || look.is !== undefined;
  if (found.length === 0 && !isSearch)
    return html`<h1>Documents</h1>${empty("No documents yet", "Your application's calls make them appear here. Or make this one:", firstCall(look))}`;
  return html`<h1>Documents <span class="soft">${countOf(found.length, look.documents.length)}</span></h1>
${search(look, "Search documents", "Search name, id, recipient, template, tag or metadata")}${bar}
${
  found.length === 0
    ? empty("No documents", html`No document matches. <a href="${here(look, { q: undefined, is: undefined })}">All documents</a>`)
    : html`${documentsGrid(look, "documents", rows)}${pager}`
}`;
}

/** A document that a reset removed, or a mistyped id: the nearest id, and a search for the words of the address. */
function missingDocument(look: Look, id: string): Html {
  const near = nearest(
    id,
    look.tenant.store.documents.all().map((row) => row.id),
    TYPOS_MAX,
  );
  const meant = near === undefined ? undefined : look.tenant.store.documents.get(near);
  return html`<h1>No such document</h1><div class="empty" data-testid="empty"><p>This tenant has no document <code>${id}</code>. A reset removes documents, and so does a new start.</p>
${meant ? html`<p>Do you mean <a href="${link(look, "documents", { id: meant.id })}">${meant.name}</a>?</p>` : null}<div class="acts middle"><a class="button" href="${link(look, "documents")}">All documents</a></div></div>`;
}

export function documentsGrid(look: Look, id: string, rows: readonly DocumentRow[]): Html {
  const line = (row: DocumentRow) => ({ href: link(look, "documents", { id: row.id }) });
  return grid(look, { id, label: "Documents", columns: columnsOf(look), rows, line, below: (row) => belowLine(look, row) });
}

function columnsOf(look: Look): readonly Column<DocumentRow>[] {
  const { tenant } = look;
  const now = tenant.clock.now();
  return [
    {
      id: "name",
      title: "Name",
      kind: "grow",
      by: ({ name }) => name,
      cell: ({ name }) => html`<strong>${name}</strong>`,
      badges: (row) => nameBadges(documents.line(row, now)),
    },
    {
      id: "status",
      title: "Status",
      by: ({ status }) => words.life.indexOf(status),
      cell: ({ status }) => badge(status),
    },
    {
      id: "recipients",
      title: "Recipients",
      kind: "grow from-m",
      by: namesOf,
      cell: peopleCell,
      badges: moreBadge,
      full: allPeople,
    },
    {
      id: "value",
      title: "Value",
      kind: "number from-m",
      falls: true,
      by: (row) => valueKey(documents.value(tenant.world, row)),
      cell: (row) => valueCell(documents.value(tenant.world, row)),
    },
    { id: "template", title: "Template", kind: "grow from-l", by: templateOf, cell: templateOf },
    {
      id: "changed",
      title: "Changed",
      kind: "number from-m",
      falls: true,
      isFirst: true,
      by: (row) => row.date_modified,
      cell: (row) => ago(look, row.date_modified),
    },
    { id: "id", title: "Id", kind: "from-xl", cell: ({ id }) => html`<code>${id}</code>` },
  ];
}

function templateOf({ template }: DocumentRow): string {
  return template?.name ?? "from a file";
}

function nameBadges({ locked, deleted }: ReturnType<typeof documents.line>): Part {
  if (!locked && !deleted) return null;
  return html`${locked ? html`<span class="badge bad">locked</span> ` : null}${deleted ? html`<span class="badge bad">deleted</span>` : null}`;
}

/** The people who may sign now stand first. */
function peopleOf(row: DocumentRow) {
  const turn = new Set(documents.turn(row).map((one) => one.id));
  return [...row.recipients]
    .sort((a, b) => Number(turn.has(b.id)) - Number(turn.has(a.id)))
    .map((one) => ({
      name: documents.displayName(one),
      state: turn.has(one.id) ? "signs next" : one.has_completed ? "signed" : "",
    }));
}

function personHtml({ name, state }: ReturnType<typeof peopleOf>[number]): Html {
  return html`${name}${state ? html` <span class="soft">${state}</span>` : null}`;
}

/** The first person, beside the number of the others. */
function peopleCell(row: DocumentRow): Html {
  const [first] = peopleOf(row);
  return first ? personHtml(first) : html`<span class="soft">nobody</span>`;
}

function moreBadge({ recipients }: DocumentRow): Html | null {
  return recipients.length > 1 ? html`<span class="badge calm">+${recipients.length - 1}</span>` : null;
}

function allPeople(row: DocumentRow): string {
  return peopleOf(row)
    .map(({ name, state }) => [name, state].filter(Boolean).join(" "))
    .join(", ");
}

/** On a small screen the second line of a row has what the hidden columns have. */
function belowLine(look: Look, row: DocumentRow): Html {
  const [first] = peopleOf(row);
  const value = documents.value(look.tenant.world, row);
  const more = row.recipients.length > 1 ? ` +${row.recipients.length - 1}` : "";
  return html`${ago(look, row.date_modified)} · ${first ? `${first.name}${more}` : "nobody"}${value ? ` · ${moneyText(value)}` : null}`;
}

/** Amounts of one currency stand together, because numbers of two currencies have no order. */
function valueKey(value: ReturnType<typeof documents.value>): readonly [string, number] | undefined {
  return value ? [value.currency, Number(value.amount)] : undefined;
}

function valueCell(value: ReturnType<typeof documents.value>): Part {
  return value ? moneyText(value) : html`<span class="soft">–</span>`;
}

function firstCall(look: Look): Html {
  const call = firstCreate(look.tenant.settings.publicUrl, keyOf(look));
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
  return `curl -H ${quoted(`Authorization: API-Key ${key}`)} \\\n  -H 'Content-Type: application/json' ${quoted(`${url}/public/v1/documents`)} -d '${body}'`;
}

function namesOf({ recipients }: DocumentRow): string {
  return recipients.map(documents.displayName).join(", ");
}
