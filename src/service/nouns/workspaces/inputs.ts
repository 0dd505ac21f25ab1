import * as z from "zod";
import { listOf, queryBool, queryInt } from "../../../engine/core/inputs.ts";
import { lazy } from "../../../engine/core/operation.ts";

export const workspacesQuery = lazy(() =>
  z.object({
    q: z.string().optional(),
    count: queryInt({ min: 1, max: 100 }).default(50),
    page: queryInt({ min: 1 }).default(1),
  }),
);
export type WorkspacesQuery = z.infer<ReturnType<typeof workspacesQuery>>;

export const usersQuery = lazy(() =>
  z.object({
    count: queryInt({ min: 0, max: 50 }).default(50),
    page: queryInt({ min: 0 }).default(1),
    show_removed: queryBool().default(true),
  }),
);
export type UsersQuery = z.infer<ReturnType<typeof usersQuery>>;

export const noticeQuery = lazy(() =>
  z.object({ notify_user: queryBool().optional(), notify_ws_admins: queryBool().optional() }),
);
export type NoticeQuery = z.infer<ReturnType<typeof noticeQuery>>;

/** assumed: create.plain_http_url. */
const imageUrl = () => z.url({ protocol: /^https?$/ });

export const workspaceInput = lazy(() =>
  z.object({
    name: z.string().min(1),
    icon_url: imageUrl().optional(),
    settings: z.object({ allow_join_by_domain: z.boolean().optional(), allow_request_access: z.boolean().optional() }).optional(),
  }),
);
export type WorkspaceInput = z.infer<ReturnType<typeof workspaceInput>>;

/** An absent member keeps its value, and null clears it. */
export const workspaceUpdate = lazy(() =>
  z.object({
    name: z.string().min(1).max(255).optional(),
    icon_url: imageUrl().nullish(),
    branding: z
      .object({
        logo_url: imageUrl().nullish(),
        accent_color: z
          .string()
          .regex(/^#[A-Fa-f0-9]{6}$/)
          .nullish(),
      })
      .optional(),
  }),
);
export type WorkspaceUpdate = z.infer<ReturnType<typeof workspaceUpdate>>;

/** The service ignores all other members, also those that only its answer has. */
export const privacyUpdate = lazy(() =>
  z.object({
    ai_features_enabled: z.boolean().optional(),
    ai_on_premises_processing_enabled: z.boolean().optional(),
    ai_cloud_third_party_enabled: z.boolean().optional(),
    ai_third_party_training_enabled: z.boolean().optional(),
  }),
);
export type PrivacyUpdate = z.infer<ReturnType<typeof privacyUpdate>>;

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
export type UserInput = z.infer<ReturnType<typeof userInput>>;

export const memberInput = lazy(() => z.object({ user_id: z.string().optional(), role: z.string().optional() }));
export type MemberInput = z.infer<ReturnType<typeof memberInput>>;

/** assumed: members.role_name. */
export const roleInput = lazy(() => z.object({ role: z.string() }));

/** assumed: workspaces.api_key_type. */
export const apiKeyInput = lazy(() =>
  z.object({ user_id: z.string().optional(), type: z.enum(["production", "sandbox"]).default("sandbox") }),
);
export type ApiKeyInput = z.infer<ReturnType<typeof apiKeyInput>>;

export const logsQuery = lazy(() =>
  z.object({
    since: z.string().optional(),
    to: z.string().optional(),
    count: queryInt({ min: 1, max: 1000 }).default(100),
    page: queryInt({ min: 1 }).default(1),
    statuses: listOf(z.enum(["100", "200", "300", "400", "500"]).transform(Number)),
    methods: listOf(z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"])),
    search: z.string().optional(),
    environment_type: z.enum(["PRODUCTION", "SANDBOX"]).optional(),
  }),
);
export type LogsQuery = z.infer<ReturnType<typeof logsQuery>>;
