import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { optionalEmail } from "../../core/inputs.ts";

const optionalText = () => z.string().nullish();

/** The official example sends an empty address, so it means no filter. */
export const listQuery = lazy(() => z.object({ email: z.string().optional() }));

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

export const contactInput = lazy(() => contactPatch().extend({ email: optionalEmail() }));

const shown = () => z.string().nullable();

export const contact = lazy(() =>
  z.strictObject({
    id: z.string(),
    email: shown(),
    first_name: shown(),
    last_name: shown(),
    company: shown(),
    job_title: shown(),
    phone: shown(),
    country: shown(),
    state: shown(),
    street_address: shown(),
    city: shown(),
    postal_code: shown(),
  }),
);

export const contactList = lazy(() => z.strictObject({ results: z.array(contact()) }));
