/** A slider through the changes of a document, with the document before and after each. */
import { iso } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { diffHtml, pairsOf } from "./diff.ts";
import { moneyText } from "./lists.ts";
import { codeBadge, here, link, type Look, time } from "./parts.ts";
import { ACT_WORDS, TRANSITION_WORDS } from "./words.ts";
import { type Change, type DocumentRow, documents, lifecycle } from "../../service/service.ts";

export function storyHtml(look: Look, row: DocumentRow): Html | null {
  const changes = documents.changes(look.tenant, row);
  const count = changes.length;
  if (count === 0) return null;
  const asked = Number(look.step);
  const n = Number.isInteger(asked) && asked >= 1 && asked <= count ? asked : count;
  return html`<section class="card story" aria-labelledby="h-story"><div class="story-head"><h2 id="h-story">Step by step</h2><input type="range" class="act" id="step-range" min="1" max="${count}" value="${n}" data-step aria-label="Step" aria-describedby="step-title"></div>${stepHtml(look, changes, n)}</section>`;
}

function stepHtml(look: Look, changes: readonly Change[], n: number): Html {
  const change = changes[n - 1] as Change;
  const before = change.before && stateOf(look, change.before);
  const after = stateOf(look, change.after);
  const to = (label: string, step: number) =>
    step < 1 || step > changes.length
      ? html`<li><span class="soft">${label}</span></li>`
      : html`<li><a href="${here(look, { step: String(step) })}" data-open id="step-${label.toLowerCase()}">${label}</a></li>`;
  return html`<div id="step" data-testid="step"><div class="pager step-head"><p id="step-title"><span class="badge calm">${n} of ${changes.length}</span> ${time(change.at)} <strong>${titleOf(look, change)}</strong></p><ul>${to("Before", n - 1)}${to("Next", n + 1)}</ul></div>
${diffHtml(pairsOf(before, after), { id: "changes", name: "What changed", was: "Before", is: "After", none: "This call changed nothing." })}</div>`;
}

function titleOf(look: Look, { call, events }: Change): Part {
  // An act says more than the transition that it causes.
  const acts = events.filter((event) => event.kind === "act");
  const words = (acts.length > 0 ? acts : events).map((event) =>
    event.kind === "status"
      ? (TRANSITION_WORDS[event.trigger] ?? event.trigger)
      : event.who === null && event.act === "finish_pdf"
        ? "the PDF is ready"
        : `${event.who?.name ?? "somebody"} ${ACT_WORDS[event.act] ?? event.act}`,
  );
  const text = [...new Set(words)].join(", ");
  if (!call) return text || "The clock changed it";
  const named = html`<a href="${link(look, "journal", { id: call.id })}">${call.operationId ?? call.path}</a> ${codeBadge(call.status)}`;
  return text ? html`${named} ${text}` : named;
}

const EMPTY = "empty";

/** What people look for in a document, as one line each. */
function stateOf({ tenant }: Look, row: DocumentRow): Map<string, string> {
  const value = documents.value(tenant.world, row);
  const turn = new Set(documents.turn(row).map((one) => one.id));
  const { lock, approval, payment, deleted_at } = row.internal;
  const lines: [string, string][] = [
    ["Status", lifecycle.words(row.status)],
    ["Name", row.name],
  ];
  if (value) lines.push(["Value", moneyText(value)]);
  row.recipients.forEach((one, i) => {
    const state = one.has_completed
      ? "signed"
      : turn.has(one.id)
        ? "may sign now"
        : one.internal.viewed_at
          ? "has viewed"
          : "waits";
    lines.push([
      `Recipient ${i + 1}`,
      [documents.displayName(one), one.email ?? one.phone, one.role, state].filter(Boolean).join(", "),
    ]);
  });
  for (const field of row.fields) lines.push([`Field ${field.name}`, documents.fieldText(field) || EMPTY]);
  for (const { name, value: text } of row.tokens) lines.push([`Token ${name}`, text || EMPTY]);
  for (const [name, text] of Object.entries(row.metadata)) lines.push([`Metadata ${name}`, String(text)]);
  if (row.tags.length > 0) lines.push(["Tags", row.tags.join(", ")]);
  if (row.expiration_date !== null) lines.push(["Expires", shown(row.expiration_date)]);
  if (lock) lines.push(["Locked", `until ${shown(lock.expires_at)}`]);
  if (payment) lines.push(["Paid", payment.paid_at === null ? "not yet" : shown(payment.paid_at)]);
  approval?.steps.forEach((step, i) => {
    lines.push([`Approval ${i + 1}`, step.approvers.map((one) => one.decision ?? "open").join(", ") || "open"]);
  });
  if (deleted_at !== null) lines.push(["Deleted", shown(deleted_at)]);
  return new Map(lines);
}

function shown(instant: number): string {
  return iso(instant).slice(0, 19).replace("T", " ");
}
