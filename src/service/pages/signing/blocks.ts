import type { Block } from "../../files/blocks.ts";
import { type Html, html, raw } from "../../../engine/http/html.ts";
import { amount, isNumber } from "../../nouns/pricing/money.ts";

/** Joins consecutive items and entries into lists. The page's title is the only h1. */
export function blocksHtml(blocks: readonly Block[]): Html {
  const parts: Html[] = [];
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i] as Block;
    const run = [block];
    while (canJoin(block, blocks[i + 1])) run.push(blocks[++i] as Block);
    parts.push(runHtml(block, run));
  }
  return html`${parts}`;
}

function canJoin(first: Block, next: Block | undefined): boolean {
  if (next?.kind !== first.kind) return false;
  return first.kind === "entry" || (first.kind === "item" && next.kind === "item" && next.ordered === first.ordered);
}

function runHtml(block: Block, run: readonly Block[]): Html {
  switch (block.kind) {
    case "heading":
      return block.level <= 1 ? html`<h2 dir="auto">${block.text}</h2>` : html`<h3 dir="auto">${block.text}</h3>`;
    case "paragraph":
      return html`<p dir="auto">${block.text}</p>`;
    case "item": {
      const items = run.map((one) => one.kind === "item" && html`<li dir="auto">${one.text}</li>`);
      return block.ordered ? html`<ol>${items}</ol>` : html`<ul>${items}</ul>`;
    }
    case "entry":
      return html`<dl class="sums">${run.map(
        (one) =>
          one.kind === "entry" &&
          html`<div${one.isTotal ? raw(' class="total"') : null}><dt>${one.label}</dt><dd>${amount(one.value)}</dd></div>`,
      )}</dl>`;
    case "mark":
      return html`<p>${block.label}: ${block.text}</p>`;
    case "image":
      return html`<p>${block.label}: ${block.value}</p>`;
    case "table":
      return tableHtml(block.rows);
  }
}

/** Each cell repeats its column's name, because narrow screens show rows as cards. */
function tableHtml(rows: readonly (readonly string[])[]): Html {
  const [head = [], ...body] = rows;
  return html`<table><thead><tr>${head.map((cell, i) => html`<th scope="col"${body.length > 0 && body.every((row) => isNumber(row[i] ?? "")) ? raw(' class="number"') : null}>${cell}</th>`)}</tr></thead>
<tbody>${body.map((row) => html`<tr>${row.map((cell, i) => cellHtml(cell, head[i] ?? ""))}</tr>`)}</tbody></table>`;
}

function cellHtml(cell: string, column: string): Html {
  const isMoney = /^(price|subtotal|total)$/i.test(column);
  return html`<td data-column="${column}"${isNumber(cell) ? raw(' class="number"') : null}>${isMoney ? amount(cell) : cell}</td>`;
}
