/** Two calls of the journal side by side. */
import { html, type Html } from "../../engine/http/html.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import {
  shownAnswer,
  shownAnswerHeaders,
  shownBody,
  shownHeaders,
  shownUrl,
  shownWhy,
} from "../../engine/journal/redacted-call.ts";
import { aboutOf } from "./about.ts";
import { clockText, clockTime } from "./lists.ts";
import { bodyText, codeBadge, lines, link, type Look, opens, pre, shownTenant } from "./parts.ts";

/** Choices of the form on the page of a call. */
const CHOICES = 30;

/** Offers the calls of the same operation, the newest first, else all calls. The one before is chosen. */
export function compareForm(look: Look, one: JournalEntry): Html | null {
  const all = look.tenant.journal.all().filter((other) => other.operationId === one.operationId);
  const others = all.filter((other) => other !== one).slice(-CHOICES);
  if (others.length === 0) return null;
  const before = all[all.indexOf(one) - 1];
  const options = others
    .reverse()
    .map((other) => html`<option value="${other.id}"${other === before && html` selected`}>${callName(look, other)}</option>`);
  const kept = Object.entries({ view: "journal", id: one.id, tenant: shownTenant(look) });
  return html`<form class="inline" action="/__admin/">${kept.map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}<label for="with">Compare with</label><select id="with" name="with">${options}</select><button>Compare</button></form>`;
}

function callName(look: Look, one: JournalEntry): Html {
  return html`${one.status ?? "no answer"} · ${clockText(one.at)} · ${aboutOf(look, one)?.name ?? one.path}`;
}

export function compareHtml(look: Look, one: JournalEntry, other: JournalEntry): Html {
  const sides = (id: string, label: string, textOf: (call: JournalEntry) => string) => {
    const side = (call: JournalEntry, beside: JournalEntry, which: string) =>
      html`<div><p><a href="${link(look, "journal", { id: call.id })}">${call.operationId ?? call.path}</a> ${codeBadge(call.status)} <span class="soft">${clockTime(call.at)}</span></p>${pre(marked(textOf(call), textOf(beside)), `${label}, ${which} call`)}</div>`;
    return html`<div class="columns" data-testid="${id}">${side(one, other, "first")}${side(other, one, "second")}</div>`;
  };
  const card = (id: string, label: string, textOf: (call: JournalEntry) => string) =>
    html`<section class="card" aria-labelledby="h-${id}"><h2 id="h-${id}">${label}</h2>${sides(id, label, textOf)}</section>`;
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <a href="${link(look, "journal", { id: one.id })}">${one.operationId ?? one.path}</a></p>
<h1>Two calls <span class="soft">lines that only one has are marked</span></h1>
${card("compare-call", "Call", (call) => factText(look, call))}
${card("compare-request", "Request", (call) => bodyText(shownBody(call)))}
${card("compare-answer", "Answer", (call) => bodyText(shownAnswer(call)))}
<section class="card">${opens(
    "compare-headers",
    "Headers",
    sides("compare-headers", "Headers", (call) => `${lines(shownHeaders(call))}\n\n${lines(shownAnswerHeaders(call))}`),
  )}</section>`;
}

function marked(text: string, other: string) {
  const plain = (line: string) => line.replace(/,$/, "");
  const there = new Set(other.split("\n").map(plain));
  return text.split("\n").map((line, i) => html`${i > 0 && "\n"}${there.has(plain(line)) ? line : html`<mark>${line}</mark>`}`);
}

/** Without times, which differ in every two calls. */
function factText(look: Look, one: JournalEntry): string {
  return lines({
    Address: `${one.method} ${shownUrl(one)}`,
    Status: one.status ?? "no answer",
    Why: shownWhy(one) ?? "–",
    Caller: one.caller?.email ?? one.caller?.kind ?? "unknown",
    Rule: one.rule ?? "–",
    About: aboutOf(look, one)?.name ?? "–",
  });
}
