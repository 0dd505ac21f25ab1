/** The address holds the ids of open rows, so a link shows the same rows. */
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { numberText } from "./lists.ts";
import { here, type Look } from "./parts.ts";

export const PAGE_ROWS = 100;

export interface Page<Row> {
  rows: readonly Row[];
  pager: Html | null;
}

/** The page begins at the row `look.from`, so new rows do not move it. A typed number of a page is `look.nth`. */
export function pageOf<Row extends { id: string }>(look: Look, rows: readonly Row[], size = PAGE_ROWS): Page<Row> {
  const pages = Math.max(1, Math.ceil(rows.length / size));
  const asked = Math.trunc(Number(look.nth));
  const found =
    look.from === undefined
      ? asked >= 1
        ? (Math.min(asked, pages) - 1) * size
        : 0
      : rows.findIndex((row) => row.id === look.from);
  const start = Math.max(0, found);
  const shown = rows.slice(start, start + size);
  if (rows.length <= size) return { rows: shown, pager: null };
  const to = (label: string, at: number, rel: string) => {
    const isHere = at === start || at < 0 || at >= rows.length;
    const from = at <= 0 ? undefined : rows[at]?.id;
    return html`<li>${isHere ? html`<span class="off">${label}</span>` : html`<a href="${here(look, { from, nth: undefined, open: undefined })}" rel="${rel}">${label}</a>`}</li>`;
  };
  const last = (pages - 1) * size;
  const plain = here(look, { from: undefined, nth: undefined, open: undefined });
  return {
    rows: shown,
    pager: html`<nav class="pager" aria-label="Pages"><ul>${to("First", 0, "first")}${to("Previous", start === 0 ? -1 : Math.max(0, start - size), "prev")}${to("Next", start + size, "next")}${to("Last", Math.max(last, start), "last")}</ul><form class="jump" action="${plain.split("?")[0] ?? ""}">${fieldsOf(plain)}<label>Page <input type="number" name="nth" min="1" max="${pages}" value="${Math.floor(start / size) + 1}" required></label> of ${numberText(pages)} <button>Go</button></form><span class="soft">${numberText(start + 1)}–${numberText(start + shown.length)} of ${numberText(rows.length)}</span></nav>`,
  };
}

/** A form drops the query of its address, so hidden fields keep it. */
function fieldsOf(address: string): Part {
  return [...new URLSearchParams(address.split("?")[1])].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}

function openRows(look: Look): string[] {
  return look.open?.split(",") ?? [];
}

/** The link that opens or closes the details of a row, beside the rows that are open. */
export function opensBelow(look: Look, id: string): { id: string; href: string; isOpen: boolean } {
  const open = openRows(look);
  const isOpen = open.includes(id);
  const next = isOpen ? open.filter((one) => one !== id) : [...open, id];
  return { id, href: here(look, { open: next.join(",") || undefined }), isOpen };
}

export function openRow(look: Look, id: string, title: Part, content: () => Part, kind = ""): Html {
  const { href, isOpen } = opensBelow(look, id);
  return html`<li class="opens ${kind}"><a class="row" id="${id}" href="${href}" data-open aria-expanded="${isOpen ? "true" : "false"}">${title}</a>${isOpen ? html`<div class="inside">${content()}</div>` : null}</li>`;
}
