import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { redactText } from "../../engine/journal/redact.ts";
import { html, type Html, type Part } from "../../engine/http/html.ts";
import { quoted } from "./code.ts";
import { bodyView } from "./json.ts";
import { ago, copy, counted, distanceTo, filtered, timeAndAgo } from "./lists.ts";
import { badge, breakable, button, codeBadge, empty, facts, link, type Look, search } from "./parts.ts";
import { openRow, pageOf } from "./rows.ts";

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
  const { rows, pager } = pageOf(look, chosen);
  return html`<h1>Webhook deliveries <span class="soft">${chosen.length}</span></h1>
${search(look, "Search deliveries", "Search event, document, status, subscriber or body")}${bar}
${
  rows.length === 0
    ? empty(
        "No deliveries",
        look.q || look.is
          ? "No delivery matches."
          : html`Subscribe with <code>docdouble start --webhook URL</code> or <code>POST /public/v1/webhook-subscriptions</code>. Each event to each subscriber then appears here.`,
      )
    : html`<ul class="rows" data-testid="deliveries">${rows.map((row) => deliveryRow(look, row))}</ul>${pager}`
}`;
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

export function deliveryRow(look: Look, row: DeliveryRow): Html {
  const document = look.tenant.store.documents.get(row.subject);
  return openRow(
    look,
    row.id,
    html`<span class="what"><strong>${breakable(row.event)}${document ? html` <span class="soft">${document.name}</span>` : null}</strong><span class="soft">${[row.status?.replace("document.", ""), `to ${row.subscriber_name}`, redactText(row.url)].filter(Boolean).join(" · ")}</span></span><span class="soft when">${counted(row.attempts.length, "attempt")}</span>${outcome(look, row)}<span class="soft when">${ago(look, row.created)}</span>`,
    () => html`${attemptsHtml(look, row)}${attemptDetail(look, row, row.attempts.length > 0 ? row.attempts.length - 1 : null)}`,
  );
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
