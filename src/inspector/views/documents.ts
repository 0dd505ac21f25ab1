import { html, type Html } from "../../engine/http/html.ts";
import { quoted } from "./code.ts";
import { documentPage } from "./document.ts";
import { ago, copy, filtered } from "./lists.ts";
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
  const { rows: documents, bar } = filtered(
    look,
    look.documents,
    (row) => [lifecycle.words(row.status)],
    words.statuses.map(lifecycle.words),
  );
  const { rows, pager } = pageOf(look, documents);
  return html`<h1>Documents <span class="soft">${documents.length}</span></h1>
${search(look, "Search documents", "Search name, id, recipient, template, tag or metadata")}${bar}
${
  documents.length === 0
    ? look.q || look.is
      ? empty("No documents", "No document matches.")
      : empty("No documents yet", "Your application's calls make them appear here. Or make this one:", firstCall(look))
    : html`<ul class="rows" data-testid="documents">${rows.map((row) => documentRow(look, row))}</ul>${pager}`
}`;
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
    "recipients": [{"email": "pat@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}]
  }`;
  return `curl -H ${quoted(`Authorization: API-Key ${key}`)} \\\n  ${quoted(`${url}/public/v1/documents`)} --json '${body}'`;
}

const NAMES_MAX = 3;

function namesOf({ recipients }: DocumentRow): string {
  const names = recipients.slice(0, NAMES_MAX).map(documents.displayName).join(", ");
  return recipients.length > NAMES_MAX ? `${names} and ${recipients.length - NAMES_MAX} more` : names || "no recipients";
}

export function documentRow(look: Look, row: DocumentRow): Html {
  const line = documents.line(row, look.tenant.clock.now());
  const turn = line.turn.length > 0 ? `${line.turn.join(", ")} to sign` : namesOf(row);
  return html`<li><a class="row" href="${link(look, "documents", { id: line.id })}"><span class="what"><strong>${line.name}</strong><span class="soft">${turn}${line.locked ? " · locked" : ""}${line.deleted ? " · deleted" : ""}</span></span>${badge(line.status)}<span class="soft when">${ago(look, line.modified)}</span></a></li>`;
}
