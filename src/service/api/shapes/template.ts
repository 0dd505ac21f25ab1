import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime } from "./document.ts";
import { fieldMembers } from "./field.ts";
import { pricing } from "./pricing.ts";

const preassigned = () =>
  z.strictObject({
    email: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    type: z.string(),
    placeholder_name: z.string().nullable().optional(),
    placeholder_source: z.string().nullable().optional(),
  });

const templateField = lazy(() =>
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

const templateRole = lazy(() =>
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

/** What the details of templates and library items show beside `listedItem`. */
export const itemContent = () => ({
  content_date_modified: dateTime(),
  metadata: z.record(z.string(), z.string()),
  tokens: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  fields: z.array(templateField()),
  pricing: pricing(),
  tags: z.array(z.string()),
  roles: z.array(templateRole()),
  content_placeholders: z.array(z.strictObject({ uuid: z.string(), block_id: z.string(), description: z.string() })),
  tables: z.array(z.strictObject({ name: z.string() })),
  images: z.array(z.strictObject({ name: z.string(), block_uuid: z.string(), urls: z.array(z.string()) })),
});
