/**
 * The seam: everything that the engine, and what stands above the service, may know of the double of PandaDoc. The engine asks `service`.
 * The other objects are for what is PandaDoc's own: the library's methods, the inspector's pages and client lint. `words.ts` is the other
 * visible file.
 */
import type { Service } from "../engine/runtime/service.ts";
import type { EngineWorld } from "../engine/runtime/world.ts";
import { UNSERVED, groups, operations } from "./nouns/index.ts";
import { records } from "./assumptions/ledger.ts";
import { switches } from "./assumptions/switches.ts";
import { domainJobs } from "./nouns/jobs.ts";
import { Files } from "./files/files.ts";
import { tables } from "./nouns/tables.ts";
import type { World } from "./kit/world.ts";
import { MODELS } from "./kit/world.ts";
import type { Fixtures } from "./world/inputs.ts";
import { PAGE_IDS } from "./pages/page-call.ts";
import { access } from "./seam/access.ts";
import { acts } from "./seam/acts.ts";
import { deliveries } from "./seam/deliveries.ts";
import { errors } from "./kit/errors.ts";
import { language } from "./seam/language.ts";
import { subjects } from "./seam/subjects.ts";
import { systemCaller } from "./seam/system-caller.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { pageRoutes } from "./pages/pages.ts";
import { seedDocuments } from "./world/documents.ts";
import { seedFixtures } from "./world/fixtures.ts";
import { keyOf, standardFixtures, withKey } from "./world/standard.ts";

/** Documents: how the library makes them, and how the inspector shows them. */
export { documents } from "./seam/documents.ts";
/** The statuses of documents, and the moves between them. */
export { lifecycle } from "./seam/lifecycle.ts";
/** The mails and text messages that the service would have sent. */
export { mails } from "./seam/mails.ts";
/** The descriptions of the served operations. */
export { openapi } from "./openapi/describe.ts";
/** Rows that a test adds without a call. */
export { seeds } from "./seam/seeds.ts";
/** Subscriptions of the library, and events on demand. */
export { webhooks } from "./seam/webhooks.ts";
/** Values for a trial call of an operation, from the rows of a world. */
/** Rules of the service that client lint holds calls against. */
export { checks } from "./seam/checks.ts";
/** Makes operations of the admin API that know the rows of the service. */
export { operation, verb } from "./acts/operation.ts";
/** The verbs of the admin API that only this service has. */
export { verbs } from "./acts/verbs.ts";
/** A PDF with one empty page. */
export { blankPdf } from "./files/stand-in.ts";

export type { DocumentState, PossibleAct } from "./acts/document-state.ts";
export type { TimelineEntry } from "./acts/timeline.ts";
export type { SwitchId } from "./assumptions/switches.ts";
export type { MailMatch } from "./nouns/people/mails.ts";
export type { FieldRow } from "./nouns/content/row.ts";
export type { DocumentRow } from "./nouns/documents/row.ts";
export type { DocumentStatus, Trigger } from "./nouns/documents/status-machine.ts";
export type { EmailRow } from "./nouns/people/mails.ts";
export type { RecipientRow } from "./nouns/people/inputs.ts";
export type { Control, Host, Tenant } from "./kit/world.ts";
export type { Environment } from "./nouns/workspaces/row.ts";
export type { Fixtures, FixturesFile } from "./world/inputs.ts";
export type { OperationId } from "./nouns/index.ts";
export type { PageId as PageName } from "./pages/page-call.ts";

/** What the service answers beside its operations: pages, files by link, and the MCP server. */
export const pages = () => [...pageRoutes(), ...mcpRoutes()];

/** The engine hands each function the world and the rows of this service, which its own types do not know. */
export const service = {
  prefixes: ["/public", "/oauth2"],
  errors,
  groups,
  operations,
  pageIds: PAGE_IDS,
  unserved: UNSERVED,
  tables,
  jobs: domainJobs,
  models: MODELS,
  switches,
  language,
  nameOf: ({ store }: World, id: string) =>
    (store.documents.get(id) ?? store.templates.get(id) ?? store.library_items.get(id) ?? store.subscriptions.get(id))?.name,
  ledger: async () => records,
  extend(world: EngineWorld) {
    const files = new Files();
    return { world: { ...world, files }, close: () => files.close() };
  },
  systemCaller,
  seed: {
    before: (world: World, fixtures: Fixtures) => seedFixtures(world, fixtures),
    subjects: (world: World, fixtures: Fixtures) => seedDocuments(world, fixtures.documents ?? []),
    standard: standardFixtures,
    withKey,
    keyOf,
  },
  parts: {
    emails({ store }: World): void {
      for (const row of store.emails.all()) store.emails.delete(row.id);
    },
  },
  access,
  subjects,
  acts,
  messages: { all: ({ store }: World) => store.emails.all() },
  deliveries,
} as unknown as Service;
