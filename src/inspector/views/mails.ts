import { httpDate } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { type EmailRow, documents, lifecycle, mails } from "../../service/service.ts";
import { words } from "../../service/words.ts";
import { ago, copy, countOf, timeAndAgo } from "./lists.ts";
import { badge, button, facts, here, link, type Look, pre } from "./parts.ts";
import { type List, listPage, type Section } from "./section.ts";

export const mailsSection: Section = {
  count: ({ tenant }) => [tenant.store.emails.size, "mail"],
  page(look) {
    const opened = look.open === undefined ? undefined : look.tenant.store.emails.get(look.open);
    const page = listPage(look, listOf(look, opened));
    return opened ? { ...page, title: opened.subject } : page;
  },
};

const kindWords = (kind: string) => kind.replaceAll("_", " ");
const toName = ({ to, to_name }: EmailRow) => to_name || to;

function listOf(look: Look, opened: EmailRow | undefined): List<EmailRow> {
  const { world, store } = look.tenant;
  const { size } = store.emails;
  return {
    title: "Mails",
    size,
    hint: "subject, text or address",
    find: (q) => mails.find(world, q ? { q } : {}).reverse(),
    kindsOf: ({ kind }) => [kindWords(kind)],
    kinds: words.mailKinds.map(kindWords),
    note: (shown) => `${countOf(shown.length, size)}, stored here and never sent`,
    none: [
      "No mails yet",
      html`A recipient gets a mail when a document is sent and it is their turn. Reminders, comments and completed documents write mails too. A send with <code>"silent": true</code> writes none.`,
      store.templates.size > 0 &&
        button("Send an example document", "POST /__admin/documents", { name: "Offer 42", status: "document.sent" }, "main"),
    ],
    order: "-at",
    line: ({ id }) => ({ id, href: here(look, { open: id }), isLive: true, isCurrent: id === look.open }),
    columns: [
      {
        id: "to",
        title: "To and subject",
        kind: "grow",
        by: toName,
        cell: (mail) => html`<strong>${toName(mail)}</strong> ${badge(mail.kind)}<br><span class="soft">${mail.subject}</span>`,
      },
      { id: "at", title: "Age", kind: "number", by: ({ created }) => created, cell: ({ created }) => ago(look, created) },
    ],
    beside: ([first]) => mailHtml(look, opened ?? (first as EmailRow)),
  };
}

function mailHtml(look: Look, mail: EmailRow): Html {
  const document = documentOf(look, mail);
  const mode = (label: string, as: "raw" | undefined) =>
    html`<li><a href="${here(look, { as })}" data-open${as === look.as && html` aria-current="true"`}>${label}</a></li>`;
  return html`<article class="card preview" data-testid="mail" aria-label="Mail"><p class="back"><a href="${here(look, { open: undefined })}" data-open>‹ All mails</a></p>
<h2>${mail.subject}</h2>${facts([
    ["From", html`${mail.from.name} <span class="soft">${mail.from.email}</span>`],
    ["To", html`${mail.to_name} <span class="soft">${mail.to}</span>`],
    ["Sent", timeAndAgo(look, mail.created)],
    ["Reply to", mail.reply_to],
    [
      "Document",
      document &&
        html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a> ${badge(document.status)}${lifecycle.isAllowedIn(document.status, "download") && html` <button type="button" class="act" data-preview="/__admin/documents/${encodeURIComponent(document.id)}/pdf" data-title="${document.name}">Preview the document</button>`}`,
    ],
  ])}
${mail.link && html`<p class="acts"><a class="button main" href="${mail.link}" target="_blank" rel="noopener">${openLabel(look, mail)}</a>${copy(mail.link, "of the mail", "Copy the link")}</p>`}
${mail.channel === "email" && html`<nav class="filters" aria-label="Show the mail as"><ul>${mode("As a mail", undefined)}${mode("Raw message", "raw")}</ul></nav>`}
${look.as === "raw" && mail.channel === "email" ? html`${pre(rawMail(mail), "Raw message")}${copy(rawMail(mail), "of the mail", "Copy the message")}` : html`<p class="letter text">${mail.text}</p>`}
${linksHtml(look, mail)}</article>`;
}

function documentOf({ tenant }: Look, { document_id }: EmailRow) {
  return document_id === null ? undefined : tenant.store.documents.get(document_id);
}

/** Where each address in the mail leads, and whether it opens now. */
function linksHtml(look: Look, mail: EmailRow): Part {
  const { text, link: own } = mail;
  const links = [...new Set([...(text.match(/https?:\/\/[^\s<>"]+/g) ?? []), ...(own ? [own] : [])])];
  const document = documentOf(look, mail);
  const answers = (address: string): Html => {
    const mark = (tone: string, words: string) => html`<span class="badge ${tone}">${words}</span>`;
    if (address !== own) return mark("calm", "not checked");
    if (!document || document.internal.deleted_at !== null) return mark("bad", "the document is gone");
    return lifecycle.isAllowedIn(document.status, "embed")
      ? mark("good", `opens for ${toName(mail)}`)
      : mark("bad", `refused: the document is ${lifecycle.words(document.status)}`);
  };
  if (links.length === 0) return null;
  return html`<h3>Links</h3><ul class="plain" data-testid="links">${links.map((one) => html`<li>${answers(one)} <code>${one}</code></li>`)}</ul>`;
}

function openLabel(look: Look, mail: EmailRow): string {
  const document = documentOf(look, mail);
  const isTurn = document !== undefined && documents.turn(document).some((one) => one.id === mail.recipient_id);
  return isTurn ? "Open to sign" : "Open the document";
}

/** RFC 2047, for headers with other letters than ASCII. Line breaks in a name or subject cannot make a new header. */
function header(text: string): string {
  const line = text.replace(/[\r\n]+/g, " ");
  return /^[\x20-\x7e]*$/.test(line) ? line : `=?utf-8?B?${Buffer.from(line).toString("base64")}?=`;
}

function person(name: string, address: string): string {
  if (!name) return address;
  const word = /^[\w .-]*$/.test(name) ? name : /^[\x20-\x7e]*$/.test(name) ? JSON.stringify(name) : header(name);
  return `${word} <${address}>`;
}

/** A stored mail as the message that a mail server would carry. */
function rawMail({ id, from, to, to_name, reply_to, subject, created, text, link: own, kind }: EmailRow): string {
  const headers = [
    `Message-ID: <${id}@docdouble>`,
    `Date: ${httpDate(created)}`,
    `From: ${person(from.name, from.email)}`,
    `To: ${person(to_name, to)}`,
    ...(reply_to ? [`Reply-To: ${header(reply_to)}`] : []),
    `Subject: ${header(subject)}`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    `X-Docdouble-Kind: ${kind}`,
  ];
  return [headers.join("\n"), text, ...(own ? [own] : [])].join("\n\n");
}
