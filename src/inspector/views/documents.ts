import { html, type Part } from "../../engine/http/html.ts";
import { type DocumentRow, documents, lifecycle } from "../../service/service.ts";
import { words } from "../../service/words.ts";
import { firstCreate } from "./code.ts";
import { documentPage } from "./document.ts";
import { ago, callHtml, moneyText } from "./lists.ts";
import { badge, empty, keyOf, link, type Look } from "./parts.ts";
import { type List, listPage, type Section } from "./section.ts";

export const documentsSection: Section = {
  count: ({ tenant }) => [tenant.store.documents.size, "document"],
  page(look) {
    const { id, tenant } = look;
    if (id === undefined) return listPage(look, listOf(look));
    const row = tenant.store.documents.get(id);
    if (row) return { title: row.name, content: documentPage(look, row) };
    const all = html`<a class="button" href="${link(look, "documents")}">All documents</a>`;
    const text = html`This tenant has no document <code>${id}</code>. A reset removes documents, and so does a new start.`;
    return {
      title: "No such document",
      content: html`<h1>No such document</h1>${empty("Not found", text, all)}`,
      isMissing: true,
    };
  },
};

function listOf(look: Look): List<DocumentRow> {
  const { tenant } = look;
  const priceOf = (row: DocumentRow) => documents.value(tenant.world, row);
  const priceText = (row: DocumentRow) => {
    const value = priceOf(row);
    return value && moneyText(value);
  };
  return {
    title: "Documents",
    size: tenant.store.documents.size,
    hint: "name, id, recipient, template, tag or metadata",
    find: (text) => [...documents.search(tenant, text)].sort((a, b) => b.date_modified - a.date_modified),
    kindsOf: ({ status }) => [lifecycle.words(status)],
    kinds: words.life.map(lifecycle.words),
    none: [
      "No documents yet",
      "Your application's calls make them appear here. Or make this one:",
      callHtml(firstCreate(tenant.settings.publicUrl, keyOf(look))),
    ],
    order: "-changed",
    line: ({ id }) => ({ href: link(look, "documents", { id }) }),
    below: (row) => html`${ago(look, row.date_modified)} · ${peopleText(row)}${priceOf(row) && html` · ${priceText(row)}`}`,
    columns: [
      {
        id: "name",
        title: "Name",
        kind: "grow",
        by: ({ name }) => name,
        cell: (row) => html`<strong>${row.name}</strong>${flags(documents.line(row, tenant.clock.now()))}`,
      },
      { id: "status", title: "Status", by: ({ status }) => words.life.indexOf(status), cell: ({ status }) => badge(status) },
      { id: "recipients", title: "Recipients", kind: "grow from-m", by: peopleText, cell: peopleText },
      {
        id: "value",
        title: "Value",
        kind: "number from-m",
        // Amounts of one currency stand together, because numbers of two currencies have no order.
        by(row) {
          const value = priceOf(row);
          return value ? [value.currency, Number(value.amount)] : undefined;
        },
        cell: priceText,
      },
      { id: "template", title: "Template", kind: "grow from-l", by: templateOf, cell: templateOf },
      {
        id: "changed",
        title: "Changed",
        kind: "number from-m",
        by: (row) => row.date_modified,
        cell: (row) => ago(look, row.date_modified),
      },
    ],
  };
}

function templateOf({ template }: DocumentRow): string {
  return template?.name ?? "from a file";
}

function flags({ locked, deleted }: ReturnType<typeof documents.line>): Part {
  return [locked ? "locked" : "", deleted ? "deleted" : ""].map((flag) => flag && html` <span class="badge bad">${flag}</span>`);
}

/** The people who may sign now stand first. */
function peopleText(row: DocumentRow): string {
  const turn = documents.turn(row);
  const others = row.recipients.filter((one) => !turn.some(({ id }) => id === one.id));
  return (
    [
      ...turn.map((one) => `${documents.displayName(one)} signs next`),
      ...others.map((one) => `${documents.displayName(one)}${one.has_completed ? " signed" : ""}`),
    ].join(", ") || "nobody"
  );
}
