import * as z from "zod";
import type { ApiError } from "../../../engine/core/errors.ts";
import { invalid } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { download } from "../../../engine/jobs/download.ts";
import { imageFacts } from "../../files/images.ts";
import { blankPng } from "../../files/stand-in.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import type { World } from "../../kit/world.ts";
import { sourceFailure } from "../content/file-content.ts";
import { dateTime } from "../documents/answers.ts";
import { requireOrgAdmin } from "../members/members.ts";
import * as inputs from "./inputs.ts";
import { LICENSES } from "./row.ts";
import { createUser, listUsers, requireUser, toUser } from "./users.ts";
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
} from "./workspaces.ts";

const MIB = 1024 * 1024;
/** Source: the official description. assumed: workspaces.icon_timeout. */
const LIMITS = { bytes: 5 * MIB, timeout_ms: 5000, standIn: blankPng };

/** An image that a workspace shows. Only icons must be square. */
interface WantedImage {
  url: string | null | undefined;
  /** The member of the request, as errors name it. */
  member: string;
  isSquare: boolean;
}

/**
 * Source: the official description states the requirements of the images. assumed: workspaces.bad_icon.
 * @throws 403, 400
 */
export function checkImages(world: World, what: string, images: readonly WantedImage[]): undefined | Promise<void> {
  const wanted = images.flatMap((one) => (one.url ? [{ ...one, url: one.url }] : []));
  if (wanted.length === 0) return undefined;
  requireOrgAdmin(world, what);
  return Promise.all(wanted.map((one) => checkImage(world, one))).then((found) => {
    const [fault] = found.flatMap((one) => one ?? []);
    if (fault) throw fault;
  });
}

/** Returns the fault instead of throwing it, so that no other check stays without a handler. */
function checkImage(world: World, { url, member, isSquare }: WantedImage & { url: string }): Promise<ApiError | undefined> {
  return download(url, world.settings.addressPolicy, LIMITS).then(
    (bytes) => {
      const facts = imageFacts(bytes);
      if (!facts)
        return invalid(
          { [member]: ["Supported formats: JPEG, PNG, GIF, WEBP."] },
          `the file at ${url} is not a JPEG, PNG, GIF or WEBP image`,
        );
      if (!isSquare || facts.width === facts.height) return undefined;
      return invalid(
        { [member]: ["Icon should have square proportions."] },
        `the icon is ${facts.width} by ${facts.height} pixels; make both equal`,
      );
    },
    (error: unknown) => {
      const { message } = sourceFailure(url, error, LIMITS.bytes / MIB);
      return invalid({ [member]: [message] }, `the image at ${url} could not be fetched: ${String(error)}`);
    },
  );
}

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
