import { iso } from "../../engine/core/clock.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { shownUrl, shownWhy } from "../../engine/journal/redacted-call.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { axisHtml, type Slot } from "./axis.ts";
import { attemptDetail } from "./deliveries.ts";
import { exchangeBody } from "./journal.ts";
import { ago, counted, filtered, timeAndAgo } from "./lists.ts";
import { badge, button, codeBadge, facts, link, here, type Look, pre, toneOf } from "./parts.ts";
import { openRow, pageOf } from "./rows.ts";
import { ACT_WORDS, TRANSITION_WORDS } from "./words.ts";
import { type DocumentRow, type TimelineEntry, documents, lifecycle } from "../../service/service.ts";

const KINDS = { call: "calls", status: "statuses", act: "acts", mail: "mails", delivery: "webhooks", due: "due" } as const;

const SHOWN_GAP_MS_MIN = 1000;
const ENTRIES_SHOWN = 150;

/** The whole history on an axis of the tenant's clock. */
export function timelineAxis(look: Look, row: DocumentRow): Html | null {
  const entries = documents.timeline(look.tenant, row);
  const kinds = (Object.keys(KINDS) as TimelineEntry["kind"][]).filter(
    (kind) => kind !== "status" && entries.some((one) => one.kind === kind),
  );
  const slots: Slot[] = [];
  const slotAt = (at: number, isNew = false): Slot => {
    const last = slots.at(-1);
    if (last && last.at === at && !isNew) return last;
    const slot = { at, marks: [] };
    slots.push(slot);
    return slot;
  };
  const place = (one: TimelineEntry, isNew = false) => {
    const slot = slotAt(one.at, isNew);
    if (one.kind === "status") slot.band = { name: lifecycle.words(one.status), tone: toneOf(one.status) };
    else {
      const { tone, name } = shown(look, one);
      const isDue = one.kind === "due";
      const title = isDue ? `due: ${name}` : name;
      slot.marks.push({ lane: kinds.indexOf(one.kind), href: toEntry(look, one), title, tone: isDue ? "due" : tone });
    }
  };
  for (const one of entries) if (one.kind !== "due") place(one, one.kind === "status");
  slotAt(look.tenant.clock.now(), true);
  const now = slots.length - 1;
  for (const one of entries) if (one.kind === "due") place(one);
  return axisHtml({
    id: "axis",
    label: "Timeline on the clock of this tenant",
    lanes: kinds.map((kind) => KINDS[kind]),
    slots,
    now,
  });
}

/** Opens the entry beside the open ones, on the page of the list that holds it. */
function toEntry(look: Look, { id }: TimelineEntry): string {
  const open = [...new Set([...(look.open?.split(",") ?? []), id])].join(",");
  return `${here(look, { open, is: undefined })}#${id}`;
}

export function timelineHtml(look: Look, row: DocumentRow): Html {
  const all = documents.timeline(look.tenant, row);
  const { rows: chosen, bar } = filtered(look, all, (one) => [KINDS[one.kind]], Object.values(KINDS));
  const { rows, pager } = pageOf(
    look.from === undefined ? { ...look, from: chosen.at(-ENTRIES_SHOWN)?.id } : look,
    chosen,
    ENTRIES_SHOWN,
  );
  return html`${bar}${pager && timelinePager(pager)}<ol class="timeline rows" data-testid="timeline">${rows.map((one, i) => [
    gapHtml(rows[i - 1], one),
    entryHtml(look, one),
  ])}</ol>`;
}

/** The timeline begins with the oldest entry, so its pager needs other words than lists. */
function timelinePager(pager: Html): Html {
  return html`<div class="oldest-first">${pager}</div>`;
}

function gapHtml(before: TimelineEntry | undefined, { at, kind }: TimelineEntry): Html | null {
  if (before === undefined) return null;
  const end = before.kind === "call" ? before.until : before.at;
  const isFirstDue = kind === "due" && before.kind !== "due";
  if (isFirstDue) return html`<li class="gap now">now</li>`;
  return at - end < SHOWN_GAP_MS_MIN ? null : html`<li class="gap">${spokenDuration(at - end)} later</li>`;
}

function entryHtml(look: Look, entry: TimelineEntry): Html {
  const { title, text, mark, tone, content } = shown(look, entry);
  const at = iso(entry.at);
  return openRow(
    look,
    entry.id,
    html`<time class="at" datetime="${at}" title="${at.slice(0, 10)}"><span class="soft">${at.slice(5, 10)}</span> ${at.slice(11, 19)}</time><span class="dot" aria-hidden="true"></span><span class="what"><strong>${title}</strong>${text ? html`<span class="soft">${text}</span>` : null}</span>${mark}`,
    content,
    `t-${entry.kind}${tone === "" ? "" : ` t-${tone}`}`,
  );
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

function shown(look: Look, entry: TimelineEntry): Shown {
  switch (entry.kind) {
    case "call": {
      const { call, repeats } = entry;
      const times = repeats > 1 ? html` <span class="badge calm">${repeats} times</span>` : null;
      return {
        name: `${call.operationId ?? "unmatched"} ${call.status ?? "no answer"}`,
        title: html`${call.operationId ?? "unmatched"}${times}`,
        text: shownWhy(call) ?? html`<code>${call.method} ${shownUrl(call)}</code>`,
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
        text: `to ${delivery.subscriber_name}${attempt ? `, attempt ${attempt + 1}` : ""}${delivery.status ? ` · ${delivery.status.replace("document.", "")}` : ""}`,
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
