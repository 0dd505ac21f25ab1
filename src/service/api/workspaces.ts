import { group, lazy } from "../../engine/core/operation.ts";
import { createUser, listUsers, requireUser, toUser } from "../domain/workspaces/users.ts";
import { checkImages } from "../domain/workspaces/icons.ts";
import {
  addMember,
  changeMemberRole,
  createApiKey,
  createWorkspace,
  deactivateWorkspace,
  listWorkspaces,
  removeMember,
  toAddedMember,
  toApiKey,
  toChangedMember,
  toUpdatedWorkspace,
  toWorkspace,
  updateWorkspace,
} from "../domain/workspaces/workspaces.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/workspaces/inputs.ts";
import * as z from "zod";
import { LICENSES } from "../model/workspaces/rows.ts";
import { dateTime } from "./shapes/document.ts";

const anyObject = lazy(() => z.looseObject({}));

const workspaceList = lazy(() =>
  z.strictObject({
    total: z.number().int(),
    results: z.array(z.strictObject({ id: z.string(), name: z.string(), date_created: dateTime(), owner: z.string() })),
  }),
);

const workspaceCreated = lazy(() => z.strictObject({ id: z.string(), name: z.string() }));

const workspaceUpdated = lazy(() =>
  z.strictObject({
    id: z.string(),
    name: z.string(),
    branding: z.strictObject({ logo_url: z.string().nullable(), accent_color: z.string().nullable() }),
  }),
);

const user = lazy(() =>
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

const userList = lazy(() => z.strictObject({ total: z.number().int(), results: z.array(user()) }));

const userCreated = lazy(() =>
  z.strictObject({
    user_id: z.string(),
    workspaces: z.array(z.strictObject({ workspace_id: z.string(), role: z.string(), member_id: z.string() })),
  }),
);

const memberChanged = lazy(() =>
  z.strictObject({ member_id: z.string(), workspace_id: z.string(), role: z.string(), email: z.string() }),
);

const memberAdded = lazy(() => memberChanged().extend({ first_name: z.string(), last_name: z.string() }));

const apiKey = lazy(() =>
  z.strictObject({
    user_id: z.string(),
    type: z.enum(["production", "sandbox"]),
    workspace_id: z.string(),
    key: z.string().regex(/^[0-9a-f]{40}$/),
  }),
);

export const workspacesGroup = group("User and Workspace management", [
  operation({
    id: "getWorkspacesList",
    route: "GET /public/v1/workspaces",
    query: inputs.workspacesQuery,
    responses: { 200: workspaceList },
    errors: [401, 403, 429],
    handle: ({ query }, world) => {
      const { total, rows } = listWorkspaces(world, query);
      return ok({ total, results: rows.map((row) => toWorkspace(world, row)) });
    },
  }),
  operation({
    id: "createWorkspace",
    route: "POST /public/v1/workspaces",
    body: inputs.workspaceInput,
    responses: { 201: workspaceCreated },
    errors: [400, 401, 403, 404, 429],
    invalidType: "validation_error",
    check: ({ body }, world) =>
      checkImages(world, "making a workspace", [{ url: body.icon_url, member: "icon_url", isSquare: true }]),
    handle: ({ body }, world) => {
      const { id, name } = createWorkspace(world, body);
      return created({ id, name });
    },
  }),
  operation({
    id: "updateWorkspace",
    route: "PATCH /public/beta/workspaces/{workspace_id}",
    // Source: unlike other operations below /public/beta, it has the errors of version 1.
    dialect: "v1",
    body: inputs.workspaceUpdate,
    responses: { 200: workspaceUpdated },
    errors: [400, 401, 403, 404, 429],
    invalidType: "validation_error",
    limits: "docdouble keeps the icon and the branding, but its pages and messages do not show them.",
    check: ({ body }, world) =>
      checkImages(world, "updating a workspace", [
        { url: body.icon_url, member: "icon_url", isSquare: true },
        { url: body.branding?.logo_url, member: "branding.logo_url", isSquare: false },
      ]),
    handle: ({ params, body }, world) => ok(toUpdatedWorkspace(updateWorkspace(world, params.workspace_id, body))),
  }),
  operation({
    id: "deactivateWorkspace",
    route: "POST /public/v1/workspaces/{workspace_id}/deactivate",
    body: anyObject,
    bodyOptional: true,
    responses: { 200: anyObject },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => {
      deactivateWorkspace(world, params.workspace_id);
      return ok({});
    },
  }),
  operation({
    id: "listUsers",
    route: "GET /public/v1/users",
    query: inputs.usersQuery,
    responses: { 200: userList },
    errors: [401, 429],
    handle: ({ query }, world) => {
      const { total, rows } = listUsers(world, query);
      return ok({ total, results: rows.map((row) => toUser(world, row)) });
    },
  }),
  operation({
    id: "createUser",
    route: "POST /public/v1/users",
    query: inputs.noticeQuery,
    body: inputs.userInput,
    responses: { 201: userCreated },
    errors: [400, 401, 403, 404, 429],
    handle: ({ query, body }, world) => {
      const { user, members } = createUser(world, body, query);
      const workspaces = members.map((row) => ({ workspace_id: row.workspace_id, role: row.role, member_id: row.id }));
      return created({ user_id: user.id, workspaces });
    },
  }),
  operation({
    id: "detailsUser",
    route: "GET /public/v1/users/{user_id}",
    responses: { 200: user },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(toUser(world, requireUser(world, params.user_id))),
  }),
  operation({
    id: "addMember",
    route: "POST /public/v1/workspaces/{workspace_id}/members",
    query: inputs.noticeQuery,
    body: inputs.memberInput,
    responses: { 201: memberAdded },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, query, body }, world) => created(toAddedMember(world, addMember(world, params.workspace_id, body, query))),
  }),
  operation({
    id: "removeMember",
    route: "DELETE /public/v1/workspaces/{workspace_id}/members/{member_id}",
    responses: { 204: null },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params }, world) => removeMember(world, params.workspace_id, params.member_id),
  }),
  operation({
    id: "changeMemberRole",
    route: "PATCH /public/v1/workspaces/{workspace_id}/members/{member_id}/role",
    body: inputs.roleInput,
    responses: { 200: memberChanged },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) =>
      ok(toChangedMember(world, changeMemberRole(world, params.workspace_id, params.member_id, body.role))),
  }),
  operation({
    id: "createApiKey",
    route: "POST /public/v1/workspaces/{workspace_id}/api-keys",
    secret: { response: ["key"] },
    body: inputs.apiKeyInput,
    responses: { 200: apiKey },
    errors: [400, 401, 403, 429],
    handle: ({ params, body }, world) => ok(toApiKey(world, createApiKey(world, params.workspace_id, body))),
  }),
]);
