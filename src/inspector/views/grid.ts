/** Tables with one line per row. The address holds order, filter and open rows, so they work without the script. */
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { numberText } from "./lists.ts";
import { here, type Look } from "./parts.ts";

/** What rows are sorted by. A list compares its parts in turn. Rows without a value stand last in both directions. */
type Key = string | number | undefined | readonly (string | number)[];

export interface Column<Row> {
  /** Its name in the address. */
  id: string;
  title: string;
  cell(row: Row): Part;
  /** A column without it has no order. */
  by?(row: Row): Key;
  /**
   * Classes of its cells. `grow`: text of any length. Such columns share the width that the others leave. `number`, `time`: the first click
   * shows the highest first. `from-m` hides it on small screens.
   */
  kind?: string;
}

export interface Grid<Row> {
  columns: readonly Column<Row>[];
  /** The first cell of a row is its link. */
  line(row: Row): Line;
  /** The second line of a row on a small screen, for columns that are hidden there. */
  below?: (row: Row) => Part;
  /** The column that the given order follows, with `-` before it for the opposite. */
  order?: string;
}

/** What a row leads to. */
export interface Line {
  href: string;
  id?: string;
  /** Details that the link opens below the row. A row without them leads to another page. */
  detail?: () => Part;
  isOpen?: boolean;
  /** The link changes this page, so it needs no new load. */
  isLive?: boolean;
  isCurrent?: boolean;
  /** A heading above the row. */
  group?: Part;
}

/** The rows in the order that the address names, else as they are. */
export function sorted<Row>({ sort = "" }: Look, columns: readonly Column<Row>[], rows: readonly Row[]): readonly Row[] {
  const by = columns.find(({ id }) => id === nameOf(sort))?.by;
  if (!by) return rows;
  const keyed = rows.map((row) => ({ row, key: by(row) })).reverse();
  const full = keyed.filter(({ key }) => !isEmpty(key)).sort((a, b) => compare(a.key, b.key));
  if (isFalling(sort)) full.reverse();
  return [...full, ...keyed.filter(({ key }) => isEmpty(key))].map(({ row }) => row);
}

const nameOf = (sort: string) => sort.replace(/^-/, "");
const isFalling = (sort: string) => sort.startsWith("-");
const isEmpty = (key: Key) => key === undefined || key === "";

const TEXTS = new Intl.Collator("en", { numeric: true });

function compare(a: Key, b: Key): number {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((one, i) => compare(one, b[i])).find((order) => order !== 0) ?? 0;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return TEXTS.compare(String(a), String(b));
}

/** @param id the test id of the table */
export function grid<Row>(look: Look, id: string, rows: readonly Row[], { columns, line, below, order }: Grid<Row>): Html {
  const now = columns.some((one) => one.by && one.id === nameOf(look.sort ?? "")) ? look.sort : order;
  return html`<table class="grid" data-testid="${id}"><thead><tr>${columns.map((one) => head(look, one, now))}</tr></thead><tbody>${rows.map(
    (row) => {
      const { group, isOpen, detail, ...to } = line(row);
      const second = below?.(row);
      const cells = columns.map(({ kind, cell }, i) =>
        i > 0
          ? html`<td class="${kind ?? ""}">${cell(row)}</td>`
          : html`<td class="${kind ?? ""}">${rowLink({ isOpen, detail, ...to }, cell(row))}${second && html`<span class="below">${second}</span>`}</td>`,
      );
      return html`${group && html`<tr class="group"><th colspan="9" scope="rowgroup">${group}</th></tr>`}<tr>${cells}</tr>${isOpen && detail ? html`<tr class="detail"><td colspan="9"><div class="inside">${detail()}</div></td></tr>` : null}`;
    },
  )}</tbody></table>`;
}

function rowLink({ id, href, detail, isOpen, isLive, isCurrent }: Line, content: Part): Html {
  return html`<a class="row"${id && html` id="${id}"`} href="${href}"${detail || isLive ? html` data-open` : null}${detail && html` aria-expanded="${String(isOpen === true)}"`}${isCurrent ? html` aria-current="true"` : null}>${content}</a>`;
}

const ORDERS = { ascending: "↑", descending: "↓", none: "↕" } as const;

function head<Row>(look: Look, { id, title, by, kind = "" }: Column<Row>, now = ""): Html {
  if (!by) return html`<th scope="col" class="${kind}">${title}</th>`;
  const isNow = nameOf(now) === id;
  const order = isNow ? (isFalling(now) ? "descending" : "ascending") : "none";
  const isNextFalling = isNow ? !isFalling(now) : /number|time/.test(kind);
  const href = here(look, { sort: `${isNextFalling ? "-" : ""}${id}`, from: undefined });
  return html`<th scope="col" class="${kind}" aria-sort="${order}"><a class="sort" id="sort-${id}" href="${href}" data-open>${title}<span aria-hidden="true"> ${ORDERS[order]}</span></a></th>`;
}

/** The link that opens or closes the details of a row, beside the rows that are open. */
export function opensBelow(look: Look, id: string): { id: string; href: string; isOpen: boolean } {
  const open = look.open?.split(",") ?? [];
  const isOpen = open.includes(id);
  const next = isOpen ? open.filter((one) => one !== id) : [...open, id];
  return { id, href: here(look, { open: next.join(",") }), isOpen };
}

interface Cut<Row> {
  rows: readonly Row[];
  bar: Html | null;
}

/** @param order the kinds in the order of their links. Kinds that it does not name follow by name. */
export function filtered<Row>(
  look: Look,
  rows: readonly Row[],
  kindsOf: (row: Row) => readonly string[],
  order: readonly string[],
): Cut<Row> {
  const { is } = look;
  const counts = new Map<string, number>(is === undefined ? [] : [[is, 0]]);
  for (const row of rows) for (const kind of kindsOf(row)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const others = [...counts.keys()].filter((kind) => !order.includes(kind)).sort((a, b) => a.localeCompare(b, "en"));
  const kinds = [...order.filter((kind) => counts.has(kind)), ...others];
  const one = (kind: string | undefined, label: string, count = 0) =>
    html`<li><a href="${here(look, { is: kind, from: undefined, open: undefined })}"${kind === is ? html` aria-current="true"` : null}>${label} <span class="soft">${numberText(count)}</span></a></li>`;
  return {
    rows: is === undefined ? rows : rows.filter((row) => kindsOf(row).includes(is)),
    bar:
      kinds.length < 2 && is === undefined
        ? null
        : html`<nav class="filters" id="filters" aria-label="Filter" data-scroll><ul>${one(undefined, "all", rows.length)}${kinds.map((kind) => one(kind, kind, counts.get(kind)))}</ul></nav>`,
  };
}

const PAGE_ROWS = 100;

/** The page begins at the row `look.from`, so new rows do not move it. */
export function pageOf<Row extends { id: string }>(look: Look, rows: readonly Row[], size = PAGE_ROWS): Cut<Row> {
  const start = Math.max(
    0,
    rows.findIndex((row) => row.id === look.from),
  );
  const shown = rows.slice(start, start + size);
  if (rows.length <= size) return { rows: shown, bar: null };
  const last = Math.floor((rows.length - 1) / size) * size;
  const to = (label: string, at: number, rel: string) => {
    const row = rows[at];
    return html`<li>${row && at !== start ? html`<a href="${here(look, { from: at === 0 ? undefined : row.id, open: undefined })}" rel="${rel}">${label}</a>` : html`<span class="soft">${label}</span>`}</li>`;
  };
  return {
    rows: shown,
    bar: html`<nav class="pager" aria-label="Pages"><ul>${to("First", 0, "first")}${to("Previous", start === 0 ? 0 : Math.max(0, start - size), "prev")}${to("Next", start + size, "next")}${to("Last", Math.max(last, start), "last")}</ul><span class="soft">${numberText(start + 1)}–${numberText(start + shown.length)} of ${numberText(rows.length)}</span></nav>`,
  };
}
