/** A page with a list is a record. The search box, the filters, the order and the pages read it. */
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { type Column, filtered, type Grid, grid, pageOf, sorted } from "./grid.ts";
import { countOf } from "./lists.ts";
import { empty, here, type Look, shownTenant } from "./parts.ts";

/** One entry of the menu, with its page. */
export interface Section {
  /** What the menu counts, with its noun, and a word for a number that does not count the rows of the page. */
  count?(look: Look): readonly [count: number, noun: string, word?: string];
  page(look: Look): Page | Promise<Page>;
}

export interface Page {
  /** The title of the tab. */
  title: string;
  content: Html;
  /** The address names a row that the tenant does not have. */
  isMissing?: boolean;
}

export interface List<Row extends { id: string }> extends Grid<Row> {
  title: string;
  /** The number of all rows. */
  size: number;
  /** What the search box reads. */
  hint: string;
  /** The rows with these words, which are in lower case. The page orders only what an address asks for. */
  find(words: string): readonly Row[];
  kindsOf?: (row: Row) => readonly string[];
  /** Kinds in the order of their links. */
  kinds?: readonly string[];
  /** What stands beside the title. Default: the numbers of rows. */
  note?: (shown: readonly Row[]) => Part;
  /** A button beside the title. */
  act?: Part;
  lead?: Part;
  /** Shown while the list has no rows. */
  none: readonly [title: string, text: Part, more?: Part];
  /** What stands beside the list. */
  beside?: (rows: readonly Row[]) => Html;
  after?: Part;
}

/** Finds rows by the words of their text. */
export function byText<Row>(rows: readonly Row[], textOf: (row: Row) => Part): (words: string) => readonly Row[] {
  return (words) => (words === "" ? rows : rows.filter((row) => String(textOf(row)).toLowerCase().includes(words)));
}

export function listPage<Row extends { id: string }>(look: Look, list: List<Row>): Page {
  const { title, size, kindsOf, note, act, lead, after } = list;
  const content = size === 0 ? { shown: [], part: empty(...list.none) } : listHtml(look, list, kindsOf);
  return {
    title,
    content: html`<div class="title-row"><h1>${title} <span class="soft">${size > 0 ? (note?.(content.shown) ?? countOf(content.shown.length, size)) : null}</span></h1>${size > 0 ? act : null}</div>
${lead && html`<p class="soft">${lead}</p>`}${content.part}${after}`,
  };
}

function listHtml<Row extends { id: string }>(look: Look, list: List<Row>, kindsOf: List<Row>["kindsOf"]) {
  const found = list.find(look.q?.toLowerCase() ?? "");
  const { rows: shown, bar } = kindsOf ? filtered(look, found, kindsOf, list.kinds ?? []) : { rows: found, bar: null };
  const { rows, bar: pager } = pageOf(look, sorted(look, list.columns as readonly Column<Row>[], shown));
  const all = html`<a href="${here(look, { q: undefined, is: undefined })}">Show all</a>`;
  const table =
    rows.length === 0 ? empty("Nothing found", html`No row matches. ${all}`) : html`${grid(look, look.view, rows, list)}${pager}`;
  return {
    shown,
    part: html`${searchBox(look, list)}${bar}${list.beside ? html`<div class="split${look.open ? " chosen" : ""}"><div>${table}</div>${list.beside(rows)}</div>` : table}`,
  };
}

function searchBox(look: Look, { title, hint }: { title: string; hint: string }): Html {
  const kept = Object.entries({ view: look.view, tenant: shownTenant(look), is: look.is, sort: look.sort });
  return html`<form role="search" class="search" action="/__admin/">${kept.map(([name, value]) => value && html`<input type="hidden" name="${name}" value="${value}">`)}<input type="search" id="q" name="q" value="${look.q ?? ""}" autocomplete="off" spellcheck="false" aria-label="Search ${title.toLowerCase()}" placeholder="Search ${hint}"><button>Search</button></form>`;
}
