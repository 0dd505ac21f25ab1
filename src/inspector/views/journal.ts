import { foldRepeats } from "../log/folding.ts";
import { rowsNamedIn } from "../log/log-event.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import type { BodyPart, JournalEntry } from "../../engine/journal/journal.ts";
import {
  shownAnswer,
  shownAnswerHeaders,
  shownBody,
  shownHeaders,
  shownRequestParts,
  shownUrl,
  shownWhy,
} from "../../engine/journal/redacted-call.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { curlOf, fetchCodeOf, pythonOf } from "./code.ts";
import { compareForm, compareHtml } from "./compare.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { bodyView } from "./json.ts";
import { clockTime, copy, countOf, filtered, timeAndAgo } from "./lists.ts";
import { codeBadge, empty, facts, link, type Look, opens, pre, search } from "./parts.ts";
import { opensBelow, pageOf } from "./rows.ts";
import { isSameRead } from "../../engine/journal/same-calls.ts";

export function journalSection(look: Look): Html {
  if (look.id !== undefined) {
    const one = look.tenant.journal.get(look.id);
    return one
      ? exchangeDetail(look, one)
      : html`<h1>No such call</h1>${empty("Not found", html`The journal has no call ${look.id}. <a href="${link(look, "journal")}">The journal</a>`)}`;
  }
  const wanted = look.q?.toLowerCase();
  const found = look.tenant.journal
    .all()
    .reverse()
    .filter((one) => wanted === undefined || callText(look, one).includes(wanted));
  const { rows: all, bar } = filtered(look, found, kindsOf);
  const columns = columnsOf(look);
  const { rows, pager } = pageOf(look, sorted(look, columns, foldRepeats(all, isSameRead).map(toLine)));
  return html`<div class="title-row"><h1>Journal <span class="soft">${countOf(all.length, look.tenant.journal.size)}</span></h1><a class="button" data-testid="har" href="/__admin/har${look.isDefault ? "" : `?tenant=${encodeURIComponent(look.tenant.id)}`}" download="docdouble.har">Save as HAR</a></div>
${search(look, "Search the journal", "Search operation, address, status, rule or why")}${bar}
${
  all.length === 0
    ? empty(
        "No calls",
        look.q || look.is ? "No call matches your search." : "Calls to the service appear here as they are answered.",
      )
    : html`${linesGrid(look, "journal", rows)}${pager}`
}`;
}

/** A call, or polls with the same answer, the newest first. Its id is that of the oldest call, which stays while polls continue. */
interface Line {
  id: string;
  calls: readonly [JournalEntry, ...JournalEntry[]];
}

function toLine(calls: Line["calls"]): Line {
  return { id: (calls.at(-1) ?? calls[0]).id, calls };
}

const POLLS_SHOWN = 100;

function columnsOf(look: Look): readonly Column<Line>[] {
  const newest = ({ calls }: Line) => calls[0];
  return [
    {
      id: "at",
      title: "Time",
      kind: "w-clock-day",
      falls: true,
      by: (row) => newest(row).at,
      cell: (row) => clockTime(newest(row).at),
    },
    {
      id: "operation",
      title: "Operation",
      kind: "w-operation",
      links: true,
      by: (row) => newest(row).operationId ?? "",
      cell: ({ calls }) => html`<strong>${calls[0].operationId ?? "unmatched"}</strong>${repeatBadge(calls)}`,
    },
    {
      id: "status",
      title: "Status",
      kind: "w-code",
      by: (row) => newest(row).status ?? 0,
      cell: (row) => codeBadge(newest(row).status),
    },
    {
      id: "about",
      title: "About",
      kind: "w-people from-m",
      by: (row) => aboutName(look, newest(row)),
      cell: (row) => aboutCell(look, newest(row)),
    },
    { id: "why", title: "Address and reason", kind: "grow from-m", cell: (row) => reasonCell(newest(row)) },
    {
      id: "took",
      title: "Took",
      kind: "w-number number from-l",
      falls: true,
      by: (row) => newest(row).took_ms,
      cell: (row) => `${newest(row).took_ms} ms`,
    },
  ];
}

function linesGrid(look: Look, id: string, rows: readonly Line[]): Html {
  return grid<Line>(look, {
    id,
    label: "Calls",
    columns: columnsOf(look),
    rows,
    line(row) {
      const [newest] = row.calls;
      if (row.calls.length === 1) return { href: link(look, "journal", { id: newest.id }) };
      const key = `polls-${row.id}`;
      return { ...opensBelow(look, key), detail: () => pollsHtml(look, row) };
    },
  });
}

/** A table of calls, one in each row. */
export function callsGrid(look: Look, id: string, calls: readonly JournalEntry[]): Html {
  return linesGrid(
    look,
    id,
    calls.map((one) => toLine([one])),
  );
}

function pollsHtml(look: Look, { calls }: Line): Html {
  const more = calls.length - POLLS_SHOWN;
  return html`${callsGrid({ ...look, sort: undefined }, "polls", calls.slice(0, POLLS_SHOWN))}${more > 0 ? html`<p class="soft">and ${more} older polls with the same answer</p>` : null}`;
}

function repeatBadge(calls: Line["calls"]): Html | null {
  if (calls.length === 1) return null;
  const [newest] = calls;
  const oldest = calls.at(-1) ?? newest;
  const spell = newest.at === oldest.at ? "at one instant" : `in ${spokenDuration(newest.at - oldest.at)}`;
  return html` <span class="badge calm">×${calls.length} ${spell}</span>`;
}

function aboutName(look: Look, one: JournalEntry): string {
  return rowsNamedIn(look.tenant, one)[0]?.name ?? "";
}

/** The name of the row that the call is about, with a link when it is a document. */
function aboutCell(look: Look, one: JournalEntry): Part {
  const [about] = rowsNamedIn(look.tenant, one);
  if (!about) return html`<span class="soft">–</span>`;
  const isDocument = look.tenant.store.documents?.get(about.id) !== undefined;
  return isDocument ? html`<a href="${link(look, "documents", { id: about.id })}">${about.name}</a>` : about.name;
}

function reasonCell(one: JournalEntry): Html {
  const isRefused = one.status === undefined || one.status >= 400;
  return html`${one.page ? html`<span class="badge calm">page</span> ` : null}${one.tool === undefined ? null : html`<span class="badge calm">tool ${one.tool}</span> `}${one.rule ? html`<span class="badge busy">rule ${one.rule}</span> ` : null}${one.why ? html`<span class="${isRefused ? "why" : "soft"}">${shownWhy(one)}</span> ` : null}<code class="soft">${one.method} ${shownUrl(one)}</code>`;
}

function kindsOf({ status, rule, operationId, page }: JournalEntry): string[] {
  const kinds = [];
  if (status !== undefined && status < 400) kinds.push("answered");
  else kinds.push(status === undefined ? "no answer" : "refused");
  if (rule !== undefined) kinds.push("by a rule");
  if (operationId === undefined) kinds.push("unmatched");
  if (page) kinds.push("pages");
  return kinds;
}

export function callText(look: Look, one: JournalEntry): string {
  const [about] = rowsNamedIn(look.tenant, one);
  return [one.method, one.url, one.operationId, one.tool, one.status, one.rule, one.why, about?.name, one.body, one.responseBody]
    .join(" ")
    .toLowerCase();
}

function exchangeDetail(look: Look, one: JournalEntry): Html {
  const other = look.with === undefined ? undefined : look.tenant.journal.get(look.with);
  if (other) return compareHtml(look, one, other);
  const name = aboutName(look, one);
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <code>${one.id}</code> ${copy(one.id, "the id")}</p>
<h1 class="title">${one.operationId ?? "Unmatched"} ${codeBadge(one.status)}${one.tool === undefined ? null : html` <span class="badge calm">tool ${one.tool}</span>`}${name ? html` <span class="soft">${name}</span>` : null}</h1>
${neighbors(look, one)}
${exchangeBody(look, one, "h2")}
${compareForm(look, one)}`;
}

/** The calls before and after this one, among all and among those about the same row. */
function neighbors(look: Look, one: JournalEntry): Html {
  const all = look.tenant.journal.all();
  const about = one.subject === undefined ? [] : all.filter((other) => other.subject === one.subject);
  const to = (calls: readonly JournalEntry[], by: -1 | 1, label: string, rel: string) => {
    const next = calls[calls.indexOf(one) + by];
    if (calls.length === 0) return null;
    return html`<li>${next && calls.includes(one) ? html`<a href="${link(look, "journal", { id: next.id })}" rel="${rel}">${label} <span class="soft">${next.operationId ?? next.path}</span></a>` : html`<span class="soft">${label}</span>`}</li>`;
  };
  return html`<nav class="pager" aria-label="Calls before and after"><ul>${to(all, -1, "‹ Before", "prev")}${to(all, 1, "Next ›", "next")}</ul>${about.length > 1 ? html`<ul>${to(about, -1, "‹ Before, same object", "")}${to(about, 1, "Next, same object ›", "")}</ul>` : null}</nav>`;
}

export function exchangeBody(look: Look, one: JournalEntry, heading: "h2" | "h3"): Html {
  const { publicUrl } = look.tenant.settings;
  const headers = (all: Record<string, string>) =>
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  return html`<p class="call"><code>${one.method} ${shownUrl(one)}</code></p>
<div class="acts">${copy(curlOf(one, publicUrl), "as a curl command", "Copy as curl")}${copy(fetchCodeOf(one, publicUrl), "as JavaScript", "Copy as fetch")}${copy(pythonOf(one, publicUrl), "as Python", "Copy as Python")}</div>
${one.why ? html`<p class="${one.status !== undefined && one.status < 400 ? "note" : "error"}" data-testid="why">${shownWhy(one)}</p>` : null}
<section class="inner">${facts([
    ["At", timeAndAgo(look, one.at)],
    ["Took", `${one.took_ms} ms`],
    ["Caller", callerText(one)],
    ["Rule", one.rule ? html`<a href="${link(look, "rules")}">${one.rule}</a>` : "none"],
    ["About", html`${aboutCell(look, one)}${one.subject === undefined ? null : html` <code class="soft">${one.subject}</code>`}`],
  ])}</section>
<div class="columns"><div class="card"><${heading}>Request</${heading}>${opens(`${one.id}-request-headers`, "Headers", pre(headers(shownHeaders(one)), "Request headers"))}${requestBody(one)}</div>
<div class="card"><${heading}>Answer</${heading}>${opens(`${one.id}-answer-headers`, "Headers", pre(headers(shownAnswerHeaders(one)), "Answer headers"))}${bodyView(`${one.id}-answer-body`, shownAnswer(one), "Answer body")}</div></div>`;
}

/** Callers of a small service have no address. */
function callerText({ caller }: JournalEntry): string {
  if (!caller) return "unknown";
  return caller.email === undefined ? caller.kind.replaceAll("_", " ") : `${caller.email} (${caller.environment})`;
}

function requestBody(one: JournalEntry): Html {
  if (!one.parts) return bodyView(`${one.id}-request-body`, shownBody(one), "Request body");
  return facts(shownRequestParts(one).map((part, i) => [part.name, partText(`${one.id}-part-${i}`, part)] as const));
}

function partText(id: string, { name, filename, type, bytes, sha256, text }: BodyPart): Html {
  if (text !== undefined) return bodyView(id, text, `Field ${name}`);
  const what = [...(filename === undefined ? [] : [filename]), type, `${bytes} bytes`].join(" · ");
  return html`${what}<br><span class="soft"><code>sha256 ${sha256}</code></span>`;
}
