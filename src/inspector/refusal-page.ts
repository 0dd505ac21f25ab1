import { type Html, html, htmlPage, type Part } from "../engine/http/html.ts";
import { own } from "../engine/core/maps.ts";
import { nearest } from "../engine/core/text.ts";
import { hasDocumentation } from "./documentation.ts";
import { LANDING_STYLE } from "./assets.ts";
import { linkColumns } from "./landing.ts";
import { VIEWS } from "./views/parts.ts";

const TITLES: Readonly<Record<number, string>> = {
  400: "This address has a wrong part",
  401: "This page needs the admin token",
  403: "This page is not allowed here",
  404: "There is no such page",
};

/** What a person sees in a browser at an address without a page. Programs get the same reason as JSON. */
export function refusalPage({ status, why, version }: { status: number; why: string; version: string }): Html {
  const title = TITLES[status] ?? "There is no page here";
  return htmlPage({
    title: `${title} · docdouble`,
    style: LANDING_STYLE,
    body: html`<header class="bar"><a class="brand" href="/"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tick" href="/__admin/">Inspector</a><a class="tick" href="/reference">Reference</a><a class="tick" href="/docs/">Docs</a></header>
<main class="landing">
<h1>${title}</h1>
<p>${linked(why.replace(/^./, (first) => first.toUpperCase()))}.</p>
${suggestion(why)}
${linkColumns(hasDocumentation())}
</main>
<footer class="foot">docdouble ${version}, not affiliated with PandaDoc.</footer>`,
  });
}

const VIEW_LIST = /(View is one of )([a-z, ]+)/;

/** The names of views and the address that was meant lead there. */
function linked(why: string): Part {
  const [whole = "", before = "", names = ""] = VIEW_LIST.exec(why) ?? [];
  if (whole !== "") {
    const [start = "", end = ""] = why.split(whole);
    const links = names.split(", ").map((name, i) => html`${i > 0 ? ", " : null}<a href="/__admin/?view=${name}">${name}</a>`);
    return html`${start}${before}${links}${end}`;
  }
  const [start = "", path = "", end = ""] = why.split(/(\/(?:__admin|docs|reference)[\w/-]*)(?=\?)/);
  return path === "" ? why : html`${start}<a href="${path}">${path}</a>${end}`;
}

/** What people type for a page. */
const TYPED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(VIEWS.map((view) => [view, `/__admin/?view=${view}`])),
  ...{ inspector: "/__admin/", admin: "/__admin/", webhooks: "/__admin/?view=deliveries", inbox: "/__admin/emails/inbox" },
  ...{ reference: "/reference", api: "/reference", swagger: "/reference", openapi: "/openapi.json" },
  ...{ docs: "/docs/", guides: "/docs/", documentation: "/docs/", tutorial: "/docs/tutorial", health: "/health" },
};

const TYPOS_MAX = 2;

function suggestion(why: string): Html | null {
  const [, path = ""] = /has no path (\/[^ ;]*)/.exec(why) ?? /view: ?"?(\w+)/.exec(why) ?? [];
  const name = path.split("/").filter(Boolean).at(-1)?.toLowerCase() ?? "";
  const near = own(TYPED, name) === undefined ? nearest(name, Object.keys(TYPED), TYPOS_MAX) : name;
  const address = near === undefined ? undefined : TYPED[near];
  return address === undefined ? null : html`<p>Do you mean <a href="${address}">${address}</a>?</p>`;
}
