import type { z } from "zod";
import type { pageQuery } from "../page-operation.ts";
import type { Host } from "../../service/service.ts";
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

/** What the address of a page says beside the view. Every link of the page keeps it. */
export type Asked = Omit<z.output<ReturnType<typeof pageQuery>>, "view" | "tenant">;

export interface Look extends Asked {
  view: View;
  asked: Asked;
  host: Host;
  tenant: Tenant;
  isDefault: boolean;
  /** The name in the address, when no tenant has it. The page then shows another tenant, and says so. */
  unknown?: string | undefined;
}

export function link(look: Look, view: View, { tenant, ...place }: Asked & { tenant?: string } = {}): string {
  return address({ view, ...place, tenant: tenant ?? shownTenant(look) });
}

/** The same page with a change. */
export function here(look: Look, change: Asked): string {
  return address({ view: look.view, ...look.asked, ...change, tenant: shownTenant(look) });
}

/** The key that a shown command carries. Where the admin API needs a token, pages show no key of the default tenant. */
export function keyOf({ tenant, isDefault, host }: Look): string {
  if (!isDefault) return tenant.id;
  const known = tenant.store.api_keys.all().find((one) => one.environment === "production")?.id;
  return (host.adminToken === undefined ? known : undefined) ?? "YOUR-KEY";
}

export function shownTenant({ isDefault, tenant }: Look): string | undefined {
  return isDefault ? undefined : tenant.id;
}

function address(parts: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, value);
  return `/__admin/?${query}`;
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

export function empty(title: string, text: Part, more: Part = null): Html {
  return html`<div class="empty" data-testid="empty"><strong>${title}</strong><p>${text}</p>${more}</div>`;
}

/** Its id keeps it open when the page refreshes. */
export function opens(id: string, title: Part, content: Part, isOpen = false): Html {
  return html`<details id="${id}"${isOpen ? html` open` : null}><summary>${title}</summary>${content}</details>`;
}

/** Entries without a value are left out. */
export function facts(entries: readonly (readonly [Part, Part])[]): Html {
  return html`<dl class="facts">${entries.map(([name, value]) => value && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** `name: value`, a line for each. */
export function lines(all: object): string {
  return Object.entries(all)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
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
