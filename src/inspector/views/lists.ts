import { iso, parseInstant } from "../../engine/core/clock.ts";
import { type Html, html } from "../../engine/http/html.ts";
import type { Tenant } from "../../service/service.ts";
import { type Look, pre, time } from "./parts.ts";

const UNITS = [
  ["s", 1000, 60],
  ["min", 60_000, 60],
  ["h", 3_600_000, 24],
  ["d", 86_400_000, 100],
] as const;

const DECIMAL_DAYS = 10;

/** Time relative to the tenant's clock: `3 h ago`, `in 2.5 d`, or the date of a distant instant. */
function distance(now: number, instant: number): string {
  const far = Math.abs(now - instant);
  if (far < 1000) return instant > now ? "in < 1 s" : "now";
  for (const [unit, ms, most] of UNITS) {
    // A day is long, so a few days have a decimal.
    const count = unit === "d" && far < DECIMAL_DAYS * ms ? Math.floor((10 * far) / ms) / 10 : Math.floor(far / ms);
    if (count < most) return instant > now ? `in ${count} ${unit}` : `${count} ${unit} ago`;
  }
  return iso(instant).slice(0, 10);
}

function toInstant(instant: number | string): number {
  return typeof instant === "number" ? instant : (parseInstant(instant) ?? 0);
}

export function ago({ tenant }: Look, instant: number | string): Html {
  return agoOf(tenant, toInstant(instant));
}

export function agoOf(tenant: Pick<Tenant, "id" | "clock">, at: number): Html {
  return html`<time datetime="${iso(at)}" title="${clockText(at)} on the clock of ${tenant.id}">${distance(tenant.clock.now(), at)}</time>`;
}

export function distanceTo({ tenant }: Look, instant: number): string {
  return distance(tenant.clock.now(), instant);
}

/** `2026-03-02 09:00:05`. */
export function clockText(instant: number): string {
  return iso(instant).slice(0, 19).replace("T", " ");
}

/** Month, day and time of day on the tenant's clock, in a width that fits a column. */
export function clockTime(instant: number): Html {
  const text = iso(instant);
  return html`<time datetime="${text}" title="${clockText(instant)}"><span class="soft">${text.slice(5, 10)}</span> ${text.slice(11, 19)}</time>`;
}

export function timeAndAgo(look: Look, instant: number | string | null): Html {
  if (instant === null) return time(null);
  return html`${time(instant)} <span class="soft">${distance(look.tenant.clock.now(), toInstant(instant))}</span>`;
}

/** `10,000`. */
export function numberText(count: number): string {
  return count.toLocaleString("en");
}

/** `1,200.00 USD`, with the decimals that the currency has. */
export function moneyText({ amount, currency }: { amount: string | number; currency: string }): string {
  const isKnown = /^[a-z]{3}$/i.test(currency);
  const decimals = isKnown
    ? new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().minimumFractionDigits
    : 2;
  const [whole = "", part = ""] = String(amount).split(".");
  const shown = part.padEnd(decimals ?? 0, "0");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${shown ? `.${shown}` : ""} ${currency}`;
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${numberText(count)} ${count === 1 ? noun : plural}`;
}

/** The number of rows that a list shows, beside the number of all. */
export function countOf(shown: number, all: number): string {
  return shown === all ? `${numberText(all)} in all` : `${numberText(shown)} of ${numberText(all)}`;
}

export function copy(text: string, of: string, label = "Copy"): Html {
  return html`<button type="button" class="act" data-copy="${text}">${label}<span class="sr"> ${of}</span></button>`;
}

export function callHtml(call: string): Html {
  return html`${pre(call, "A call")}${copy(call, "the call")}`;
}
