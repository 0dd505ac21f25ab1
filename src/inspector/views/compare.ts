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
import { type Pair, pairsOf } from "./diff.ts";
import { aboutOf } from "./about.ts";
import { bodyView } from "./json.ts";
import { codeBadge, link, type Look, opens, time } from "./parts.ts";

/** Choices of the form on the page of a call. */
const CHOICES = 30;
const TEXT_MAX = 300;

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
  const title = (call: JournalEntry): Part =>
    html`<a href="${link(look, "journal", { id: call.id })}">${call.operationId ?? call.path}</a> ${codeBadge(call.status)} <span class="soft">${time(call.at)}</span>`;
  const titles = [title(one), title(other)] as const;
  const part = (id: string, heading: string, content: Html) =>
    html`<section class="card" aria-labelledby="h-${id}"><h2 id="h-${id}">${heading}</h2>${content}</section>`;
  const body = (id: string, heading: string, of: (call: JournalEntry) => string) => {
    const [left, right] = [flat(of(one)), flat(of(other))];
    return part(
      id,
      heading,
      isAlike(left, right)
        ? sidesHtml(pairsOf(left, right), { id, titles })
        : html`<div class="columns" data-testid="${id}">${[one, other].map((call, i) => html`<div><p>${titles[i]}</p>${bodyView(`${id}-${i}`, of(call), `${heading} ${i + 1}`)}</div>`)}</div>`,
    );
  };
  return html`<p class="crumbs"><a href="${link(look, "journal")}">Journal</a> / <a href="${link(look, "journal", { id: one.id })}">${one.operationId ?? one.path}</a></p>
<h1>Two calls</h1>
${part("compare-call", "Call", sidesHtml(pairsOf(callMap(look, one), callMap(look, other)), { id: "compare-call", titles }))}
${body("compare-request", "Request", shownBody)}
${body("compare-answer", "Answer", shownAnswer)}
${part("compare-headers", "Headers", sidesHtml(pairsOf(headerMap(one), headerMap(other)), { id: "compare-headers", titles }))}`;
}

/** Below this share of common places, a table of places would list one body, and then the other. */
const ALIKE_MIN = 0.25;

function isAlike(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  const shared = [...one.keys()].filter((name) => other.has(name)).length;
  const all = new Set([...one.keys(), ...other.keys()]).size;
  return one.size === 0 || other.size === 0 ? all === 0 : shared / all >= ALIKE_MIN;
}

/** These differ in every two calls, so they say nothing about the difference that people look for. */
const ALWAYS = new Set(["At", "Took", "answer date", "answer x-request-id"]);

interface Sides {
  id: string;
  titles: readonly [Part, Part];
}

/** Both calls happened, so the page strikes out no value. It marks only what differs within a value. */
function sidesHtml(pairs: readonly Pair[], { id, titles }: Sides): Html {
  const differing = pairs.filter((one) => one.was !== one.is);
  const [always, telling] = [differing.filter(({ name }) => ALWAYS.has(name)), differing.filter(({ name }) => !ALWAYS.has(name))];
  const same = pairs.filter((one) => one.was === one.is);
  const more = (kind: string, title: string, rows: readonly Pair[]) =>
    rows.length === 0
      ? null
      : opens(`${id}-${kind}`, html`${title} <span class="soft">${rows.length}</span>`, sidesTable(rows, titles));
  return html`${telling.length === 0 ? null : sidesTable(telling, titles, id)}${more("always", "Differ in every call", always)}${more("same", telling.length === 0 ? "Both are the same" : "The same", same)}${pairs.length === 0 ? html`<p class="soft">Both are empty.</p>` : null}`;
}

function sidesTable(pairs: readonly Pair[], [left, right]: Sides["titles"], id?: string): Html {
  return html`<table class="sides"${id === undefined ? null : html` data-testid="${id}"`}><thead><tr><th scope="col">Part</th><th scope="col">${left}</th><th scope="col">${right}</th></tr></thead><tbody>${pairs.map(
    ({ name, was, is }) =>
      html`<tr><th scope="row">${slashes(name)}</th><td data-side="1">${side(was, is)}</td><td data-side="2">${side(is, was)}</td></tr>`,
  )}</tbody></table>`;
}

/** An address may break at its slashes, so that a narrow column breaks no word. */
function slashes(text: string): Part {
  return text.split("/").map((part, i) => html`${i > 0 ? html`<wbr>/` : null}${part}`);
}

/** The value with a mark at its middle: what stands between the common beginning and the common end. */
function side(value: string | undefined, other: string | undefined): Part {
  if (value === undefined) return html`<span class="soft">not there</span>`;
  if (value === other) return slashes(value);
  if (other === undefined) return html`<mark>${slashes(value)}</mark>`;
  let start = 0;
  while (start < value.length && value[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(value.length, other.length) - start;
  while (end < most && value.at(-1 - end) === other.at(-1 - end)) end++;
  // A few common letters are an accident.
  if (start + end < value.length / 3) return html`<mark>${slashes(value)}</mark>`;
  const stop = value.length - end;
  return html`${slashes(value.slice(0, start))}<mark>${slashes(value.slice(start, stop))}</mark>${slashes(value.slice(stop))}`;
}

function callMap(look: Look, one: JournalEntry): Map<string, string> {
  const entries: [string, string | undefined][] = [
    ["Operation", one.operationId ?? "unmatched"],
    ["Address", `${one.method} ${shownUrl(one)}`],
    ["Status", String(one.status ?? "no answer")],
    ["Why", shownWhy(one)],
    ["At", clockText(one.at)],
    ["Took", `${one.took_ms} ms`],
    ["Caller", one.caller?.email ?? one.caller?.kind ?? "unknown"],
    ["Rule", one.rule],
    ["About", aboutOf(look, one)?.name],
  ];
  return new Map(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
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
