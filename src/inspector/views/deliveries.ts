import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { quoted } from "./code.ts";
import { type Column, grid, sorted } from "./grid.ts";
import { bodyView } from "./json.ts";
import { latencyHtml } from "./latency.ts";
import { clockTime, copy, counted, countOf, distanceTo, filtered, timeAndAgo } from "./lists.ts";
import { badge, button, codeBadge, empty, facts, link, type Look, search } from "./parts.ts";
import { opensBelow, pageOf } from "./rows.ts";

export function deliveryText(look: Look, row: DeliveryRow): string {
  const name = look.tenant.store.documents.get(row.subject)?.name;
  return [row.event, row.status, row.subscriber_name, row.url, name, row.id, row.event_id, row.body].join(" ").toLowerCase();
}

function isFailing({ state, attempts }: DeliveryRow): boolean {
  const last = attempts.at(-1);
  return state === "failed" || (last !== undefined && (last.status === null || last.status >= 400));
}

function kindsOf(row: DeliveryRow): string[] {
  return [row.state, ...(isFailing(row) ? ["failing"] : []), `to ${row.subscriber_name}`];
}

export function deliveriesSection(look: Look): Html {
  const wanted = look.q?.toLowerCase() ?? "";
  const found = look.tenant.store.deliveries
    .all()
    .filter((row) => wanted === "" || deliveryText(look, row).includes(wanted))
    .reverse()
    .sort((a, b) => b.created - a.created);
  const { rows: chosen, bar } = filtered(look, found, kindsOf);
  const { rows, pager } = pageOf(look, look.sort === undefined ? byDocument(chosen) : sorted(look, columnsOf(look), chosen));
  return html`<h1>Webhook deliveries <span class="soft">${countOf(chosen.length, look.tenant.store.deliveries.size)}</span></h1>
${search(look, "Search deliveries", "Search event, document, status, subscriber or body")}${bar}
${
  rows.length === 0
    ? empty(
        "No deliveries",
        look.q || look.is
          ? "No delivery matches."
          : html`Subscribe with <code>docdouble start --webhook URL</code> or <code>POST /public/v1/webhook-subscriptions</code>. Each event to each subscriber then appears here.`,
      )
    : html`${latencyHtml(chosen)}${deliveriesGrid(look, "deliveries", rows, look.sort === undefined)}${pager}`
}`;
}

/** Rows of one document stand together. The document with the newest delivery comes first. */
function byDocument(rows: readonly DeliveryRow[]): readonly DeliveryRow[] {
  const groups = new Map<string, DeliveryRow[]>();
  for (const row of rows) {
    const group = groups.get(row.subject);
    if (group) group.push(row);
    else groups.set(row.subject, [row]);
  }
  return [...groups.values()].flat();
}

function columnsOf(look: Look): readonly Column<DeliveryRow>[] {
  return [
    { id: "event", title: "Event", kind: "grow", by: ({ event }) => event, cell: ({ event }) => html`<strong>${event}</strong>` },
    {
      id: "status",
      title: "Document was",
      kind: "w-status from-m",
      by: ({ status }) => status ?? "",
      cell: ({ status }) => status && badge(status),
    },
    {
      id: "to",
      title: "Receiver",
      kind: "w-people from-l",
      by: (row) => row.subscriber_name,
      cell: (row) => row.subscriber_name,
    },
    { id: "attempts", title: "Attempts", kind: "w-attempts", falls: true, by: ({ attempts }) => attempts.length, cell: dotsHtml },
    {
      id: "outcome",
      title: "Outcome",
      kind: "w-outcome",
      by: (row) => `${isFailing(row) ? 0 : 1} ${row.state}`,
      cell: (row) => outcome(look, row),
    },
    {
      id: "latency",
      title: "Latency",
      kind: "w-number number from-m",
      falls: true,
      by: ({ attempts }) => attempts.at(-1)?.duration_ms ?? -1,
      cell: ({ attempts }) => latencyOf(attempts.at(-1)),
    },
    {
      id: "at",
      title: "Made",
      kind: "w-clock-day from-m",
      falls: true,
      by: ({ created }) => created,
      cell: ({ created }) => clockTime(created),
    },
  ];
}

function latencyOf(attempt: DeliveryRow["attempts"][number] | undefined): Part {
  return attempt === undefined ? html`<span class="soft">–</span>` : `${attempt.duration_ms} ms`;
}

const DOTS_MAX = 8;

/** One dot for each attempt, the first one first. */
function dotsHtml({ attempts }: DeliveryRow): Part {
  if (attempts.length === 0) return html`<span class="soft">none yet</span>`;
  const words = attempts.map(({ status }) => status ?? "no answer").join(", ");
  const more = attempts.length - DOTS_MAX;
  return html`<span class="dots" role="img" aria-label="${counted(attempts.length, "attempt")}: ${words}" title="${words}">${attempts.slice(0, DOTS_MAX).map(({ status }) => html`<i class="${status !== null && status < 400 ? "good" : "bad"}"></i>`)}${more > 0 ? `+${more}` : null}</span>`;
}

/** @param isGrouped a heading names the document above its rows */
export function deliveriesGrid(look: Look, id: string, rows: readonly DeliveryRow[], isGrouped = false): Html {
  const starts = new Set(rows.filter((row, i) => row.subject !== rows[i - 1]?.subject).map((row) => row.id));
  return grid(look, {
    id,
    label: "Webhook deliveries",
    columns: columnsOf(look),
    rows,
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
  return html`<span class="badge bad">${last.status ?? "no answer"}${due === undefined ? null : html`, retry ${distanceTo(look, due)}`}</span>`;
}

function attemptsHtml(look: Look, row: DeliveryRow): Part {
  if (row.attempts.length < 2) return null;
  return html`<ol class="plain attempts">${row.attempts.map(
    (one) =>
      html`<li>${codeBadge(one.status)} ${timeAndAgo(look, one.at)} <span class="soft">${one.duration_ms} ms${one.reason ? ` · ${one.reason}` : ""}</span></li>`,
  )}</ol>`;
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
            html`${codeBadge(made.status)} ${timeAndAgo(look, made.at)} <span class="soft">${made.duration_ms} ms</span>`,
          ],
          ...(made.reason ? [["Reason", made.reason] as const] : []),
          [
            "Signature",
            html`<code>${made.signature || "none"}</code> <span class="soft">${made.signed.replace("_", " ")}</span>`,
          ],
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
