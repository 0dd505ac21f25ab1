/** What the verbs of documents answer. */
import * as z from "zod";
import { lazy } from "../../engine/core/operation.ts";
import { plainCopy } from "../../engine/core/lazy-list.ts";
import { DELIVERY_STATES } from "../../engine/jobs/delivery-types.ts";
import { isoText } from "../../engine/verbs/inputs.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import { STATUSES } from "../nouns/documents/status-machine.ts";

/** A copy, because documents share parts with each other, and printing a lazy list would show no items. */
export function plainDocument(row: DocumentRow): DocumentRow {
  return plainCopy(row);
}

const status = () => z.enum(STATUSES);

export const actResult = lazy(() =>
  z.strictObject({
    id: z.string(),
    status: status(),
    may_sign: z.boolean().describe("whether the status lets recipients sign"),
    recipients: z.array(z.looseObject({ id: z.string() })).describe("as detailsDocument shows them"),
  }),
);

const line = () => ({
  id: z.string(),
  name: z.string(),
  status: status(),
  workspace_id: z.string(),
  created: isoText(),
  modified: isoText(),
  deleted: z.boolean(),
  locked: z.boolean(),
  turn: z.array(z.string()).describe("the names of those who may sign now"),
});

export const documentLine = lazy(() => z.strictObject({ ...line(), recipients: z.int().describe("how many") }));

const recipientState = () =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    role: z.string().nullable(),
    recipient_type: z.string(),
    signing_order: z.number().nullable(),
    has_completed: z.boolean(),
    viewed: isoText().nullable(),
    is_turn: z.boolean(),
  });

const approvalStep = () =>
  z.strictObject({
    type: z.string(),
    approvers: z.array(
      z.strictObject({
        membership_id: z.string(),
        name: z.string(),
        decision: z.string().nullable(),
        is_asked: z.boolean(),
      }),
    ),
  });

const note = () =>
  z.strictObject({
    text: z.string(),
    by: z.string(),
    at: isoText(),
    file: z.strictObject({ name: z.string(), type: z.string(), size: z.int().describe("in bytes") }).nullable(),
  });

export const documentState = lazy(() =>
  z.strictObject({
    ...line(),
    status_code: z.int(),
    environment: z.string(),
    alias: z.string().nullable(),
    scheduled: isoText().nullable().describe("when the service sends it"),
    sent: isoText().nullable(),
    completed: isoText().nullable(),
    expires: isoText().nullable(),
    path: z.array(status()).describe("all statuses so far"),
    next: z.array(z.strictObject({ trigger: z.string(), to: status() })),
    allows: z.array(z.string()).describe("what the status allows"),
    acts: z.array(z.strictObject({ act: z.string(), recipient: z.string().nullable().describe("an id") })),
    recipients: z.array(recipientState()),
    lock: z.strictObject({ locked_by_user_id: z.string(), expires: isoText() }).nullable(),
    approval: z.array(approvalStep()).optional(),
    payment: z.strictObject({ amount: z.string(), currency: z.string(), paid: isoText().nullable() }).nullable(),
    failure: z.strictObject({ type: z.string(), detail: z.string() }).nullable(),
    notes: z.array(note()),
    jobs: z.array(z.strictObject({ id: z.string(), kind: z.string(), due: isoText(), payload: z.looseObject({}) })),
  }),
);

export const timelineView = lazy(() => {
  const entry = <Kind extends string>(kind: Kind) => ({ at: isoText(), kind: z.literal(kind) });
  const request_id = z.string().nullable().describe("the call that caused it");
  const orNull = () => z.string().nullable();
  return z.discriminatedUnion("kind", [
    z.strictObject({
      ...entry("call"),
      request_id: z.string(),
      operation: orNull(),
      method: z.string(),
      url: z.string(),
      status: z.int().nullable(),
      rule: orNull(),
      why: orNull(),
      repeats: z.int().describe("how many equal reads it stands for"),
    }),
    z.strictObject({ ...entry("status"), status: status(), trigger: z.string(), request_id }),
    z.strictObject({
      ...entry("act"),
      act: z.string(),
      recipient: z.looseObject({}).nullable(),
      input: z.looseObject({}),
      request_id,
    }),
    z.strictObject({ ...entry("mail"), mail_id: z.string(), mail: z.string(), to: z.string(), subject: z.string() }),
    z.strictObject({
      ...entry("delivery"),
      delivery_id: z.string(),
      event: z.string(),
      status: orNull(),
      subscription: z.string(),
      state: z.enum(DELIVERY_STATES),
      attempt: z.int().nullable(),
      answer: z.int().nullable(),
      why: orNull(),
    }),
    z.strictObject({ ...entry("due"), job_id: z.string(), job: z.string() }),
  ]);
});
