/** The inspector's journal: calls, answers and reasons. Credentials show their last characters, secrets are redacted. */
import type { BodyPart, JournalEntry } from "../../engine/journal.ts";
import {
  shownAnswer,
  shownAnswerHeaders,
  shownBody,
  shownHeaders,
  shownRequestParts,
  shownUrl,
  shownWhy,
} from "../../engine/redacted-call.ts";
import { type Html, html } from "../html.ts";
import { curlOf } from "./curl.ts";
import { ago, copy, filtered, timeAndAgo } from "./lists.ts";
import { bodyText, codeBadge, empty, facts, link, type Look, more, opens, pre, ROWS_MAX, search } from "./parts.ts";

export function journalSection(look: Look): Html {
  if (look.id !== undefined) {
    const one = look.tenant.journal.get(look.id);
    return one
      ? exchangeDetail(look, one)
      : html`<h1>No such call</h1>${empty("It is not here", html`The journal has no call ${look.id}. <a href="${link(look, "journal")}">The journal</a>`)}`;
  }
  const wanted = look.q?.toLowerCase();
  const found = look.tenant.journal
    .all()
    .reverse()
    .filter((one) => wanted === undefined || textOf(one).includes(wanted));
  const { rows: all, bar } = filtered(look, found, kindsOf);
  return html`<h1>Journal <span class="soft">${all.length}</span></h1>
${search(look, "Search the journal", "Search operation, address, status, rule or why")}${bar}
${
  all.length === 0
    ? empty("No calls", look.q || look.is ? "None is like that." : "Calls to the service appear here as they are answered.")
    : html`<ul class="rows" data-testid="journal">${all.slice(0, ROWS_MAX).map((one) => exchangeRow(look, one))}</ul>${more(ROWS_MAX, all.length)}`
}`;
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

function textOf(one: JournalEntry): string {
  return [one.method, shownUrl(one), one.operationId, one.status, one.rule, shownWhy(one)].join(" ").toLowerCase();
}

function exchangeRow(look: Look, one: JournalEntry): Html {
  return html`<li><a class="row" href="${link(look, "journal", { id: one.id })}">${codeBadge(one.status)}<span class="what"><strong>${one.operationId ?? "unmatched"}</strong><span class="soft"><code>${one.method} ${shownUrl(one)}</code></span>${one.why ? html`<span class="why">${shownWhy(one)}</span>` : null}</span>${one.page ? html`<span class="badge calm">page</span>` : null}${one.rule ? html`<span class="badge busy">rule ${one.rule}</span>` : null}<span class="soft when">${ago(look, one.at)}</span></a></li>`;
}

function exchangeDetail(look: Look, one: JournalEntry): Html {
  const headers = (all: Record<string, string>) =>
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <code>${one.id}</code> ${copy(one.id, "the id")}</p>
<h1 class="title">${one.operationId ?? "Unmatched"} ${codeBadge(one.status)}</h1>
<p class="call"><code>${one.method} ${shownUrl(one)}</code> ${copy(curlOf(one, look.tenant.settings.publicUrl), "as a curl command", "Copy as curl")}</p>
${one.why ? html`<p class="error" data-testid="why">${shownWhy(one)}</p>` : null}
<section class="card">${facts([
    ["At", timeAndAgo(look, one.at)],
    ["Took", `${one.took_ms} ms`],
    ["Caller", one.caller ? `${one.caller.email} (${one.caller.environment})` : "nobody that is known"],
    ["Rule", one.rule ? html`<a href="${link(look, "rules")}">${one.rule}</a>` : "none"],
    [
      "About",
      one.subject && look.tenant.store.documents.get(one.subject)
        ? html`<a href="${link(look, "documents", { id: one.subject })}">${one.subject}</a>`
        : (one.subject ?? "–"),
    ],
  ])}</section>
<div class="columns"><section class="card" aria-labelledby="h-request"><h2 id="h-request">Request</h2>${opens("request-headers", "Headers", pre(headers(shownHeaders(one)), "Request headers"))}${requestBody(one)}</section>
<section class="card" aria-labelledby="h-answer"><h2 id="h-answer">Answer</h2>${opens("answer-headers", "Headers", pre(headers(shownAnswerHeaders(one)), "Answer headers"))}${pre(bodyText(shownAnswer(one)), "Answer body")}</section></div>`;
}

/** Shows files of a form by name, type, size and digest. */
function requestBody(one: JournalEntry): Html {
  if (!one.parts) return pre(bodyText(shownBody(one)), "Request body");
  return facts(shownRequestParts(one).map((part) => [part.name, partText(part)] as const));
}

function partText({ name, filename, type, bytes, sha256, text }: BodyPart): Html {
  if (text !== undefined) return pre(bodyText(text), `Field ${name}`);
  const what = [...(filename === undefined ? [] : [filename]), type, `${bytes} bytes`].join(" · ");
  return html`${what}<br><span class="soft"><code>sha256 ${sha256}</code></span>`;
}
