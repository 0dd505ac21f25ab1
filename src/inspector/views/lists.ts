import { iso, parseInstant } from "../../engine/core/clock.ts";
import { type Html, html, type Part } from "../../engine/http/html.ts";
import { here, type Look, time } from "./parts.ts";

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
  const at = toInstant(instant);
  return html`<time datetime="${iso(at)}" title="${iso(at).slice(0, 19).replace("T", " ")} on the clock of ${tenant.id}">${distance(tenant.clock.now(), at)}</time>`;
}

export function distanceTo({ tenant }: Look, instant: number): string {
  return distance(tenant.clock.now(), instant);
}

/** Month, day and time of day on the tenant's clock, in a width that fits a column. */
export function clockTime(instant: number): Html {
  const text = iso(instant);
  return html`<time datetime="${text}" title="${text.slice(0, 19).replace("T", " ")}"><span class="soft">${text.slice(5, 10)}</span> ${text.slice(11, 19)}</time>`;
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
  return html`<button type="button" class="act copy" data-copy="${text}">${label}<span class="sr"> ${of}</span></button>`;
}

export interface Filtered<Row> {
  rows: readonly Row[];
  bar: Html | null;
}

/** @param order the kinds in the order of their links, which no new row changes. Kinds that it does not name follow by name. */
export function filtered<Row>(
  look: Look,
  rows: readonly Row[],
  kindsOf: (row: Row) => readonly string[],
  order: readonly string[],
): Filtered<Row> {
  const counts = new Map(order.map((kind) => [kind, 0]));
  for (const row of rows) for (const kind of kindsOf(row)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const { is } = look;
  const others = [...counts.keys()].slice(order.length).sort((a, b) => a.localeCompare(b, "en"));
  for (const [kind, count] of counts) if (count === 0) counts.delete(kind);
  if (is !== undefined && !counts.has(is)) counts.set(is, 0);
  const shown = is === undefined ? rows : rows.filter((row) => kindsOf(row).includes(is));
  const kinds = [...new Set([...order, ...others, ...counts.keys()])].filter((kind) => counts.has(kind));
  if (counts.size < 2 && is === undefined) return { rows: shown, bar: null };
  const one = (kind: string | undefined, label: Part, count: number) =>
    html`<li><a href="${here(look, { is: kind, from: undefined, nth: undefined, open: undefined })}"${kind === is ? html` aria-current="true"` : null}>${label} <span class="count">${numberText(count)}</span></a></li>`;
  return {
    rows: shown,
    bar: html`<nav class="filters" id="filters" aria-label="Filter" data-scroll><ul>${one(undefined, "all", rows.length)}${kinds.map((kind) => one(kind, kind, counts.get(kind) ?? 0))}</ul></nav>`,
  };
}
