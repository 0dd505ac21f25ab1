import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { lazy } from "../../engine/core/operation.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { metaView } from "../../engine/verbs/inputs.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import { requireDocument } from "../nouns/documents/row.ts";
import { createInStatus, newDocument } from "./document-in-status.ts";
import { toDocumentLine, toDocumentState } from "./document-state.ts";
import { recipientLink, recipientNames } from "./recipient-link.ts";
import { timelineOf, toTimelineView } from "./timeline.ts";
import type { Tenant } from "../kit/world.ts";
import { STATUSES } from "../nouns/documents/status-machine.ts";
import { verb } from "./operation.ts";
import { documentLine, documentState, timelineView } from "./views.ts";

/** A status also has its name without the prefix. */
const SHORT_STATUSES = STATUSES.map((one) => one.replace("document.", ""));

const listInput = lazy(() =>
  z.strictObject({
    q: z.string().optional().describe("part of a name, or an id"),
    status: z.enum([...STATUSES, ...SHORT_STATUSES]).optional(),
  }),
);

/** With a frozen clock, many documents have the same time of creation. The order in the store then decides. */
export function newestFirst({ store }: Tenant, rows: readonly DocumentRow[] = store.documents.all()): DocumentRow[] {
  return rows.toReversed().sort((a, b) => b.date_created - a.date_created);
}

export function searchDocuments(tenant: Tenant, q = ""): DocumentRow[] {
  const wanted = q.toLowerCase();
  const rows = newestFirst(tenant);
  return wanted === "" ? rows : rows.filter((row) => textOf(row).includes(wanted));
}

/** Also finds a deleted document, and one of another workspace. @throws 404 */
function found(tenant: Tenant, id: string): DocumentRow {
  const row = tenant.store.documents.get(id);
  if (!row) throw notFound(`no document ${id} in tenant ${tenant.id}`, { missing: "document" });
  return row;
}

function textOf({ id, name, template, tags, metadata, recipients, status }: DocumentRow): string {
  const people = recipients.flatMap((one) => [one.email, one.first_name, one.last_name, one.role]);
  return [id, name, template?.id, template?.name, status, ...tags, ...Object.entries(metadata).flat(), ...people]
    .join(" ")
    .toLowerCase();
}

const idInput = lazy(() => z.strictObject({ id: z.string().min(1).describe("id of a document") }));

export const documentVerbs = verbGroup("Admin: documents", {}, [
  verb({
    name: "documents.create",
    does: "Creates a document in any status. docdouble takes only steps that the service allows. All members are optional: `template` (id or name), `name`, `status`, `recipients`, `fields`, `tokens`, `metadata`, `tags`, `folder`, `sendAt`.",
    input: newDocument,
    run: async ({ tenant }, wish) => requireDocument(tenant.world, await createInStatus(tenant, wish)),
    admin: {
      id: "adminCreateDocument",
      route: "POST /__admin/documents",
      status: 201,
      answer: documentState,
      example: { body: { template: "One signer", status: "document.sent" } },
      show: (row, { tenant }) => toDocumentState(tenant, row),
    },
    tool: { name: "create_document", hides: ["tokens", "tags", "folder", "sendAt"] },
  }),
  verb({
    name: "documents.list",
    does: "Lists the documents of all workspaces, the newest first, with their status and the person who acts next.",
    input: listInput,
    run({ tenant }, { q = "", status }) {
      const wanted = q.toLowerCase();
      return tenant.store.documents
        .all()
        .filter(
          (row) =>
            (status === undefined || row.status === status || row.status === `document.${status}`) &&
            (row.id === q || row.name.toLowerCase().includes(wanted)),
        );
    },
    admin: {
      id: "adminListDocuments",
      route: "GET /__admin/documents",
      answer: () => z.strictObject({ documents: z.array(documentLine()), meta: metaView() }),
      example: { path: "/__admin/documents?status=sent" },
      show(rows, { tenant }) {
        const now = tenant.clock.now();
        return { documents: newestFirst(tenant, rows).map((row) => toDocumentLine(row, now)), meta: { total: rows.length } };
      },
    },
    tool: { name: "list_documents" },
  }),
  verb({
    name: "documents.show",
    does: "Returns one document: past statuses, possible transitions and acts, recipients, the person who acts next, and pending jobs. `notes` lists manual changes, with the name, type and size of each file.",
    input: idInput,
    run: ({ tenant }, { id }) => ({ id, row: tenant.store.documents.get(id) }),
    admin: {
      id: "adminDocument",
      route: "GET /__admin/documents/{id}",
      answer: documentState,
      errors: [404],
      example: { path: "/__admin/documents/$document" },
      show: ({ id }, { tenant }) => toDocumentState(tenant, found(tenant, id)),
    },
    tool: { name: "show_document", names: { document_id: "id" } },
  }),
  verb({
    name: "documents.timeline",
    does: "Returns the timeline of a document, oldest first: calls, statuses, acts, mails, delivery attempts, and pending jobs. `request_id` names the call that caused an entry.",
    input: idInput,
    run: ({ tenant }, { id }) => timelineOf(tenant, found(tenant, id)),
    admin: {
      id: "adminDocumentTimeline",
      route: "GET /__admin/documents/{id}/timeline",
      answer: () => z.strictObject({ timeline: z.array(timelineView()) }),
      errors: [404],
      example: { path: "/__admin/documents/$document/timeline" },
      show: (entries) => ({ timeline: entries.map(toTimelineView) as never }),
    },
    without: { tool: "agents read calls and deliveries" },
  }),
  verb({
    name: "documents.link",
    does: "Returns the address of a recipient's signing page. `recipient` is a role, an email address or an id.",
    input: () => idInput().extend({ recipient: z.string().min(1).describe("a role, an email address or an id") }),
    run({ tenant: { world } }, { id, recipient }) {
      const document = requireDocument(world, id);
      const link = recipientLink(world, document, recipient);
      if (link !== undefined) return link;
      throw notFound(`the document has no recipient ${JSON.stringify(recipient)}; it has ${recipientNames(document)}`);
    },
    admin: {
      id: "adminDocumentLink",
      route: "GET /__admin/documents/{id}/link",
      answer: () => z.strictObject({ link: z.string() }),
      errors: [404],
      example: { path: "/__admin/documents/$document/link?recipient=Client" },
      show: (link) => ({ link }),
    },
    without: { tool: "simulate acts without a page" },
  }),
]);
