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

/** An entry of the journal, wherever the admin API shows one. */
export const callView = lazy(() =>
  z.strictObject({
    id: z.string(),
    at: isoText(),
    tenant: z.string(),
    operationId: z.string().nullable(),
    tool: z.string().optional(),
    request: z.strictObject({
      method: z.string(),
      url: z.string(),
      path: z.string(),
      query: z.record(z.string(), z.array(z.string())),
      headers: texts(),
      body: z.string(),
      parts: z.array(z.unknown()).optional().describe("the parts of a multipart body"),
    }),
    response: z.strictObject({
      status: z.int().nullable().describe("null without an answer"),
      headers: texts(),
      body: z.string(),
    }),
    took_ms: z.number(),
    rule: z.string().optional().describe("the name of the rule that acted"),
    why: z.string().optional().describe("why docdouble refused the call"),
    document: z.string().optional().describe("the id of the document that the call is about"),
  }),
);

export function toCallView(entry: JournalEntry, { id: tenant }: Tenant) {
  const { id, at, operationId, tool, method, parts, status, took_ms, rule, subject } = entry;
  const url = shownUrl(entry);
  const why = shownWhy(entry);
  return {
    id,
    at: isoMillis(at),
    tenant,
    operationId: operationId ?? null,
    ...(tool === undefined ? {} : { tool }),
    request: {
      method,
      url,
      path: pathOf(url),
      query: Object.fromEntries(shownQuery(entry)),
      headers: shownHeaders(entry),
      body: shownBody(entry),
      ...(parts ? { parts: shownRequestParts(entry) } : {}),
    },
    response: { status: status ?? null, headers: shownAnswerHeaders(entry), body: shownAnswer(entry) },
    took_ms,
    ...(rule === undefined ? {} : { rule }),
    ...(why === undefined ? {} : { why }),
    ...(subject === undefined ? {} : { document: subject }),
  };
}

/** From the redacted address, because a path may hold the secret of a link. */
function pathOf(url: string): string {
  return url.split("?", 1)[0] as string;
}
