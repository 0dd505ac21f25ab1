import { group, lazy } from "../../engine/core/operation.ts";
import { issueToken, toToken } from "../domain/oauth/credentials.ts";
import { ok, operation } from "./operation.ts";
import * as inputs from "../model/oauth/inputs.ts";
import * as z from "zod";

const token = lazy(() =>
  z.strictObject({
    access_token: z.string().length(40),
    token_type: z.literal("Bearer"),
    expires_in: z.number().int(),
    scope: z.string(),
    refresh_token: z.string().length(40),
  }),
);

export const oauthGroup = group("OAuth 2.0 Authentication", [
  operation({
    id: "accessToken",
    route: "POST /oauth2/access_token",
    dialect: "oauth",
    secret: { request: ["client_secret", "code", "refresh_token"], response: ["access_token", "refresh_token"] },
    body: inputs.tokenRequest,
    bodyKind: "urlencoded",
    responses: { 200: token },
    errors: [400],
    security: "none",
    handle: ({ body }, world) => ok(toToken(issueToken(world, body))),
  }),
]);
