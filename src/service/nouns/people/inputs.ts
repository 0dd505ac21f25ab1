import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { email, optionalEmail } from "../../kit/inputs.ts";
import type { SandboxRecipient } from "../../shown-rows.ts";

export interface DeliveryMethods {
  email: boolean;
  sms: boolean;
}

export interface Redirect {
  is_enabled: boolean;
  url: string | null;
}

export interface VerificationSettings {
  verification_place: "before_open" | "before_sign";
  passcode_verification: { passcode: string } | null;
  phone_verification: { phone_number: string } | null;
  kba_verification: { time_limit_sec?: number; score_threshold?: number; max_attempts_count?: number } | null;
  id_verification: { enabled: boolean } | null;
  email_otp_verification: { email: string } | null;
}

export interface GroupMember {
  id: string;
  email: string | null;
  phone: string | null;
  first_name: string;
  last_name: string;
  link_token: string;
  signature_date: number | null;
  viewed_at: number | null;
}

export interface RecipientRow extends SandboxRecipient {
  /** The name of a group; null for a person. */
  name: string | null;
  members: GroupMember[];
  delivery_methods: DeliveryMethods;
  redirect: Redirect;
  verification_settings: VerificationSettings | null;
  contact_id: string;
  avatar: string | null;
  internal: {
    link_token: string;
    viewed_at: number | null;
    verified: boolean;
    notified_at: number | null;
  };
}

export const deliveryMethods = lazy(() => z.object({ email: z.boolean().optional(), sms: z.boolean().optional() }).nullish());

/** assumed: json.null_members. */
const redirect = lazy(() => z.object({ is_enabled: z.boolean().default(false), url: z.string().nullish() }).nullish());

/** Source: the official schema RecipientVerificationSettings, and `verification_place` of the description. */
const verification = lazy(() =>
  z
    .object({
      verification_place: z.enum(["before_open", "before_sign"]),
      passcode_verification: z.object({ passcode: z.string().regex(/^(?=\S*[a-zA-Z])(?=\S*[0-9])\S{6,100}$/) }).nullish(),
      phone_verification: z.object({ phone_number: z.string().regex(/^\+[1-9]\d{0,4}\d{2,14}$/) }).nullish(),
      kba_verification: z
        .object({
          time_limit_sec: z.number().int().optional(),
          score_threshold: z.number().int().optional(),
          max_attempts_count: z.number().int().optional(),
        })
        .nullish(),
      id_verification: z.object({ enabled: z.boolean().default(true) }).nullish(),
      email_otp_verification: z.object({ email: z.email() }).nullish(),
    })
    .nullish(),
);

// Members share these schemas, because a new schema takes longer to build than to check the member.
const text = lazy(() => z.string().nullish());

/** assumed: recipients.contact_id. */
const contactId = () => ({ id: text() });

const identity = lazy(() => ({
  email: optionalEmail(),
  phone: text(),
  first_name: text(),
  last_name: text(),
  company: text(),
}));

export const actor = lazy(() =>
  z
    .object({
      ...contactId(),
      ...identity(),
      type: z.enum(["recipient", "recipient_group"]).default("recipient"),
      role: text(),
      signing_order: z.number().int().min(1).nullish(),
      delivery_methods: deliveryMethods(),
      redirect: redirect(),
      verification_settings: verification(),
      name: z.string().max(120).optional(),
      members: z
        .array(z.object({ ...contactId(), ...identity() }))
        .min(1)
        .optional(),
    })
    .superRefine((value, context) => {
      if (value.type !== "recipient_group") return;
      if (value.name === undefined) context.addIssue({ code: "custom", path: ["name"], message: "This field is required." });
      if (value.members === undefined)
        context.addIssue({ code: "custom", path: ["members"], message: "This field is required." });
    }),
);

export type RecipientInput = Partial<z.infer<ReturnType<typeof actor>>>;
export type PersonInput = Pick<RecipientInput, "id" | "email" | "phone" | "first_name" | "last_name" | "company">;

/** A recipient in update requests: with an id it changes that recipient, without it adds a CC. */
export const actorUpdate = lazy(() =>
  z.object({
    id: z.string().optional(),
    ...identity(),
    type: z.enum(["recipient", "recipient_group"]).optional(),
    signing_order: z.number().int().min(1).nullish(),
    delivery_methods: deliveryMethods(),
    redirect: redirect(),
    name: z.string().max(120).optional(),
    members: z.array(z.object(identity())).min(1).optional(),
  }),
);

export const contactRequest = lazy(() =>
  z.object({ id: z.string().min(1), kind: z.enum(["contact", "contact_group"]).default("contact") }),
);

export type PartyInput = z.infer<ReturnType<typeof contactRequest>>;

export const recipientEditRequest = lazy(() =>
  z.object({
    email: optionalEmail(),
    phone: text(),
    first_name: text(),
    last_name: text(),
    company: text(),
    title: text(),
    state: text(),
    street_address: text(),
    city: text(),
    postal_code: text(),
    country: text(),
    delivery_methods: deliveryMethods(),
    redirect: redirect(),
    verification_settings: verification(),
    name: z.string().min(1).max(120).optional(),
    members: z
      .array(z.object({ email: email(), first_name: text(), last_name: text() }))
      .min(1)
      .optional(),
  }),
);

export type RecipientEdit = z.infer<ReturnType<typeof recipientEditRequest>>;
