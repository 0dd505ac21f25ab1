/** Admin operations on outgoing mails and text messages: list, search, wait, show as a page. */
import * as z from "zod";
import { iso, systemClock } from "../../core/clock.ts";
import { ApiError, notFound } from "../../core/errors.ts";
import { binary, group, lazy, operationsFor } from "../../core/operation.ts";
import { findMails, type MailMatch } from "../../domain/mails/mails.ts";
import { hashSource, pageBytes } from "../../web/html.ts";
import { inboxPage, STYLE } from "../../web/inspector/inbox.ts";
import type { Control } from "../tenants/tenant-registry.ts";
import type { Tenant } from "../tenants/tenant.ts";
import { type EmailRow, MAIL_KINDS } from "../../domain/mails/rows.ts";

const operation = operationsFor<Control>();

const anything = lazy(() => z.unknown());
const byId = lazy(() => z.object({ id: z.string() }));

const match = lazy(() =>
  z.strictObject({
    to: z.string().optional(),
    kind: z.enum(MAIL_KINDS).optional(),
    document_id: z.string().optional(),
    channel: z.enum(["email", "sms"]).optional(),
    q: z.string().optional(),
  }),
);

const WAIT_MS_MAX = 60_000;

const waitBody = lazy(() =>
  z.strictObject({
    match: match().optional(),
    times: z.number().int().min(1).default(1),
    timeoutMs: z.number().int().min(0).max(WAIT_MS_MAX).default(5000),
  }),
);

export function toEmail(row: EmailRow) {
  return {
    id: row.id,
    kind: row.kind,
    channel: row.channel,
    to: row.to,
    to_name: row.to_name,
    from: row.from,
    reply_to: row.reply_to,
    subject: row.subject,
    text: row.text,
    link: row.link,
    document_id: row.document_id,
    document_name: row.document_name,
    recipient_id: row.recipient_id,
    created: iso(row.created),
  };
}

function toList(rows: readonly EmailRow[]) {
  return { emails: rows.map(toEmail), meta: { total: rows.length } };
}

/** Waits in real time for enough matching messages. The tenant's clock is unaffected. */
async function awaitMails(tenant: Tenant, wanted: MailMatch, times: number, timeoutMs: number): Promise<EmailRow[]> {
  const test = () => findMails(tenant.world, wanted);
  if (test().length >= times || timeoutMs === 0) return test();
  await new Promise<void>((resolve) => {
    const stop = tenant.eventStream.watch(() => {
      if (test().length < times) return;
      end();
    });
    const cancel = systemClock.after(timeoutMs, () => end());
    const end = () => {
      stop();
      cancel();
      resolve();
    };
  });
  return test();
}

/** The policy: no scripts, and no page embeds it. */
const INBOX_HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": `default-src 'none'; style-src ${hashSource(STYLE)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

export const emailsGroup = group("Admin: emails", [
  operation({
    id: "adminListEmails",
    route: "GET /__admin/emails",
    query: match,
    responses: { 200: anything },
    errors: [400],
    handle: ({ query }, { tenant }) => ({ status: 200, body: toList(findMails(tenant.world, query)) }),
  }),
  operation({
    id: "adminDeleteEmails",
    route: "DELETE /__admin/emails",
    query: match,
    responses: { 200: anything },
    errors: [400],
    handle: ({ query }, { tenant }) => {
      const gone = findMails(tenant.world, query);
      tenant.store.transaction(() => {
        for (const row of gone) tenant.store.emails.delete(row.id);
      });
      return { status: 200, body: { deleted: gone.length } };
    },
  }),
  operation({
    id: "adminInbox",
    route: "GET /__admin/emails/inbox",
    query: match,
    responses: { 200: binary("text/html") },
    errors: [400],
    handle: ({ query }, { tenant }) => ({
      status: 200,
      bytes: pageBytes(inboxPage(findMails(tenant.world, query), query.q ?? "")),
      media: "text/html; charset=utf-8",
      headers: INBOX_HEADERS,
    }),
  }),
  operation({
    id: "adminAwaitEmail",
    route: "POST /__admin/emails/wait",
    body: waitBody,
    responses: { 200: anything },
    errors: [400, 422],
    handle: async ({ body }, { tenant }) => {
      const wanted = body.match ?? {};
      const found = await awaitMails(tenant, wanted, body.times, body.timeoutMs);
      if (found.length >= body.times) return { status: 200 as const, body: toList(found) };
      const detail = `${found.length} of ${body.times} messages matched within ${body.timeoutMs} ms.`;
      throw new ApiError("invalid", detail, {
        status: 422,
        body: { type: "docdouble_unmet", detail, match: wanted, found: found.map(toEmail), ...nearest(tenant) },
        why: "no more mail was written; a silent send mails nobody, and a frozen clock stands still while this waits",
      });
    },
  }),
  operation({
    id: "adminEmail",
    route: "GET /__admin/emails/{id}",
    params: byId,
    responses: { 200: anything },
    errors: [404],
    handle: ({ params }, { tenant }) => {
      const row = tenant.store.emails.get(params.id);
      if (!row) throw notFound(`no email ${params.id}`);
      return { status: 200, body: toEmail(row) };
    },
  }),
]);

function nearest(tenant: Tenant) {
  return { newest: findMails(tenant.world).slice(-5).reverse().map(toEmail) };
}
