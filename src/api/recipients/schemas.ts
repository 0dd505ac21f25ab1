import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { email, optionalEmail } from "../../core/inputs.ts";
import { deliveryMethods, redirect, verification } from "../../domain/recipients/inputs.ts";

export const contactRequest = lazy(() =>
  z.object({ id: z.string().min(1), kind: z.enum(["contact", "contact_group"]).default("contact") }),
);

const text = () => z.string().nullish();

/** Members for a person and for a group. The type of the recipient decides which apply. */
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

export const recipientChanged = lazy(() => z.strictObject({ recipient_id: z.string() }));
