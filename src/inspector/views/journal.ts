import { foldRepeats } from "../log/folding.ts";
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
import { aboutOf } from "./about.ts";
import { curlOf, quoted } from "./code.ts";
import { compareForm, compareHtml } from "./compare.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { bodyView } from "./json.ts";
import { clockTime, copy, counted, countOf, filtered, numberText, timeAndAgo } from "./lists.ts";
import { codeBadge, empty, facts, here, keyOf, link, type Look, opens, pre, search } from "./parts.ts";
import { opensBelow, pageOf } from "./rows.ts";
import { isSameRead } from "../../engine/journal/same-calls.ts";

export function journalSection(look: Look): Html {
  if (look.id !== undefined) {
    const one = look.tenant.journal.get(look.id);
    const other = look.with === undefined ? undefined : look.tenant.journal.get(look.with);
    if (one && other) return compareHtml(look, one, other);
    return one && look.with === undefined
      ? exchangeDetail(look, one)
      : html`<h1>No such call</h1>${empty("Not found", html`The journal has no call ${one ? look.with : look.id}. <a href="${link(look, "journal")}">The journal</a>`)}`;
  }
  const wanted = look.q?.toLowerCase();
  const found = look.tenant.journal
    .all()
    .reverse()
    .filter((one) => wanted === undefined || callText(look, one).includes(wanted));
  const { rows: all, bar } = filtered(look, found, kindsOf, KINDS);
  const columns = columnsOf(look);
  const lines = foldRepeats(all, isSameRead).map(toLine);
  const { rows, pager } = pageOf(look, sorted(look, columns, lines));
  const { size } = look.tenant.journal;
  if (size === 0)
    return html`<h1>Journal</h1>${empty("No calls yet", "Calls to the service appear here as they are answered. Make the first one:", firstCall(look))}`;
  return html`<div class="title-row"><h1>Journal <span class="soft">${countOfCalls(all.length, size, lines.length)}</span></h1><a class="button" data-testid="har" href="/__admin/har${look.isDefault ? "" : `?tenant=${encodeURIComponent(look.tenant.id)}`}" download="docdouble.har">Save as HAR</a></div>
${search(look, "Search the journal", "Search operation, address, status, rule or why")}${bar}
${
  all.length === 0
    ? empty("No calls", html`No call matches. <a href="${here(look, { q: undefined, is: undefined })}">All calls</a>`)
    : html`${linesGrid(look, "journal", rows)}${pager}`
}`;
}

function countOfCalls(shown: number, all: number, lines: number): string {
  const calls = shown === all ? counted(all, "call") : `${countOf(shown, all)} calls`;
  return lines === shown ? calls : `${calls} in ${counted(lines, "row")}`;
}

/** The first call of a client: it lists documents. */
function firstCall(look: Look): Html {
  const call = `curl -H ${quoted(`Authorization: API-Key ${keyOf(look)}`)} \\\n  ${quoted(`${look.tenant.settings.publicUrl}/public/v1/documents`)}`;
  return html`${pre(call, "A first call")}${copy(call, "the call")}`;
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
      isFirst: true,
      by: (row) => newest(row).at,
      cell: (row) => clockTime(newest(row).at),
    },
    {
      id: "operation",
      title: "Operation",
      kind: "grow whole",
      links: true,
      by: (row) => newest(row).operationId,
      cell: ({ calls }) => html`<strong>${calls[0].operationId ?? "unmatched"}</strong>`,
      badges: ({ calls }) => repeatBadge(calls),
    },
    {
      id: "status",
      title: "Status",
      by: (row) => newest(row).status ?? 0,
      cell: (row) => codeBadge(newest(row).status),
    },
    {
      id: "about",
      title: "About",
      kind: "grow from-m",
      by: (row) => aboutOf(look, newest(row))?.name,
      cell: (row) => aboutCell(look, newest(row)),
    },
    {
      id: "why",
      title: "Reason",
      kind: "grow from-m",
      by: (row) => reasonOf(newest(row)).text,
      cell: (row) => reasonCell(newest(row)),
      badges: (row) => reasonBadges(newest(row)),
    },
    {
      id: "took",
      title: "Took",
      kind: "number from-xl",
      falls: true,
      by: (row) => newest(row).took_ms,
      cell: (row) => `${numberText(newest(row).took_ms)} ms`,
    },
  ];
}

function linesGrid(look: Look, id: string, rows: readonly Line[]): Html {
  return grid<Line>(look, {
    id,
    label: "Calls",
    columns: columnsOf(look),
    rows,
    below: ({ calls: [newest] }) =>
      [aboutOf(look, newest)?.name, reasonOf(newest).text].filter(Boolean).join(" · ") || `${newest.method} ${shownUrl(newest)}`,
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
  return html`<span class="badge calm">×${numberText(calls.length)} <span class="spell">${spell}</span></span>`;
}

function aboutCell(look: Look, one: JournalEntry): Part {
  const about = aboutOf(look, one);
  if (!about) return html`<span class="soft">–</span>`;
  const isDocument = look.tenant.store.documents.get(about.id) !== undefined;
  return isDocument ? html`<a href="${link(look, "documents", { id: about.id })}">${about.name}</a>` : about.name;
}

interface Reason {
  text: string;
  /** The ids of the assumptions that the answer follows. */
  assumed: readonly string[];
}

const ASSUMED = / ?\(assumption ([^)]*)\)/;
/** The whole reason of an answer that only an assumption explains. */
const AS_ASSUMED = /^answered as docdouble assumes(?:; )?/;

export function reasonOf(one: JournalEntry): Reason {
  const whole = shownWhy(one) ?? "";
  const [, ids] = ASSUMED.exec(whole) ?? [];
  return { text: whole.replace(ASSUMED, "").replace(AS_ASSUMED, ""), assumed: ids?.split(", ") ?? [] };
}

function isRefused({ status }: JournalEntry): boolean {
  return status === undefined || status >= 400;
}

/** The address of a call says something only without an operation, and on a page. */
function reasonCell(one: JournalEntry): Html {
  const { text } = reasonOf(one);
  if (text) return html`<span class="${isRefused(one) ? "why" : "soft"}">${text}</span>`;
  return html`${one.page || one.operationId === undefined ? html`<code class="soft">${one.method} ${shownUrl(one)}</code>` : null}`;
}

function reasonBadges(one: JournalEntry): Part {
  const { assumed } = reasonOf(one);
  const badges = [
    one.page ? html`<span class="badge calm">page</span>` : null,
    one.tool === undefined ? null : html`<span class="badge calm">tool ${one.tool}</span>`,
    one.rule ? html`<span class="badge busy">rule ${one.rule}</span>` : null,
    assumed.length > 0 ? html`<span class="badge calm" title="Assumption ${assumed.join(", ")}">assumed</span>` : null,
  ].filter((badge) => badge !== null);
  return badges.length > 0 ? badges.map((badge) => html`${badge} `) : null;
}

/** The order of the filters. */
const KINDS = ["answered", "refused", "no answer", "by a rule", "unmatched", "pages"] as const;

function kindsOf({ status, rule, operationId, page }: JournalEntry): string[] {
  const kinds: (typeof KINDS)[number][] = [];
  if (status !== undefined && status < 400) kinds.push("answered");
  else kinds.push(status === undefined ? "no answer" : "refused");
  if (rule !== undefined) kinds.push("by a rule");
  if (operationId === undefined) kinds.push("unmatched");
  if (page) kinds.push("pages");
  return kinds;
}

export function callText(look: Look, one: JournalEntry): string {
  const about = aboutOf(look, one);
  return [one.method, one.url, one.operationId, one.tool, one.status, one.rule, one.why, about?.name, one.body, one.responseBody]
    .join(" ")
    .toLowerCase();
}

function exchangeDetail(look: Look, one: JournalEntry): Html {
  const name = aboutOf(look, one)?.name;
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <code>${one.id}</code> ${copy(one.id, "the id")}</p>
<h1 class="title">${operationLink(one)} ${codeBadge(one.status)}${one.tool === undefined ? null : html` <span class="badge calm">tool ${one.tool}</span>`}${name ? html` <span class="soft">${name}</span>` : null}</h1>
${exchangeBody(look, one, "h2", compareForm(look, one))}`;
}

function operationLink({ operationId, page }: JournalEntry): Part {
  if (operationId === undefined) return "Unmatched";
  return page ? operationId : html`<a href="/reference#${operationId}">${operationId}</a>`;
}

/** @param compare a form beside the buttons */
export function exchangeBody(look: Look, one: JournalEntry, heading: "h2" | "h3", compare: Html | null = null): Html {
  const { publicUrl } = look.tenant.settings;
  const headers = (all: Record<string, string>) =>
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  const about = aboutOf(look, one);
  const gist: Part[] = [
    html`<code>${one.method} ${shownUrl(one)}</code>`,
    timeAndAgo(look, one.at),
    `${numberText(one.took_ms)} ms`,
    callerText(one),
    one.rule ? html`rule <a href="${link(look, "rules")}">${one.rule}</a>` : null,
    about ? html`about ${aboutCell(look, one)}` : null,
  ].filter((part) => part !== null);
  return html`<p data-testid="gist">${gist.map((part, i) => html`${i > 0 ? html` <span class="soft">·</span> ` : null}${part}`)}</p>
${one.why ? html`<p class="${isRefused(one) ? "error" : "note"}" data-testid="why">${whyHtml(look, one)}</p>` : null}
<div class="acts with-compare">${copy(curlOf(one, publicUrl), "as a curl command", "Copy as curl")}${compare}</div>
<div class="columns"><div class="card"><${heading}>Request</${heading}>${requestBody(one)}${opens(`${one.id}-request-headers`, "Headers", pre(headers(shownHeaders(one)), "Request headers"))}</div>
<div class="card"><${heading}>Answer</${heading}>${bodyView(`${one.id}-answer-body`, shownAnswer(one), "Answer body")}${opens(`${one.id}-answer-headers`, "Headers", pre(headers(shownAnswerHeaders(one)), "Answer headers"), isRefused(one))}</div></div>`;
}

/** The whole reason. An assumption leads to its page. */
function whyHtml(look: Look, one: JournalEntry): Part {
  const whole = shownWhy(one) ?? "";
  const found = ASSUMED.exec(whole);
  if (!found) return whole;
  const [part, ids = ""] = found;
  const links = ids
    .split(", ")
    .map((id, i) => html`${i > 0 ? ", " : null}<a href="${link(look, "assumptions", { q: id, open: id })}">${id}</a>`);
  return html`${whole.slice(0, found.index)} (assumption ${links})${whole.slice(found.index + part.length)}`;
}

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
