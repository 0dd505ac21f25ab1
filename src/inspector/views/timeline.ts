import { iso } from "../../engine/core/clock.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import { type DocumentRow, type TimelineEntry, lifecycle } from "../../service/service.ts";
import { changeHtml, changesByEntry } from "./changes.ts";
import { attemptDetail } from "./deliveries.ts";
import { filtered, opensBelow, pageOf } from "./grid.ts";
import { exchangeBody } from "./journal.ts";
import { clockText, counted, distanceTo, timeAndAgo } from "./lists.ts";
import { badge, button, codeBadge, facts, link, type Look, pre } from "./parts.ts";
import { ACT_WORDS, TRANSITION_WORDS } from "./words.ts";

export const KINDS = { call: "calls", status: "statuses", act: "acts", mail: "mails", delivery: "webhooks", due: "due" } as const;

const SHOWN_GAP_MS_MIN = 1000;
const ROWS_SHOWN = 150;

type Of<Kind extends TimelineEntry["kind"]> = Extract<TimelineEntry, { kind: Kind }>;

/** An entry with the status that it led to. */
interface Row {
  id: string;
  entry: TimelineEntry;
  status?: Of<"status">;
}

function rowsOf(entries: readonly TimelineEntry[]): Row[] {
  const rows: Row[] = [];
  for (const entry of entries) {
    const last = rows.at(-1);
    if (entry.kind === "status" && last && !last.status && leadsTo(last.entry, entry)) last.status = entry;
    else rows.push({ id: entry.id, entry });
  }
  return rows;
}

function leadsTo(cause: TimelineEntry, { at, call }: Of<"status">): boolean {
  if (at !== endOf(cause)) return false;
  return cause.kind === "call" ? call === cause.call.id : cause.kind === "act" && call === cause.call;
}

function endOf(entry: TimelineEntry): number {
  return entry.kind === "call" ? entry.until : entry.at;
}

export function timelineHtml(look: Look, row: DocumentRow, all: readonly TimelineEntry[]): Html {
  const { rows: chosen, bar } = filtered(look, all, (one) => [KINDS[one.kind]], Object.values(KINDS));
  const lines = rowsOf(chosen);
  const { rows, bar: pager } = pageOf(
    look.from === undefined ? { ...look, from: lines.at(-ROWS_SHOWN)?.id } : look,
    lines,
    ROWS_SHOWN,
  );
  const changes = changesByEntry(look, row, new Set(all.map((one) => one.id)));
  return html`<section id="entries" aria-labelledby="h-entries"><h2 id="h-entries">Entries <span class="soft">${counted(chosen.length, "entry", "entries")}</span></h2>${bar}${pager}<ol class="timeline" data-testid="timeline">${rows.map(
    (one, i) => [betweenHtml(rows[i - 1]?.entry, one.entry), lineHtml(look, one, changes)],
  )}</ol></section>`;
}

const dayOf = ({ at }: TimelineEntry) => iso(at).slice(0, 10);

/** The day, the wait, or the present moment before an entry. */
function betweenHtml(before: TimelineEntry | undefined, entry: TimelineEntry): Part {
  const isFirstDue = entry.kind === "due" && before?.kind !== "due";
  const wait = before && !isFirstDue ? entry.at - endOf(before) : 0;
  const later = wait >= SHOWN_GAP_MS_MIN && `${spokenDuration(wait)} later`;
  const isNewDay = before === undefined || dayOf(before) !== dayOf(entry);
  return [
    isFirstDue && html`<li class="gap now">now</li>`,
    isNewDay
      ? html`<li class="day"><time datetime="${dayOf(entry)}">${dayOf(entry)}</time> <span class="soft">${later}</span></li>`
      : later && html`<li class="gap">${later}</li>`,
  ];
}

function lineHtml(look: Look, { entry, status }: Row, changes: ReturnType<typeof changesByEntry>): Html {
  const { title, text, mark, isBad, content } = shown(look, entry);
  const both = status ? [entry, status] : [entry];
  const open = both.find(({ id }) => look.open?.split(",").includes(id)) ?? entry;
  const { id, href, isOpen } = opensBelow(look, open.id);
  const changed = () => both.map((one) => changes.get(one.id)).map((change) => change && changeHtml(look, change));
  const name = entry.kind === "status" ? badge(title) : html`<strong>${title}</strong>`;
  return html`<li class="t-${entry.kind}${isBad && " t-bad"}"><a class="row" id="${id}" href="${href}" data-open aria-expanded="${String(isOpen)}"><time datetime="${iso(entry.at)}" title="${clockText(entry.at)}">${iso(entry.at).slice(11, 19)}</time><span class="dot" aria-hidden="true"></span><span class="what">${name}${entry.kind === "call" && entry.repeats > 1 && html` <span class="badge calm">${entry.repeats} times</span>`}${status && html` <span aria-hidden="true">→</span> ${badge(status.status)}`} <span class="soft">${text}</span></span>${mark}</a>${isOpen && html`<div class="inside">${changed()}${content()}${status && shown(look, status).content()}</div>`}</li>`;
}

interface Shown {
  title: string;
  text?: Part;
  mark?: Part;
  isBad?: boolean;
  content: () => Part;
}

export function shown(look: Look, entry: TimelineEntry): Shown {
  switch (entry.kind) {
    case "call":
      return callShown(look, entry);
    case "status":
      return statusShown(look, entry);
    case "act":
      return actShown(look, entry);
    case "mail":
      return mailShown(look, entry);
    case "delivery":
      return deliveryShown(look, entry);
    case "due":
      return dueShown(look, entry);
  }
}

function callShown(look: Look, { call }: Of<"call">): Shown {
  // A call that passed shows the assumptions that it rests on, in few words.
  const why = shownWhy(call)?.replace(/^answered as docdouble assumes \(assumption (.*)\)$/, "assumes $1");
  return {
    title: call.operationId ?? "unmatched",
    text: why ?? html`<code>${call.method} ${shownUrl(call)}</code>`,
    mark: codeBadge(call.status),
    isBad: call.status === undefined || call.status >= 400,
    content: () => exchangeBody(look, call, "h3"),
  };
}

function statusShown(look: Look, { status, trigger, at, call }: Of<"status">): Shown {
  const why = TRANSITION_WORDS[trigger] ?? trigger.replaceAll("_", " ");
  const content = () => facts([["Status", status], ["Why", why], ["At", timeAndAgo(look, at)], cause(look, call)]);
  return { title: lifecycle.words(status), text: why, content };
}

function actShown(look: Look, { act, who, input, at, call }: Of<"act">): Shown {
  const { fields, ...rest } = input;
  const words = Object.values(rest).map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  return {
    title: act === "finish_pdf" ? "The PDF is ready" : `${who?.name ?? "Somebody"} ${ACT_WORDS[act] ?? act}`,
    text: [...(fields ? [counted(Object.keys(fields as object).length, "field")] : []), ...words].join(" · "),
    isBad: act === "decline" || act === "pay_fail",
    content: () =>
      html`${facts([
        ["Act", act],
        ["By", who && `${who.name} <${who.email ?? "no email"}>, ${who.role || "no role"}`],
        ["At", timeAndAgo(look, at)],
        cause(look, call),
      ])}${Object.keys(input).length > 0 && pre(JSON.stringify(input, null, 2), "Input")}`,
  };
}

function mailShown(look: Look, { mail }: Of<"mail">): Shown {
  const to = mail.to_name || mail.to;
  return {
    title: mail.subject,
    text: `${mail.channel === "sms" ? "text message" : "mail"} to ${to}`,
    mark: html`<span class="badge calm">${mail.kind.replaceAll("_", " ")}</span>`,
    content: () =>
      html`<p class="text">${mail.text}</p><p class="acts">${mail.link && html`<a class="button main" href="${mail.link}" target="_blank" rel="noopener">Open as ${to}</a>`}<a class="button" href="${link(look, "mails", { open: mail.id })}">Show in mails</a></p>`,
  };
}

function deliveryShown(look: Look, { delivery, attempt }: Of<"delivery">): Shown {
  const made = attempt === null ? undefined : delivery.attempts[attempt];
  return {
    title: delivery.event,
    text: `to ${delivery.subscriber_name}${attempt ? `, attempt ${attempt + 1}` : ""}${delivery.status ? ` · ${lifecycle.words(delivery.status)}` : ""}`,
    mark: made ? codeBadge(made.status) : badge(delivery.held_for ? "held" : delivery.state),
    isBad: made !== undefined && (made.status === null || made.status >= 400),
    content: () => attemptDetail(look, delivery, made),
  };
}

function dueShown(look: Look, { job, at }: Of<"due">): Shown {
  const title = job.kind.replaceAll("_", " ");
  const skip = button("Skip to this", "POST /__admin/clock/advance", { to: iso(at) }, "main", `(${title})`);
  const content = () => html`<div class="acts">${skip}</div>${pre(JSON.stringify(job.payload, null, 2), "Job")}`;
  return { title, text: `due ${distanceTo(look, at)}`, content };
}

function cause(look: Look, id: string | null): readonly [string, Part] {
  const call = id === null ? undefined : look.tenant.journal.get(id);
  return ["Call", call && html`<a href="${link(look, "journal", { id: call.id })}">${call.operationId ?? call.path}</a>`];
}
