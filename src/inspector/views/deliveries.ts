import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { spokenDuration } from "../../engine/core/time-limits.ts";
import { lifecycle } from "../../service/service.ts";
import { quoted } from "./code.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { bodyView } from "./json.ts";
import { clockTime, copy, counted, countOf, distanceTo, filtered, numberText, timeAndAgo } from "./lists.ts";
import { badge, button, codeBadge, empty, facts, here, keyOf, link, type Look, pre, search } from "./parts.ts";
import { opensBelow, pageOf } from "./rows.ts";
import { groupBy } from "../../engine/core/maps.ts";

export function deliveryText(look: Look, row: DeliveryRow): string {
  const name = look.tenant.store.documents.get(row.subject)?.name;
  return [row.event, row.status, row.subscriber_name, row.url, name, row.id, row.event_id, row.body].join(" ").toLowerCase();
}

function isFailed({ status }: DeliveryRow["attempts"][number]): boolean {
  return status === null || status >= 400;
}

function isFailing({ state, attempts }: DeliveryRow): boolean {
  const last = attempts.at(-1);
  return state === "failed" || (last !== undefined && isFailed(last));
}

const HAD_FAILURES = "had failures";
/** The order of the filters. Receivers follow. */
const KINDS = ["delivered", "pending", HAD_FAILURES, "gave up", "dropped"] as const;

function kindsOf(row: DeliveryRow): string[] {
  return [
    row.state === "failed" ? "gave up" : row.state,
    ...(row.attempts.some(isFailed) ? [HAD_FAILURES] : []),
    `to ${row.subscriber_name}`,
  ];
}

export function deliveriesSection(look: Look): Html {
  const { size } = look.tenant.store.deliveries;
  if (size === 0) return html`<h1>Webhook deliveries</h1>${noDeliveries(look)}`;
  const wanted = look.q?.toLowerCase() ?? "";
  const found = look.tenant.store.deliveries
    .all()
    .filter((row) => wanted === "" || deliveryText(look, row).includes(wanted))
    .reverse()
    .sort((a, b) => b.created - a.created);
  const { rows: chosen, bar } = filtered(look, found, kindsOf, KINDS);
  const { rows, pager } = pageOf(look, look.sort === undefined ? byDocument(chosen) : sorted(look, columnsOf(look), chosen));
  return html`<h1>Webhook deliveries <span class="soft">${countOf(chosen.length, size)}${failuresLink(look, found)}</span></h1>
${search(look, "Search deliveries", "Search event, document, status, subscriber or body")}${bar}
${
  rows.length === 0
    ? empty(
        "No deliveries",
        html`No delivery matches. <a href="${here(look, { q: undefined, is: undefined })}">All deliveries</a>`,
      )
    : html`${deliveriesGrid(look, "deliveries", rows, look.sort === undefined)}${pager}`
}`;
}

function failuresLink(look: Look, rows: readonly DeliveryRow[]): Html | null {
  const failed = rows.flatMap((row) => row.attempts).filter(isFailed).length;
  if (failed === 0) return null;
  return html`, <a href="${here(look, { is: HAD_FAILURES, from: undefined, nth: undefined, open: undefined })}">${counted(failed, "failed attempt")}</a>`;
}

function noDeliveries(look: Look): Html {
  const url = `${look.tenant.settings.publicUrl}/public/v1/webhook-subscriptions`;
  const body = '{"name": "Mine", "url": "http://localhost:3000/hook", "triggers": ["document_state_changed"]}';
  const call = `curl -H ${quoted(`Authorization: API-Key ${keyOf(look)}`)} \\\n  ${quoted(url)} \\\n  --json ${quoted(body)}`;
  return empty(
    "No deliveries yet",
    html`Each event to each subscriber appears here. Subscribe your receiver with <code>docdouble start --webhook URL</code>, or with this call:`,
    html`${pre(call, "A subscription")}${copy(call, "the call")}`,
  );
}

/** Rows of one document stand together. The document with the newest delivery comes first. */
function byDocument(rows: readonly DeliveryRow[]): readonly DeliveryRow[] {
  return [...groupBy(rows, ({ subject }) => subject).values()].flat();
}

function columnsOf(look: Look): readonly Column<DeliveryRow>[] {
  return [
    {
      id: "event",
      title: "Event",
      kind: "grow whole",
      by: ({ event }) => event,
      cell: ({ event }) => html`<strong>${event}</strong>`,
    },
    {
      id: "status",
      title: "Status sent",
      kind: "w-status from-m",
      by: ({ status }) => status ?? undefined,
      cell: ({ status }) => status && badge(status),
    },
    {
      id: "to",
      title: "Receiver",
      kind: "grow from-m",
      by: (row) => row.subscriber_name,
      cell: (row) => row.subscriber_name,
    },
    {
      id: "attempts",
      title: "Attempts",
      kind: "number from-l",
      falls: true,
      by: ({ attempts }) => attempts.length,
      cell: ({ attempts }) => numberText(attempts.length),
    },
    {
      id: "outcome",
      title: "Outcome",
      kind: "grow",
      by: (row) => `${isFailing(row) ? 0 : 1} ${row.state}`,
      cell: (row) => html`${outcome(look, row)} ${causeOf(row)}`,
    },
    {
      id: "latency",
      title: "Latency",
      kind: "number from-l",
      falls: true,
      by: ({ attempts }) => attempts.at(-1)?.duration_ms,
      cell: ({ attempts }) => latencyOf(attempts.at(-1)),
    },
    {
      id: "at",
      title: "Sent at",
      kind: "w-clock-day from-m",
      falls: true,
      by: ({ created }) => created,
      cell: ({ created }) => clockTime(created),
    },
  ];
}

function latencyOf(attempt: DeliveryRow["attempts"][number] | undefined): Part {
  return attempt === undefined ? html`<span class="soft">–</span>` : `${numberText(attempt.duration_ms)} ms`;
}

/** Why the last attempt got no answer. */
function causeOf({ attempts }: DeliveryRow): Part {
  const reason = attempts.at(-1)?.reason;
  return reason ? html`<span class="soft">${reason}</span>` : null;
}

/** @param isGrouped a heading names the document above its rows */
export function deliveriesGrid(look: Look, id: string, rows: readonly DeliveryRow[], isGrouped = false): Html {
  const starts = new Set(rows.filter((row, i) => row.subject !== rows[i - 1]?.subject).map((row) => row.id));
  return grid(look, {
    id,
    label: "Webhook deliveries",
    columns: columnsOf(look),
    rows,
    below: ({ status, subscriber_name, created, attempts }) =>
      html`${status ? `${lifecycle.words(status)} · ` : null}${clockTime(created)} · ${subscriber_name}${attempts.length > 1 ? ` · ${counted(attempts.length, "attempt")}` : null}`,
    line: (row) => ({
      ...opensBelow(look, row.id),
      detail: () =>
        html`${attemptsHtml(look, row)}${attemptDetail(look, row, row.attempts.length > 0 ? row.attempts.length - 1 : null)}`,
      group: isGrouped && starts.has(row.id) ? groupTitle(look, row) : null,
    }),
  });
}

function groupTitle(look: Look, { subject }: DeliveryRow): Html {
  const document = look.tenant.store.documents.get(subject);
  return document
    ? html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a> ${badge(document.status)}`
    : html`<code>${subject}</code>`;
}

function retryAt({ tenant }: Look, id: string): number | undefined {
  return tenant.scheduler.pending().find(({ kind, payload }) => {
    const { delivery, batch } = payload as { delivery?: unknown; batch?: unknown };
    return kind === "deliver" && (delivery === id || (Array.isArray(batch) && batch.includes(id)));
  })?.due;
}

function outcome(look: Look, row: DeliveryRow): Html {
  const last = row.attempts.at(-1);
  if (row.state === "delivered") return codeBadge(last?.status);
  if (row.state === "dropped") return badge("dropped");
  if (row.state === "failed") return html`<span class="badge bad">${last?.status ?? "no answer"}, gave up</span>`;
  const due = retryAt(look, row.id);
  if (last === undefined) {
    if (row.held_for) return html`<span class="badge busy">held for ${row.held_for.event}</span>`;
    return due === undefined ? badge("pending") : html`<span class="badge busy">due ${distanceTo(look, due)}</span>`;
  }
  return html`<span class="badge bad">${last.status ?? "no answer"}${due === undefined ? null : html`<span class="spell">, retry ${distanceTo(look, due)}</span>`}</span>`;
}

/** The attempts of a retried delivery, with the time between them. */
function attemptsHtml(look: Look, row: DeliveryRow): Part {
  if (row.attempts.length < 2) return null;
  return html`<ol class="attempts" aria-label="Attempts" data-testid="attempts">${row.attempts.map((one, i) => {
    const before = row.attempts[i - 1];
    return html`<li>${before ? html`<span class="later">+${spokenDuration(one.at - before.at)}</span>` : null}${codeBadge(one.status)} ${timeAndAgo(look, one.at)} <span class="soft">${numberText(one.duration_ms)} ms${one.reason ? ` · ${one.reason}` : ""}</span></li>`;
  })}</ol>`;
}

/** The headers that every attempt has. Their names and values come from the service. */
function sentHeaders({ tenant }: Look, row: DeliveryRow): string {
  const { headers, idHeader } = tenant.service.deliveries ?? { headers: {}, idHeader: "event-id" };
  return Object.entries({ ...headers, [idHeader]: row.event_id, "content-length": Buffer.byteLength(row.body) })
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
}

export function attemptDetail(look: Look, row: DeliveryRow, attempt: number | null): Html {
  const made = attempt === null ? undefined : row.attempts[attempt];
  const document = look.tenant.store.documents.get(row.subject);
  const at = `${row.id}-${attempt ?? "none"}`;
  const headers = made?.response_headers
    ? Object.entries(made.response_headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n")
    : "";
  return html`${facts([
    ["Subscriber", `${row.subscriber_name}, ${redactText(row.url)}`],
    ["Event id", html`<code>${row.event_id}</code>`],
    ...(document
      ? [["Document", html`<a href="${link(look, "documents", { id: document.id })}">${document.name}</a>`] as const]
      : []),
    ...(made
      ? ([
          [
            "Attempt",
            html`${codeBadge(made.status)} ${timeAndAgo(look, made.at)} <span class="soft">took ${numberText(made.duration_ms)} ms</span>`,
          ],
          ...(made.reason ? [["Reason", made.reason] as const] : []),
          [
            "Signature",
            html`<code>${made.signature || "none"}</code> <span class="soft">${made.signed.replace("_", " ")}</span>`,
          ],
          ["Sent headers", html`<code class="text" data-testid="sent-headers">${sentHeaders(look, row)}</code>`],
          ...(headers ? [["Answered headers", html`<code class="text">${redactText(headers)}</code>`] as const] : []),
          ...(made.response_body
            ? [["Answered body", html`<code>${redactText(made.response_body).slice(0, 2000)}</code>`] as const]
            : []),
        ] as const)
      : [["Attempt", "none yet"] as const]),
  ])}${bodyView(`${at}-body`, row.body, "Body")}
<div class="acts">${button("Send again", `POST /__admin/webhooks/deliveries/${encodeURIComponent(row.id)}/redeliver`, {}, "main", `${row.event} to ${row.subscriber_name}`)}${copy(redactText(row.body), "of the delivery", "Copy the body")}${made?.signature ? copy(made.signature, "of the delivery", "Copy the signature") : null}${copy(curlTo(row, made?.signature ?? ""), "as a curl command", "Copy as curl")}</div>`;
}

function curlTo(row: DeliveryRow, signature: string): string {
  const url = redactText(row.url);
  const signed = signature === "" ? url : `${url}${url.includes("?") ? "&" : "?"}signature=${signature}`;
  return `curl -i -g -X POST ${quoted(signed)} \\\n  -H 'content-type: application/json' \\\n  --data-raw ${quoted(redactText(row.body))}`;
}
