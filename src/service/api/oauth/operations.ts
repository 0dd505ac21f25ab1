import { group } from "../../../engine/core/operation.ts";
import { issueToken, toToken } from "../../domain/oauth/credentials.ts";
import { ok, operation } from "../operation.ts";
import * as inputs from "../../model/oauth/inputs.ts";
import * as schemas from "./schemas.ts";

export const oauthGroup = group("OAuth 2.0 Authentication", [
  operation({
    id: "accessToken",
    route: "POST /oauth2/access_token",
    dialect: "oauth",
    secret: { request: ["client_secret", "code", "refresh_token"], response: ["access_token", "refresh_token"] },
    body: inputs.tokenRequest,
    bodyKind: "urlencoded",
    responses: { 200: schemas.token },
    errors: [400],
    security: "none",
    handle: ({ body }, world) => ok(toToken(issueToken(world, body))),
  }),
]);
