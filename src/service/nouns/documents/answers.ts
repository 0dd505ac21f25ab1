import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { FIELD_TYPES } from "../content/row.ts";
import { micros } from "../../kit/view.ts";
import { personView, userView } from "../members/members.ts";
import { pricing } from "../pricing/tables.ts";
import { linkView } from "./row.ts";
import { STATUSES } from "./status-machine.ts";

export const personAssignee = lazy(() =>
  z.strictObject({
    id: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    recipient_type: z.string(),
    has_completed: z.boolean(),
    role: z.string(),
    roles: z.array(z.string()),
    signing_order: z.number().int().nullable(),
    // Empty for a field without a recipient.
    delivery_methods: z.strictObject({ email: z.boolean().optional(), sms: z.boolean().optional() }),
    redirect: z.strictObject({ is_enabled: z.boolean().optional(), url: z.string().nullable().optional() }),
    type: z.literal("recipient"),
  }),
);

export const assignee = lazy(() =>
  z.discriminatedUnion("type", [
    personAssignee(),
    z.strictObject({
      id: z.string(),
      name: z.string(),
      recipient_type: z.string(),
      has_completed: z.boolean(),
      roles: z.array(z.string()),
      signing_order: z.number().int().nullable(),
      members: z.array(
        z.strictObject({ id: z.string(), email: z.string().nullable(), first_name: z.string(), last_name: z.string() }),
      ),
      type: z.literal("recipient_group"),
    }),
  ]),
);

export const fieldMembers = lazy(() => ({
  uuid: z.string(),
  name: z.string(),
  title: z.string(),
  placeholder: z.string(),
  value: z.union([z.string(), z.boolean(), z.record(z.string(), z.unknown()), z.null()]),
  field_id: z.string(),
  type: z.enum(FIELD_TYPES),
  merge_field: z.string().nullable().optional(),
  is_filled: z.boolean(),
}));

export const field = lazy(() => z.strictObject({ ...fieldMembers(), assigned_to: assignee() }));

export const documentStatus = lazy(() => z.enum(STATUSES));

const summaryMembers = () => ({
  id: z.string(),
  name: z.string(),
  status: documentStatus(),
  date_created: micros(),
  date_modified: micros(),
  expiration_date: micros().nullable(),
  version: z.string().nullable(),
});

export const documentList = lazy(() =>
  z.strictObject({
    results: z.array(
      z.strictObject({
        ...summaryMembers(),
        date_completed: micros().nullable(),
        // Absent with another reading of `list.date_sent`.
        date_sent: micros().nullable().optional(),
      }),
    ),
  }),
);

export const documentStatusReply = lazy(() =>
  z.strictObject({ ...summaryMembers(), date_completed: micros().nullable(), uuid: z.string() }),
);

export const documentCreated = lazy(() =>
  z.strictObject({
    ...summaryMembers(),
    uuid: z.string(),
    links: z.array(z.strictObject({ rel: z.string(), href: z.string(), type: z.string() })),
    info_message: z.string(),
  }),
);

export const documentReverted = lazy(() => z.strictObject(summaryMembers()));

const delivery = () => z.strictObject({ email: z.boolean(), sms: z.boolean() });

/** A text, or an integer in another reading of `send.recipient_id`. The description shows the text. */
const sentRecipientId = () =>
  z.custom<string | number>((value) => typeof value === "string" || Number.isInteger(value)).meta({ type: "string" });

export const documentSent = lazy(() =>
  z.strictObject({
    ...summaryMembers(),
    date_completed: micros().nullable(),
    uuid: z.string(),
    recipients: z.array(
      z.strictObject({
        id: sentRecipientId(),
        first_name: z.string(),
        last_name: z.string(),
        recipient_type: z.enum(["signer", "CC", "approver"]),
        email: z.string().nullable(),
        phone: z.string().nullable(),
        delivery_methods: delivery(),
        signing_order: z.number().int().nullable(),
        shared_link: z.string(),
        type: z.enum(["recipient", "recipient_group"]),
      }),
    ),
  }),
);

const recipientMembers = () => ({
  id: z.string(),
  recipient_type: z.enum(["signer", "CC", "approver"]),
  role: z.string(),
  roles: z.array(z.string()),
  signing_order: z.number().int().nullable(),
  has_completed: z.boolean(),
});

export const recipient = lazy(() =>
  z.discriminatedUnion("type", [
    z.strictObject({
      ...recipientMembers(),
      type: z.literal("recipient"),
      first_name: z.string(),
      last_name: z.string(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      delivery_methods: delivery(),
      redirect: z.strictObject({ is_enabled: z.boolean(), url: z.string().nullable() }),
      contact_id: z.string(),
      shared_link: z.string(),
      signature_date: micros().nullable(),
      verification_settings: z
        .strictObject({
          verification_place: z.enum(["before_open", "before_sign"]),
          passcode_verification: z.object({ passcode: z.string() }).nullable(),
          phone_verification: z.object({ phone_number: z.string() }).nullable(),
          kba_verification: z.object({}).loose().nullable(),
          id_verification: z.object({ enabled: z.boolean() }).nullable(),
          email_otp_verification: z.object({ email: z.string() }).nullable(),
        })
        .nullable(),
      avatar: z.string().nullable(),
    }),
    z.strictObject({
      ...recipientMembers(),
      type: z.literal("recipient_group"),
      name: z.string(),
      members: z.array(
        z.strictObject({
          id: z.string(),
          email: z.string().nullable(),
          first_name: z.string(),
          last_name: z.string(),
          shared_link: z.string(),
          avatar: z.string().nullable(),
          signature_date: micros().nullable(),
        }),
      ),
    }),
  ]),
);

export const lock = lazy(() =>
  z.strictObject({ locked_by_user_id: z.string().length(22), lock_type: z.literal("wopi_editing"), expires_at: micros() }),
);

const approvalExecution = () =>
  z.strictObject({
    document_uuid: z.string(),
    revision_number: z.number().int(),
    steps: z.array(
      z.strictObject({
        id: z.string(),
        group: z.strictObject({
          id: z.string(),
          type: z.enum(["all", "any", "selectable"]),
          assignees: z.array(
            z.strictObject({
              user: z.string(),
              is_selected: z.boolean(),
              decision: z.enum(["approved", "rejected"]).nullable(),
            }),
          ),
        }),
      }),
    ),
  });

const namedBlocks = () => z.array(z.strictObject({ name: z.string() }));

export const documentDetails = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    autonumbering_sequence_name_prefix: z.string().nullable(),
    folder_uuid: z.string().nullable(),
    date_created: micros(),
    date_modified: micros(),
    date_completed: micros().nullable(),
    content_date_modified: micros(),
    date_sent: micros().nullable(),
    ref_number: z.string(),
    created_by: personView(),
    template: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
    expiration_date: micros().nullable(),
    metadata: z.record(z.string(), z.string()),
    tokens: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    fields: z.array(field()),
    pricing: pricing(),
    tables: namedBlocks(),
    images: namedBlocks(),
    texts: namedBlocks(),
    tags: z.array(z.string()),
    sent_by: userView().nullable(),
    recipients: z.array(recipient()),
    grand_total: z.strictObject({ amount: z.string(), currency: z.string() }),
    linked_objects: z.array(linkView()),
    status: documentStatus(),
    approval_execution: approvalExecution().nullable(),
    version: z.string(),
    lock: lock().nullable(),
    qes_status: z.enum(["pending", "in_progress", "completed"]).nullable(),
  }),
);
