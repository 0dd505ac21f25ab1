import * as z from "zod";
import { isoMillis } from "../../core/clock.ts";
import { lazy } from "../../core/operation.ts";
import { isoText } from "../inputs.ts";
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

const texts = () => z.record(z.string(), z.string());

export const loggedRequestView = lazy(() =>
  z.strictObject({
    url: z.string(),
    absoluteUrl: z.string(),
    method: z.string(),
    scheme: z.string(),
    host: z.string(),
    port: z.int(),
    clientIp: z.string(),
    headers: texts(),
    cookies: z.strictObject({}),
    browserProxyRequest: z.boolean(),
    loggedDate: z.number().describe("epoch ms"),
    loggedDateString: isoText(),
    queryParams: z.record(z.string(), z.strictObject({ key: z.string(), values: z.array(z.string()) })),
    formParams: z.strictObject({}),
    body: z.string(),
    bodyAsBase64: z.string(),
    parts: z.array(z.unknown()).optional().describe("the parts of a multipart body"),
  }),
);

export const serveEventView = lazy(() =>
  z.strictObject({
    id: z.string(),
    request: loggedRequestView(),
    responseDefinition: z.strictObject({ status: z.int().nullable() }),
    response: z.strictObject({ status: z.int().nullable(), headers: texts(), body: z.string(), bodyAsBase64: z.string() }),
    wasMatched: z.boolean(),
    timing: z.record(z.string(), z.number()),
    subEvents: z.array(z.unknown()),
    operationId: z.string().nullable(),
    page: z.boolean().optional(),
    tool: z.string().optional(),
    tenant: z.string(),
    rule: z.string().nullable().describe("the name of the rule that acted"),
    why: z.string().nullable().describe("why docdouble refused the call"),
    caller: z.record(z.string(), z.string().optional()).nullable(),
  }),
);

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

export function toServeEvent(entry: JournalEntry, { id: tenant, settings, service }: Tenant) {
  const { shown } = service.access;
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
    caller: entry.caller ? Object.fromEntries(shown.map((name) => [name, entry.caller?.[name]])) : null,
  };
}
