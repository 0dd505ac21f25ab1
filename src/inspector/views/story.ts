/** The changes of a document, step by step, with what differs before and after each. */
import { iso } from "../../engine/core/clock.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { clockTime, counted, moneyText } from "./lists.ts";
import { badge, codeBadge, here, link, type Look, opens } from "./parts.ts";
import { ACT_WORDS, TRANSITION_WORDS } from "./words.ts";
import { type Change, type DocumentRow, documents, lifecycle } from "../../service/service.ts";

/** One thing that people look for in a document. */
interface Line {
  label: string;
  text: string;
}

interface Difference extends Line {
  /** Undefined for something new. */
  was: string | undefined;
  isGone: boolean;
}

interface Step {
  change: Change;
  differences: readonly Difference[];
}

export interface Story {
  steps: readonly Step[];
  /** The number of the shown step, from 1. Zero without steps. */
  n: number;
  /** How many of all steps changed nothing that the page shows. */
  idle: number;
}

export function storyOf(look: Look, row: DocumentRow): Story {
  const known = new Map<DocumentRow, Map<string, Line>>();
  const linesOf = (version: DocumentRow) => {
    const lines = known.get(version) ?? linesIn(look, version);
    known.set(version, lines);
    return lines;
  };
  const all = documents.changes(look.tenant, row).map((change): Step => {
    const isSame = change.before === change.after;
    return { change, differences: isSame ? [] : differencesOf(change.before && linesOf(change.before), linesOf(change.after)) };
  });
  const isChange = (one: Step) => one.differences.length > 0;
  const steps = look.only === "changes" ? all.filter(isChange) : all;
  const asked = Number(look.step);
  const isKnown = Number.isInteger(asked) && asked >= 1 && asked <= steps.length;
  // The last step that changed something says most.
  const last = steps.findLastIndex(isChange) + 1 || steps.length;
  return { steps, n: isKnown ? asked : last, idle: all.length - all.filter(isChange).length };
}

function differencesOf(before: ReadonlyMap<string, Line> | undefined, after: ReadonlyMap<string, Line>): Difference[] {
  return [...new Set([...(before?.keys() ?? []), ...after.keys()])].flatMap((key) => {
    const [was, is] = [before?.get(key), after.get(key)];
    if (was?.text === is?.text) return [];
    return [{ label: (is ?? was)?.label ?? key, text: is?.text ?? "", was: was?.text, isGone: is === undefined }];
  });
}

export function stepHtml(look: Look, story: Story): Html | null {
  const { steps, n, idle } = story;
  const step = steps[n - 1];
  if (!step) return null;
  const { change, differences } = step;
  const to = (label: string, id: string, number: number) =>
    number < 1 || number > steps.length
      ? html`<li><span class="soft">${label}</span></li>`
      : html`<li><a href="${here(look, { step: String(number) })}" data-open id="${id}">${label}</a></li>`;
  const isOnly = look.only === "changes";
  const all =
    idle === 0 && !isOnly
      ? null
      : html`<li><a href="${here(look, { only: isOnly ? undefined : "changes", step: undefined })}" data-open id="step-only"${isOnly ? html` aria-current="true"` : null}>Only changes</a></li>`;
  return html`<div id="step" class="step" data-testid="step"><div class="step-head"><p id="step-title"><strong>${n} of ${steps.length}</strong> ${clockTime(change.at)} ${titleOf(look, change)}</p><ul class="turns">${all}${to("‹ Previous", "step-previous", n - 1)}${to("Next ›", "step-next", n + 1)}</ul></div>
${
  differences.length === 0
    ? html`<p class="soft none">${change.before === change.after ? "This call changed nothing." : "Nothing that this page shows has changed."}</p>`
    : html`<ul class="changes" data-testid="changes">${differences.map(differenceHtml)}</ul>`
}${wholeHtml(look, step)}</div>`;
}

const LONG = 60;

function differenceHtml({ label, was, text, isGone }: Difference): Html {
  const size = (was?.length ?? 0) + text.length;
  return html`<li class="${size > LONG ? "long" : ""}"><span class="soft">${label}</span> <span class="values">${was === undefined ? null : html`<del>${was}</del> `}${isGone ? null : html`${was === undefined ? null : html`<span class="to" aria-hidden="true">→</span> `}<ins>${text}</ins>`}</span></li>`;
}

/** The document as it was after the step. */
function wholeHtml(look: Look, { change, differences }: Step): Html | null {
  const lines = [...linesIn(look, change.after).values()];
  const others = lines.filter((one) => !differences.some(({ label }) => label === one.label));
  if (others.length === 0) return null;
  return opens(
    "step-same",
    html`The same <span class="soft">${counted(others.length, "value")}</span>`,
    html`<ul class="changes" data-testid="same">${others.map(({ label, text }) => html`<li class="${text.length > LONG ? "long" : ""}"><span class="soft">${label}</span> <span class="values">${text}</span></li>`)}</ul>`,
  );
}

function titleOf(look: Look, { call, events }: Change): Part {
  const statuses = events.flatMap((event) => (event.kind === "status" ? [event] : []));
  const acts = events.flatMap((event) => (event.kind === "act" ? [event] : []));
  const words = acts.map((event) =>
    event.who === null && event.act === "finish_pdf"
      ? "the PDF is ready"
      : `${event.who?.name ?? "somebody"} ${ACT_WORDS[event.act] ?? event.act}`,
  );
  // An act or a call says more than the transition that it causes.
  const why = acts.length > 0 || call ? words : statuses.map(({ trigger }) => TRANSITION_WORDS[trigger] ?? trigger);
  const text = [...new Set(why)].join(", ");
  const named =
    call &&
    html`<a href="${link(look, "journal", { id: call.id })}">${call.operationId ?? call.path}</a> ${codeBadge(call.status)} `;
  const to = statuses.map(({ status }) => html` <span class="to" aria-hidden="true">→</span> ${badge(status)}`);
  return html`${named}${text || (call ? "" : "the clock changed it")}${to}`;
}

const EMPTY = "empty";

/** By a key that stays when a person or a document gets another name. */
function linesIn({ tenant }: Look, row: DocumentRow): Map<string, Line> {
  const lines = new Map<string, Line>();
  const add = (label: string, text: string, key = label) => lines.set(key, { label, text });
  const value = documents.value(tenant.world, row);
  const turn = new Set(documents.turn(row).map((one) => one.id));
  const { lock, approval, payment, deleted_at } = row.internal;
  add("Status", lifecycle.words(row.status));
  add("Name", row.name);
  if (value) add("Value", moneyText(value));
  for (const one of row.recipients) {
    const name = documents.displayName(one);
    const state = one.has_completed
      ? "signed"
      : turn.has(one.id)
        ? "may sign now"
        : one.internal.viewed_at
          ? "has viewed"
          : "waits";
    add(name, state, `${one.id} state`);
    add(`${name}, name`, name, `${one.id} name`);
    for (const [what, text] of [
      ["email", one.email],
      ["phone", one.phone],
      ["role", one.role],
    ] as const)
      if (text) add(`${name}, ${what}`, text, `${one.id} ${what}`);
  }
  for (const field of row.fields) add(`Field ${field.name}`, documents.fieldText(field) || EMPTY, `field ${field.uuid}`);
  for (const { name, value: text } of row.tokens) add(`Token ${name}`, text || EMPTY);
  for (const [name, text] of Object.entries(row.metadata)) add(`Metadata ${name}`, String(text));
  if (row.tags.length > 0) add("Tags", row.tags.join(", "));
  if (row.expiration_date !== null) add("Expires", shown(row.expiration_date));
  if (lock) add("Locked", `until ${shown(lock.expires_at)}`);
  if (payment) add("Paid", payment.paid_at === null ? "not yet" : shown(payment.paid_at));
  approval?.steps.forEach((step, i) => {
    add(`Approval ${i + 1}`, step.approvers.map((one) => one.decision ?? "open").join(", ") || "open");
  });
  if (deleted_at !== null) add("Deleted", shown(deleted_at));
  return lines;
}

function shown(instant: number): string {
  return iso(instant).slice(0, 19).replace("T", " ");
}
