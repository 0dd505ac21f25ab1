import { iso } from "../../engine/core/clock.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { attemptDetail } from "./deliveries.ts";
import { exchangeBody } from "./journal.ts";
import { changeHtml, changesByEntry } from "./changes.ts";
import { ago, counted, filtered, timeAndAgo } from "./lists.ts";
import { badge, button, codeBadge, facts, link, type Look, pre } from "./parts.ts";
import { openRow, pageOf } from "./rows.ts";
import { ACT_WORDS, TRANSITION_WORDS } from "./words.ts";
import { type DocumentRow, type TimelineEntry, lifecycle } from "../../service/service.ts";
import { countBy } from "../../engine/core/maps.ts";

export const KINDS = { call: "calls", status: "statuses", act: "acts", mail: "mails", delivery: "webhooks", due: "due" } as const;

type Changes = ReturnType<typeof changesByEntry>;

const SHOWN_GAP_MS_MIN = 1000;
const ROWS_SHOWN = 150;

/** An entry with those that say the same: the status that an act led to, and the same event for several receivers. */
interface Line {
  id: string;
  first: TimelineEntry;
  others: TimelineEntry[];
}

function linesOf(entries: readonly TimelineEntry[]): Line[] {
  const lines: Line[] = [];
  for (const entry of entries) {
    const last = lines.at(-1);
    if (last && isPartOf(last, entry)) last.others.push(entry);
    else lines.push({ id: entry.id, first: entry, others: [] });
  }
  return lines;
}

function isPartOf({ first, others }: Line, entry: TimelineEntry): boolean {
  if (entry.at !== (first.kind === "call" ? first.until : first.at)) return false;
  if (entry.kind === "status") {
    if (others.length > 0) return false;
    if (first.kind === "call") return entry.call === first.call.id;
    return first.kind === "act" && entry.call === first.call;
  }
  if (entry.kind !== "delivery" || first.kind !== "delivery") return false;
  const isSame = entry.delivery.event === first.delivery.event && entry.delivery.status === first.delivery.status;
  return isSame && (entry.attempt ?? 0) === 0 && (first.attempt ?? 0) === 0;
}

export function timelineHtml(look: Look, row: DocumentRow, all: readonly TimelineEntry[]): Html {
  const { rows: chosen, bar } = filtered(look, all, (one) => [KINDS[one.kind]], Object.values(KINDS));
  const lines = linesOf(chosen);
  const { rows, pager } = pageOf(
    look.from === undefined ? { ...look, from: lines.at(-ROWS_SHOWN)?.id } : look,
    lines,
    ROWS_SHOWN,
  );
  const changes = changesByEntry(look, row, new Set(all.map((one) => one.id)));
  return html`<section id="entries" aria-labelledby="h-entries"><h2 id="h-entries">Entries <span class="soft">${counted(chosen.length, "entry", "entries")}${lines.length < chosen.length ? ` in ${counted(lines.length, "row")}` : null}</span></h2>${bar}${pager && timelinePager(pager)}<ol class="timeline rows" data-testid="timeline">${rows.map(
    (one, i) => [betweenHtml(rows[i - 1], one), lineHtml(look, one, rows[i - 1], changes)],
  )}</ol></section>`;
}

/** The timeline begins with the oldest entry, so its pager needs other words than lists. */
function timelinePager(pager: Html): Html {
  return html`<div class="oldest-first">${pager}</div>`;
}

function dayOf({ first }: Line): string {
  return iso(first.at).slice(0, 10);
}

function betweenHtml(before: Line | undefined, line: Line): Part {
  const { at, kind } = line.first;
  const isFirstDue = kind === "due" && before !== undefined && before.first.kind !== "due";
  const end = before && (before.first.kind === "call" ? before.first.until : before.first.at);
  const isLater = end !== undefined && !isFirstDue && at - end >= SHOWN_GAP_MS_MIN;
  const isNewDay = before === undefined || dayOf(before) !== dayOf(line);
  return [
    isFirstDue
      ? html`<li class="gap now">now</li>`
      : isLater && !isNewDay
        ? html`<li class="gap">${spokenDuration(at - end)} later</li>`
        : null,
    isNewDay
      ? html`<li class="day"><time datetime="${dayOf(line)}">${dayOf(line)}</time>${isLater ? html` <span class="soft">${spokenDuration(at - end)} later</span>` : null}</li>`
      : null,
  ];
}

function lineHtml(look: Look, { first, others }: Line, before: Line | undefined, changes: Changes): Html {
  const all = [first, ...others];
  const { title, name, text, mark, tone, content } = shown(look, first);
  const times = first.kind === "call" && first.repeats > 1 ? html` <span class="badge calm">${first.repeats} times</span>` : null;
  const at = iso(first.at);
  const isSame = before !== undefined && iso(before.first.at).slice(0, 19) === at.slice(0, 19);
  const open = look.open?.split(",") ?? [];
  const id = all.find((one) => open.includes(one.id))?.id ?? first.id;
  const statuses = others.map((one) =>
    one.kind === "status" ? html`<span class="to" aria-hidden="true">→</span>${badge(one.status)}` : null,
  );
  const isBad = tone === "bad" || others.some((one) => shown(look, one).tone === "bad");
  const receivers = first.kind === "delivery" && others.length > 0 ? receiversText(all) : text;
  return openRow(
    look,
    id,
    html`<time class="at${isSame ? " same" : ""}" datetime="${at}" title="${at.slice(0, 19).replace("T", " ")}">${at.slice(11, 19)}</time><span class="dot" aria-hidden="true"></span><span class="what"><span class="head"><strong title="${name}">${title}</strong>${times}${statuses}</span>${receivers ? html`<span class="soft" title="${typeof receivers === "string" ? receivers : ""}">${receivers}</span>` : null}</span>${first.kind === "delivery" ? marksOf(look, all) : mark}`,
    () => {
      const changed = all.map((one) => changes.get(one.id)).map((change) => change && changeHtml(look, change));
      return html`${changed}${content()}${others.map((one) => shown(look, one).content())}`;
    },
    `t-${first.kind}${isBad ? " t-bad" : ""}`,
  );
}

/** The receivers of one event. A receiver that gets it twice has a count. */
function receiversText(entries: readonly TimelineEntry[]): string {
  const deliveries = entries.flatMap((entry) => (entry.kind === "delivery" ? [entry.delivery] : []));
  const status = deliveries.at(-1)?.status;
  const names = [...countBy(deliveries, (one) => one.subscriber_name)].map(([name, count]) =>
    count === 1 ? name : `${name} ${count} times`,
  );
  return `to ${names.join(", ")}${status ? ` · ${statusText(status)}` : ""}`;
}

function statusText(status: string): string {
  return status.replace("document.", "").replaceAll("_", " ");
}

/** Equal answers have one mark. */
function marksOf(look: Look, entries: readonly TimelineEntry[]): Part {
  const marks = new Map(entries.map((one) => shown(look, one)).map(({ mark }) => [String(mark), mark]));
  return [...marks.values()];
}

interface Shown {
  title: Part;
  /** The title as plain text. */
  name: string;
  text: Part;
  mark: Part;
  tone: "" | "bad";
  content: () => Part;
}

/** A call that passed shows the assumptions that it rests on, in few words. */
function whyText(why: string | undefined): string | undefined {
  const [, ids] = /^answered as docdouble assumes \(assumption (.*)\)$/.exec(why ?? "") ?? [];
  return ids === undefined ? why : `assumes ${ids}`;
}

export function shown(look: Look, entry: TimelineEntry): Shown {
  switch (entry.kind) {
    case "call": {
      const { call } = entry;
      return {
        name: `${call.operationId ?? "unmatched"} ${call.status ?? "no answer"}`,
        title: call.operationId ?? "unmatched",
        text: whyText(shownWhy(call)) ?? html`<code>${call.method} ${shownUrl(call)}</code>`,
        mark: codeBadge(call.status),
        tone: call.status === undefined || call.status >= 400 ? "bad" : "",
        content: () => exchangeBody(look, call, "h3"),
      };
    }
    case "status":
      return {
        name: lifecycle.words(entry.status),
        title: badge(entry.status),
        text: TRANSITION_WORDS[entry.trigger] ?? entry.trigger.replaceAll("_", " "),
        mark: null,
        tone: "",
        content: () =>
          facts([
            ["Status", entry.status],
            ["Why", TRANSITION_WORDS[entry.trigger] ?? entry.trigger],
            ["At", timeAndAgo(look, entry.at)],
            cause(look, entry.call),
          ]),
      };
    case "act": {
      const name =
        entry.act === "finish_pdf" ? "The PDF is ready" : `${entry.who?.name ?? "Somebody"} ${ACT_WORDS[entry.act] ?? entry.act}`;
      return {
        name,
        title: name,
        text: wordsOf(entry.input),
        mark: null,
        tone: entry.act === "decline" || entry.act === "pay_fail" ? "bad" : "",
        content: () =>
          html`${facts([
            ["Act", entry.act],
            ["By", entry.who ? `${entry.who.name} <${entry.who.email ?? "no email"}>, ${entry.who.role || "no role"}` : "–"],
            ["At", timeAndAgo(look, entry.at)],
            cause(look, entry.call),
          ])}${Object.keys(entry.input).length > 0 ? pre(JSON.stringify(entry.input, null, 2), "Input") : null}`,
      };
    }
    case "mail":
      return {
        name: entry.mail.subject,
        title: entry.mail.subject,
        text: `${entry.mail.channel === "sms" ? "text message" : "mail"} to ${entry.mail.to_name || entry.mail.to}`,
        mark: html`<span class="badge calm">${entry.mail.kind.replaceAll("_", " ")}</span>`,
        tone: "",
        content: () =>
          html`<p class="text">${entry.mail.text}</p><p>${entry.mail.link ? html`<a class="open" href="${entry.mail.link}" target="_blank" rel="noopener">Open as ${entry.mail.to_name || entry.mail.to}</a> ` : null}<a href="${link(look, "mails", { open: entry.mail.id })}">Show in mails</a></p>`,
      };
    case "delivery": {
      const { delivery, attempt } = entry;
      const made = attempt === null ? undefined : delivery.attempts[attempt];
      return {
        name: `${delivery.event} ${made ? (made.status ?? "no answer") : delivery.state}`,
        title: delivery.event,
        text: `to ${delivery.subscriber_name}${attempt ? `, attempt ${attempt + 1}` : ""}${delivery.status ? ` · ${statusText(delivery.status)}` : ""}`,
        mark: made ? codeBadge(made.status) : badge(delivery.held_for ? "held" : delivery.state),
        tone: made && (made.status === null || made.status >= 400) ? "bad" : "",
        content: () => attemptDetail(look, delivery, attempt),
      };
    }
    case "due":
      return {
        name: entry.job.kind.replaceAll("_", " "),
        title: entry.job.kind.replaceAll("_", " "),
        text: html`due ${ago(look, entry.at)}`,
        mark: null,
        tone: "",
        content: () =>
          html`<div class="acts">${button("Skip to this", "POST /__admin/clock/advance", { to: iso(entry.at) }, "main", `(${entry.job.kind.replaceAll("_", " ")})`)}</div>${pre(JSON.stringify(entry.job.payload, null, 2), "Job")}`,
      };
  }
}

function wordsOf(input: Record<string, unknown>): string {
  const { fields, ...rest } = input;
  const named = fields === undefined ? [] : [counted(Object.keys(fields as object).length, "field")];
  return [...named, ...Object.values(rest).map((one) => (typeof one === "string" ? one : JSON.stringify(one)))].join(" · ");
}

function cause(look: Look, call: string | null): readonly [string, Part] {
  const entry = call === null ? undefined : look.tenant.journal.get(call);
  return [
    "Call",
    entry ? html`<a href="${link(look, "journal", { id: entry.id })}">${entry.operationId ?? entry.path}</a>` : "none",
  ];
}
