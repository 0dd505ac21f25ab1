import * as z from "zod";
import { group, lazy } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import { dateTime } from "../documents/answers.ts";
import * as inputs from "../oauth/authorize.ts";
import { createMemberToken } from "../oauth/credentials.ts";
import { listMembers, requireMembership, toMember } from "./members.ts";

const member = lazy(() =>
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

const memberList = lazy(() => z.strictObject({ results: z.array(member()) }));

const token = lazy(() => z.strictObject({ token: z.string().regex(/^[0-9a-f]{40}$/) }));

export const membersGroup = group("Members", [
  operation({
    id: "listMembers",
    route: "GET /public/v1/members",
    responses: { 200: memberList },
    errors: [400, 401, 403, 429],
    handle: (_, world) => ok({ results: listMembers(world).map((person) => toMember(world, person)) }),
  }),
  operation({
    id: "detailsCurrentMember",
    route: "GET /public/v1/members/current",
    responses: { 200: member },
    errors: [400, 401, 403, 429],
    handle: (_, world) => ok(toMember(world, requireMembership(world, world.caller.membership_id))),
  }),
  operation({
    id: "detailsMember",
    route: "GET /public/v1/members/{id}",
    responses: { 200: member },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => ok(toMember(world, requireMembership(world, params.id))),
  }),
  operation({
    id: "createMemberToken",
    route: "POST /public/v1/members/{member_id}/token",
    secret: { response: ["token"] },
    body: inputs.memberTokenInput,
    bodyOptional: true,
    responses: { 200: token },
    errors: [400, 401, 403, 429],
    handle: ({ params, body }, world) => ok({ token: createMemberToken(world, params.member_id, body.lifetime).id }),
  }),
]);
