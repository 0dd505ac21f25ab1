import * as z from "zod";
import { group, lazy } from "../../../engine/core/operation.ts";
import { ok, operation } from "../../kit/operation.ts";
import * as inputs from "../oauth/authorize.ts";
import { createMemberToken } from "../oauth/credentials.ts";
import { listMembers, requireMembership, memberView } from "./members.ts";

const token = lazy(() => z.strictObject({ token: z.string().regex(/^[0-9a-f]{40}$/) }));

export const membersGroup = group("Members", [
  operation({
    id: "listMembers",
    route: "GET /public/v1/members",
    responses: { 200: memberView.results },
    errors: [400, 401, 403, 429],
    handle: (_, world) => ok({ results: listMembers(world).map((person) => memberView.of(person, world)) }),
  }),
  operation({
    id: "detailsCurrentMember",
    route: "GET /public/v1/members/current",
    responses: { 200: memberView },
    errors: [400, 401, 403, 429],
    handle: (_, world) => ok(memberView.of(requireMembership(world, world.caller.membership_id), world)),
  }),
  operation({
    id: "detailsMember",
    route: "GET /public/v1/members/{id}",
    responses: { 200: memberView },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => ok(memberView.of(requireMembership(world, params.id), world)),
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
