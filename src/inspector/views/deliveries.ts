import { groupBy } from "../../engine/core/maps.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { DELIVER_JOB } from "../../engine/jobs/outbox.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { lifecycle } from "../../service/service.ts";
import { quoted } from "./code.ts";
import { opensBelow } from "./grid.ts";
import { bodyView } from "./json.ts";
import { callHtml, clockTime, copy, counted, countOf, distanceTo, numberText, timeAndAgo } from "./lists.ts";
import { badge, button, codeBadge, facts, here, keyOf, lines, link, type Look } from "./parts.ts";
import { byText, type List, listPage, type Section } from "./section.ts";

type Attempt = DeliveryRow["attempts"][number];

function isFailed({ status }: Attempt): boolean {
  return status === null || status >= 400;
}

const HAD_FAILURES = "had failures";

function kindsOf({ state, attempts, subscriber_name }: DeliveryRow): string[] {
  return [state === "failed" ? "gave up" : state, ...(attempts.some(isFailed) ? [HAD_FAILURES] : []), `to ${subscriber_name}`];
}

export const deliveriesSection: Section = {
  count: ({ tenant }) => [tenant.store.deliveries.size, "webhook"],
  page: (look) => listPage(look, listOf(look)),
};

function listOf(look: Look): List<DeliveryRow> {
  const { store, settings } = look.tenant;
  const { size } = store.deliveries;
  const textOf = (row: DeliveryRow) => {
    const name = store.documents.get(row.subject)?.name;
    return [row.event, row.status, row.subscriber_name, row.url, name, row.id, row.event_id, row.body].join(" ");
  };
  /** Rows of one document stand together. The document with the newest delivery comes first. */
  const byDocument = (rows: readonly DeliveryRow[]) => [...groupBy(rows, ({ subject }) => subject).values()].flat();
  const find = byText(store.deliveries.all().reverse(), textOf);
  const shown = new Set<string>();
  const url = `${settings.publicUrl}/public/v1/webhook-subscriptions`;
  const body = '{"name": "Mine", "url": "http://localhost:3000/hook", "triggers": ["document_state_changed"]}';
  const call = `curl -H ${quoted(`Authorization: API-Key ${keyOf(look)}`)} \\\n  -H 'Content-Type: application/json' ${quoted(url)} -d ${quoted(body)}`;
  return {
    title: "Webhook deliveries",
    size,
    hint: "event, document, status, subscriber or body",
    find: (text) => (look.sort === undefined ? byDocument(find(text)) : find(text)),
    kindsOf,
    kinds: ["delivered", "pending", HAD_FAILURES, "gave up", "dropped"],
    note(rows) {
      const failed = rows.flatMap((row) => row.attempts).filter(isFailed).length;
      return html`${countOf(rows.length, size)}${failed > 0 && html`, <a href="${here(look, { is: HAD_FAILURES, from: undefined, open: undefined })}">${counted(failed, "failed attempt")}</a>`}`;
    },
    none: [
      "No deliveries yet",
      html`Each event to each subscriber appears here. Subscribe your receiver with <code>docdouble start --webhook URL</code>, or with this call:`,
      callHtml(call),
    ],
    line(row) {
      const isFirst = look.sort === undefined && !shown.has(row.subject);
      shown.add(row.subject);
      return {
        ...opensBelow(look, row.id),
        detail: () => html`${attemptsHtml(look, row)}${attemptDetail(look, row, row.attempts.at(-1))}`,
        group: isFirst && groupTitle(look, row),
      };
    },
    below: (row) =>
      html`${row.status && `${lifecycle.words(row.status)} · `}${clockTime(row.created)} · ${row.subscriber_name}${row.attempts.length > 1 && ` · ${counted(row.attempts.length, "attempt")}`}`,
    columns: [
      {
        id: "event",
        title: "Event",
        kind: "grow whole",
        by: ({ event }) => event,
        cell: ({ event }) => html`<strong>${event}</strong>`,
      },
      {
        id: "status",
        title: "Status",
        kind: "from-m",
        by: ({ status }) => status ?? undefined,
        cell: ({ status }) => status && badge(status),
      },
      { id: "to", title: "Receiver", kind: "grow from-m", by: (row) => row.subscriber_name, cell: (row) => row.subscriber_name },
      {
        id: "attempts",
        title: "Attempts",
        kind: "number from-l",
        by: ({ attempts }) => attempts.length,
        cell: ({ attempts }) => numberText(attempts.length),
      },
      {
        id: "outcome",
        title: "Outcome",
        by: ({ state, attempts }) => `${attempts.at(-1)?.status ?? ""} ${state}`,
        cell: (row) => outcome(look, row),
      },
      { id: "reason", title: "Reason", kind: "grow from-m", cell: ({ attempts }) => attempts.at(-1)?.reason },
      {
        id: "at",
        title: "Sent at",
        kind: "time from-m",
        by: ({ created }) => created,
        cell: ({ created }) => clockTime(created),
      },
    ],
  };
}

function groupTitle(look: Look, { subject }: DeliveryRow): Html {
  const document = look.tenant.store.documents.get(subject);
  return document
    ? html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a> ${badge(document.status)}`
    : html`<code>${subject}</code>`;
}

function outcome(look: Look, { id, state, attempts, held_for }: DeliveryRow): Html {
  const last = attempts.at(-1);
  if (state === "delivered") return codeBadge(last?.status);
  if (state === "dropped") return badge("dropped");
  const answer = last?.status ?? "no answer";
  if (state === "failed") return html`<span class="badge bad">${answer}, gave up</span>`;
  if (!last && held_for) return html`<span class="badge busy">held for ${held_for.event}</span>`;
  const [job] = look.tenant.scheduler.findWhere(DELIVER_JOB, { delivery: id });
  const due = job && distanceTo(look, job.due);
  if (!last) return html`<span class="badge busy">${due ? `due ${due}` : "pending"}</span>`;
  return html`<span class="badge bad">${answer}${due && `, retry ${due}`}</span>`;
}

/** The earlier attempts of a retried delivery, with the time to the next. */
function attemptsHtml(look: Look, { attempts }: DeliveryRow): Part {
  if (attempts.length < 2) return null;
  return html`<ol class="plain" aria-label="Attempts" data-testid="attempts">${attempts.map((one, i) => {
    const before = attempts[i - 1];
    return html`<li>${codeBadge(one.status)} ${timeAndAgo(look, one.at)} <span class="soft">${before && `+${spokenDuration(one.at - before.at)} · `}${numberText(one.duration_ms)} ms${one.reason && ` · ${one.reason}`}</span></li>`;
  })}</ol>`;
}

/** The headers that every attempt has. Their names and values come from the service. */
function sentHeaders({ tenant }: Look, { event_id, body }: DeliveryRow): string {
  const { headers, idHeader } = tenant.service.deliveries ?? { headers: {}, idHeader: "event-id" };
  return lines({ ...headers, [idHeader]: event_id, "content-length": Buffer.byteLength(body) });
}

export function attemptDetail(look: Look, row: DeliveryRow, made: Attempt | undefined): Html {
  const document = look.tenant.store.documents.get(row.subject);
  const signature = made?.signature ?? "";
  const answered = made?.response_headers ? redactText(lines(made.response_headers)) : "";
  const attempt: readonly (readonly [string, Part])[] = made
    ? [
        [
          "Attempt",
          html`${codeBadge(made.status)} ${timeAndAgo(look, made.at)} <span class="soft">took ${numberText(made.duration_ms)} ms</span>`,
        ],
        ["Reason", made.reason],
        ["Signature", html`<code>${signature || "none"}</code> <span class="soft">${made.signed.replace("_", " ")}</span>`],
        ["Sent headers", html`<code class="text" data-testid="sent-headers">${sentHeaders(look, row)}</code>`],
        ["Answered headers", answered && html`<code class="text">${answered}</code>`],
        ["Answered body", made.response_body && html`<code>${redactText(made.response_body).slice(0, 2000)}</code>`],
      ]
    : [["Attempt", "none yet"]];
  return html`<div class="acts">${button("Send again", `POST /__admin/webhooks/deliveries/${encodeURIComponent(row.id)}/redeliver`, {}, "main", `${row.event} to ${row.subscriber_name}`)}${copy(redactText(row.body), "of the delivery", "Copy the body")}${signature && copy(signature, "of the delivery", "Copy the signature")}${copy(curlTo(row, signature), "as a curl command", "Copy as curl")}</div>${facts(
    [
      ["Subscriber", `${row.subscriber_name}, ${redactText(row.url)}`],
      ["Document", document && html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a>`],
      ...attempt,
      ["Event id", html`<code>${row.event_id}</code>`],
    ],
  )}${bodyView(`${row.id}-${made?.at ?? "none"}-body`, row.body, "Body")}`;
}

function curlTo(row: DeliveryRow, signature: string): string {
  const url = redactText(row.url);
  const signed = signature === "" ? url : `${url}${url.includes("?") ? "&" : "?"}signature=${signature}`;
  return `curl -i -g -X POST ${quoted(signed)} \\\n  -H 'content-type: application/json' \\\n  --data-raw ${quoted(redactText(row.body))}`;
}
