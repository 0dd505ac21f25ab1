/** Two calls of the journal side by side. */
import type { JournalEntry } from "../../engine/journal/journal.ts";
import {
  shownAnswer,
  shownAnswerHeaders,
  shownBody,
  shownHeaders,
  shownUrl,
  shownWhy,
} from "../../engine/journal/redacted-call.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { iso } from "../../engine/core/clock.ts";
import { aboutOf } from "./about.ts";
import { bodyText, codeBadge, link, type Look, opens, pre, time } from "./parts.ts";

/** Choices of the form on the page of a call. */
const CHOICES = 30;

/** Offers the calls of the same operation: first the one before, then the latest one that succeeded, then the newest. */
export function compareForm(look: Look, one: JournalEntry): Html | null {
  const all = look.tenant.journal.all();
  const alike = all.filter((other) => other.id !== one.id && other.operationId === one.operationId);
  const others = alike.length > 0 ? alike : all.filter((other) => other.id !== one.id);
  const older = others.filter((other) => all.indexOf(other) < all.indexOf(one));
  const before = older.at(-1);
  const answered = older.findLast(isAnswered) ?? others.findLast(isAnswered);
  const named: [label: string, call: JournalEntry][] = [];
  if (before) named.push(["the one before", before]);
  if (answered && answered !== before) named.push(["the last that succeeded", answered]);
  const rest = others
    .filter((other) => other !== before && other !== answered)
    .slice(-CHOICES)
    .reverse();
  if (named.length + rest.length === 0) return null;
  return html`<form class="compare" action="/__admin/"><input type="hidden" name="view" value="journal"><input type="hidden" name="id" value="${one.id}">${look.isDefault ? null : html`<input type="hidden" name="tenant" value="${look.tenant.id}">`}<label for="with">Compare with</label><select id="with" name="with">${named.map(([label, other]) => html`<option value="${other.id}">${label}: ${callName(look, other, one)}</option>`)}${rest.map((other) => html`<option value="${other.id}">${callName(look, other, one)}</option>`)}</select><button>Compare</button></form>`;
}

function isAnswered({ status }: JournalEntry): boolean {
  return status !== undefined && status < 400;
}

/** What tells the call from `beside`: an operation only when it is another one. */
function callName(look: Look, one: JournalEntry, beside: JournalEntry): string {
  const operation = one.operationId ?? `${one.method} ${one.path}`;
  return [
    one.operationId === beside.operationId ? undefined : operation,
    one.status ?? "no answer",
    clockText(one.at),
    aboutOf(look, one)?.name,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

function clockText(at: number): string {
  return iso(at).slice(5, 19).replace("T", " ");
}

export function compareHtml(look: Look, one: JournalEntry, other: JournalEntry): Html {
  const calls = [one, other] as const;
  const sides = (id: string, label: string, linesOf: (call: JournalEntry) => string[]) => {
    const lines = calls.map(linesOf);
    return html`<div class="columns" data-testid="${id}">${calls.map((call, i) => html`<div><p>${callTitle(look, call)}</p>${pre(marked(lines[i] ?? [], lines[1 - i] ?? []), `${label}, ${i === 0 ? "first" : "second"} call`)}</div>`)}</div>`;
  };
  const card = (id: string, label: string, linesOf: (call: JournalEntry) => string[]) =>
    html`<section class="card" aria-labelledby="h-${id}"><h2 id="h-${id}">${label}</h2>${sides(id, label, linesOf)}</section>`;
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <a href="${link(look, "journal", { id: one.id })}">${one.operationId ?? one.path}</a></p>
<h1>Two calls <span class="soft">lines that only one has are marked</span></h1>
${card("compare-call", "Call", (call) => factLines(look, call))}
${card("compare-request", "Request", (call) => bodyText(shownBody(call)).split("\n"))}
${card("compare-answer", "Answer", (call) => bodyText(shownAnswer(call)).split("\n"))}
<section class="card">${opens("compare-headers", "Headers", sides("compare-headers", "Headers", headerLines))}</section>`;
}

function callTitle(look: Look, call: JournalEntry): Part {
  return html`<a href="${link(look, "journal", { id: call.id })}">${call.operationId ?? call.path}</a> ${codeBadge(call.status)} <span class="soft">${time(call.at)}</span>`;
}

function marked(lines: readonly string[], others: readonly string[]): Part {
  const plain = (line: string) => line.replace(/,$/, "");
  const there = new Set(others.map(plain));
  return lines.map((line, i) => html`${i > 0 ? "\n" : null}${there.has(plain(line)) ? line : html`<mark>${line}</mark>`}`);
}

/** Without times, which differ in every two calls. */
function factLines(look: Look, one: JournalEntry): string[] {
  const lines: [string, string | undefined][] = [
    ["Address", `${one.method} ${shownUrl(one)}`],
    ["Status", String(one.status ?? "no answer")],
    ["Why", shownWhy(one)],
    ["Caller", one.caller?.email ?? one.caller?.kind],
    ["Rule", one.rule],
    ["About", aboutOf(look, one)?.name],
  ];
  return lines.flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}`));
}

function headerLines(one: JournalEntry): string[] {
  const named = (side: string, headers: Record<string, string>) =>
    Object.entries(headers).map(([name, value]) => `${side} ${name}: ${value}`);
  return [...named("request", shownHeaders(one)), ...named("answer", shownAnswerHeaders(one))];
}
