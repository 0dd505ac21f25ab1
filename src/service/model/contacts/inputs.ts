import * as z from "zod";
import { optionalEmail } from "../inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";

const optionalText = () => z.string().nullish();

/** The official example sends an empty address, so it means no filter. */
export const contactsQuery = lazy(() => z.object({ email: z.string().optional() }));

/** The official example of the update has `country`; the schema omits it. */
export const contactPatch = lazy(() =>
  z.object({
    first_name: optionalText(),
    last_name: optionalText(),
    company: optionalText(),
    job_title: optionalText(),
    phone: optionalText(),
    country: optionalText(),
    state: optionalText(),
    street_address: optionalText(),
    city: optionalText(),
    postal_code: optionalText(),
  }),
);
export type ContactPatch = z.infer<ReturnType<typeof contactPatch>>;

export const contactInput = lazy(() => contactPatch().extend({ email: optionalEmail() }));
export type ContactInput = z.infer<ReturnType<typeof contactInput>>;
