/** Everything that a server of docdouble answers beside the operations of the service: the admin API, pages for people and for signers. */
import type { Context } from "hono";
import { hostOf } from "../engine/http/hono-context.ts";
import type { AdminOperation, Verb } from "../engine/core/verb.ts";
import type { PageRoute, Surfaces } from "../engine/runtime/tenants/tenant-registry.ts";
import type { Control } from "../engine/runtime/tenants/tenant-registry.ts";
import { engineVerbs } from "../engine/verbs/operations.ts";
import { sendDocumentation } from "../inspector/documentation.ts";
import { inspectorGroup } from "../inspector/page-operation.ts";
import { sendDescription, sendLanding, sendReference, sendRefusal, sendUnbuiltDocs } from "../inspector/pages-route.ts";
import { savedVerbs } from "../inspector/saved/saved.ts";
import { faultVerbs } from "./kit/fault-verbs.ts";
import { emailVerbs } from "../inspector/emails.ts";
import { sendReaderFile } from "../inspector/reference/reference.ts";
import { type Host, pages as servicePages, service, verbs as own } from "../service/service.ts";

const engine = engineVerbs(service);

/** Groups whose operations are verbs, in the order of the documentation. The library, `mcp` and the commands use them too. */
export const verbGroups = [
  engine.life,
  own.documents,
  own.edit,
  own.steps,
  engine.clock,
  engine.requests,
  engine.rules,
  faultVerbs,
  engine.scenarios,
  engine.verification,
  engine.snapshots,
  engine.world,
  engine.har,
  savedVerbs,
  engine.simulate,
  own.notary,
  engine.assumptions,
  own.conversions,
  own.forms,
  engine.webhooks,
  emailVerbs,
  engine.events,
  own.trigger,
  engine.tenants,
  own.oauthCodes,
] as const;

/** Every verb by its name. */
export const verbs = verbGroups.flatMap(({ verbs }) => verbs as readonly Verb<Control>[]);

const [life, ...others] = verbGroups;

export const adminGroups = [life, inspectorGroup, ...others] as const;

export const adminOperations = adminGroups.flatMap(
  (one) => one.operations as readonly unknown[],
) as readonly AdminOperation<Control>[];

const page = (route: string, run: (context: Context) => Promise<Response>): PageRoute => {
  const [method = "", path = ""] = route.split(" ");
  return { method, path, run };
};

const documentation = async (context: Context) =>
  (await sendDocumentation(context.req.url)) ?? sendUnbuiltDocs(hostOf(context), context.req.path);

export const surfaces = {
  verbs: adminOperations,
  pages: [
    ...servicePages(),
    page("GET /openapi.json", async (context) => sendDescription(hostOf(context))),
    page("GET /reference", async (context) => sendReference(hostOf(context) as unknown as Host)),
    page("GET /reference/:file", async (context) => sendReaderFile(context.req.param("file") ?? "")),
    page("GET /docs", documentation),
    page("GET /docs/*", documentation),
  ],
  landing: sendLanding,
  refusal: sendRefusal,
} as unknown as Surfaces;
