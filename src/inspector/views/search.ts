import { redactText } from "../../engine/journal/redact.ts";
import { shownAnswer, shownBody, shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { isSameRead } from "../../engine/journal/same-calls.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { foldRepeats } from "../log/folding.ts";
import { aboutOf } from "./about.ts";
import { deliveryText } from "./deliveries.ts";
import { grid } from "./grid.ts";
import { callText } from "./journal.ts";
import { clockTime, numberText } from "./lists.ts";
import { badge, codeBadge, empty, link, type Look, search, type View } from "./parts.ts";
import { documents, mails } from "../../service/service.ts";

const ROWS = 8;

/** One result. Of its texts, the first that contains the search shows where it matches. */
interface Hit {
  href: string;
  title: string;
  /** What the title is. */
  titled: "name" | "operation" | "event" | "subject";
  texts: readonly (readonly [label: string, text: string | null | undefined])[];
  mark: Part;
  at: number | undefined;
  /** How many rows alike this one stands for. */
  times: number;
}

interface Group {
  title: string;
  /** A link to the list, when it has more hits than the page shows. */
  all: Html | null;
  hits: readonly Hit[];
}

export function searchSection(look: Look): Html {
  const q = look.q?.trim() ?? "";
  const found = q === "" ? [] : [documentHits, callHits, deliveryHits, mailHits, ruleHits].map((of) => of(look, q));
  const groups = found.filter((one) => one !== null);
  return html`<h1>Search</h1>${search(look, "Search everything", "Search documents, calls, bodies, deliveries, mails and rules")}
${q === "" ? empty("What do you look for?", "A name, an id, an email address, a status, or a word of a body.") : groups.length === 0 ? nothingFound(q) : hitsGrid(look, q, groups)}`;
}

function nothingFound(q: string): Html {
  return empty(
    "Nothing found",
    html`Nothing in this tenant contains “${q}”. It may be a word of the guides or of the reference.`,
    html`<div class="acts middle"><a class="button" href="/docs/">Open the docs</a><a class="button" href="/reference?q=${encodeURIComponent(q)}">Search the reference</a></div>`,
  );
}

/** All hits in one table, with a heading above each kind. */
function hitsGrid(look: Look, q: string, groups: readonly Group[]): Html {
  const rows = groups.flatMap(({ title, all, hits }) =>
    hits.map((hit, i) => ({ hit, head: i === 0 ? html`${title} ${all}` : null })),
  );
  return grid(look, {
    id: "found",
    label: "Found",
    columns: [
      {
        id: "title",
        title: "Found",
        kind: "grow",
        cell: ({ hit }) => html`<strong>${marked(hit.title, q)}</strong>`,
        badges: ({ hit }) => (hit.times > 1 ? html`<span class="badge calm">×${numberText(hit.times)}</span>` : null),
      },
      { id: "match", title: "Where it matches", kind: "grow from-m", cell: ({ hit }) => matchCell(hit, q) },
      { id: "mark", title: "Status", kind: "from-m", cell: ({ hit }) => hit.mark },
      {
        id: "at",
        title: "Time",
        kind: "w-clock-day from-m",
        cell: ({ hit: { at } }) => (at === undefined ? null : clockTime(at)),
      },
    ],
    rows,
    below: ({ hit }) => matchCell(hit, q),
    line: ({ hit, head }) => ({ href: hit.href, group: head }),
  });
}

function documentHits(look: Look, q: string): Group | null {
  return group(look, "documents", "Documents", single(documents.search(look.tenant, q)), ([row]) => ({
    href: link(look, "documents", { id: row.id }),
    title: row.name,
    titled: "name",
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

function callHits(look: Look, q: string): Group | null {
  const found = look.tenant.journal.all().filter((one) => callText(look, one).includes(q.toLowerCase()));
  return group(look, "journal", "Calls", foldRepeats(found.reverse(), isSameRead), ([one]) => ({
    href: link(look, "journal", { id: one.id }),
    title: one.operationId ?? "unmatched",
    titled: "operation",
    texts: [
      ["about", aboutOf(look, one)?.name],
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

function deliveryHits(look: Look, q: string): Group | null {
  const found = look.tenant.store.deliveries.all().filter((row) => deliveryText(look, row).includes(q.toLowerCase()));
  const isSameEvent = (a: DeliveryRow, b: DeliveryRow) => a.subject === b.subject && a.event === b.event;
  return group(look, "deliveries", "Webhook deliveries", foldRepeats(found.reverse(), isSameEvent), ([row]) => ({
    href: link(look, "deliveries", { open: row.id }),
    title: row.event,
    titled: "event",
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

function mailHits(look: Look, q: string): Group | null {
  return group(look, "mails", "Mails", single(mails.find(look.tenant.world, { q }).reverse()), ([mail]) => ({
    href: link(look, "mails", { open: mail.id }),
    title: mail.subject,
    titled: "subject",
    texts: [
      ["to", `${mail.to_name ?? ""} ${mail.to}`],
      ["text", mail.text],
      ["link", mail.link],
    ],
    mark: badge(mail.kind),
    at: mail.created,
  }));
}

function ruleHits(look: Look, q: string): Group | null {
  const textOf = (rule: { name: string; written?: unknown }) => JSON.stringify([rule.name, rule.written]).toLowerCase();
  const found = look.tenant.rules.list().filter((rule) => textOf(rule).includes(q.toLowerCase()));
  return group(look, "rules", "Rules", single(found), ([rule]) => ({
    href: link(look, "rules", { open: `rule-${rule.id}` }),
    title: rule.name,
    titled: "name",
    texts: [["rule", JSON.stringify(rule.written)]],
    mark: null,
    at: undefined,
  }));
}

type Alike<Row> = readonly [Row, ...Row[]];

function single<Row>(rows: readonly Row[]): Alike<Row>[] {
  return rows.map((row) => [row]);
}

function group<Row>(
  look: Look,
  view: View,
  title: string,
  found: readonly Alike<Row>[],
  hitOf: (rows: Alike<Row>) => Omit<Hit, "times">,
): Group | null {
  if (found.length === 0) return null;
  const count = found.reduce((sum, rows) => sum + rows.length, 0);
  const all =
    found.length > ROWS
      ? html`<a href="${link(look, view, { q: look.q })}">All ${numberText(count)}</a>`
      : html`<span class="soft">${numberText(count)}</span>`;
  return { title, all, hits: found.slice(0, ROWS).map((rows) => ({ ...hitOf(rows), times: rows.length })) };
}

const BEFORE = 24;
const AFTER = 120;

function matchCell({ title, titled, texts }: Hit, q: string): Part {
  const has = (text: string) => text.toLowerCase().includes(q.toLowerCase());
  const found = texts.find(([, text]) => has(text ?? ""));
  // A secret matches too, but no page shows it.
  if (!found && !has(title)) return html`<span class="soft">in a value that pages hide</span>`;
  if (!found) {
    const [of, beside] = texts.find(([, one]) => one) ?? [];
    return html`<span class="soft">in the ${titled}${of ? `, ${of}` : null}</span> ${beside}`;
  }
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
