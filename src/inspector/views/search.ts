import { html, type Html, type Part } from "../../engine/http/html.ts";
import { deliveryRow, deliveryText } from "./deliveries.ts";
import { documentsGrid } from "./documents.ts";
import { callText, exchangeRow } from "./journal.ts";
import { mailRow } from "./mails.ts";
import { empty, link, type Look, search, type View } from "./parts.ts";
import { documents, mails } from "../../service/service.ts";

const ROWS = 8;

export function searchSection(look: Look): Html {
  const q = look.q?.trim() ?? "";
  const wanted = q.toLowerCase();
  const { tenant } = look;
  const found: Part[] =
    q === ""
      ? []
      : [
          group(look, "documents", "Documents", documents.search(tenant, q), (rows) =>
            documentsGrid(look, "found-documents", rows),
          ),
          group(
            look,
            "journal",
            "Calls",
            tenant.journal
              .all()
              .reverse()
              .filter((one) => callText(look, one).includes(wanted)),
            (rows) =>
              list(
                "found-journal",
                rows.map((one) => exchangeRow(look, one)),
              ),
          ),
          group(
            look,
            "deliveries",
            "Webhook deliveries",
            tenant.store.deliveries
              .all()
              .reverse()
              .filter((row) => deliveryText(look, row).includes(wanted)),
            (rows) =>
              list(
                "found-deliveries",
                rows.map((row) => deliveryRow(look, row)),
              ),
          ),
          group(look, "mails", "Mails", mails.find(tenant.world, { q }).reverse(), (rows) =>
            list(
              "found-mails",
              rows.map((mail) => mailRow(look, mail)),
            ),
          ),
          group(
            look,
            "rules",
            "Rules",
            tenant.rules.list().filter((rule) => JSON.stringify([rule.name, rule.written]).toLowerCase().includes(wanted)),
            (rules) =>
              list(
                "found-rules",
                rules.map(
                  (rule) =>
                    html`<li><a class="row" href="${link(look, "rules", { open: `rule-${rule.id}` })}"><strong>${rule.name}</strong></a></li>`,
                ),
              ),
          ),
        ];
  const shown = found.filter((one) => one !== null);
  return html`<h1>Search</h1>${search(look, "Search everything", "Search documents, calls, bodies, deliveries, mails and rules")}
${q === "" ? empty("What do you look for?", "A name, an id, an email address, a status, or a word of a body.") : shown.length === 0 ? empty("Nothing found", html`Nothing in this tenant contains ${q}.`) : html`${shown}`}`;
}

function list(id: string, rows: readonly Html[]): Html {
  return html`<ul class="rows" data-testid="${id}">${rows}</ul>`;
}

function group<Row>(
  look: Look,
  view: View,
  title: string,
  rows: readonly Row[],
  shown: (rows: readonly Row[]) => Html,
): Html | null {
  if (rows.length === 0) return null;
  return html`<h2>${title} <span class="soft">${rows.length}</span></h2>${shown(rows.slice(0, ROWS))}${rows.length > ROWS ? html`<p><a href="${link(look, view, { q: look.q })}">All ${rows.length}</a></p>` : null}`;
}
