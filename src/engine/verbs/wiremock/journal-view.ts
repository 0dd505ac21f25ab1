import { isoMillis } from "../../core/clock.ts";
import type { Trace } from "../../core/trace.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import type { Tenant } from "../../runtime/tenants/tenant.ts";
import {
  shownAnswer,
  shownAnswerHeaders,
  shownBody,
  shownHeaders,
  shownQuery,
  shownRequestParts,
  shownUrl,
  shownWhy,
} from "../../journal/redacted-call.ts";

export function toLoggedRequest(entry: JournalEntry, baseUrl: string) {
  const base = new URL(baseUrl);
  const url = shownUrl(entry);
  const body = shownBody(entry);
  return {
    url,
    absoluteUrl: base.origin + url,
    method: entry.method,
    scheme: base.protocol.slice(0, -1),
    host: base.hostname,
    port: Number(base.port || (base.protocol === "https:" ? 443 : 80)),
    clientIp: "127.0.0.1",
    headers: shownHeaders(entry),
    cookies: {},
    browserProxyRequest: false,
    loggedDate: entry.at,
    loggedDateString: isoMillis(entry.at),
    queryParams: Object.fromEntries(shownQuery(entry).map(([key, values]) => [key, { key, values }])),
    formParams: {},
    body,
    bodyAsBase64: Buffer.from(body).toString("base64"),
    ...(entry.parts ? { parts: shownRequestParts(entry) } : {}),
  };
}

/** Names of OpenTelemetry. */
function toTrace({ id, span, parent }: Trace) {
  return { trace_id: id, span_id: span, parent_span_id: parent };
}

export function toServeEvent(entry: JournalEntry, { id: tenant, settings, service }: Tenant) {
  const { shown = [] } = service.access;
  const body = shownAnswer(entry);
  return {
    id: entry.id,
    request: toLoggedRequest(entry, settings.publicUrl),
    responseDefinition: { status: entry.status ?? null },
    response: {
      status: entry.status ?? null,
      headers: shownAnswerHeaders(entry),
      body,
      bodyAsBase64: Buffer.from(body).toString("base64"),
    },
    wasMatched: entry.operationId !== undefined,
    timing: {
      addedDelay: 0,
      processTime: entry.took_ms,
      responseSendTime: 0,
      serveTime: entry.took_ms,
      totalTime: entry.took_ms,
    },
    subEvents: [],
    operationId: entry.operationId ?? null,
    ...(entry.page ? { page: true } : {}),
    ...(entry.tool === undefined ? {} : { tool: entry.tool }),
    tenant,
    rule: entry.rule ?? null,
    why: shownWhy(entry) ?? null,
    ...(entry.trace ? { trace: toTrace(entry.trace) } : {}),
    caller: entry.caller ? Object.fromEntries(shown.map((name) => [name, entry.caller?.[name]])) : null,
  };
}
