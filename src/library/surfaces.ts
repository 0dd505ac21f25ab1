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
import { withLibrary } from "./library-methods.ts";
import { emailVerbs } from "../inspector/emails.ts";
import { sendReaderFile } from "../inspector/reference/reference.ts";
import { type Host, pages as servicePages, service, verbs as own } from "../service/service.ts";

const engine = withLibrary(engineVerbs(service));

/** Groups whose operations are verbs. The library, `mcp` and the commands derive from them too. */
export const verbGroups = [
  engine.life,
  engine.clock,
  engine.requests,
  engine.rules,
  engine.verification,
  engine.webhooks,
  engine.scenarios,
  engine.snapshots,
  engine.simulate,
  engine.assumptions,
  engine.tenants,
  engine.world,
  engine.har,
  engine.events,
  own.documents,
  own.edit,
  own.steps,
  own.trigger,
  own.seeds,
  faultVerbs,
  own.notary,
  own.conversions,
  own.forms,
  own.oauthCodes,
  savedVerbs,
  emailVerbs,
] as const;

/** Every verb by its name. */
export const verbs = verbGroups.flatMap(({ verbs }) => verbs as readonly Verb<Control>[]);

/** In the order of the documentation. */
export const adminGroups = [
  engine.life,
  inspectorGroup,
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
