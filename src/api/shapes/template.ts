import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { dateTime } from "./document.ts";
import { fieldMembers } from "./field.ts";

const preassigned = () =>
  z.strictObject({
    email: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    type: z.string(),
    placeholder_name: z.string().nullable().optional(),
    placeholder_source: z.string().nullable().optional(),
  });

export const templateField = lazy(() =>
  z.strictObject({
    ...fieldMembers(),
    assigned_to: z.strictObject({
      id: z.string(),
      name: z.string(),
      preassigned_person: preassigned().nullable(),
      type: z.literal("role"),
    }),
  }),
);

export const templateRole = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    signing_order: z.string().nullable(),
    preassigned_person: preassigned().nullable(),
  }),
);

/** What every list of templates and library items shows. */
export const listedItem = () => ({
  id: z.string(),
  name: z.string(),
  date_created: dateTime(),
  date_modified: dateTime(),
  version: z.string(),
});
