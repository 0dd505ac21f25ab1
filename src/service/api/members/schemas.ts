import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { dateTime } from "../shapes/document.ts";

export const member = lazy(() =>
  z.strictObject({
    user_id: z.string(),
    membership_id: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    is_active: z.boolean(),
    workspace: z.string(),
    workspace_name: z.string(),
    email_verified: z.boolean(),
    emails_verified: z.boolean(),
    role: z.string(),
    user_license: z.string(),
    date_created: dateTime(),
    date_modified: dateTime(),
  }),
);

export const memberList = lazy(() => z.strictObject({ results: z.array(member()) }));

export const token = lazy(() => z.strictObject({ token: z.string().regex(/^[0-9a-f]{40}$/) }));
