import { iso } from "../../engine/core/clock.ts";
import { html, type Html } from "../../engine/http/html.ts";
import { ago, copy, filtered, timeAndAgo } from "./lists.ts";
import { badge, button, empty, facts, here, link, type Look, pre, search } from "./parts.ts";
import { pageOf } from "./rows.ts";
import { type EmailRow, type MailMatch, documents, lifecycle, mails } from "../../service/service.ts";

export function mailsSection(look: Look, match: MailMatch = {}): Html {
  const found = mails.find(look.tenant.world, { ...match, ...(look.q ? { q: look.q } : {}) }).reverse();
  const { rows: chosenMails, bar } = filtered(look, found, (mail) => [mail.kind.replaceAll("_", " ")]);
  const { rows, pager } = pageOf(look, chosenMails);
  const chosen = chosenMails.find((mail) => mail.id === look.open);
  const shown = chosen ?? rows[0];
  return html`<h1>${look.page === undefined ? "Mails" : "Inbox"} <span class="soft">${chosenMails.length}, stored here and never sent</span></h1>
${search(look, "Search mails", "Search subject, text or address")}${bar}
${
  shown === undefined
    ? noMails(look, match)
    : html`<div class="split${chosen ? " chosen" : ""}"><div class="list"><ul class="rows" data-testid="mails">${rows.map((mail) => mailRow(look, mail, mail === shown))}</ul>${pager}</div>${mailHtml(look, shown)}</div>`
}`;
}

function noMails(look: Look, match: MailMatch): Html {
  if (look.q || look.is || Object.keys(match).length > 0)
    return empty(
      "No mails",
      html`No mail matches. <a href="${here(look, { q: undefined, is: undefined })}">Without the search</a>`,
    );
  const makes = look.tenant.store.templates.size > 0;
  return empty(
    "No mails yet",
    html`A recipient gets a mail when a document is sent and it is their turn. Reminders, comments and completed documents write mails too. A send with <code>"silent": true</code> writes none.`,
    makes
      ? html`<div class="acts middle">${button("Send an example document", "POST /__admin/documents", { name: "Offer 42", status: "document.sent" }, "main")}</div>`
      : null,
  );
}

export function mailRow(look: Look, mail: EmailRow, isShown = false): Html {
  const href = look.view === "mails" ? here(look, { open: mail.id }) : link(look, "mails", { open: mail.id });
  const to = mail.channel === "sms" ? `text message to ${mail.to}` : mail.to;
  return html`<li data-id="${mail.id}" data-kind="${mail.kind}"><a class="row letter-row" id="${mail.id}" href="${href}"${look.view === "mails" ? html` data-open` : null}${isShown ? html` aria-current="true"` : null}><span class="what"><strong>${mail.to_name || mail.to}</strong><span>${mail.subject}</span><span class="soft">${to}</span></span><span class="side">${badge(mail.kind)}<span class="soft when">${ago(look, mail.created)}</span></span></a></li>`;
}

function mailHtml(look: Look, mail: EmailRow): Html {
  const document = mail.document_id === null ? undefined : look.tenant.store.documents.get(mail.document_id);
  const isText = look.as === "text";
  return html`<article class="card preview" data-testid="mail" aria-label="Mail"><p class="back"><a href="${here(look, { open: undefined })}" data-open>‹ All mails</a></p>
<h2>${mail.subject}</h2>${facts([
    ["From", `${mail.from.name} <${mail.from.email}>`],
    ["To", mail.to_name ? `${mail.to_name} <${mail.to}>` : mail.to],
    ["Sent", timeAndAgo(look, mail.created)],
    ...(mail.reply_to ? [["Reply to", mail.reply_to] as const] : []),
  ])}
${mail.link ? html`<p class="acts"><a class="open" href="${mail.link}" target="_blank" rel="noopener">${openLabel(look, mail)}</a>${copy(mail.link, "of the mail", "Copy the link")}</p>` : null}
${mail.channel === "sms" ? null : modes(look, isText)}
${isText || mail.channel === "sms" ? pre(plainText(mail), "Text of the mail") : html`<div class="letter"><p class="text">${mail.text}</p></div>`}
<h3>Links</h3>${facts([
    ["In the mail", mail.link ? html`<code>${mail.link}</code>` : "none"],
    ...(document
      ? [
          [
            "Document",
            html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a> ${badge(document.status)}`,
          ] as const,
        ]
      : []),
    ...(document && lifecycle.isAllowedIn(document.status, "download")
      ? [
          [
            "PDF",
            html`<button type="button" class="act copy" data-preview="/__admin/documents/${encodeURIComponent(document.id)}/pdf" data-title="${document.name}">Preview the document</button>`,
          ] as const,
        ]
      : []),
    ["Attached", "nothing: mails link to the document"],
  ])}</article>`;
}

function openLabel({ tenant }: Look, { document_id, recipient_id }: EmailRow): string {
  const document = document_id === null ? undefined : tenant.store.documents.get(document_id);
  const isTurn = document !== undefined && documents.turn(document).some((one) => one.id === recipient_id);
  return isTurn ? "Open to sign" : "Open the document";
}

function modes(look: Look, isText: boolean): Html {
  const mode = (label: string, as: string | undefined, isNow: boolean) =>
    html`<li><a href="${here(look, { as })}" data-open${isNow ? html` aria-current="true"` : null}>${label}</a></li>`;
  return html`<nav class="filters" aria-label="Show the mail as"><ul>${mode("As a mail", undefined, !isText)}${mode("As plain text", "text", isText)}</ul></nav>`;
}

function plainText({ from, to, to_name, reply_to, subject, created, text, link: target, channel }: EmailRow): string {
  if (channel === "sms") return [text, target].filter(Boolean).join("\n");
  const headers = [
    `From: ${from.name} <${from.email}>`,
    `To: ${to_name ? `${to_name} <${to}>` : to}`,
    ...(reply_to ? [`Reply-To: ${reply_to}`] : []),
    `Subject: ${subject}`,
    `Date: ${iso(created)}`,
  ];
  return [headers.join("\n"), text, ...(target ? [target] : [])].join("\n\n");
}
