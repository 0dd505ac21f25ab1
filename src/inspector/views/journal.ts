import { spokenDuration } from "../../engine/core/time-limits.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
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
import { isSameRead } from "../../engine/journal/same-calls.ts";
import { foldRepeats } from "../log/folding.ts";
import { aboutOf } from "./about.ts";
import { curlOf, quoted } from "./code.ts";
import { compareForm, compareHtml } from "./compare.ts";
import { opensBelow } from "./grid.ts";
import { bodyView } from "./json.ts";
import { callHtml, clockTime, copy, counted, numberText, timeAndAgo } from "./lists.ts";
import { badge, codeBadge, empty, facts, keyOf, lines, link, type Look, opens, pre, shownTenant } from "./parts.ts";
import { byText, type List, listPage, type Page, type Section } from "./section.ts";

export const journalSection: Section = {
  count: ({ tenant }) => [tenant.journal.size, "call"],
  page(look) {
    const { id, with: second, tenant } = look;
    if (id === undefined) return listPage(look, listOf(look));
    const one = tenant.journal.get(id);
    const other = second === undefined ? undefined : tenant.journal.get(second);
    if (!one || (second !== undefined && !other)) return missing(look, one ? second : id);
    const title = callTitle(one);
    return other
      ? { title: `${title} and ${callTitle(other)}`, content: compareHtml(look, one, other) }
      : { title, content: callPage(look, one) };
  },
};

function missing(look: Look, id = ""): Page {
  const text = html`The journal has no call ${id}. <a href="${link(look, "journal")}">The journal</a>`;
  return { title: "No such call", content: html`<h1>No such call</h1>${empty("Not found", text)}`, isMissing: true };
}

function callTitle({ operationId, method, path, status }: JournalEntry): string {
  return `${operationId ?? `${method} ${path}`} ${status ?? "no answer"}`;
}

/** A call, or polls with the same answer, the newest first. Its id is that of the oldest call, which stays while polls continue. */
interface Row {
  id: string;
  calls: readonly [JournalEntry, ...JournalEntry[]];
}

function listOf(look: Look): List<Row> {
  const { journal, settings } = look.tenant;
  const tenant = shownTenant(look);
  const textOf = (one: JournalEntry) =>
    [
      one.method,
      one.url,
      one.operationId,
      one.tool,
      one.status,
      one.rule,
      one.why,
      aboutOf(look, one)?.name,
      one.body,
      one.responseBody,
    ].join(" ");
  const first = `curl -H ${quoted(`Authorization: API-Key ${keyOf(look)}`)} \\\n  ${quoted(`${settings.publicUrl}/public/v1/documents`)}`;
  const toRow = (calls: Row["calls"]) => ({ id: (calls.at(-1) ?? calls[0]).id, calls });
  return {
    title: "Journal",
    size: journal.size,
    hint: "operation, address, status, rule or why",
    find: (text) => foldRepeats(byText(journal.all().reverse(), textOf)(text), isSameRead).map(toRow),
    kindsOf: ({ calls: [call] }) => kindsOf(call),
    kinds: ["answered", "refused", "no answer", "by a rule", "unmatched", "pages"],
    note(shown) {
      const calls = shown.reduce((sum, one) => sum + one.calls.length, 0);
      return `${counted(calls, "call")}${calls > shown.length ? ` in ${counted(shown.length, "row")}` : ""}`;
    },
    act: html`<a class="button" data-testid="har" href="/__admin/har${tenant && `?tenant=${encodeURIComponent(tenant)}`}" download="docdouble.har">Save as HAR</a>`,
    none: ["No calls yet", "Calls to the service appear here as they are answered. Make the first one:", callHtml(first)],
    order: "-at",
    line({ id, calls }) {
      if (calls.length === 1) return { href: link(look, "journal", { id: calls[0].id }) };
      return { ...opensBelow(look, `polls-${id}`), detail: () => pollsHtml(look, calls) };
    },
    below: ({ calls: [call] }) => html`${clockTime(call.at)} · ${aboutOf(look, call)?.name ?? shownUrl(call)}`,
    columns: [
      {
        id: "operation",
        title: "Operation",
        kind: "grow whole",
        by: ({ calls: [call] }) => call.operationId,
        cell: ({ calls }) => html`<strong>${calls[0].operationId ?? "unmatched"}</strong>${repeatBadge(calls)}`,
      },
      {
        id: "status",
        title: "Status",
        by: ({ calls: [call] }) => call.status ?? 0,
        cell: ({ calls: [call] }) => codeBadge(call.status),
      },
      {
        id: "call",
        title: "Call",
        kind: "grow from-m",
        by: ({ calls: [call] }) => call.url,
        cell: ({ calls: [call] }) => html`<code>${call.method} ${shownUrl(call)}</code>`,
      },
      {
        id: "about",
        title: "About",
        kind: "grow from-m",
        by: ({ calls: [call] }) => aboutOf(look, call)?.name,
        cell: ({ calls: [call] }) => aboutCell(look, call),
      },
      {
        id: "why",
        title: "Reason",
        kind: "grow from-l",
        by: ({ calls: [call] }) => reasonOf(call),
        cell: ({ calls: [call] }) => html`${marks(call)}${reasonOf(call)}`,
      },
      {
        id: "at",
        title: "Time",
        kind: "time from-m",
        by: ({ calls: [call] }) => call.at,
        cell: ({ calls: [call] }) => clockTime(call.at),
      },
    ],
  };
}

const POLLS_SHOWN = 100;

function pollsHtml(look: Look, calls: Row["calls"]): Html {
  const more = calls.length - POLLS_SHOWN;
  const items = calls
    .slice(0, POLLS_SHOWN)
    .map(
      ({ id, at, status }) => html`<li><a href="${link(look, "journal", { id })}">${clockTime(at)}</a> ${codeBadge(status)}</li>`,
    );
  return html`<ul class="plain" data-testid="polls">${items}${more > 0 ? html`<li class="soft">and ${more} older polls with the same answer</li>` : null}</ul>`;
}

function repeatBadge(calls: Row["calls"]): Html | null {
  if (calls.length === 1) return null;
  const [{ at }] = calls;
  const since = calls.at(-1)?.at ?? at;
  return html` <span class="badge calm">×${numberText(calls.length)} ${at === since ? "at one instant" : `in ${spokenDuration(at - since)}`}</span>`;
}

function aboutCell(look: Look, one: JournalEntry): Part {
  const about = aboutOf(look, one);
  const isDocument = about && look.tenant.store.documents.get(about.id) !== undefined;
  return isDocument ? html`<a href="${link(look, "documents", { id: about.id })}">${about.name}</a>` : about?.name;
}

const ASSUMED = / ?\(assumption ([^)]*)\)/;
/** The whole reason of an answer that only an assumption explains. */
const AS_ASSUMED = /^answered as docdouble assumes(?:; )?/;

function reasonOf(one: JournalEntry): string {
  return (shownWhy(one) ?? "").replace(ASSUMED, "").replace(AS_ASSUMED, "");
}

function isRefused({ status }: JournalEntry): boolean {
  return status === undefined || status >= 400;
}

function marks(one: JournalEntry): Part {
  const assumed = ASSUMED.exec(one.why ?? "")?.[1];
  return [
    one.page && html`<span class="badge calm">page</span> `,
    one.tool && html`<span class="badge calm">tool ${one.tool}</span> `,
    one.rule && html`<span class="badge busy">rule ${one.rule}</span> `,
    assumed && html`<span class="badge calm" title="Assumption ${assumed}">assumed</span> `,
  ];
}

function kindsOf({ status, rule, operationId, page }: JournalEntry): string[] {
  return [
    status === undefined ? "no answer" : status < 400 ? "answered" : "refused",
    ...(rule === undefined ? [] : ["by a rule"]),
    ...(operationId === undefined ? ["unmatched"] : []),
    ...(page ? ["pages"] : []),
  ];
}

function callPage(look: Look, one: JournalEntry): Html {
  const name = aboutOf(look, one)?.name;
  const { operationId = "Unmatched", page } = one;
  const isListed = one.operationId !== undefined && !page;
  return html`<p class="crumbs small"><a href="${link(look, "journal")}">Journal</a> / <code>${one.id}</code> ${copy(one.id, "the id")}</p>
<h1>${isListed ? html`<a href="/reference#${operationId}">${operationId}</a>` : operationId} ${codeBadge(one.status)}${one.tool && html` ${badge(`tool ${one.tool}`)}`}${name && html` <span class="soft">${name}</span>`}</h1>
${exchangeBody(look, one, "h2", compareForm(look, one))}`;
}

/** @param compare a form beside the buttons */
export function exchangeBody(look: Look, one: JournalEntry, heading: "h2" | "h3", compare: Html | null = null): Html {
  const about = aboutOf(look, one);
  const gist: Part[] = [
    html`<code>${one.method} ${shownUrl(one)}</code>`,
    timeAndAgo(look, one.at),
    `${numberText(one.took_ms)} ms`,
    callerText(one),
    one.rule && html`rule <a href="${link(look, "rules")}">${one.rule}</a>`,
    about && html`about ${aboutCell(look, one)}`,
  ].filter((part) => part !== undefined);
  return html`<p data-testid="gist">${gist.map((part, i) => html`${i > 0 ? html` <span class="soft">·</span> ` : null}${part}`)}</p>
${one.why && html`<p class="${isRefused(one) ? "error" : "note"}" data-testid="why">${whyHtml(look, one)}</p>`}
<div class="columns"><div class="card"><${heading}>Request</${heading}>${requestBody(one)}${headers(`${one.id}-request`, "Request headers", shownHeaders(one))}</div>
<div class="card"><${heading}>Answer</${heading}>${bodyView(`${one.id}-answer-body`, shownAnswer(one), "Answer body")}${headers(`${one.id}-answer`, "Answer headers", shownAnswerHeaders(one), isRefused(one))}</div></div>
<div class="acts">${copy(curlOf(one, look.tenant.settings.publicUrl), "as a curl command", "Copy as curl")}${compare}</div>`;
}

function headers(id: string, label: string, all: Record<string, string>, isOpen = false): Html {
  return opens(`${id}-headers`, "Headers", pre(lines(all), label), isOpen);
}

/** The whole reason. An assumption leads to its page. */
function whyHtml(look: Look, one: JournalEntry): Part {
  const whole = shownWhy(one) ?? "";
  const [part, ids] = ASSUMED.exec(whole) ?? [];
  if (part === undefined || ids === undefined) return whole;
  const links = ids
    .split(", ")
    .map((id, i) => html`${i > 0 && ", "}<a href="${link(look, "assumptions", { q: id, open: id })}">${id}</a>`);
  const [before, after] = whole.split(part);
  return html`${before} (assumption ${links})${after}`;
}

function callerText({ caller }: JournalEntry): string {
  if (!caller) return "unknown";
  return caller.email === undefined ? caller.kind.replaceAll("_", " ") : `${caller.email} (${caller.environment})`;
}

function requestBody(one: JournalEntry): Html {
  if (!one.parts) return bodyView(`${one.id}-request-body`, shownBody(one), "Request body");
  return facts(shownRequestParts(one).map((part, i) => [part.name, partHtml(`${one.id}-part-${i}`, part)] as const));
}

function partHtml(id: string, { name, filename, type, bytes, sha256, text }: BodyPart): Html {
  if (text !== undefined) return bodyView(id, text, `Field ${name}`);
  const what = [...(filename === undefined ? [] : [filename]), type, `${bytes} bytes`].join(" · ");
  return html`${what}<br><code class="soft">sha256 ${sha256}</code>`;
}
