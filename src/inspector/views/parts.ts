import type { AssumptionRecord } from "../../engine/assumptions/record.ts";
import type { DocumentRow, Host } from "../../service/service.ts";
import type { Tenant } from "../../service/service.ts";
import { iso } from "../../engine/core/clock.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";

export const VIEWS = [
  "documents",
  "clock",
  "journal",
  "deliveries",
  "mails",
  "rules",
  "scenarios",
  "lint",
  "assumptions",
  "tenants",
] as const;
export type View = (typeof VIEWS)[number];

/** What the address of a page may say about its list, beside the view. Every link of the page keeps it. */
interface Shown {
  id?: string | undefined;
  q?: string | undefined;
  is?: string | undefined;
  /** The id of the first row on the page. Default: the first row of all. */
  from?: string | undefined;
  /** The number of a page from 1, which somebody typed. */
  nth?: string | undefined;
  /** The ids of rows with details, with commas between them. */
  open?: string | undefined;
  /** How a mail appears: as `mail`, as `text` or as `raw`. */
  as?: string | undefined;
  /** The id of a column, with `-` before it for the opposite order. */
  sort?: string | undefined;
  /** The id of the call that stands beside the shown one. */
  with?: string | undefined;
}

export interface Look extends Shown {
  view: View;
  host: Host;
  tenant: Tenant;
  isDefault: boolean;
  /** The name in the address, when no tenant has it. The page then shows another tenant, and says so. */
  unknown?: string | undefined;
  documents: readonly DocumentRow[];
  /** Empty outside the view of assumptions, because only that view needs the ledger. */
  assumptions: readonly AssumptionRecord[];
}

export interface Place extends Shown {
  tenant?: string;
}

export function link(look: Look, view: View, { tenant: named, ...place }: Place = {}): string {
  return address("/__admin/", { view, ...place, tenant: named ?? shownTenant(look) });
}

export function here(look: Look, change: Place): string {
  const { view, id, q, is, from, nth, open, as, sort, with: other } = look;
  return address("/__admin/", {
    view,
    id,
    q,
    is,
    from,
    nth,
    open,
    as,
    sort,
    with: other,
    ...change,
    tenant: shownTenant(look),
  });
}

/** The key that a shown command carries. Where the admin API needs a token, pages show no key of the default tenant. */
export function keyOf({ tenant, isDefault, host }: Look): string {
  if (!isDefault) return tenant.id;
  const known = tenant.store.api_keys.all().find((one) => one.environment === "production")?.id;
  return (host.adminToken === undefined ? known : undefined) ?? "YOUR-KEY";
}

function shownTenant({ isDefault, tenant }: Look): string | undefined {
  return isDefault ? undefined : tenant.id;
}

function address(path: string, parts: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value !== undefined && value !== "") query.set(name, value);
  return query.size === 0 ? path : `${path}?${query}`;
}

/** `out`: the recipients have it. `busy`: it waits until somebody approves, pays or accepts, or for the service. */
export type Tone = "good" | "bad" | "busy" | "out" | "calm";

const TONES: Readonly<Record<string, Tone>> = {
  completed: "good",
  paid: "good",
  approved: "good",
  delivered: "good",
  sent: "out",
  viewed: "out",
  waiting_approval: "busy",
  waiting_pay: "busy",
  external_review: "busy",
  pending: "busy",
  error: "bad",
  rejected: "bad",
  declined: "bad",
  voided: "bad",
  failed: "bad",
  dropped: "bad",
};

export function toneOf(status: string): Tone {
  return TONES[status.replace(/^document\./, "")] ?? "calm";
}

export function badge(status: string): Html {
  const name = status.replace(/^document\./, "");
  return html`<span class="badge ${toneOf(status)}">${name.replaceAll("_", " ")}</span>`;
}

export function codeBadge(status: number | null | undefined): Html {
  if (status === null || status === undefined) return html`<span class="badge bad">no answer</span>`;
  return html`<span class="badge ${status < 300 ? "good" : status < 400 ? "calm" : "bad"}">${status}</span>`;
}

export function time(instant: number | string | null): Html {
  if (instant === null) return html`<span class="soft">–</span>`;
  const text = typeof instant === "number" ? iso(instant) : instant;
  return html`<time datetime="${text}">${text.slice(0, 19).replace("T", " ")}</time>`;
}

/** The button needs the script. Without the script the page is read-only. */
export function button(label: Part, call: string, body: unknown = {}, kind: "" | "main" | "danger" = "", of = ""): Html {
  return html`<button type="button" class="act ${kind}" data-call="${call}" data-body="${JSON.stringify(body)}">${label}${of ? html`<span class="sr"> ${of}</span>` : null}</button>`;
}

export function search(look: Look, label: string, hint: string): Html {
  const kept = Object.entries({ view: look.view, tenant: shownTenant(look), is: look.is, sort: look.sort });
  return html`<form role="search" class="search" action="/__admin/">${kept.map(([name, value]) => (value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}">`))}<input type="search" id="q" name="q" value="${look.q ?? ""}" autocomplete="off" spellcheck="false" aria-label="${label}" placeholder="${hint}"><button>Search</button></form>`;
}

export function empty(title: string, text: Part, more: Part = null): Html {
  return html`<div class="empty" data-testid="empty"><strong>${title}</strong><p>${text}</p>${more}</div>`;
}

/** Its id keeps it open when the page refreshes. */
export function opens(id: string, title: Part, content: Part, isOpen = false): Html {
  return html`<details id="${id}"${isOpen ? html` open` : null}><summary>${title}</summary>${content}</details>`;
}

export function facts(entries: readonly (readonly [Part, Part])[]): Html {
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export const SHOWN_MAX = 20_000;

export function bodyText(text: string): string {
  let shown = text;
  try {
    shown = JSON.stringify(JSON.parse(text), null, 2);
  } catch {}
  const safe = redactText(shown);
  return safe.length > SHOWN_MAX ? `${safe.slice(0, SHOWN_MAX)}\n… ${safe.length - SHOWN_MAX} more characters` : safe;
}

/** A group, because a page may hold several, and landmarks need different names. */
export function pre(text: Part, label: string): Html {
  return String(html`${text}`) === ""
    ? html`<p class="soft">${label}: nothing</p>`
    : html`<pre tabindex="0" role="group" aria-label="${label}">${text}</pre>`;
}

export function breakable(name: string): Part {
  return name.split(/(?<=[_.])/).map((part, i) => html`${i > 0 ? html`<wbr>` : null}${part}`);
}
