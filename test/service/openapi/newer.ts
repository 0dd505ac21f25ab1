/** Operations that version 8.20.0 of the description adds, as facts. Only parts of that version are publicly readable. */
import type { OfficialOperation } from "./official.ts";

export const NEWER: readonly OfficialOperation[] = [
  {
    id: "updateWorkspace",
    route: "PATCH /public/beta/workspaces/{workspace_id}",
    tag: "User and Workspace management",
    ok: [200],
    errors: [400, 401, 403, 404, 429],
    query: [],
    path: ["workspace_id"],
  },
  {
    id: "getWorkspacePrivacySettings",
    route: "GET /public/beta/privacy-settings/workspaces/{workspace_id}",
    tag: "Privacy settings",
    ok: [200],
    errors: [400, 401, 403, 404, 429],
    query: [],
    path: ["workspace_id"],
  },
  {
    id: "updateWorkspacePrivacySettings",
    route: "PATCH /public/beta/privacy-settings/workspaces/{workspace_id}",
    tag: "Privacy settings",
    ok: [200],
    errors: [400, 401, 403, 404, 429],
    query: [],
    path: ["workspace_id"],
  },
  {
    id: "getTemplateShares",
    route: "GET /public/v1/templates/{template_id}/shares",
    tag: "Template Settings",
    ok: [200],
    errors: [401, 403, 404, 429],
    query: [],
    path: ["template_id"],
  },
  {
    id: "updateTemplateSharingSettings",
    route: "PUT /public/v1/templates/{template_id}/shares",
    tag: "Template Settings",
    ok: [200],
    errors: [400, 401, 403, 404, 429],
    query: [],
    path: ["template_id"],
  },
  {
    id: "quotesBatchUpdate",
    route: "PATCH /public/v1/documents/{document_id}/quotes",
    tag: "Quotes",
    ok: [200],
    errors: [400, 401, 403, 404, 413, 429],
    query: [],
    path: ["document_id"],
  },
];
