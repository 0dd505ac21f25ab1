/** The journal in WireMock's shapes, so that its client libraries can read and count. */
import { isoMillis } from "../core/clock.ts";
import { shownBody, shownParts } from "../engine/body-parts.ts";
import type { Exchange } from "../engine/journal.ts";
import { redactHeaders, redactPair, redactText } from "../engine/redact.ts";

/** The request part, as `find` answers it. */
export function toLoggedRequest(exchange: Exchange, baseUrl: string) {
  const base = new URL(baseUrl);
  const key = exchange.caller?.key;
  const url = redactText(exchange.url, key);
  const body = shownBody(exchange, key);
  return {
    url,
    absoluteUrl: base.origin + url,
    method: exchange.method,
    scheme: base.protocol.slice(0, -1),
    host: base.hostname,
    port: Number(base.port || (base.protocol === "https:" ? 443 : 80)),
    clientIp: "127.0.0.1",
    headers: redactHeaders(exchange.headers),
    cookies: {},
    browserProxyRequest: false,
    loggedDate: exchange.at,
    loggedDateString: isoMillis(exchange.at),
    queryParams: Object.fromEntries(
      Object.entries(exchange.query).map(([name, values]) => [
        name,
        { key: name, values: values.map((one) => redactPair(name, one, key)) },
      ]),
    ),
    formParams: {},
    body,
    bodyAsBase64: Buffer.from(body).toString("base64"),
    ...(exchange.parts ? { parts: shownParts(exchange.parts, key) } : {}),
  };
}

/** A whole serve event, with what docdouble knows beside WireMock's members. */
export function toServeEvent(exchange: Exchange, baseUrl: string, tenant: string) {
  const body = redactText(exchange.responseBody, exchange.caller?.key);
  return {
    id: exchange.id,
    request: toLoggedRequest(exchange, baseUrl),
    responseDefinition: { status: exchange.status ?? null },
    response: {
      // Null where no answer was made.
      status: exchange.status ?? null,
      headers: exchange.responseHeaders,
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
    why: exchange.why ?? null,
    caller: exchange.caller
      ? { user_id: exchange.caller.user_id, email: exchange.caller.email, environment: exchange.caller.environment }
      : null,
  };
}
