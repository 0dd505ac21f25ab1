import { group } from "../../../engine/core/operation.ts";
import { createMemberToken } from "../../domain/oauth/credentials.ts";
import { listMembers, requireMembership, toMember } from "../../domain/members/members.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/oauth/inputs.ts";
import * as schemas from "./schemas.ts";

export const membersGroup = group("Members", [
  operation({
    id: "listMembers",
    route: "GET /public/v1/members",
    responses: { 200: schemas.memberList },
    errors: [400, 401, 403, 429],
    handle: (_, world) => ok({ results: listMembers(world).map((person) => toMember(world, person)) }),
  }),
  operation({
    id: "detailsCurrentMember",
    route: "GET /public/v1/members/current",
    responses: { 200: schemas.member },
    errors: [400, 401, 403, 429],
    handle: (_, world) => ok(toMember(world, requireMembership(world, world.caller.membership_id))),
  }),
  operation({
    id: "detailsMember",
    route: "GET /public/v1/members/{id}",
    responses: { 200: schemas.member },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => ok(toMember(world, requireMembership(world, params.id))),
  }),
  operation({
    id: "createMemberToken",
    route: "POST /public/v1/members/{member_id}/token",
    secret: { response: ["token"] },
    body: inputs.memberTokenInput,
    bodyOptional: true,
    responses: { 200: schemas.token },
    errors: [400, 401, 403, 429],
    handle: ({ params, body }, world) => ok({ token: createMemberToken(world, params.member_id, body.lifetime).id }),
  }),
]);
