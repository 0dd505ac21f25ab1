import { redactText } from "../../engine/journal/redact.ts";
import { shownAnswer, shownBody, shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { rowsNamedIn } from "../log/log-event.ts";
import { deliveryText } from "./deliveries.ts";
import { grid } from "./grid.ts";
import { callText } from "./journal.ts";
import { clockTime } from "./lists.ts";
import { badge, codeBadge, empty, link, type Look, search, type View } from "./parts.ts";
import { documents, mails } from "../../service/service.ts";

const ROWS = 8;

/** One result. Of its texts, the first that contains the search shows where it matches. */
interface Hit {
  href: string;
  title: string;
  texts: readonly (readonly [label: string, text: string | null | undefined])[];
  mark: Part;
  at: number | undefined;
}

export function searchSection(look: Look): Html {
  const q = look.q?.trim() ?? "";
  const found = q === "" ? [] : [documentHits, callHits, deliveryHits, mailHits, ruleHits].map((of) => of(look, q));
  const shown = found.filter((one) => one !== null);
  return html`<h1>Search</h1>${search(look, "Search everything", "Search documents, calls, bodies, deliveries, mails and rules")}
${q === "" ? empty("What do you look for?", "A name, an id, an email address, a status, or a word of a body.") : shown.length === 0 ? empty("Nothing found", html`Nothing in this tenant contains ${q}.`) : html`${shown}`}`;
}

function documentHits(look: Look, q: string): Html | null {
  return group(look, "documents", "Documents", documents.search(look.tenant, q), (row) => ({
    href: link(look, "documents", { id: row.id }),
    title: row.name,
    texts: [
      ...row.recipients.map((one) => ["recipient", [documents.displayName(one), one.email, one.role].join(", ")] as const),
      ["template", row.template && `${row.template.name} ${row.template.id}`],
      ["tags", row.tags.join(", ")],
      ...Object.entries(row.metadata).map(([name, value]) => ["metadata", `${name} ${value}`] as const),
      ["id", row.id],
      ["status", row.status],
    ],
    mark: badge(row.status),
    at: row.date_modified,
  }));
}

function callHits(look: Look, q: string): Html | null {
  const found = look.tenant.journal.all().filter((one) => callText(look, one).includes(q.toLowerCase()));
  return group(look, "journal", "Calls", found.reverse(), (one) => ({
    href: link(look, "journal", { id: one.id }),
    title: one.operationId ?? "unmatched",
    texts: [
      ["about", rowsNamedIn(look.tenant, one)[0]?.name],
      ["why", shownWhy(one)],
      ["request", shownBody(one)],
      ["answer", shownAnswer(one)],
      ["address", `${one.method} ${shownUrl(one)}`],
      ["rule", one.rule],
    ],
    mark: codeBadge(one.status),
    at: one.at,
  }));
}

function deliveryHits(look: Look, q: string): Html | null {
  const found = look.tenant.store.deliveries.all().filter((row) => deliveryText(look, row).includes(q.toLowerCase()));
  return group(look, "deliveries", "Webhook deliveries", found.reverse(), (row) => ({
    href: link(look, "deliveries", { open: row.id }),
    title: row.event,
    texts: [
      ["document", look.tenant.store.documents.get(row.subject)?.name],
      ["receiver", `${row.subscriber_name} ${redactText(row.url)}`],
      ["body", redactText(row.body)],
      ["status", row.status],
      ["id", `${row.id} ${row.event_id}`],
    ],
    mark: badge(row.state),
    at: row.created,
  }));
}

function mailHits(look: Look, q: string): Html | null {
  return group(look, "mails", "Mails", mails.find(look.tenant.world, { q }).reverse(), (mail) => ({
    href: link(look, "mails", { open: mail.id }),
    title: mail.subject,
    texts: [
      ["to", `${mail.to_name ?? ""} ${mail.to}`],
      ["text", mail.text],
      ["link", mail.link],
    ],
    mark: badge(mail.kind),
    at: mail.created,
  }));
}

function ruleHits(look: Look, q: string): Html | null {
  const textOf = (rule: { name: string; written?: unknown }) => JSON.stringify([rule.name, rule.written]).toLowerCase();
  const found = look.tenant.rules.list().filter((rule) => textOf(rule).includes(q.toLowerCase()));
  return group(look, "rules", "Rules", found, (rule) => ({
    href: link(look, "rules", { open: `rule-${rule.id}` }),
    title: rule.name,
    texts: [["rule", JSON.stringify(rule.written)]],
    mark: null,
    at: undefined,
  }));
}

function group<Row>(look: Look, view: View, title: string, rows: readonly Row[], hitOf: (row: Row) => Hit): Html | null {
  if (rows.length === 0) return null;
  const q = look.q?.trim() ?? "";
  return html`<h2>${title} <span class="soft">${rows.length}</span></h2>${grid<Hit>(look, {
    id: `found-${view}`,
    label: title,
    columns: [
      { id: "title", title: "Found", kind: "w-found", cell: (hit) => html`<strong>${marked(hit.title, q)}</strong>` },
      { id: "match", title: "Where it matches", kind: "grow", cell: (hit) => matchCell(hit, q) },
      { id: "mark", title: "Status", kind: "w-status from-m", cell: (hit) => hit.mark },
      { id: "at", title: "Time", kind: "w-clock-day from-m", cell: ({ at }) => (at === undefined ? null : clockTime(at)) },
    ],
    rows: rows.slice(0, ROWS).map(hitOf),
    line: ({ href }) => ({ href }),
  })}${rows.length > ROWS ? html`<p><a href="${link(look, view, { q: look.q })}">All ${rows.length}</a></p>` : null}`;
}

const BEFORE = 24;
const AFTER = 120;

function matchCell({ title, texts }: Hit, q: string): Part {
  const has = (text: string) => text.toLowerCase().includes(q.toLowerCase());
  const found = texts.find(([, text]) => has(text ?? ""));
  // A secret matches too, but no page shows it.
  if (!found) return html`<span class="soft">${has(title) ? "the name" : "a hidden value"}</span>`;
  const [label, text] = found;
  const at = (text ?? "").toLowerCase().indexOf(q.toLowerCase());
  const start = Math.max(0, at - BEFORE);
  return html`<span class="soft">${label}</span> ${start > 0 ? "…" : null}${marked((text ?? "").slice(start, at + AFTER).replace(/\s+/g, " "), q)}`;
}

function marked(text: string, q: string): Part {
  const at = text.toLowerCase().indexOf(q.toLowerCase());
  if (q === "" || at < 0) return text;
  return html`${text.slice(0, at)}<mark>${text.slice(at, at + q.length)}</mark>${text.slice(at + q.length)}`;
}
