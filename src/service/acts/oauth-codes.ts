import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { createCode } from "../domain/oauth/credentials.ts";
import { anything, operation } from "./operation.ts";

const createOAuthCodeBody = lazy(() => z.strictObject({ client_id: z.string(), scope: z.string().optional() }));

export const oauthCodesGroup = group("Admin: tenants", [
  operation({
    id: "adminCreateOAuthCode",
    route: "POST /__admin/oauth/codes",
    body: createOAuthCodeBody,
    responses: { 201: anything },
    errors: [400, 404],
    handle: ({ body }, { tenant }) => {
      const client = tenant.store.oauth_clients.get(body.client_id);
      if (!client) throw notFound(`no OAuth client ${body.client_id}`);
      return {
        status: 201,
        body: { code: tenant.store.transaction(() => createCode(tenant.world, client, body.scope ?? "read+write")) },
      };
    },
  }),
]);
