import * as z from "zod";
import { badRequest, invalid, notFound } from "../../../engine/core/errors.ts";
import { durationText, momentText } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";
import { readDuration } from "../../../engine/core/time-limits.ts";
import type { Act } from "../../kit/names.ts";
import type { World } from "../../kit/world.ts";
import { autofill, sampleFile } from "../content/content.ts";
import { BROKEN } from "../content/file-content.ts";
import type { FieldValue } from "../content/row.ts";
import { failConversion } from "../documents/conversion.ts";
import { record, recordAct } from "../documents/history.ts";
import type { DocumentRow } from "../documents/row.ts";
import { requireDocument } from "../documents/row.ts";
import { isAllowedIn, next } from "../documents/status-machine.ts";
import { expire, finishPdf, fire, passCheck, requireAllowed, toAuditUser } from "../documents/transitions.ts";
import { toRecipient } from "../documents/view.ts";
import type { Participant } from "../people/recipients.ts";
import {
  currentSigners,
  findParticipant,
  participantNames,
  participantOf,
  payerOf,
  signersOf,
  waitsForTurn,
} from "../people/participants.ts";
import { sendManualReminders } from "../people/reminders.ts";
import { schedule } from "../people/sending.ts";
import { decide, memberOf } from "./approvals.ts";
import {
  comment,
  complete,
  currentParticipant,
  dayOf,
  decline,
  failPayment,
  fill,
  forward,
  isNamed,
  requireTurn,
  review,
  setOptOut,
  storeFieldFile,
  view,
} from "./participant-acts.ts";

export const actInput = lazy(() =>
  z.strictObject({
    recipient: z.string().optional().describe("Who acts: an id, an email address or a role."),
    fields: z
      .record(z.string(), z.union([z.string(), z.boolean(), z.number(), z.null()]))
      .optional()
      .describe("Values of fields, by field name. Example: `{ Company: Client Ltd }`."),
    pricing: z
      .record(
        z.string(),
        z.strictObject({
          selected: z.boolean().optional().describe("Whether the signer takes this optional item."),
          qty: z
            .union([z.number().min(0), z.string()])
            .optional()
            .describe("The quantity that the signer enters for this item."),
        }),
      )
      .optional()
      .describe("What the signer chooses in pricing tables, by item id, SKU or name."),
    reason: z.string().optional().describe("Why the person acts, for example for `decline`."),
    text: z.string().optional().describe("The text of a comment or suggestion."),
    to: z
      .strictObject({
        email: z.string(),
        first_name: z.string().optional(),
        last_name: z.string().optional(),
        reassign: z
          .boolean()
          .optional()
          .describe("`true` also gives the fields to the receiver. Default: the receiver gets a copy to read."),
      })
      .optional()
      .describe("The person who receives a forwarded document: `email`, and names."),
    at: momentText().optional().describe("When `schedule` sends the document: an instant, or a duration from now."),
    member: z.string().optional().describe("The member who acts: a membership id or email address."),
    channel: z.enum(["sms", "email"]).optional().describe("The messages to stop or to allow again. Default: `sms`."),
    expires_in: durationText().optional().describe("How long a lock lasts. Example: `10m`."),
  }),
);
/** The library also accepts the objects that a field holds. */
export type ActInput = Omit<z.infer<ReturnType<typeof actInput>>, "fields"> & { fields?: Record<string, FieldValue> };
export type ForwardInput = Partial<NonNullable<ActInput["to"]>>;

/** The members that the input of each act takes. */
export const ACT_INPUT: Readonly<Record<Act, readonly (keyof ActInput)[]>> = {
  view: ["recipient"],
  fill: ["recipient", "fields", "pricing"],
  sign: ["recipient", "fields", "pricing"],
  decline: ["recipient", "reason"],
  approve: ["member"],
  reject: ["member", "reason"],
  // The payer pays, even when the input names another recipient.
  pay: ["recipient"],
  pay_fail: ["recipient", "reason"],
  review: ["recipient", "text"],
  accept_review: [],
  comment: ["recipient", "text"],
  forward: ["recipient", "to"],
  schedule: ["at"],
  expire: [],
  remind: ["recipient"],
  opt_out: ["recipient", "channel"],
  opt_in: ["recipient", "channel"],
  lock: ["member", "expires_in"],
  unlock: [],
  fail: ["reason"],
  process: [],
  finish_pdf: [],
};

export function act(world: World, documentId: string, name: Act, input: ActInput): DocumentRow {
  const document = requireDocument(world, documentId);
  refuseForeignInput(name, input);
  if (RECORDED.has(name)) {
    const { recipient, ...rest } = input;
    const payer = name === "pay" ? findPayer(document, recipient) : undefined;
    const participant = payer ?? (recipient === undefined ? undefined : requireParticipant(document, recipient));
    if (participant) recordAct(world, document.id, name, participant, rest);
    else record(world, document.id, { kind: "act", act: name, who: null, input: rest });
  }
  return ACTIONS[name](world, document, input);
}

const RECORDED: ReadonlySet<Act> = new Set([
  "approve",
  "reject",
  "pay",
  "accept_review",
  "schedule",
  "expire",
  "remind",
  "opt_out",
  "opt_in",
  "lock",
  "unlock",
  "fail",
]);

function refuseForeignInput(name: Act, input: ActInput): void {
  const accepted: readonly string[] = ACT_INPUT[name];
  const foreign = Object.entries(input).flatMap(([member, value]) =>
    value === undefined || accepted.includes(member) ? [] : member,
  );
  if (foreign.length === 0) return;
  const why = `${name} takes ${accepted.join(", ") || "no input"}`;
  throw invalid(Object.fromEntries(foreign.map((member) => [member, [`The act ${name} does not take ${member}.`]])), why);
}

const ACTIONS: Readonly<Record<Act, (world: World, document: DocumentRow, input: ActInput) => DocumentRow>> = {
  view: (world, document, input) => openDocument(world, document, input.recipient).document,
  fill(world, document, input) {
    requireAllowed(document, "sign", "fill in the document");
    const { document: viewed, participant } = openDocument(world, document, input.recipient);
    return fill(
      world,
      viewed,
      participant.recipient,
      toSubmittedValues(world, viewed, participant, input.fields ?? {}),
      input.pricing,
    );
  },
  sign(world, document, input) {
    requireAllowed(document, "sign");
    const { document: viewed, participant } = openDocument(world, document, input.recipient);
    const values = toSubmittedValues(world, viewed, participant, {
      ...autofill(viewed, participant, dayOf(world)),
      ...input.fields,
    });
    const filled = fill(world, viewed, participant.recipient, values, input.pricing);
    const checked = passCheck(world, filled, currentParticipant(filled, participant), "before_sign");
    return complete(world, checked, participant);
  },
  decline(world, document, input) {
    requireAllowed(document, "sign", "decline the document");
    const { document: viewed, participant } = openDocument(world, document, input.recipient);
    return decline(world, viewed, participant, input.reason);
  },
  approve: (world, document, input) => decide(world, document, "approved", input),
  reject: (world, document, input) => decide(world, document, "rejected", input),
  pay(world, document, input) {
    const payment = document.internal.payment;
    const paid = {
      ...document,
      internal: { ...document.internal, payment: payment && { ...payment, paid_at: world.clock.now() } },
    };
    const payer = findPayer(document, input.recipient);
    return fire(world, paid, "pay", { by: payer ? toAuditUser(payer) : { id: "", email: "" } });
  },
  pay_fail: (world, document, input) =>
    failPayment(world, document, findPayer(document, input.recipient) ?? requireParticipant(document, undefined), input.reason),
  review(world, document, input) {
    requireAllowed(document, "sign", "review the document");
    const { document: viewed, participant } = openDocument(world, document, input.recipient);
    return review(world, viewed, participant, input.text);
  },
  accept_review: (world, document) => fire(world, document, "accept_review"),
  comment(world, document, input) {
    const { document: viewed, participant } = openDocument(world, document, input.recipient);
    return comment(world, viewed, participant, input.text);
  },
  forward(world, document, input) {
    requireAllowed(document, "sign", "forward the document");
    const { document: viewed, participant } = openDocument(world, document, input.recipient);
    return forward(world, viewed, participant, input.to ?? {});
  },

  schedule: (world, document, input) => schedule(world, document, input.at),
  expire(world, document) {
    if (!next(document.status, "expire")) return fire(world, document, "expire");
    expire(world, document.id);
    return requireDocument(world, document.id);
  },
  remind(world, document, input) {
    const asked =
      input.recipient === undefined ? currentSigners(document) : [requireParticipant(document, input.recipient).recipient];
    const answers = sendManualReminders(
      world,
      document.id,
      asked.map((one) => ({ recipient_id: one.id })),
    );
    const faults = answers.flatMap((one) => [one.email, one.sms]).flatMap((one) => (one?.status === "error" ? [one.detail] : []));
    const [fault] = faults;
    if (fault !== undefined) throw badRequest(fault, { why: faults.join("; ") });
    return requireDocument(world, document.id);
  },
  opt_out: (world, document, input) =>
    setOptOut(world, document, requireParticipant(document, input.recipient), "opt-out", input.channel),
  opt_in: (world, document, input) =>
    setOptOut(world, document, requireParticipant(document, input.recipient), "opt-in", input.channel),
  lock(world, document, input) {
    const wait = readDuration(input.expires_in ?? "5m");
    if (wait.problem !== undefined) throw invalid({ expires_in: [wait.problem] });
    const locked_by_user_id = memberOf(world, document, input.member)?.user.id ?? world.caller.user_id;
    const lock = { locked_by_user_id, lock_type: "wopi_editing" as const, expires_at: world.clock.after(wait.value) };
    return world.store.documents.put({ ...document, internal: { ...document.internal, lock } });
  },
  unlock: (world, document) => world.store.documents.put({ ...document, internal: { ...document.internal, lock: null } }),
  fail: (world, document, input) => failConversion(world, document.id, "processing", input.reason ?? BROKEN),
  process(world, document) {
    if (document.status !== "document.uploaded") return fire(world, document, "process");
    world.jobs.schedule("convert_document", 0, { document: document.id });
    return document;
  },
  finish_pdf(world, document) {
    requireAllowed(document, "download_protected");
    finishPdf(world, document.id);
    return requireDocument(world, document.id);
  },
};

export function actingParticipant(document: DocumentRow, reference: string | undefined): Participant | undefined {
  if (reference !== undefined) return findParticipant(document, reference);
  return document.recipients.length === 0 ? undefined : requireParticipant(document, undefined);
}

function requireParticipant(document: DocumentRow, reference: string | undefined): Participant {
  if (reference === undefined) {
    const recipient = currentSigners(document)[0] ?? signersOf(document)[0] ?? document.recipients[0];
    if (!recipient) throw notFound("the document has no recipients");
    return participantOf(recipient);
  }
  const found = findParticipant(document, reference);
  if (!found) throw notFound(`the document has no recipient ${reference}; known: ${participantNames(document)}`);
  return found;
}

function findPayer(document: DocumentRow, reference: string | undefined): Participant | undefined {
  if (reference !== undefined) return requireParticipant(document, reference);
  const payer = payerOf(document);
  return payer && participantOf(payer);
}

function openDocument(
  world: World,
  document: DocumentRow,
  reference: string | undefined,
): { document: DocumentRow; participant: Participant } {
  const participant = requireParticipant(document, reference);
  requireAllowed(document, "embed");
  if (isAllowedIn(document.status, "sign") && waitsForTurn(document, participant.recipient))
    requireTurn(document, participant.recipient);
  const checked = passCheck(world, document, participant, "before_open");
  const viewed = view(world, checked, currentParticipant(checked, participant));
  return { document: viewed, participant: currentParticipant(viewed, participant) };
}

/** As on the signing page, a file name for a collect_file field becomes a stored sample file. */
function toSubmittedValues(
  world: World,
  document: DocumentRow,
  { recipient }: Participant,
  values: Record<string, FieldValue>,
): Record<string, FieldValue> {
  const ownFields = document.fields.filter((field) => field.recipient_id === recipient.id);
  const toValue = (name: string, value: FieldValue): FieldValue => {
    const field = ownFields.find((one) => isNamed(one, name));
    if (field?.type === "payment_details")
      throw invalid({ [name]: ["This field takes no value."] }, "a payment field takes no value; use the act pay");
    if (field?.type !== "collect_file" || value === null || typeof value === "object") return value;
    if (typeof value === "string") return value === "" ? null : storeFieldFile(world, field, sampleFile(value));
    throw invalid({ [name]: ["Not a valid string."] }, `${name} needs the name of a file, such as contract.pdf`);
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, toValue(name, value)]));
}

export function toActResult(world: World, document: DocumentRow) {
  return {
    id: document.id,
    status: document.status,
    may_sign: isAllowedIn(document.status, "sign"),
    recipients: document.recipients.map((recipient) => toRecipient(world, recipient)),
  };
}
