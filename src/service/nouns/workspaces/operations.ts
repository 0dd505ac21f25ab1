import * as z from "zod";
import type { ApiError } from "../../../engine/core/errors.ts";
import { invalid } from "../../../engine/core/errors.ts";
import { group, lazy } from "../../../engine/core/operation.ts";
import { download } from "../../../engine/jobs/download.ts";
import { imageFacts } from "../../files/images.ts";
import { blankPng } from "../../files/stand-in.ts";
import { created, ok, operation } from "../../kit/operation.ts";
import { list, maybe, text, view } from "../../kit/view.ts";
import type { World } from "../../kit/world.ts";
import { sourceFailure } from "../content/file-content.ts";
import { requireOrgAdmin } from "../members/members.ts";
import * as inputs from "./inputs.ts";
import type { MemberRow, WorkspaceRow } from "./row.ts";
import { createUser, listUsers, requireUser, userView } from "./users.ts";
import {
  addMember,
  addedMemberView,
  apiKeyView,
  changeMemberRole,
  changedMemberView,
  createApiKey,
  createWorkspace,
  deactivateWorkspace,
  listWorkspaces,
  removeMember,
  updateWorkspace,
  workspaceView,
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

const ofAll = <T extends z.ZodType>(one: () => T) =>
  lazy(() => z.strictObject({ total: z.number().int(), results: z.array(one()) }));
const workspaceList = ofAll(workspaceView);
const userList = ofAll(userView);

const workspaceCreated = view<WorkspaceRow>()({ id: text, name: text });

const branding = view<WorkspaceRow["settings"]["branding"]>()({ logo_url: maybe(text), accent_color: maybe(text) });

const workspaceUpdated = view<WorkspaceRow>()({
  ...workspaceCreated.shape,
  branding: [branding, (row) => row.settings.branding],
});

const seat = view<MemberRow>()({ workspace_id: text, role: text, member_id: [text, (row) => row.id] });

const userCreated = view<ReturnType<typeof createUser>>()({
  user_id: [text, ({ user }) => user.id],
  workspaces: [list(seat), ({ members }) => members],
});

export const workspacesGroup = group("User and Workspace management", [
  operation({
    id: "getWorkspacesList",
    route: "GET /public/v1/workspaces",
    query: inputs.workspacesQuery,
    responses: { 200: workspaceList },
    errors: [401, 403, 429],
    handle: ({ query }, world) => {
      const { total, rows } = listWorkspaces(world, query);
      return ok({ total, results: rows.map((row) => workspaceView.of(row, world)) });
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
    handle: ({ body }, world) => created(workspaceCreated.of(createWorkspace(world, body))),
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
    handle: ({ params, body }, world) => ok(workspaceUpdated.of(updateWorkspace(world, params.workspace_id, body))),
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
      return ok({ total, results: rows.map((row) => userView.of(row, world)) });
    },
  }),
  operation({
    id: "createUser",
    route: "POST /public/v1/users",
    query: inputs.noticeQuery,
    body: inputs.userInput,
    responses: { 201: userCreated },
    errors: [400, 401, 403, 404, 429],
    handle: ({ query, body }, world) => created(userCreated.of(createUser(world, body, query))),
  }),
  operation({
    id: "detailsUser",
    route: "GET /public/v1/users/{user_id}",
    responses: { 200: userView },
    errors: [401, 403, 404, 429],
    handle: ({ params }, world) => ok(userView.of(requireUser(world, params.user_id), world)),
  }),
  operation({
    id: "addMember",
    route: "POST /public/v1/workspaces/{workspace_id}/members",
    query: inputs.noticeQuery,
    body: inputs.memberInput,
    responses: { 201: addedMemberView },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, query, body }, world) =>
      created(addedMemberView.of(addMember(world, params.workspace_id, body, query), world)),
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
    responses: { 200: changedMemberView },
    errors: [400, 401, 403, 404, 429],
    handle: ({ params, body }, world) =>
      ok(changedMemberView.of(changeMemberRole(world, params.workspace_id, params.member_id, body.role), world)),
  }),
  operation({
    id: "createApiKey",
    route: "POST /public/v1/workspaces/{workspace_id}/api-keys",
    secret: { response: ["key"] },
    body: inputs.apiKeyInput,
    responses: { 200: apiKeyView },
    errors: [400, 401, 403, 429],
    handle: ({ params, body }, world) => ok(apiKeyView.of(createApiKey(world, params.workspace_id, body), world)),
  }),
]);
