/** The inspector's documents: the list, and one document with its diagram, history and possible acts. */
import { type DocumentState, toDocumentLine, toDocumentState } from "../../admin/acts/document-state.ts";
import { displayName } from "../../domain/recipients/recipients.ts";
import { authorOf, commentsOf } from "../../domain/signing/other-acts.ts";
import { STATUSES } from "../../domain/document-model/status-machine.ts";
import { html, type Html } from "../html.ts";
import { actHtml, approvalHtml } from "./acts.ts";
import { quoted } from "./curl.ts";
import { statusDiagram } from "./diagram.ts";
import { ago, copy, filtered, timeAndAgo } from "./lists.ts";
import { badge, button, codeBadge, empty, facts, link, type Look, more, pre, ROWS_MAX, search, time } from "./parts.ts";
import type { DocumentRow } from "../../domain/document-model/rows.ts";

export function documentsSection(look: Look): Html {
  if (look.id !== undefined) {
    const row = look.tenant.store.documents.get(look.id);
    return row
      ? documentDetail(look, row, toDocumentState(look.tenant, row))
      : html`<h1>No such document</h1>${empty("It is not here", html`There is no document ${look.id} in this tenant; it may have gone with a reset. <a href="${link(look, "documents")}">All documents</a>`)}`;
  }
  const { rows: documents, bar } = filtered(look, look.documents, (row) => [shortStatus(row.status)], STATUSES.map(shortStatus));
  const now = look.tenant.clock.now();
  return html`<h1>Documents <span class="soft">${documents.length}</span></h1>
${search(look, "Search documents", "Search by name or id")}${bar}
${
  documents.length === 0
    ? look.q || look.is
      ? empty("No documents", "None is like that.")
      : empty("No documents yet", "Your application's calls make them appear here, or this one:", firstCall(look))
    : html`<ul class="rows" data-testid="documents">${documents.slice(0, ROWS_MAX).map((row) => documentRow(look, row, toDocumentLine(row, now)))}</ul>${more(ROWS_MAX, documents.length)}`
}`;
}

function shortStatus(status: string): string {
  return status.replace("document.", "").replaceAll("_", " ");
}

/** Shows how to create the first document. Keys are shown only on a server without admin token. */
function firstCall({ tenant, isDefault, host }: Look): Html {
  const known = isDefault ? tenant.store.api_keys.all().find((one) => one.environment === "production")?.id : tenant.id;
  const key = host.adminToken === undefined ? known : undefined;
  const body = `{
    "name": "Offer 42",
    "template_uuid": "TemplateOneSignerxxxxx",
    "recipients": [{"email": "pat@client.example", "first_name": "Pat", "last_name": "Lee", "role": "Client"}]
  }`;
  const call = `curl -H ${quoted(`Authorization: API-Key ${key ?? "YOUR-KEY"}`)} \\\n  ${quoted(`${tenant.settings.publicUrl}/public/v1/documents`)} --json '${body}'`;
  return html`${pre(call, "A first call")}${copy(call, "the call")}`;
}

const NAMES_MAX = 3;

function namesOf({ recipients }: DocumentRow): string {
  const names = recipients.slice(0, NAMES_MAX).map(displayName).join(", ");
  return recipients.length > NAMES_MAX ? `${names} and ${recipients.length - NAMES_MAX} more` : names || "no recipients";
}

function documentRow(look: Look, row: DocumentRow, line: ReturnType<typeof toDocumentLine>): Html {
  const turn = line.turn.length > 0 ? `${line.turn.join(", ")} to sign` : namesOf(row);
  return html`<li><a class="row" href="${link(look, "documents", { id: line.id })}"><span class="what"><strong>${line.name}</strong><span class="soft">${turn}${line.locked ? " · locked" : ""}${line.deleted ? " · deleted" : ""}</span></span>${badge(line.status)}<span class="soft when">${ago(look, line.modified)}</span></a></li>`;
}

function documentDetail(look: Look, row: DocumentRow, document: DocumentState): Html {
  // The list of approvers below has their buttons.
  const isDecision = (act: string) => document.approval !== undefined && (act === "approve" || act === "reject");
  const general = document.acts.filter((one) => one.recipient === null && !isDecision(one.act));
  return html`<p class="crumbs"><a href="${link(look, "documents")}">Documents</a> / <code>${document.id}</code> ${copy(document.id, "the id")}</p>
<h1 class="title">${document.name} ${badge(document.status)}${document.locked ? html` <span class="badge bad">locked</span>` : null}${document.deleted ? html` <span class="badge bad">deleted</span>` : null}</h1>
<section class="card" aria-labelledby="h-status"><h2 id="h-status">Status</h2>
<ol class="path" data-testid="path" aria-label="The way so far">${document.path.map((one) => html`<li>${badge(one)}</li>`)}</ol>
${statusDiagram(document.path, document.status)}
${document.failure ? html`<p class="error">${document.failure.detail}</p>` : null}
<div class="acts" data-testid="acts">${general.map((one) => actHtml(row, one))}</div>
</section>
<div class="columns">
<section class="card" aria-labelledby="h-people"><h2 id="h-people">Recipients</h2>${recipientsHtml(row, document)}${approvalHtml(row, document)}</section>
<section class="card" aria-labelledby="h-next"><h2 id="h-next">What may happen next</h2>
${document.next.length === 0 ? html`<p class="soft">Nothing: this is an end.</p>` : html`<ul class="nexts" data-testid="next">${document.next.map(({ trigger, to }) => html`<li>${trigger.replaceAll("_", " ")} ${badge(to)}</li>`)}</ul>`}
<h3>It allows</h3><p class="chips">${document.allows.length === 0 ? html`<span class="soft">nothing</span>` : document.allows.map((one) => html`<span class="chip">${one.replaceAll("_", " ")}</span>`)}</p>
</section>
<section class="card" aria-labelledby="h-due"><h2 id="h-due">Due</h2>${dueHtml(look, document)}</section>
<section class="card" aria-labelledby="h-facts"><h2 id="h-facts">Facts</h2>${facts([
    ["Environment", document.environment],
    ["Created", timeAndAgo(look, document.created)],
    ["Changed", timeAndAgo(look, document.modified)],
    ...(document.scheduled === null ? [] : [["Scheduled for", timeAndAgo(look, document.scheduled)] as const]),
    ["Sent", timeAndAgo(look, document.sent)],
    ["Completed", timeAndAgo(look, document.completed)],
    ["Expires", timeAndAgo(look, document.expires)],
    ...(document.alias === null ? [] : [["Scenario name", document.alias] as const]),
    ...(document.payment ? [["Payment", `${document.payment.amount} ${document.payment.currency}`] as const] : []),
    ...(document.lock
      ? [["Locked by", html`${document.lock.locked_by_user_id} until ${time(document.lock.expires)}`] as const]
      : []),
  ])}</section>
</div>
${notesHtml(look, document)}
${commentsHtml(look, row)}
<section class="card" aria-labelledby="h-told"><h2 id="h-told">Calls about it</h2>${callsHtml(look, document.id)}</section>`;
}

function recipientsHtml(row: DocumentRow, document: DocumentState): Html {
  if (document.recipients.length === 0) return html`<p class="soft">Nobody.</p>`;
  return html`<ul class="people" data-testid="recipients">${document.recipients.map((one) => {
    const acts = document.acts.filter((act) => act.recipient === one.id);
    const state = one.has_completed
      ? "signed"
      : one.is_turn
        ? "may sign now"
        : one.viewed
          ? "has viewed"
          : one.recipient_type === "signer"
            ? "waits"
            : "gets a copy";
    return html`<li class="${one.is_turn ? "turn" : ""}"><div><strong>${one.name}</strong> <span class="badge ${one.has_completed ? "good" : one.is_turn ? "busy" : "calm"}">${state}</span><div class="soft">${[one.email ?? one.phone, one.role, one.signing_order === null ? "" : `turn ${one.signing_order}`].filter(Boolean).join(" · ")}</div></div><div class="acts">${acts.map((act) => actHtml(row, act, `as ${one.name}`))}</div></li>`;
  })}</ul>`;
}

function notesHtml(look: Look, { notes }: DocumentState): Html | null {
  if (notes.length === 0) return null;
  return html`<section class="card" aria-labelledby="h-notes"><h2 id="h-notes">Notes <span class="soft">${notes.length}</span></h2><ul class="plain" data-testid="notes">${notes.map(
    ({ by, at, text, file }) =>
      html`<li><strong>${by}</strong> <span class="soft">${ago(look, at)}</span>${text ? html`<div class="text">${text}</div>` : null}${file ? html`<div class="soft">${file.name} · ${file.type} · ${file.size} bytes</div>` : null}</li>`,
  )}</ul></section>`;
}

function commentsHtml(look: Look, row: DocumentRow): Html | null {
  const comments = commentsOf(look.tenant.world, row);
  if (comments.length === 0) return null;
  return html`<section class="card" aria-labelledby="h-comments"><h2 id="h-comments">Comments <span class="soft">${comments.length}</span></h2><ul class="plain" data-testid="comments">${comments.map(
    (one) => {
      return html`<li><strong>${authorOf(row, one)}</strong> ${one.kind === "suggestion" ? html`<span class="badge busy">suggestion</span> ` : null}<span class="soft">${ago(look, one.at)}</span><div class="text">${one.text}</div></li>`;
    },
  )}</ul></section>`;
}

function dueHtml(look: Look, document: DocumentState): Html {
  if (document.jobs.length === 0) return html`<p class="soft">Nothing waits for the clock.</p>`;
  return html`<ul class="plain" data-testid="jobs">${document.jobs.map(
    (job) =>
      html`<li class="due"><span>${job.kind.replaceAll("_", " ")}</span> <span class="soft">${ago(look, job.due)}</span> ${button("Advance to it", "POST /__admin/clock/advance", { to: job.due }, "", `(${job.kind.replaceAll("_", " ")})`)}</li>`,
  )}</ul>`;
}

const CALLS_MAX = 20;

function callsHtml(look: Look, id: string): Html {
  const calls = look.tenant.journal
    .all()
    .filter((one) => one.subject === id)
    .reverse()
    .slice(0, CALLS_MAX);
  if (calls.length === 0) return html`<p class="soft">None named it in its path.</p>`;
  return html`<ul class="rows flat">${calls.map(
    (one) =>
      html`<li><a class="row" href="${link(look, "journal", { id: one.id })}">${codeBadge(one.status)}<span class="what"><strong>${one.operationId ?? one.path}</strong>${one.why ? html`<span class="soft">${one.why}</span>` : null}</span><span class="soft when">${ago(look, one.at)}</span></a></li>`,
  )}</ul>`;
}
