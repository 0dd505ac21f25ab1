import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";

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
