/** What a verifier of pacts asks before an interaction: a document in a status. `engine/journal/pact` writes these states. */
import * as z from "zod";
import { ApiError } from "../../engine/core/errors.ts";
import { nearest } from "../../engine/core/text.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { findDocument } from "../domain/document-model/find.ts";
import { STATUSES, type DocumentStatus } from "../model/documents/status-machine.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import type { Tenant } from "../model/tenant.ts";
import { createInStatus, takeToStatus } from "./document-in-status.ts";
import { newestFirst } from "./documents.ts";
import { verb } from "./operation.ts";

const STATE = /^the document (?:exists|is (\S+))$/;

/** Undefined for any status. */
function statusIn(state: string): DocumentStatus | undefined {
  const wanted = STATE.exec(state)?.[1];
  if (STATE.test(state) && wanted === undefined) return undefined;
  const found = STATUSES.find((one) => one === wanted);
  if (found) return found;
  const near = wanted === undefined ? undefined : nearest(wanted, STATUSES);
  throw new ApiError(
    "invalid",
    `docdouble knows no state ${JSON.stringify(state)}. States are "the document is STATUS", such as "the document is ${near ?? "document.draft"}".`,
  );
}

/** The document of the pact. With another seed it has another id, and the newest of its name takes its place. */
function documentOf(tenant: Tenant, { document, name }: { document?: string | undefined; name?: string | undefined }) {
  const found = document === undefined ? undefined : findDocument(tenant.world, document);
  if (found || name === undefined) return found;
  return newestFirst(tenant).find((row) => row.name === name && findDocument(tenant.world, row.id));
}

/** Takes the document of the pact to the status, or makes another from its template. Returns its id. */
async function prepare(tenant: Tenant, status: DocumentStatus | undefined, document: DocumentRow | undefined): Promise<string> {
  if (document && (status === undefined || document.status === status)) return document.id;
  if (status === undefined) return createInStatus(tenant, {});
  if (document && (await succeeds(takeToStatus(tenant, document.id, status)))) return document.id;
  const template = document?.template?.id;
  if (template === undefined || !tenant.store.templates.get(template)) return createInStatus(tenant, { status });
  return createInStatus(tenant, { status, template }).catch(() => createInStatus(tenant, { status }));
}

/** @throws every error that is not a refusal */
async function succeeds(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

export const pactStateVerbs = verbGroup(
  "Admin: pact states",
  { command: "a verifier calls it", methods: "documents.create makes a document in a status", tool: "create_document does it" },
  [
    verb({
      name: "pact.state",
      does: "Prepares a provider state for the verifier of a pact: `the document is document.draft`. The document of `params` takes the steps to the status. If it cannot, docdouble makes another document. Answers its id, which the verifier puts into the path. An empty state and `teardown` change nothing.",
      input: () =>
        z.strictObject({
          state: z.string().describe('such as "the document is document.sent"'),
          params: z
            .looseObject({ document: z.string().optional(), name: z.string().optional() })
            .optional()
            .describe("`document` is the id in the pact, and `name` the name"),
          action: z.enum(["setup", "teardown"]).optional(),
        }),
      async run({ tenant }, { state, params, action }) {
        if (state === "" || action === "teardown") return {};
        return { document: await prepare(tenant, statusIn(state), documentOf(tenant, params ?? {})) };
      },
      admin: {
        id: "adminPactState",
        route: "POST /__admin/pact/states",
        answer: () => z.strictObject({ document: z.string().optional() }),
        example: { body: { state: "the document is document.sent", params: { document: "$document" }, action: "setup" } },
      },
    }),
  ],
);
