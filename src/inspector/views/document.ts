import { parseInstant } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { actHtml, approvalHtml } from "./acts.ts";
import { timelineAxis } from "./axis.ts";
import { breakCard } from "./break.ts";
import { fieldsHtml, metadataHtml, nameHtml, tokensHtml } from "./data.ts";
import { ago, clockTime, copy, moneyText, timeAndAgo } from "./lists.ts";
import { badge, button, facts, link, type Look, opens, time } from "./parts.ts";
import { savedLinks } from "./scenarios.ts";
import { timelineHtml } from "./timeline.ts";
import {
  type DocumentRow,
  type DocumentState,
  type RecipientRow,
  type Trigger,
  documents,
  lifecycle,
} from "../../service/service.ts";

export function documentPage(look: Look, row: DocumentRow): Html {
  const document = documents.state(look.tenant, row);
  const entries = documents.timeline(look.tenant, row);
  return html`<p class="crumbs small"><a href="${link(look, "documents")}">Documents</a> / <code>${document.id}</code> ${copy(document.id, "the id")}</p>
<div class="title-row"><h1>${document.name} ${badge(document.status)}${document.locked ? html` <span class="badge bad">locked</span>` : null}${document.deleted ? html` <span class="badge bad">deleted</span>` : null}</h1>${fileHtml(row, document)}</div>
${document.failure ? html`<p class="error">${document.failure.detail}</p>` : null}
${stripHtml(look, row, document)}
<section class="card" aria-labelledby="h-timeline"><div class="title-row"><h2 id="h-timeline">Timeline</h2><ol class="path" data-testid="path" aria-label="Statuses so far">${document.path.map((one) => html`<li>${badge(one)}</li>`)}</ol></div>
${timelineAxis(look, entries)}</section>
<div class="document">
<div class="beside">
${card("next", "Next steps", stepsHtml(row, document))}
${card("people", "Recipients", recipientsHtml(look, row, document))}
</div>
<div class="what-happened">${timelineHtml(look, row, entries)}</div>
<div class="contents">
${listCard("pricing", "Pricing", [...row.pricing_tables, ...row.quotes], () => html`<div class="wide" tabindex="0" role="group" aria-labelledby="h-pricing" data-testid="pricing">${documents.pricingHtml(row)}</div>`)}
${listCard("fields", "Fields", row.fields, () => fieldsHtml(row))}
${listCard("tokens", "Tokens", row.tokens, () => tokensHtml(row))}
${commentsCard(look, row)}
${notesCard(look, document)}
${factsCard(look, row, document)}
${breakCard(row)}
${card("save", "Save", savedLinks(look, row.id))}
</div></div>`;
}

/** What people look for first, side by side. */
function stripHtml(look: Look, row: DocumentRow, document: DocumentState): Html {
  const value = documents.value(look.tenant.world, row);
  const when = (instant: string | null) => {
    const at = instant === null ? undefined : parseInstant(instant);
    return at !== undefined && html`${clockTime(at)} <span class="soft">${ago(look, at)}</span>`;
  };
  const found: [string, Part][] = [
    ["Signs next", document.turn.length > 0 && html`<strong>${document.turn.join(", ")}</strong>`],
    ["Value", value && html`<strong>${moneyText(value)}</strong>`],
    ["From", row.template ? row.template.name : "a file"],
    ["Created", when(document.created)],
    ["Scheduled for", when(document.scheduled)],
    ["Sent", when(document.sent)],
    ["Completed", when(document.completed)],
    ["Expires", when(document.completed === null ? document.expires : null)],
  ];
  return html`<dl class="strip" data-testid="strip">${found.map(([name, fact]) => fact && html`<div><dt>${name}</dt><dd>${fact}</dd></div>`)}</dl>`;
}

function card(id: string, title: Part, content: Part): Html {
  return html`<section class="card" aria-labelledby="h-${id}"><h2 id="h-${id}">${title}</h2>${content}</section>`;
}

function stepsHtml(row: DocumentRow, document: DocumentState): Html {
  const isDecision = (act: string) => document.approval !== undefined && (act === "approve" || act === "reject");
  const acts = document.acts.filter((one) => one.recipient === null && !isDecision(one.act));
  const taken = new Set<string>(document.acts.map((one) => one.act));
  const possible = documents.steps(row);
  // The deadline and the sender's mark both make a document expire, so one button is enough.
  const isTwin = (trigger: Trigger) => trigger === "void_manually" && taken.has("expire");
  const moves = possible.filter(({ trigger }) => !taken.has(trigger) && !isTwin(trigger) && SENDER_STEPS[trigger] !== undefined);
  if (acts.length + moves.length === 0) return html`<p class="soft">None: this is an end.</p>`;
  return html`<ul class="steps small" data-testid="acts">${[
    ...moves.map(
      ({ trigger, to }) =>
        html`<li data-testid="step-${trigger}">${button(SENDER_STEPS[trigger] ?? trigger, `POST /__admin/documents/${encodeURIComponent(row.id)}/step/${trigger}`, {}, trigger === "send" || trigger === "request_approval" ? "main" : "")}<span aria-hidden="true">→</span>${badge(to)}</li>`,
    ),
    ...acts.map((one) => {
      const to = possible.find(({ trigger }) => trigger === one.act)?.to;
      return html`<li>${actHtml(row, one)}${to ? html`<span aria-hidden="true">→</span>${badge(to)}` : null}</li>`;
    }),
  ]}</ul>`;
}

const SENDER_STEPS: Readonly<Partial<Record<Trigger, string>>> = {
  send: "Send",
  request_approval: "Send for approval",
  revert: "Move back to draft",
  complete_manually: "Mark as completed",
  void_manually: "Mark as expired",
  pay_manually: "Mark as paid",
  decline_manually: "Mark as declined",
};

function recipientsHtml(look: Look, row: DocumentRow, document: DocumentState): Html {
  if (document.recipients.length === 0) return html`<p class="soft">Nobody.</p>${approvalHtml(row, document)}`;
  return html`<ul class="people" data-testid="recipients">${document.recipients.map((one) => {
    const acts = document.acts.filter((act) => act.recipient === one.id);
    const stored = row.recipients.find(({ id }) => id === one.id);
    return html`<li class="${one.is_turn ? "turn" : ""}"><div><strong>${one.name}</strong> <span class="badge ${one.has_completed ? "good" : one.is_turn ? "busy" : "calm"}">${stateOf(one)}</span><div class="soft">${[one.email ?? one.phone, one.role, one.signing_order === null ? "" : `turn ${one.signing_order}`].filter(Boolean).join(" · ")}</div></div><div class="acts small">${acts.filter(isMain).map((act) => actHtml(row, act, `as ${one.name}`))}${stored && lifecycle.isAllowedIn(row.status, "embed") ? opensAs(look, stored, one.name) : null}${acts.filter((act) => !isMain(act)).map((act) => actHtml(row, act, `as ${one.name}`))}</div></li>`;
  })}</ul>${approvalHtml(row, document)}`;
}

const isMain = ({ act }: { act: string }) => act === "sign" || act === "pay" || act === "approve";

function stateOf(one: DocumentState["recipients"][number]): string {
  if (one.has_completed) return "signed";
  if (one.is_turn) return "may sign now";
  if (one.viewed) return "has viewed";
  return one.recipient_type === "signer" ? "waits" : "gets a copy";
}

function opensAs({ tenant }: Look, recipient: RecipientRow, name: string): Html {
  const people =
    recipient.members.length > 0
      ? recipient.members.map((one) => ({
          name: `${one.first_name} ${one.last_name}`.trim() || (one.email ?? ""),
          token: one.link_token,
        }))
      : [{ name, token: recipient.internal.link_token }];
  return html`${people.map((one) => html`<a class="button" href="${documents.signingPage(tenant.world, one.token)}" target="_blank" rel="noopener">Open as ${one.name}</a>`)}`;
}

function fileHtml(row: DocumentRow, document: DocumentState): Html {
  const path = `/__admin/documents/${encodeURIComponent(row.id)}/pdf`;
  if (!lifecycle.isAllowedIn(row.status, "details") || row.status === "document.error")
    return html`<span class="soft">There is no PDF yet.</span>`;
  return html`<div class="acts small"><button type="button" class="act" data-preview="${path}" data-title="${document.name}">Preview the PDF</button><a class="button" href="${path}" target="_blank" rel="noopener">Open the PDF</a></div>`;
}

/** A card with the number of its rows. There is none without rows. */
function listCard(id: string, title: string, rows: readonly unknown[], content: () => Part): Html | null {
  return rows.length === 0 ? null : card(id, html`${title} <span class="soft">${rows.length}</span>`, content());
}

function notesCard(look: Look, { notes }: DocumentState): Html | null {
  const note = ({ by, at, text, file }: DocumentState["notes"][number]) =>
    html`<li><strong>${by}</strong> <span class="soft">${ago(look, at)}</span><div class="text">${text}</div>${file && html`<div class="soft">${file.name} · ${file.type} · ${file.size} bytes</div>`}</li>`;
  return listCard("notes", "Notes", notes, () => html`<ul class="plain" data-testid="notes">${notes.map(note)}</ul>`);
}

function commentsCard(look: Look, row: DocumentRow): Html | null {
  const comments = documents.comments(look.tenant.world, row);
  const comment = ({ author, kind, at, text }: (typeof comments)[number]) =>
    html`<li><strong>${author}</strong> ${kind === "suggestion" && html`<span class="badge busy">suggestion</span> `}<span class="soft">${ago(look, at)}</span><div class="text">${text}</div></li>`;
  return listCard(
    "comments",
    "Comments",
    comments,
    () => html`<ul class="plain" data-testid="comments">${comments.map(comment)}</ul>`,
  );
}

function factsCard(look: Look, row: DocumentRow, document: DocumentState): Html {
  const metadata = Object.keys(row.metadata).length;
  return card(
    "facts",
    "Facts",
    html`${facts([
      ["Name", nameHtml(row)],
      ["Template", row.template ? html`${row.template.name} <code class="soft">${row.template.id}</code>` : "none, from a file"],
      ["Environment", document.environment],
      ["Language", row.internal.settings.language],
      ["Changed", timeAndAgo(look, document.modified)],
      ["Scenario name", document.alias],
      ["Tags", row.tags.join(", ")],
      ["Payment", document.payment && moneyText(document.payment)],
      ["Locked by", document.lock && html`${document.lock.locked_by_user_id} until ${time(document.lock.expires)}`],
      ["Allows", document.allows.map((one) => one.replaceAll("_", " ")).join(", ") || "nothing"],
    ])}${metadata > 0 && opens("metadata", html`Metadata <span class="soft">${metadata}</span>`, metadataHtml(row), true)}`,
  );
}
