import * as z from "zod";
import { iso } from "../engine/core/clock.ts";
import { ApiError, notFound } from "../engine/core/errors.ts";
import { lazy } from "../engine/core/operation.ts";
import { type Control, type EmailRow, type MailMatch, type Tenant, mails, verb } from "../service/service.ts";
import { verbGroup } from "../engine/verbs/define.ts";
import { waitUntil } from "../engine/verbs/waits.ts";
import { isoText, metaView } from "../engine/verbs/inputs.ts";
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

function toList(tenant: Tenant, rows: readonly EmailRow[]) {
  const gone = tenant.trimmed.emails;
  return { emails: rows.map(toEmail), meta: { total: rows.length, ...(gone === undefined ? {} : { gone }) } };
}

/** Waits in real time for enough matching messages. Meanwhile automatic time moves, and other clocks stay as they are. */
async function awaitMails({ tenant, signal }: Control, wanted: MailMatch, times: number, timeoutMs: number): Promise<EmailRow[]> {
  const test = () => mails.find(tenant.world, wanted);
  if (test().length >= times || timeoutMs === 0) return test();
  const over = tenant.auto.wait();
  try {
    await waitUntil(() => test().length >= times, { timeoutMs, signal, watch: (look) => tenant.eventStream.watch(look) });
  } finally {
    over();
  }
  return test();
}

const emailView = lazy(() =>
  z.strictObject({
    id: z.string(),
    kind: z.string(),
    channel: z.enum(["email", "sms"]),
    to: z.string(),
    to_name: z.string(),
    from: z.strictObject({ email: z.string(), name: z.string() }),
    reply_to: z.unknown(),
    subject: z.string(),
    text: z.string(),
    link: z.string().nullable().describe("the signing link"),
    document_id: z.string().nullable(),
    document_name: z.string().nullable(),
    recipient_id: z.string().nullable(),
    created: isoText(),
  }),
);
const emailsView = lazy(() => z.strictObject({ emails: z.array(emailView()), meta: metaView() }));

const ELSEWHERE = { tool: "agents read documents, deliveries and calls" };

export const emailVerbs = verbGroup("Admin: emails", ELSEWHERE, [
  verb({
    name: "emails.list",
    does: "Lists stored emails and text messages, with their signing links. All conditions must hold.",
    input: mailMatch,
    run: ({ tenant }, match) => mails.find(tenant.world, match as MailMatch),
    admin: {
      id: "adminListEmails",
      route: "GET /__admin/emails",
      answer: emailsView,
      show: (rows, { tenant }) => toList(tenant, rows),
    },
  }),
  verb({
    name: "emails.await",
    does: "Waits until enough messages match, at most `timeoutMs` of real time (default: 5,000). Then answers 422.",
    input: waitBody,
    async run(control, { match = {}, times, timeoutMs }) {
      const wanted = match as MailMatch;
      const rows = await awaitMails(control, wanted, times, timeoutMs);
      if (rows.length >= times) return rows;
      const detail = `${rows.length} of ${times} messages matched within ${timeoutMs} ms.`;
      throw new ApiError("invalid", detail, {
        status: 422,
        body: { type: "docdouble_unmet", detail, match: wanted, found: rows.map(toEmail), ...nearest(control.tenant) },
        why: "no matching message arrived. A silent send writes no mail. A frozen clock does not move while this call waits: advance it first",
      });
    },
    admin: {
      id: "adminAwaitEmail",
      route: "POST /__admin/emails/wait",
      answer: emailsView,
      errors: [422, 429],
      example: { body: { match: { to: "ivo.marek@client.example" }, times: 1, timeoutMs: 0 } },
      show: (rows, { tenant }) => toList(tenant, rows),
    },
  }),
  verb({
    name: "emails.show",
    does: "Returns one message.",
    input: () => z.strictObject({ id: z.string() }),
    run({ tenant }, { id }) {
      const row = tenant.store.emails.get(id);
      if (!row) throw notFound(`no email ${id}`);
      return row;
    },
    admin: {
      id: "adminEmail",
      route: "GET /__admin/emails/{id}",
      answer: emailView,
      errors: [404],
      example: { path: "/__admin/emails/$email" },
      show: toEmail,
    },
  }),
  verb({
    name: "emails.clear",
    does: "Deletes all messages that meet the conditions.",
    input: mailMatch,
    run({ tenant }, match) {
      const gone = mails.find(tenant.world, match as MailMatch);
      if (Object.keys(match).length === 0) tenant.parts.emails?.();
      else
        tenant.store.transaction(() => {
          for (const row of gone) tenant.store.emails.delete(row.id);
        });
      return { deleted: gone.length };
    },
    admin: { id: "adminDeleteEmails", route: "DELETE /__admin/emails", answer: () => z.strictObject({ deleted: z.int() }) },
  }),
]);

function nearest(tenant: Tenant) {
  return { newest: mails.find(tenant.world).slice(-5).reverse().map(toEmail) };
}
