/** The journal in WireMock's shapes, for its client libraries. */
import { isoMillis } from "../../core/clock.ts";
import type { JournalEntry } from "../../engine/journal.ts";
import {
  shownAnswer,
  shownAnswerHeaders,
  shownBody,
  shownHeaders,
  shownQuery,
  shownRequestParts,
  shownUrl,
  shownWhy,
} from "../../engine/redacted-call.ts";

/** The request as `find` returns it. */
export function toLoggedRequest(exchange: JournalEntry, baseUrl: string) {
  const base = new URL(baseUrl);
  const url = shownUrl(exchange);
  const body = shownBody(exchange);
  return {
    url,
    absoluteUrl: base.origin + url,
    method: exchange.method,
    scheme: base.protocol.slice(0, -1),
    host: base.hostname,
    port: Number(base.port || (base.protocol === "https:" ? 443 : 80)),
    clientIp: "127.0.0.1",
    headers: shownHeaders(exchange),
    cookies: {},
    browserProxyRequest: false,
    loggedDate: exchange.at,
    loggedDateString: isoMillis(exchange.at),
    queryParams: Object.fromEntries(shownQuery(exchange).map(([key, values]) => [key, { key, values }])),
    formParams: {},
    body,
    bodyAsBase64: Buffer.from(body).toString("base64"),
    ...(exchange.parts ? { parts: shownRequestParts(exchange) } : {}),
  };
}

/** A serve event, with docdouble's members beside WireMock's. */
export function toServeEvent(exchange: JournalEntry, baseUrl: string, tenant: string) {
  const body = shownAnswer(exchange);
  return {
    id: exchange.id,
    request: toLoggedRequest(exchange, baseUrl),
    responseDefinition: { status: exchange.status ?? null },
    response: {
      // Null when the call had no answer.
      status: exchange.status ?? null,
      headers: shownAnswerHeaders(exchange),
      body,
      bodyAsBase64: Buffer.from(body).toString("base64"),
    },
    wasMatched: exchange.operationId !== undefined,
    timing: {
      addedDelay: 0,
      processTime: exchange.took_ms,
      responseSendTime: 0,
      serveTime: exchange.took_ms,
      totalTime: exchange.took_ms,
    },
    subEvents: [],
    operationId: exchange.operationId ?? null,
    ...(exchange.page ? { page: true } : {}),
    tenant,
    rule: exchange.rule ?? null,
    why: shownWhy(exchange) ?? null,
    caller: exchange.caller
      ? { user_id: exchange.caller.user_id, email: exchange.caller.email, environment: exchange.caller.environment }
      : null,
  };
}
