/** A tenant's outgoing mails and text messages as a page, newest first. */
import { iso } from "../../core/clock.ts";
import { html, type Html, raw } from "../html.ts";
import type { EmailRow } from "../../domain/mails/rows.ts";

export const STYLE = raw(`
:root{color-scheme:light dark;--bg:#f4f5f7;--card:#fff;--ink:#1a2230;--soft:#5a6577;--line:#d9dee6;--accent:#0b6b4f;--on:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1a2029;--ink:#e8ecf2;--soft:#a3aebd;--line:#323b48;--accent:#5ed3a8;--on:#08251b}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:52rem;margin:0 auto;padding:1.5rem 1rem}h1{font-size:1.4rem;margin:0 0 1rem}
form{display:flex;gap:.5rem;margin-bottom:1rem}input{flex:1;min-width:0}input,button{font:inherit;padding:.5rem .75rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);color:inherit}
ul{list-style:none;margin:0;padding:0;display:grid;gap:.5rem}li{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.25rem 1rem}
summary{cursor:pointer;padding:.5rem 0;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}summary strong{flex:1 1 14rem}
.soft{color:var(--soft);font-size:.875rem;overflow-wrap:anywhere}.kind{border:1px solid var(--line);border-radius:1rem;padding:0 .6rem;font-size:.8rem;color:var(--soft)}
p{margin:.25rem 0 .75rem;white-space:pre-line;overflow-wrap:anywhere}a.open{display:inline-block;background:var(--accent);color:var(--on);border-radius:.5rem;padding:.45rem 1rem;text-decoration:none;font-weight:600;margin-bottom:.75rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`);

export function inboxPage(mails: readonly EmailRow[], q: string): Html {
  const newest = [...mails].reverse();
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Outgoing mail (${newest.length}) – docdouble</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Outgoing mail <span class="soft">${newest.length} message${newest.length === 1 ? "" : "s"}, none of them sent</span></h1>
<form role="search"><input type="search" name="q" value="${q}" aria-label="Search mail" placeholder="Search subject, text or address"><button>Search</button></form>
${newest.length === 0 ? html`<p data-testid="inbox-empty">Nothing here. Send a document that is not silent.</p>` : html`<ul data-testid="inbox">${newest.map(message)}</ul>`}
</main>
</body>
</html>`;
}

function message(mail: EmailRow): Html {
  const time = iso(mail.created);
  return html`<li data-testid="mail" data-kind="${mail.kind}" data-id="${mail.id}"><details>
<summary><strong>${mail.subject}</strong><span class="kind">${mail.kind.replaceAll("_", " ")}</span>
<span class="soft">${mail.channel === "sms" ? "text" : "mail"} to ${mail.to}</span>
<time class="soft" datetime="${time}">${time.slice(0, 16).replace("T", " ")}</time></summary>
<div class="soft">From ${mail.from.name} &lt;${mail.from.email}&gt; to ${mail.to_name} &lt;${mail.to}&gt;</div>
<p>${mail.text}</p>
${mail.link ? html`<a class="open" href="${mail.link}" target="_blank" rel="noopener">Open the document</a>` : null}
</details></li>`;
}
