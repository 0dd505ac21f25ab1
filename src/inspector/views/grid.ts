/** Tables with one line per row, which sort by a column. The address holds the order, so it works without the script. */
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { here, type Look } from "./parts.ts";

export interface Column<Row> {
  /** Its name in the address. */
  id: string;
  title: string;
  cell(row: Row): Part;
  /** What rows are sorted by. A column without it has no order. */
  by?(row: Row): string | number;
  /** The first click on a time or an amount shows the highest first. */
  falls?: true;
  /** Its cell is the link of the row. Default: the first column. */
  links?: true;
  /** Classes of its cells: the width, the alignment, and from which width of the window it shows. */
  kind?: string;
}

export interface Rows<Row> {
  /** The id of the table, and its test id. */
  id: string;
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  line(row: Row): Line;
}

/** What a row leads to. */
export interface Line {
  id?: string | undefined;
  href: string;
  /** Details that the link opens below the row. A row without them leads to another page. */
  detail?: (() => Part) | undefined;
  isOpen?: boolean | undefined;
  /** The link changes this page, so it needs no new load. */
  isLive?: boolean | undefined;
  isCurrent?: boolean | undefined;
  tone?: string | undefined;
  /** A heading above the row. */
  group?: Part;
}

/** The rows in the order of the address. Equal rows, and rows without a chosen order, keep theirs. */
export function sorted<Row>({ sort }: Look, columns: readonly Column<Row>[], rows: readonly Row[]): readonly Row[] {
  const { column, isFalling } = chosen(sort, columns);
  const { by } = column ?? {};
  if (!by) return rows;
  const keyed = rows.map((row) => ({ row, key: by(row) }));
  const turn = isFalling ? -1 : 1;
  return keyed.sort((a, b) => turn * compare(a.key, b.key)).map(({ row }) => row);
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

function chosen<Row>(sort: string | undefined, columns: readonly Column<Row>[]) {
  const isFalling = sort?.startsWith("-") ?? false;
  const id = isFalling ? sort?.slice(1) : sort;
  return { column: columns.find((one) => one.id === id && one.by !== undefined), isFalling };
}

export function grid<Row>(look: Look, { id, label, columns, rows, line }: Rows<Row>): Html {
  const shown = columns.length;
  const linked = Math.max(
    0,
    columns.findIndex((one) => one.links),
  );
  return html`<table class="grid" data-testid="${id}"><caption class="sr">${label}</caption><thead><tr>${columns.map((one) => head(look, one, columns))}</tr></thead><tbody>${rows.map(
    (row) => {
      const { group, ...to } = line(row);
      return html`${group ? html`<tr class="group"><th colspan="${shown}" scope="rowgroup">${group}</th></tr>` : null}<tr class="${to.tone ?? ""}">${columns.map((column, i) => html`<td class="${column.kind ?? ""}">${i === linked ? rowLink(to, column.cell(row)) : column.cell(row)}</td>`)}</tr>${to.isOpen && to.detail ? html`<tr class="detail"><td colspan="${shown}"><div class="inside">${to.detail()}</div></td></tr>` : null}`;
    },
  )}</tbody></table>`;
}

function rowLink({ id, href, detail, isOpen, isLive, isCurrent }: Line, content: Part): Html {
  return html`<a class="row"${id === undefined ? null : html` id="${id}"`} href="${href}"${detail ? html` data-open aria-expanded="${isOpen ? "true" : "false"}"` : isLive ? html` data-open` : null}${isCurrent ? html` aria-current="true"` : null}>${content}</a>`;
}

function head<Row>(look: Look, column: Column<Row>, columns: readonly Column<Row>[]): Html {
  const kind = column.kind ?? "";
  if (!column.by) return html`<th scope="col" class="${kind}">${column.title}</th>`;
  const now = chosen(look.sort, columns);
  const isNow = now.column?.id === column.id;
  const isNextFalling = isNow ? !now.isFalling : column.falls === true;
  const order = isNow ? (now.isFalling ? "descending" : "ascending") : "none";
  const href = here(look, { sort: `${isNextFalling ? "-" : ""}${column.id}`, from: undefined });
  return html`<th scope="col" class="${kind}" aria-sort="${order}"><a class="sort" id="sort-${column.id}" href="${href}" data-open>${column.title}<span class="arrow" aria-hidden="true">${isNow ? (now.isFalling ? "↓" : "↑") : "↕"}</span></a></th>`;
}
