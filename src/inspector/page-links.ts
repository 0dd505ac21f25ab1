import { type Html, html } from "../engine/http/html.ts";

const PAGES = {
  "/": ["Start", "address, key and a first call"],
  "/__admin/": ["Inspector", "documents, clock, journal, deliveries, mails and rules of this server"],
  "/reference": ["Reference", "every operation, with examples to try"],
  "/docs/": ["Guides", "tutorial, recipes and explanations"],
} as const satisfies Record<string, readonly [name: string, content: string]>;

/** A list of links to pages of the server. */
export function pageLinks(...addresses: readonly (keyof typeof PAGES)[]): Html {
  return html`<ul class="rows">${addresses.map((address) => {
    const [name, content] = PAGES[address];
    return html`<li><a class="row" href="${address}"><span class="what"><strong>${name}</strong><span class="soft">${content}</span></span></a></li>`;
  })}</ul>`;
}
