import { redactText } from "../../engine/journal/redact.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { bodyText, pre, SHOWN_MAX } from "./parts.ts";
import { parseLeniently } from "../../engine/core/text.ts";

/** Below the second level, a map or list with a longer text starts folded. A list with one item does not count as a level, because most webhooks have one event. */
const OPEN_LENGTH = 400;

/** @param id keeps folded parts folded when the page refreshes */
export function bodyView(id: string, text: string, label: string): Html {
  if (text === "" || text.length > SHOWN_MAX) return pre(bodyText(text), label);
  const value = parseLeniently(redactText(text));
  if (typeof value !== "object" || value === null) return pre(bodyText(text), label);
  return html`<div class="json" tabindex="0" role="group" aria-label="${label}">${tree(id, value, 0)}</div>`;
}

function tree(id: string, value: unknown, depth: number): Html {
  if (typeof value !== "object" || value === null) return leaf(value);
  const isList = Array.isArray(value);
  const members = Object.entries(value);
  const [begin, end] = isList ? ["[", "]"] : ["{", "}"];
  if (members.length === 0) return html`<span>${begin}${end}</span>`;
  const isOpen = depth < 2 || JSON.stringify(value).length <= OPEN_LENGTH;
  const count = `${members.length} ${isList ? "item" : "member"}${members.length === 1 ? "" : "s"}`;
  return html`<details id="${id}"${isOpen ? html` open` : null}><summary>${begin} <span class="soft">${count}</span></summary><ul>${members.map(
    ([name, one], i) =>
      html`<li>${isList ? null : html`<span class="j-name">${JSON.stringify(name)}</span>: `}${tree(`${id}.${i}`, one, isList && members.length === 1 ? depth : depth + 1)}${i < members.length - 1 ? "," : ""}</li>`,
  )}</ul><span>${end}</span></details>`;
}

function leaf(value: unknown): Html {
  return html`<span class="j-${value === null ? "null" : typeof value}">${JSON.stringify(value)}</span>`;
}
