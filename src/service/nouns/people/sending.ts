import * as z from "zod";
import { iso, readMoment } from "../../../engine/core/clock.ts";
import { ApiError, badRequest, forbidden, invalid } from "../../../engine/core/errors.ts";
import { uploadedFile } from "../../../engine/core/inputs.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { wrongStatus } from "../../kit/errors.ts";
import type { World } from "../../kit/world.ts";
import { asCaller } from "../../kit/world.ts";
import { keepFile } from "../content/file-content.ts";
import { selectApprovers } from "../documents/approvals.ts";
import type { DocumentRow } from "../documents/row.ts";
import { findDocument, requireDocument, requireUnlocked } from "../documents/row.ts";
import type { ManualCode } from "../documents/status-machine.ts";
import { MANUAL_TRIGGERS } from "../documents/status-machine.ts";
import { fire, requireAllowed } from "../documents/transitions.ts";
import { findPerson, membersOf, requireMember, personOf } from "../members/members.ts";
import type { RecipientRow } from "./inputs.ts";
import { deliveryMethods } from "./inputs.ts";
import { mailInvitations, signersToInvite } from "./mails.ts";
import { isInternationalNumber } from "./recipients.ts";
import { displayName } from "./participants.ts";
import { remarkUnreachable } from "./remarks.ts";
import { disableReminders } from "./reminder-schedule.ts";

export const sendRequest = lazy(() =>
  z.object({
    message: z.string().nullish(),
    subject: z.string().nullish(),
    silent: z.boolean().optional(),
    sender: z.object({ membership_id: z.string().optional(), email: z.string().optional() }).nullish(),
    forwarding_settings: z
      .object({ forwarding_allowed: z.boolean().optional(), forwarding_with_reassigning_allowed: z.boolean().optional() })
      .nullish(),
    reply_to: z.email().nullish(),
    selected_approvers: z
      .object({
        steps: z.array(
          z.object({
            id: z.string(),
            group: z.object({
              id: z.string(),
              type: z.string(),
              // A caller copies these steps from details, with the decisions.
              assignees: z.array(z.object({ user: z.string(), is_selected: z.boolean(), decision: z.string().nullish() })),
            }),
          }),
        ),
      })
      .nullish(),
  }),
);

export const statusRequest = lazy(() =>
  z.object({
    status: z.union([
      z.literal(2),
      z.literal(10),
      z.literal(11),
      z.literal(12),
      // The official client sends the codes as text.
      z.enum(["2", "10", "11", "12"]).transform((code) => Number(code) as ManualCode),
    ]),
    note: z.string().optional(),
    notify_recipients: z.boolean().optional(),
  }),
);

/** The official description requires only the status. */
export const statusUploadRequest = lazy(() => z.object({ file: uploadedFile().optional(), data: statusRequest() }));

const HUNDRED_YEARS_S = 3_155_760_000;

/** spec: session default 3600 s. Less than a year is only advised. assumed: sessions.lifetime. */
export const sessionRequest = lazy(() =>
  z.object({ recipient: z.string().min(1), lifetime: z.number().min(1).max(HUNDRED_YEARS_S).default(3600) }),
);

/** Source: the official schema AutoReminders. */
export const reminderDays = () => z.number().int().min(1).max(180);

export const reminderSettingsRequest = lazy(() =>
  z.object({
    enabled: z.boolean(),
    delivery_method: z.enum(["email", "sms"]).optional(),
    initial_delay_days: reminderDays().optional(),
    is_recurring: z.boolean().optional(),
    recurrence_frequency_days: reminderDays().optional(),
  }),
);

export const manualRemindersRequest = lazy(() =>
  z.object({
    reminders: z.array(
      z.object({
        recipient_id: z.string(),
        delivery_methods: deliveryMethods(),
        email_customization: z
          .object({ subject: z.string().max(512).nullish(), message: z.string().max(5000).nullish() })
          .optional(),
      }),
    ),
  }),
);

export type SendInput = z.infer<ReturnType<typeof sendRequest>>;
export type SelectedSteps = NonNullable<SendInput["selected_approvers"]>["steps"];
export type StatusInput = z.infer<ReturnType<typeof statusRequest>>;
export type SessionInput = z.infer<ReturnType<typeof sessionRequest>>;
export type ReminderSettingsInput = z.infer<ReturnType<typeof reminderSettingsRequest>>;
export type ManualReminder = z.infer<ReturnType<typeof manualRemindersRequest>>["reminders"][number];

/** A document with an approval workflow asks for approval first. Then call send again. */
export function send(world: World, id: string, input: SendInput): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  requireAllowed(document, "send");
  if (document.recipients.length === 0 && world.decide("send.without_recipients") === "refuse")
    throw badRequest("Document has no recipients", { why: "add a recipient before you send the document" });
  const sent = sendOut(world, document, input);
  if (sent.status !== "document.waiting_approval") remarkSigners(world, sent);
  if (!sent.internal.silent) remarkUnreachable(world, sent.recipients);
  return sent;
}

function isMeantAsCc({ role, signing_order }: RecipientRow): boolean {
  return (role === "" && signing_order === null) || /^(cc|(carbon )?copy)\b/i.test(role);
}

function remarkSigners(world: World, document: DocumentRow): void {
  const name = `"${document.name}"`;
  if (!document.recipients.some((one) => one.recipient_type === "signer")) {
    world.remark({
      kind: "nobody_can_sign",
      message: `Nobody can sign ${name}: ${document.recipients.length === 0 ? "it has no recipient" : "no recipient owns a field"}`,
      fix: "Give a recipient a role that has fields, or assign a field to a recipient, before you send the document.",
    });
    return;
  }
  for (const recipient of document.recipients) {
    if (recipient.recipient_type !== "CC" || isMeantAsCc(recipient)) continue;
    const who = displayName(recipient);
    const as = recipient.role === "" ? `the signing order ${recipient.signing_order}` : `the role "${recipient.role}"`;
    world.remark({
      kind: "signer_without_fields",
      message: `${who} has ${as} in ${name} but owns no field, so the service made ${who} a CC`,
      fix: "Assign a field to the recipient. For a CC, leave out role and signing_order.",
    });
  }
}

export function requireSendable(world: World, document: DocumentRow): void {
  refuseForeignDomains(world, document);
  refuseUnreachablePhones(document);
  refuseUnassignedSignatures(world, document);
}

export function sendOut(world: World, document: DocumentRow, input: SendInput): DocumentRow {
  requireSendable(world, document);
  const sender =
    input.sender && Object.keys(input.sender).length > 0
      ? requireMember(world, "sender", input.sender).member.id
      : world.caller.membership_id;
  const { forwarding, approval } = document.internal;
  if (!approval && input.selected_approvers?.steps?.length)
    world.remark({
      kind: "doubtful_value",
      message: "The document has no approval workflow, so the selected approvers count for nothing",
      fix: "Leave selected_approvers out.",
      pointer: "/selected_approvers",
    });
  if (input.silent) disableReminders(world, document.id);
  const prepared: DocumentRow = {
    ...document,
    sent_by: sender,
    internal: {
      ...document.internal,
      silent: input.silent ?? false,
      message: input.message ?? null,
      subject: input.subject ?? null,
      reply_to: input.reply_to ?? null,
      // The selected approvers stay until the document returns to draft.
      approval:
        approval && document.status !== "document.approved"
          ? { ...approval, steps: selectApprovers(world, approval.steps, input.selected_approvers?.steps) }
          : approval,
      forwarding: {
        forwarding_allowed: input.forwarding_settings?.forwarding_allowed ?? forwarding.forwarding_allowed,
        forwarding_with_reassigning_allowed:
          input.forwarding_settings?.forwarding_with_reassigning_allowed ?? forwarding.forwarding_with_reassigning_allowed,
      },
    },
  };
  const needsApproval = approval !== null && document.status !== "document.approved";
  return needsApproval
    ? fire(world, { ...prepared, sent_by: null }, "request_approval")
    : fire(world, invite(world, prepared), "send");
}

export function invite(world: World, document: DocumentRow): DocumentRow {
  const now = world.clock.now();
  const invited = signersToInvite(document);
  mailInvitations(world, document, invited);
  beginTurns(world, document, invited);
  return {
    ...document,
    recipients: document.recipients.map((recipient) =>
      invited.includes(recipient) ? { ...recipient, internal: { ...recipient.internal, notified_at: now } } : recipient,
    ),
  };
}

export function beginTurns(world: World, document: DocumentRow, turns: readonly RecipientRow[]): void {
  if (turns.length > 0) world.emitHappening({ name: "turns_began", subject: document.id, turns });
}

/**
 * Source: projects report this refusal for sandbox keys, also outside a trial. Two sources let members through, and one the own domain.
 * assumed: sandbox.foreign_recipients. assumed: sandbox.members.
 */
function refuseForeignDomains(world: World, document: DocumentRow): void {
  const { caller } = world;
  if (caller.environment !== "sandbox") return;
  const domain = domainOf(caller.email);
  const members = new Set(
    membersOf(world, caller.workspace_id).map((row) => findPerson(world, row.id)?.user.email.toLowerCase()),
  );
  const addresses = document.recipients.flatMap((one) => [one.email, ...one.members.map((member) => member.email)]);
  const outsider = addresses.find((email) => email && domainOf(email) !== domain && !members.has(email.toLowerCase()));
  if (!outsider) return;
  const isTrial = world.store.workspaces.get(caller.workspace_id)?.settings.trial ?? false;
  if (world.decide("sandbox.foreign_recipients") === "trial" && !isTrial) return;
  throw forbidden(
    `a sandbox key may not send to ${outsider}: only members of the workspace and addresses at ${domain} are allowed; a production key sends to everybody`,
    {
      info_message: "You are not allowed to send documents outside of your organization",
      links: [{ rel: "status", href: `${world.settings.publicUrl}/public/v1/documents/${document.id}`, type: "GET" }],
    },
  );
}

/** Source: the vendor's skill files. assumed: send.unassigned_signatures. */
function refuseUnassignedSignatures(world: World, document: DocumentRow): void {
  const free = document.fields.filter(
    ({ type, recipient_id }) =>
      (type === "signature" || type === "initials") && !document.recipients.some((one) => one.id === recipient_id),
  );
  if (free.length === 0 || world.decide("send.unassigned_signatures") === "allow") return;
  const names = free.map(({ name, role }) => (role === null ? name : `${name} of the role ${role}`));
  const shown = [...names.slice(0, FIELDS_SHOWN), ...(names.length > FIELDS_SHOWN ? ["…"] : [])].join(", ");
  throw badRequest("Not all signature, initials fields were assigned", {
    why: `no recipient has these fields: ${shown}; assign them before you send the document`,
  });
}

const FIELDS_SHOWN = 5;

/** Source: a text message needs an international number, else 400. assumed: send.phone_text. */
function refuseUnreachablePhones(document: DocumentRow): void {
  for (const [i, { delivery_methods, phone, members }] of document.recipients.entries()) {
    if (!delivery_methods.sms || isInternationalNumber(phone ?? "")) continue;
    if (!phone && members.length === 0)
      throw badRequest("A phone number is required", {
        why: `recipients[${i}] gets text messages, by its delivery methods or by those of its contact or role, and has no number`,
      });
    throw invalid(
      { [`recipients[${i}].phone`]: ["Enter a valid phone number."] },
      `delivery by SMS needs a number such as +14155550123; the recipient has ${phone ?? "no number"}`,
    );
  }
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

/** The service schedules in its own pages only, so no API operation exists. */

/** `at` is an instant, or a duration from now. @throws 400, 409, 423 */
export function schedule(world: World, document: DocumentRow, at: string | undefined): DocumentRow {
  requireUnlocked(world, document);
  if (at === undefined)
    throw invalid({ at: ["This field is required."] }, "schedule needs at: an instant, or a duration from now");
  const now = world.clock.now();
  const due = readMoment(at, now);
  if (due.problem !== undefined) throw invalid({ at: [due.problem] });
  if (due.value <= now) throw invalid({ at: [`"${at}" is not later than the clock, ${iso(now)}.`] });
  requireSendable(asOwner(world, document), document);
  return fire(world, withSchedule(world, document, due.value), "schedule");
}

export function withSchedule(world: World, document: DocumentRow, at: number): DocumentRow {
  const job = world.jobs.schedule("send_scheduled", Math.max(0, at - world.clock.now()), { document: document.id });
  return { ...document, internal: { ...document.internal, scheduled: { at, job } } };
}

/** Job: sends a scheduled document, or asks for approval first. assumed: send.scheduled. */
export function sendScheduled(world: World, id: string): void {
  const document = findDocument(world, id);
  if (!document?.internal.scheduled) return;
  try {
    world.store.savepoint(() => sendOut(asOwner(world, document), document, {}));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const failure = { type: "send", detail: `Cannot send the scheduled document: ${error.options.why ?? error.message}.` };
    world.store.documents.put({ ...document, internal: { ...document.internal, scheduled: null, failure } });
  }
}

function asOwner(world: World, document: DocumentRow): World {
  const { id, email } = personOf(world, document.owner);
  return asCaller(world, {
    ...world.caller,
    workspace_id: document.workspace_id,
    membership_id: document.owner,
    user_id: id,
    email,
    environment: document.internal.environment,
  });
}

export function changeStatus(world: World, id: string, input: StatusInput, file?: UploadedFile): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  // spec: setting paid requires a connected payment app. assumed: documents.paid_without_app.
  if (input.status === 10 && world.store.workspaces.get(document.workspace_id)?.settings.payment_app === false)
    throw wrongStatus(
      document,
      "The document cannot be set to paid without a connected payment application",
      "the workspace has no payment application; set settings.payment_app of the workspace to true in the fixtures",
    );
  const note = input.note ?? "";
  const file_id = file ? keepFile(world, file) : null;
  const notes =
    note !== "" || file_id !== null
      ? [...document.internal.notes, { text: note, by: world.caller.membership_id, at: world.clock.now(), file_id }]
      : document.internal.notes;
  return fire(world, { ...document, internal: { ...document.internal, notes } }, MANUAL_TRIGGERS[input.status], {
    reason: note || null,
    notify: input.notify_recipients,
  });
}

/** spec: Move Document to Draft. Recipients are not notified. The document must be sent again. */
export function revert(world: World, id: string): DocumentRow {
  const document = requireDocument(world, id);
  requireUnlocked(world, document);
  if (document.status === "document.draft") {
    if (world.decide("revert.draft") === "allow") return document;
    throw wrongStatus(document, "The document is in document.draft already", "the document is in document.draft already");
  }
  if (document.status === "document.error" && world.decide("revert.error") === "refuse")
    throw wrongStatus(document, "A failed document cannot be moved to draft", "the creation failed; create the document again");
  return fire(world, document, "revert");
}
