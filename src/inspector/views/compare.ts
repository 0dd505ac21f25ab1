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
import { rowsNamedIn } from "../log/log-event.ts";
import { diffHtml, pairsOf } from "./diff.ts";
import { codeBadge, link, type Look, time } from "./parts.ts";

/** Choices of the form on the page of a call. */
const CHOICES = 30;
const TEXT_MAX = 300;

export function compareForm(look: Look, one: JournalEntry): Html | null {
  const others = look.tenant.journal.all().filter((other) => other.id !== one.id);
  const alike = others.filter((other) => other.operationId === one.operationId).slice(-CHOICES);
  const choices = (alike.length > 0 ? alike : others.slice(-CHOICES)).reverse();
  if (choices.length === 0) return null;
  return html`<form class="inline compare" action="/__admin/"><input type="hidden" name="view" value="journal"><input type="hidden" name="id" value="${one.id}">${look.isDefault ? null : html`<input type="hidden" name="tenant" value="${look.tenant.id}">`}<label for="with">Compare with</label><select id="with" name="with">${choices.map((other) => html`<option value="${other.id}">${callName(look, other)}</option>`)}</select><button>Compare</button></form>`;
}

export function callName(look: Look, one: JournalEntry): string {
  const about = rowsNamedIn(look.tenant, one)[0]?.name;
  return [clockText(one.at), one.operationId ?? `${one.method} ${one.path}`, one.status ?? "no answer", about]
    .filter((part) => part !== undefined)
    .join(" · ");
}

function clockText(at: number): string {
  return String(time(at))
    .replace(/<[^>]+>/g, "")
    .slice(5);
}

export function compareHtml(look: Look, one: JournalEntry, other: JournalEntry): Html {
  const title = (call: JournalEntry): Part =>
    html`<a href="${link(look, "journal", { id: call.id })}">${call.operationId ?? call.path}</a> ${codeBadge(call.status)} ${time(call.at)}`;
  const part = (id: string, heading: string, of: (call: JournalEntry) => Map<string, string>) =>
    html`<section class="card" aria-labelledby="h-${id}"><h2 id="h-${id}">${heading}</h2>${diffHtml(pairsOf(of(one), of(other)), { id, name: "Part", was: title(one), is: title(other), none: "Both are the same." })}</section>`;
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <a href="${link(look, "journal", { id: one.id })}">${one.operationId ?? one.path}</a></p>
<h1>Two calls</h1>
${part("compare-call", "Call", callMap)}
${part("compare-request", "Request", (call) => flat(shownBody(call)))}
${part("compare-answer", "Answer", (call) => flat(shownAnswer(call)))}
${part("compare-headers", "Headers", headerMap)}`;
}

function callMap(one: JournalEntry): Map<string, string> {
  return new Map([
    ["Operation", one.operationId ?? "unmatched"],
    ["Address", `${one.method} ${shownUrl(one)}`],
    ["Status", String(one.status ?? "no answer")],
    ["Why", shownWhy(one) ?? "–"],
    ["At", String(time(one.at)).replace(/<[^>]+>/g, "")],
    ["Took", `${one.took_ms} ms`],
    ["Caller", one.caller?.email ?? one.caller?.kind ?? "unknown"],
    ["Rule", one.rule ?? "none"],
  ]);
}

function headerMap(one: JournalEntry): Map<string, string> {
  const named = (side: string, headers: Record<string, string>) =>
    Object.entries(headers).map(([name, value]) => [`${side} ${name}`, value] as const);
  return new Map([...named("request", shownHeaders(one)), ...named("answer", shownAnswerHeaders(one))]);
}

/** The values of a JSON text by their place. Any other text is one value. */
function flat(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text === "" ? found : found.set("text", short(text));
  }
  const visit = (one: unknown, place: string) => {
    const isTree = typeof one === "object" && one !== null && Object.keys(one).length > 0;
    if (isTree) for (const [name, part] of Object.entries(one)) visit(part, `${place}/${name}`);
    else found.set(place || "/", short(JSON.stringify(one)));
  };
  visit(value, "");
  return found;
}

function short(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}… (${text.length} characters)` : text;
}
