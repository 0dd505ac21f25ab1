/** Tables with one line per row, which sort by a column. The address holds the order, so it works without the script. */
import { html, type Html, type Part, raw } from "../../engine/http/html.ts";
import { here, type Look } from "./parts.ts";

/** What rows are sorted by. A list compares its parts in turn. Rows without a value stand last in both directions. */
type Key = string | number | undefined | readonly (string | number)[];

export interface Column<Row> {
  /** Its name in the address. */
  id: string;
  title: string;
  cell(row: Row): Part;
  /** Badges behind the text of a cell. They keep their width, and the text shrinks. */
  badges?(row: Row): Part;
  /** The whole text, when the cell shows only its beginning. */
  full?(row: Row): string;
  /** A column without it has no order. */
  by?(row: Row): Key;
  /** The first click on a time or a number shows the highest first. */
  falls?: true;
  /** Rows stand in the order of its first click until the address names another. */
  isFirst?: true;
  /** Its cell is the link of the row. Default: the first column. */
  links?: true;
  /** Classes of its cells. `grow` marks text of any length: such columns share the width that the others leave. `from-m` hides it on small screens. */
  kind?: string;
}

export interface Rows<Row> {
  /** The id of the table, and its test id. */
  id: string;
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  line(row: Row): Line;
  /** The second line of a row on a small screen, for columns that are hidden there. */
  below?(row: Row): Part;
  /** The second line shows on every screen. */
  isTall?: true;
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

/** The rows in the order of the address. Equal rows keep theirs, and the second click on a column reverses them too. */
export function sorted<Row>({ sort }: Look, columns: readonly Column<Row>[], rows: readonly Row[]): readonly Row[] {
  const { column, isFalling } = chosen(sort, columns);
  if (!column?.by) return rows;
  const keyed = rows.map((row, i) => ({ row, i, key: column.by?.(row) }));
  const turn = isFalling ? -1 : 1;
  const tie = isFalling === (column.falls === true) ? 1 : -1;
  return keyed
    .sort((a, b) => {
      const [isLast, isOtherLast] = [isEmpty(a.key), isEmpty(b.key)];
      if (isLast || isOtherLast) return Number(isLast) - Number(isOtherLast) || a.i - b.i;
      return turn * compare(a.key, b.key) || tie * (a.i - b.i);
    })
    .map(({ row }) => row);
}

function isEmpty(key: Key): boolean {
  return key === undefined || key === "";
}

const TEXTS = new Intl.Collator("en", { numeric: true });

function compare(a: Key, b: Key): number {
  if (Array.isArray(a) && Array.isArray(b)) return a.map((one, i) => compare(one, b[i])).find((order) => order !== 0) ?? 0;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return TEXTS.compare(String(a), String(b));
}

function chosen<Row>(sort: string | undefined, columns: readonly Column<Row>[]) {
  const id = sort?.replace(/^-/, "");
  const asked = columns.find((one) => one.id === id && one.by !== undefined);
  if (asked) return { column: asked, isFalling: sort?.startsWith("-") ?? false };
  const column = columns.find((one) => one.isFirst);
  return { column, isFalling: column?.falls ?? false };
}

export function grid<Row>(look: Look, { id, label, columns, rows, line, below, isTall }: Rows<Row>): Html {
  const shown = columns.length;
  const linked = Math.max(
    0,
    columns.findIndex((one) => one.links),
  );
  return html`<table class="grid${isTall ? " tall" : ""}" data-testid="${id}"><caption class="sr">${label}</caption><thead><tr>${columns.map((one) => head(look, one, columns))}</tr></thead><tbody>${rows.map(
    (row) => {
      const { group, ...to } = line(row);
      const cells = columns.map((column, i) => {
        const content = cellHtml(column, row);
        if (i !== linked)
          return html`<td class="${column.kind ?? ""}"${titleOf(column, column.full?.(row) ?? content)}>${content}</td>`;
        const second = below?.(row);
        return html`<td class="${column.kind ?? ""}"${titleOf(column, second ? html`${content} · ${second}` : content)}>${rowLink(to, content)}${second ? html`<span class="below">${second}</span>` : null}</td>`;
      });
      return html`${group ? html`<tr class="group"><th colspan="${shown}" scope="rowgroup">${group}</th></tr>` : null}<tr class="${to.tone ?? ""}">${cells}</tr>${to.isOpen && to.detail ? html`<tr class="detail"><td colspan="${shown}"><div class="inside">${to.detail()}</div></td></tr>` : null}`;
    },
  )}</tbody></table>`;
}

function isText({ kind = "" }: Pick<Column<never>, "kind">): boolean {
  return kind.split(" ").includes("grow");
}

function cellHtml<Row>(column: Column<Row>, row: Row): Html {
  const text = column.cell(row);
  const badges = column.badges?.(row);
  if (!isText(column)) return html`${text}${badges}`;
  const cut = html`<span class="cut">${text}</span>`;
  return badges ? html`<span class="fit">${cut} ${badges}</span>` : cut;
}

const SHORT_TEXT = 12;

/** A small window may cut a text, so its cell has all of it as a title. */
function titleOf(column: Pick<Column<never>, "kind">, content: Html | string): Html | null {
  if (!isText(column)) return null;
  const text = String(html`${content}`)
    .replace(/<span class="sr">.*?<\/span>|<[^>]*>/gs, "")
    .replaceAll('"', "&quot;")
    .replace(/\s+/g, " ")
    .trim();
  return text.length < SHORT_TEXT ? null : html` title="${raw(text)}"`;
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
  const href = here(look, { sort: `${isNextFalling ? "-" : ""}${column.id}`, from: undefined, nth: undefined });
  return html`<th scope="col" class="${kind}" aria-sort="${order}"><a class="sort" id="sort-${column.id}" href="${href}" data-open>${column.title}<span class="arrow" aria-hidden="true">${isNow ? (now.isFalling ? "↓" : "↑") : "↕"}</span></a></th>`;
}
