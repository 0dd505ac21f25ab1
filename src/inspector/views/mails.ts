import { iso } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { ago, copy, countOf, filtered, timeAndAgo } from "./lists.ts";
import { badge, button, empty, facts, here, link, type Look, pre, search } from "./parts.ts";
import { linksIn, rawMail } from "./raw-mail.ts";
import { pageOf } from "./rows.ts";
import { type DocumentRow, type EmailRow, documents, lifecycle, mails } from "../../service/service.ts";
import { words } from "../../service/words.ts";

export function mailsSection(look: Look): Html {
  const found = mails.find(look.tenant.world, look.q ? { q: look.q } : {}).reverse();
  const { rows: chosenMails, bar } = filtered(look, found, kindOf, words.mailKinds.map(kindWords));
  const { rows, pager } = pageOf(look, sorted(look, columnsOf(look), chosenMails));
  const chosen = chosenMails.find((mail) => mail.id === look.open);
  const shown = chosen ?? rows[0];
  const { size } = look.tenant.store.emails;
  return html`<h1>Mails <span class="soft">${size === 0 ? null : html`${countOf(chosenMails.length, size)}, `}stored here and never sent</span></h1>
${size === 0 ? null : html`${search(look, "Search mails", "Search subject, text or address")}${bar}`}
${
  shown === undefined
    ? noMails(look)
    : html`<div class="split${chosen ? " chosen" : ""}"><div class="list">${mailsGrid(look, "mails", rows, shown)}${pager}</div>${mailHtml(look, shown)}</div>`
}`;
}

const kindWords = (kind: string) => kind.replaceAll("_", " ");
const kindOf = ({ kind }: EmailRow) => [kindWords(kind)];

function noMails(look: Look): Html {
  if (look.q || look.is)
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

function columnsOf(look: Look): readonly Column<EmailRow>[] {
  return [
    {
      id: "to",
      title: "To and subject",
      kind: "grow",
      by: toName,
      cell: (mail) => html`<strong>${toName(mail)}</strong><span class="sr"> ${mail.subject}</span>`,
      badges: ({ kind }) => badge(kind),
    },
    {
      id: "at",
      title: "Age",
      kind: "number",
      falls: true,
      isFirst: true,
      by: ({ created }) => created,
      cell: ({ created }) => ago(look, created),
    },
  ];
}

function toName({ to, to_name }: EmailRow): string {
  return to_name || to;
}

export function mailsGrid(look: Look, id: string, rows: readonly EmailRow[], shown?: EmailRow): Html {
  const isHere = look.view === "mails";
  return grid(look, {
    id,
    label: "Mails",
    columns: columnsOf(look),
    rows,
    isTall: true,
    below: ({ subject }) => html`<span title="${subject}">${subject}</span>`,
    line: (mail) => ({
      id: mail.id,
      href: isHere ? here(look, { open: mail.id }) : link(look, "mails", { open: mail.id }),
      isLive: isHere,
      isCurrent: mail === shown,
    }),
  });
}

function mailHtml(look: Look, mail: EmailRow): Html {
  const document = mail.document_id === null ? undefined : look.tenant.store.documents.get(mail.document_id);
  const as = mail.channel === "sms" ? "text" : look.as;
  return html`<article class="card preview" data-testid="mail" aria-label="Mail"><p class="back"><a href="${here(look, { open: undefined })}" data-open>‹ All mails</a></p>
<h2>${mail.subject}</h2>${facts([
    ["From", personLine(mail.from.name, mail.from.email)],
    ["To", mail.to_name ? personLine(mail.to_name, mail.to) : mail.to],
    ["Sent", timeAndAgo(look, mail.created)],
    ...(mail.reply_to ? [["Reply to", mail.reply_to] as const] : []),
    ...(document ? [["Document", documentLine(look, document)] as const] : []),
  ])}
${mail.link ? html`<p class="acts"><a class="open" href="${mail.link}" target="_blank" rel="noopener">${openLabel(look, mail)}</a>${copy(mail.link, "of the mail", "Copy the link")}</p>` : null}
${mail.channel === "sms" ? null : modes(look)}
${as === "raw" ? html`${pre(rawMail(mail), "Raw message")}<div class="acts">${copy(rawMail(mail), "of the mail", "Copy the message")}</div>` : as === "text" ? pre(plainText(mail), "Text of the mail") : html`<div class="letter"><p class="text">${mail.text}</p></div>`}
${linksHtml(look, mail)}</article>`;
}

/** The address is one word, so a small window breaks the line before it. */
function personLine(name: string, address: string): Html {
  return html`${name} <span class="soft">${address}</span>`;
}

function documentLine(look: Look, { id, name, status }: DocumentRow): Html {
  return html`<a href="${link(look, "documents", { id })}">${name}</a> ${badge(status)}${lifecycle.isAllowedIn(status, "download") ? html` <button type="button" class="act copy" data-preview="/__admin/documents/${encodeURIComponent(id)}/pdf" data-title="${name}">Preview the document</button>` : null}`;
}

/** Where each address in the mail leads, and whether it opens now. */
function linksHtml({ tenant }: Look, mail: EmailRow): Html | null {
  const links = linksIn(mail);
  if (links.length === 0) return null;
  const document = mail.document_id === null ? undefined : tenant.store.documents.get(mail.document_id);
  const answers = (address: string): Part => {
    if (address !== mail.link) return html`<span class="badge calm">not checked</span>`;
    if (document === undefined || document.internal.deleted_at !== null)
      return html`<span class="badge bad">the document is gone</span>`;
    return lifecycle.isAllowedIn(document.status, "embed")
      ? html`<span class="badge good">opens for ${mail.to_name || mail.to}</span>`
      : html`<span class="badge bad">refused: the document is ${lifecycle.words(document.status)}</span>`;
  };
  return html`<h3>Links <span class="soft">${links.length}</span></h3><ul class="plain" data-testid="links">${links.map((one) => html`<li>${answers(one)} <code>${one}</code></li>`)}</ul>`;
}

function openLabel({ tenant }: Look, { document_id, recipient_id }: EmailRow): string {
  const document = document_id === null ? undefined : tenant.store.documents.get(document_id);
  const isTurn = document !== undefined && documents.turn(document).some((one) => one.id === recipient_id);
  return isTurn ? "Open to sign" : "Open the document";
}

const MODES = [
  ["As a mail", undefined],
  ["As plain text", "text"],
  ["Raw message", "raw"],
] as const;

function modes(look: Look): Html {
  const now = look.as === "mail" ? undefined : look.as;
  return html`<nav class="filters" aria-label="Show the mail as"><ul>${MODES.map(([label, as]) => html`<li><a href="${here(look, { as })}" data-open${as === now ? html` aria-current="true"` : null}>${label}</a></li>`)}</ul></nav>`;
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
