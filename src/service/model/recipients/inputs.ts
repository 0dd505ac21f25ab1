import { lazy } from "../../../engine/core/operation.ts";
import * as z from "zod";
import { email, optionalEmail } from "../inputs.ts";

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

export type ContactInput = z.infer<ReturnType<typeof contactRequest>>;

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
