import { type Html, html, raw, htmlPage } from "../../engine/http/html.ts";

export const STYLE = raw(`
:root{color-scheme:light dark;--bg:#f4f5f7;--card:#fff;--ink:#1a2230;--soft:#5a6577;--line:#d9dee6;--accent:#0b6b4f;--on:#fff}
@media (prefers-color-scheme:dark){:root{--bg:#12161c;--card:#1a2029;--ink:#e8ecf2;--soft:#a3aebd;--line:#323b48;--accent:#5ed3a8;--on:#08251b}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
main{max-width:30rem;margin:10vh auto 0;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{font-size:1.3rem;margin:0 0 .75rem}p,li{overflow-wrap:anywhere}.soft{color:var(--soft);font-size:.9rem}
form{display:flex;gap:.75rem;margin-top:1.25rem}button{flex:1;font:inherit;font-weight:600;padding:.6rem 1rem;border-radius:.5rem;border:1px solid var(--line);background:var(--card);color:inherit;cursor:pointer}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}`);

function page(title: string, body: Html): Html {
  return htmlPage({ title: `${title} – docdouble`, style: STYLE, body: html`<main>${body}</main>` });
}

const MEANINGS: Readonly<Record<string, string>> = {
  read: "See templates and documents",
  write: "Create, change, send, delete and download documents",
};

export function consentPage(
  client: string,
  user: string,
  scopes: readonly string[],
  input: Readonly<Record<string, string | undefined>>,
  note?: string,
): Html {
  const hidden = Object.entries(input).flatMap(([name, value]) =>
    value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`],
  );
  const requested = scopes.filter((scope) => MEANINGS[scope] !== undefined);
  return page(
    "Authorize Application",
    html`<h1>Authorize Application</h1>
<p><strong data-testid="client">${client}</strong> asks to act as <strong>${user}</strong>:</p>
<ul>${requested.map((scope) => html`<li data-scope="${scope}">${MEANINGS[scope]}</li>`)}</ul>
<form method="post">${hidden}
<button name="decision" value="deny">Deny</button>
<button class="main" name="decision" value="approve">Approve</button>
</form>${note === undefined ? null : html`<p class="soft">${note}</p>`}`,
  );
}

export function refusalPage(problem: string, hint: string): Html {
  return page(
    "Authorization is not possible",
    html`<h1>Authorization is not possible</h1><p role="alert" data-testid="problem">${problem}</p><p class="soft">${hint}</p>`,
  );
}
