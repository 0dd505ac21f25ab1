import * as z from "zod";
import { invalid, notFound } from "../../engine/core/errors.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { compareText } from "../../engine/core/text.ts";
import { created, ok, operation } from "../kit/operation.ts";
import { micros, oneOf, text, view } from "../kit/view.ts";
import type { World } from "../kit/world.ts";
import * as inputs from "./documents/inputs.ts";
import type { LinkInput, LinkedObjectQuery } from "./documents/inputs.ts";
import type { DocumentRow, LinkRow } from "./documents/row.ts";
import { entityKey, linksOf, requireDocument, requireUnlocked, linkView } from "./documents/row.ts";
import { STATUSES } from "./documents/status-machine.ts";
import { requireAllowed } from "./documents/transitions.ts";

export function listLinks(world: World, id: string): LinkRow[] {
  return linksOf(world, linkable(world, id).id);
}

/** Source: the official page with examples of the most popular CRMs. */
const PROVIDERS: readonly string[] = ["hubspot", "ms-dynamics", "pipedrive", "salesforce-oauth2", "salesforce-oauth2-sandbox"];

/** Source: the official description: one link for each CRM, and any number of CRMs. */
export function link(world: World, id: string, input: LinkInput): LinkRow {
  const document = linkable(world, id);
  requireUnlocked(world, document);
  const existing = linksOf(world, id).find((row) => row.provider === input.provider);
  if (existing) {
    // assumed: crm_links.fault_text.
    throw invalid(
      { provider: ["The document is already linked to this provider."] },
      `the document is linked to ${existing.entity_type} ${existing.entity_id} of ${existing.provider}; delete that link first`,
    );
  }
  const { provider, entity_type, entity_id } = input;
  // assumed: crm_links.entities.
  if (!PROVIDERS.includes(provider))
    world.remark({
      kind: "doubtful_value",
      message: `No source names a CRM "${provider}", and the service may refuse it`,
      fix: `Check the name. Known names are ${PROVIDERS.join(", ")}.`,
      pointer: "/provider",
    });
  const { workspace_id } = document;
  return world.store.links.put({ id: world.ids.uuid(), workspace_id, document_id: id, provider, entity_type, entity_id });
}

export function unlink(world: World, id: string, linkId: string): void {
  const document = linkable(world, id);
  requireUnlocked(world, document);
  const row = world.store.links.get(linkId);
  if (row?.document_id !== document.id) throw notFound(`document ${id} has no link ${linkId}`);
  world.store.links.delete(row.id);
}

function linkable(world: World, id: string): DocumentRow {
  const document = requireDocument(world, id);
  requireAllowed(document, "details");
  return document;
}

/** Returns the documents that are linked to an object. assumed: crm_links.owners. */
export function documentsLinkedTo(world: World, filter: LinkedObjectQuery): DocumentRow[] {
  const { workspace_id } = world.caller;
  // In the official description the default is a list with the text `[]`.
  const owners = new Set(filter.owner_ids?.filter((id) => id !== "[]"));
  const isOwned = (document: DocumentRow) =>
    owners.size === 0 || owners.has(document.owner) || owners.has(world.store.members.get(document.owner)?.user_id ?? "");
  if (!/^-?date_created$/.test(filter.order_by))
    world.remark({
      kind: "doubtful_value",
      message: `The documents have no order "${filter.order_by}", so the newest come first`,
      fix: 'Send "date_created" or "-date_created".',
    });
  const direction = filter.order_by === "date_created" ? 1 : -1;
  return world.store.links
    .where("entity", entityKey({ ...filter, workspace_id }))
    .flatMap((row) => world.store.documents.get(row.document_id) ?? [])
    .filter((document) => document.internal.deleted_at === null && isOwned(document))
    .sort((a, b) => direction * (a.date_created - b.date_created) || compareText(a.id, b.id));
}

const linkedDocument = view<DocumentRow>()({
  id: text,
  status: oneOf(STATUSES),
  date_created: micros,
  // assumed: crm_links.template.
  template_id: [text, ({ template }) => template?.id ?? ""],
});

const linkedDocuments = lazy(() => z.array(linkedDocument()));

const linkList = lazy(() => z.strictObject({ linked_objects: z.array(linkView()) }));

export const crmLinksGroup = group("Document Link to CRM", [
  operation({
    id: "listDocumentsByLinkedObject",
    route: "GET /public/v1/documents/linked-objects",
    query: inputs.linkedObjectQuery,
    responses: { 200: linkedDocuments },
    errors: [401, 403, 404, 409, 429],
    handle: ({ query }, world) => ok(documentsLinkedTo(world, query).map(linkedDocument.of)),
  }),
  operation({
    id: "listLinkedObjects",
    route: "GET /public/v1/documents/{id}/linked-objects",
    responses: { 200: linkList },
    errors: [401, 403, 404, 409, 429],
    handle: ({ params }, world) => ok({ linked_objects: listLinks(world, params.id).map(linkView.of) }),
  }),
  operation({
    id: "createLinkedObject",
    route: "POST /public/v1/documents/{id}/linked-objects",
    body: inputs.linkRequest,
    responses: { 201: linkView },
    errors: [400, 401, 403, 404, 409, 423, 429],
    limits: "docdouble asks no CRM whether the object exists. It accepts any name of a provider.",
    handle: ({ params, body }, world) => created(linkView.of(link(world, params.id, body))),
  }),
  operation({
    id: "deleteLinkedObject",
    route: "DELETE /public/v1/documents/{id}/linked-objects/{linked_object_id}",
    responses: { 204: null },
    errors: [401, 403, 404, 409, 423, 429],
    handle: ({ params }, world) => unlink(world, params.id, params.linked_object_id),
  }),
]);
