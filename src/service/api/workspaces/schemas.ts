import * as z from "zod";
import { lazy } from "../../../engine/core/operation.ts";
import { LICENSES } from "../../model/workspaces/rows.ts";
import { dateTime } from "../shapes/document.ts";

export const anyObject = lazy(() => z.looseObject({}));

export const workspaceList = lazy(() =>
  z.strictObject({
    total: z.number().int(),
    results: z.array(z.strictObject({ id: z.string(), name: z.string(), date_created: dateTime(), owner: z.string() })),
  }),
);

export const workspaceCreated = lazy(() => z.strictObject({ id: z.string(), name: z.string() }));

export const workspaceUpdated = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    branding: z.strictObject({ logo_url: z.string().nullable(), accent_color: z.string().nullable() }),
  }),
);

export const user = lazy(() =>
  z.strictObject({
    user_id: z.string(),
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    // The official schema says a text; recorded answers have null.
    phone_number: z.string().nullable(),
    license: z.enum(LICENSES),
    is_organization_owner: z.boolean(),
    workspaces: z.array(z.strictObject({ role: z.string(), workspace_id: z.string(), membership_id: z.string() })),
  }),
);

export const userList = lazy(() => z.strictObject({ total: z.number().int(), results: z.array(user()) }));

export const userCreated = lazy(() =>
  z.strictObject({
    user_id: z.string(),
    workspaces: z.array(z.strictObject({ workspace_id: z.string(), role: z.string(), member_id: z.string() })),
  }),
);

export const memberChanged = lazy(() =>
  z.strictObject({ member_id: z.string(), workspace_id: z.string(), role: z.string(), email: z.string() }),
);

export const memberAdded = lazy(() => memberChanged().extend({ first_name: z.string(), last_name: z.string() }));

export const apiKey = lazy(() =>
  z.strictObject({
    user_id: z.string(),
    type: z.enum(["production", "sandbox"]),
    workspace_id: z.string(),
    key: z.string().regex(/^[0-9a-f]{40}$/),
  }),
);
