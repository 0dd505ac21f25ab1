import { AUTHORIZE_STYLE } from "./assets.ts";
import { type Html, html, htmlPage } from "../../engine/http/html.ts";

function page(title: string, body: Html): Html {
  return htmlPage({ title: `${title} – docdouble`, style: AUTHORIZE_STYLE, body: html`<main>${body}</main>` });
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
