import * as z from "zod";
import { lazy } from "../../core/operation.ts";
import { LICENSES } from "../../domain/workspaces/users.ts";
import { dateTime } from "../shapes/document.ts";
import { queryBool, queryInt } from "../../core/inputs.ts";

export const listWorkspacesQuery = lazy(() =>
  z.object({ count: queryInt({ min: 1, max: 100 }).default(50), page: queryInt({ min: 1 }).default(1) }),
);

export const listUsersQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 0, max: 50 }).default(50),
    page: queryInt({ min: 0 }).default(1),
    show_removed: queryBool().default(true),
  }),
);

export const noticeQuery = lazy(() =>
  z.object({ notify_user: queryBool().optional(), notify_ws_admins: queryBool().optional() }),
);

export const workspaceInput = lazy(() =>
  z.object({
    name: z.string().min(1),
    icon_url: z.url({ protocol: /^https?$/ }).optional(),
    settings: z.object({ allow_join_by_domain: z.boolean().optional(), allow_request_access: z.boolean().optional() }).optional(),
  }),
);

export const anyObject = lazy(() => z.looseObject({}));

/** The domain rules check the members, with the service's texts. */
export const userInput = lazy(() =>
  z.object({
    user: z.object({
      email: z.string().optional(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
      phone_number: z.string().nullish(),
    }),
    workspaces: z.array(z.object({ workspace_id: z.string().optional(), role: z.string().optional() })).min(1),
    license: z.string().optional(),
  }),
);

export const memberInput = lazy(() => z.object({ user_id: z.string().optional(), role: z.string().optional() }));

/** assumed: also the name of a custom role, as the text says; the schema omits it. */
export const roleInput = lazy(() => z.object({ role: z.string() }));

/** assumed: the type is marked required and has a default; the default applies. */
export const apiKeyInput = lazy(() =>
  z.object({ user_id: z.string().optional(), type: z.enum(["production", "sandbox"]).default("sandbox") }),
);

export const workspaceList = lazy(() =>
  z.strictObject({
    total: z.number().int(),
    results: z.array(z.strictObject({ id: z.string(), name: z.string(), date_created: dateTime(), owner: z.string() })),
  }),
);

export const workspaceCreated = lazy(() => z.strictObject({ id: z.string(), name: z.string() }));

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
