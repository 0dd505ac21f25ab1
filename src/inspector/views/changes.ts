/** What an entry of the timeline changed in its document. */
import { html, type Html } from "../../engine/http/html.ts";
import { clockText, moneyText } from "./lists.ts";
import type { Look } from "./parts.ts";
import { type DocumentRow, documents, lifecycle } from "../../service/service.ts";

/** One thing that people look for in a document. */
interface Line {
  label: string;
  text: string;
}

/** A document before and after an entry. */
interface Change {
  before: DocumentRow | undefined;
  after: DocumentRow;
}

/** By the id of the entry. A change with several entries stands at the first of them. */
export function changesByEntry({ tenant }: Look, row: DocumentRow, entries: ReadonlySet<string>): Map<string, Change> {
  const found = new Map<string, Change>();
  for (const { entries: own, before, after } of documents.changes(tenant, row)) {
    const id = own.find((one) => entries.has(one));
    if (id === undefined) continue;
    const earlier = found.get(id);
    found.set(id, { before: earlier ? earlier.before : before, after });
  }
  return found;
}

const LONG = 60;

export function changeHtml(look: Look, { before, after }: Change): Html | null {
  const [was, is] = [before ? linesIn(look, before) : new Map<string, Line>(), linesIn(look, after)];
  const items = [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
    const [old, now] = [was.get(key), is.get(key)];
    if (old?.text === now?.text) return [];
    const size = (old?.text.length ?? 0) + (now?.text.length ?? 0);
    const arrow = old && now ? html` <span aria-hidden="true">→</span> ` : null;
    return [
      html`<li class="${size > LONG ? "long" : ""}"><span class="soft">${(now ?? old)?.label}</span> ${old && html`<del>${old.text}</del>`}${arrow}${now && html`<ins>${now.text}</ins>`}</li>`,
    ];
  });
  return items.length === 0 ? null : html`<ul class="changes" data-testid="changes">${items}</ul>`;
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
  if (row.expiration_date !== null) add("Expires", clockText(row.expiration_date));
  if (lock) add("Locked", `until ${clockText(lock.expires_at)}`);
  if (payment) add("Paid", payment.paid_at === null ? "not yet" : clockText(payment.paid_at));
  approval?.steps.forEach((step, i) => {
    add(`Approval ${i + 1}`, step.approvers.map((one) => one.decision ?? "open").join(", ") || "open");
  });
  if (deleted_at !== null) add("Deleted", clockText(deleted_at));
  return lines;
}
