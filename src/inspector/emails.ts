import * as z from "zod";
import { iso, systemClock } from "../engine/core/clock.ts";
import { ApiError, notFound } from "../engine/core/errors.ts";
import { binary, group, lazy } from "../engine/core/operation.ts";
import { goneRows, membersFit } from "../engine/runtime/gone.ts";
import { pageBytes } from "../engine/http/html.ts";
import { inboxPage } from "./views/inbox.ts";
import { pageHeaders } from "./views/shell.ts";
import { type EmailRow, type MailMatch, type Tenant, mails, operation } from "../service/service.ts";
import { words } from "../service/words.ts";

export const mailMatch = lazy(() =>
  z.strictObject({
    to: z.string().optional(),
    kind: z.enum(words.mailKinds).optional(),
    document_id: z.string().optional(),
    channel: z.enum(["email", "sms"]).optional(),
    q: z.string().optional(),
  }),
);

const inboxQuery = lazy(() =>
  mailMatch().extend({
    is: z.string().optional(),
    from: z.string().optional(),
    open: z.string().optional(),
    as: z.enum(["mail", "text"]).optional(),
    tenant: z.string().optional(),
  }),
);

const WAIT_MS_MAX = 60_000;

const waitBody = lazy(() =>
  z.strictObject({
    match: mailMatch().optional(),
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

function toList(tenant: Tenant, rows: readonly EmailRow[], { kind, channel }: MailMatch) {
  const { max } = goneRows(tenant, "emails", membersFit({ kind, channel }, []));
  return { emails: rows.map(toEmail), meta: { total: rows.length, ...(max > 0 ? { gone: max } : {}) } };
}

/** Waits in real time for enough matching messages. Meanwhile automatic time moves, and other clocks stay as they are. */
async function awaitMails(tenant: Tenant, wanted: MailMatch, times: number, timeoutMs: number): Promise<EmailRow[]> {
  const test = () => mails.find(tenant.world, wanted);
  if (test().length >= times || timeoutMs === 0) return test();
  const over = tenant.auto.wait();
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
  over();
  return test();
}

export const emailsGroup = group("Admin: emails", [
  operation({
    id: "adminListEmails",
    route: "GET /__admin/emails",
    query: mailMatch,
    errors: [400],
    handle: ({ query }, { tenant }) => ({ status: 200, body: toList(tenant, mails.find(tenant.world, query), query) }),
  }),
  operation({
    id: "adminDeleteEmails",
    route: "DELETE /__admin/emails",
    query: mailMatch,
    errors: [400],
    handle: ({ query }, { tenant }) => {
      const gone = mails.find(tenant.world, query);
      tenant.store.transaction(() => {
        for (const row of gone) tenant.store.emails.delete(row.id);
      });
      return { status: 200, body: { deleted: gone.length } };
    },
  }),
  operation({
    id: "adminInbox",
    route: "GET /__admin/emails/inbox",
    query: inboxQuery,
    responses: { 200: binary("text/html") },
    errors: [400],
    handle: ({ query: { q, is, from, open, as, tenant: named, ...wanted } }, { host, tenant }) => {
      const shown = (named === undefined ? undefined : host.find(named)) ?? tenant;
      const state = Object.fromEntries(Object.entries({ q, is, from, open, as }).filter(([, value]) => value !== undefined));
      const page = inboxPage({ ...state, host, tenant: shown, isDefault: shown === host.defaultTenant }, wanted);
      return { status: 200, bytes: pageBytes(page), media: "text/html; charset=utf-8", headers: pageHeaders() };
    },
  }),
  operation({
    id: "adminAwaitEmail",
    route: "POST /__admin/emails/wait",
    body: waitBody,
    errors: [400, 422],
    handle: async ({ body }, { tenant }) => {
      const wanted = body.match ?? {};
      const found = await awaitMails(tenant, wanted, body.times, body.timeoutMs);
      if (found.length >= body.times) return { status: 200 as const, body: toList(tenant, found, wanted) };
      const detail = `${found.length} of ${body.times} messages matched within ${body.timeoutMs} ms.`;
      throw new ApiError("invalid", detail, {
        status: 422,
        body: { type: "docdouble_unmet", detail, match: wanted, found: found.map(toEmail), ...nearest(tenant) },
        why: "no matching message arrived. A silent send writes no mail. A frozen clock does not move while this call waits: advance it first",
      });
    },
  }),
  operation({
    id: "adminEmail",
    route: "GET /__admin/emails/{id}",
    errors: [404],
    handle: ({ params }, { tenant }) => {
      const row = tenant.store.emails.get(params.id);
      if (!row) throw notFound(`no email ${params.id}`);
      return { status: 200, body: toEmail(row) };
    },
  }),
]);

function nearest(tenant: Tenant) {
  return { newest: mails.find(tenant.world).slice(-5).reverse().map(toEmail) };
}
