/** Two versions of something side by side: what differs first, and the rest folded. */
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { opens } from "./parts.ts";

export interface Pair {
  name: string;
  /** Undefined when only the other side has it. */
  was: string | undefined;
  is: string | undefined;
}

export function pairsOf(before: ReadonlyMap<string, string> | undefined, after: ReadonlyMap<string, string>): Pair[] {
  const names = new Set([...(before?.keys() ?? []), ...after.keys()]);
  return [...names].map((name) => ({ name, was: before?.get(name), is: after.get(name) }));
}

export interface Titles {
  id: string;
  name: string;
  was: Part;
  is: Part;
  /** What stands there when nothing differs. */
  none: Part;
}

const NOTHING = html`<span class="soft">–</span>`;

export function diffHtml(pairs: readonly Pair[], { id, name, was, is, none }: Titles): Html {
  const changed = pairs.filter((one) => one.was !== one.is);
  const same = pairs.filter((one) => one.was === one.is);
  return html`${
    changed.length === 0
      ? html`<p class="soft">${none}</p>`
      : html`<table class="diff" data-testid="${id}"><thead><tr><th scope="col">${name}</th><th scope="col">${was}</th><th scope="col">${is}</th></tr></thead><tbody>${changed.map(
          (one) =>
            html`<tr><th scope="row">${one.name}</th><td>${one.was === undefined ? NOTHING : html`<del>${one.was}</del>`}</td><td>${one.is === undefined ? NOTHING : html`<ins>${one.is}</ins>`}</td></tr>`,
        )}</tbody></table>`
  }${
    same.length === 0
      ? null
      : opens(
          `${id}-same`,
          html`The same <span class="soft">${same.length}</span>`,
          html`<table class="diff"><tbody>${same.map((one) => html`<tr><th scope="row">${one.name}</th><td>${one.is}</td></tr>`)}</tbody></table>`,
        )
  }`;
}
