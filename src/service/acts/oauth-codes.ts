import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { createCode } from "../nouns/oauth/credentials.ts";
import { verb } from "./operation.ts";

const ELSEWHERE = {
  tool: "agents call with an API key",
};

export const oauthCodeVerbs = verbGroup("Admin: OAuth codes", ELSEWHERE, [
  verb({
    name: "oauth.createCode",
    does: "Creates an authorization code without the consent page.",
    input: () => z.strictObject({ client_id: z.string(), scope: z.string().optional().describe("Default: read+write") }),
    run({ tenant }, { client_id, scope = "read+write" }) {
      const client = tenant.store.oauth_clients.get(client_id);
      if (!client) throw notFound(`no OAuth client ${client_id}`);
      return { code: tenant.store.transaction(() => createCode(tenant.world, client, scope)) };
    },
    admin: {
      id: "adminCreateOAuthCode",
      route: "POST /__admin/oauth/codes",
      status: 201,
      answer: () => z.strictObject({ code: z.string() }),
      errors: [404],
      example: { body: { client_id: "docdouble-client" } },
    },
  }),
]);
