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
import { type Html, html } from "../../engine/http/html.ts";
import { curlOf, fetchCodeOf, pythonOf } from "./code.ts";
import { bodyView } from "./json.ts";
import { ago, copy, filtered, timeAndAgo } from "./lists.ts";
import { codeBadge, empty, facts, link, type Look, opens, pre, search } from "./parts.ts";
import { openRow, pageOf } from "./rows.ts";
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
  const { rows, pager } = pageOf(look, foldRepeats(all, isSameRead).map(toLine));
  return html`<h1>Journal <span class="soft">${all.length}</span></h1>
<div class="acts"><a class="button" data-testid="har" href="/__admin/har${look.isDefault ? "" : `?tenant=${encodeURIComponent(look.tenant.id)}`}" download="docdouble.har">Save as HAR</a></div>
${search(look, "Search the journal", "Search operation, address, status, rule or why")}${bar}
${
  all.length === 0
    ? empty(
        "No calls",
        look.q || look.is ? "No call matches your search." : "Calls to the service appear here as they are answered.",
      )
    : html`<ul class="rows" data-testid="journal">${rows.map((line) => lineRow(look, line))}</ul>${pager}`
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

function lineRow(look: Look, { id, calls }: Line): Html {
  const [newest] = calls;
  if (calls.length === 1) return exchangeRow(look, newest);
  const oldest = calls.at(-1) ?? newest;
  const spell = newest.at === oldest.at ? "at one instant" : `in ${spokenDuration(newest.at - oldest.at)}`;
  const times = html`<span class="badge calm">×${calls.length} ${spell}</span>`;
  return openRow(look, `polls-${id}`, html`${callTitle(look, newest)}${times}${callMarks(look, newest)}`, () => {
    const more = calls.length - POLLS_SHOWN;
    return html`<ul class="rows" data-testid="polls">${calls.slice(0, POLLS_SHOWN).map((one) => exchangeRow(look, one))}</ul>${more > 0 ? html`<p class="soft">and ${more} older polls with the same answer</p>` : null}`;
  });
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

export function exchangeRow(look: Look, one: JournalEntry): Html {
  return html`<li><a class="row" href="${link(look, "journal", { id: one.id })}">${callTitle(look, one)}${callMarks(look, one)}</a></li>`;
}

function callTitle(look: Look, one: JournalEntry): Html {
  const name = rowsNamedIn(look.tenant, one)[0]?.name;
  return html`${codeBadge(one.status)}<span class="what"><strong>${one.operationId ?? "unmatched"}${name === undefined ? null : html` <span class="soft">${name}</span>`}</strong><span class="soft"><code>${one.method} ${shownUrl(one)}</code></span>${one.why ? html`<span class="${one.status !== undefined && one.status < 400 ? "soft" : "why"}">${shownWhy(one)}</span>` : null}</span>`;
}

function callMarks(look: Look, one: JournalEntry): Html {
  return html`${one.page ? html`<span class="badge calm">page</span>` : null}${one.tool === undefined ? null : html`<span class="badge calm">tool ${one.tool}</span>`}${one.rule ? html`<span class="badge busy">rule ${one.rule}</span>` : null}<span class="soft when">${ago(look, one.at)}</span>`;
}

function exchangeDetail(look: Look, one: JournalEntry): Html {
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <code>${one.id}</code> ${copy(one.id, "the id")}</p>
<h1 class="title">${one.operationId ?? "Unmatched"} ${codeBadge(one.status)}${one.tool === undefined ? null : html` <span class="badge calm">tool ${one.tool}</span>`}</h1>
${exchangeBody(look, one, "h2")}`;
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
    [
      "About",
      one.subject && look.tenant.store.documents?.get(one.subject)
        ? html`<a href="${link(look, "documents", { id: one.subject })}">${one.subject}</a>`
        : (one.subject ?? "–"),
    ],
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
