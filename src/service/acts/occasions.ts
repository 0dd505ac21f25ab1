/** For each event: what it is about, which subject fits it, and the real change that causes it. `webhooks.trigger` asks them. */
import { badRequest, notFound } from "../../engine/core/errors.ts";
import { failConversion } from "../nouns/content/file-conversion.ts";
import { BROKEN } from "../nouns/content/file-content.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import { findDocument, findDocumentOrDeleted, requireDocument, unknownDocument } from "../nouns/documents/row.ts";
import { updateQuote } from "../nouns/pricing/quote-operations.ts";
import { sectionConversion } from "../nouns/documents/section-processing.ts";
import { uploadSection } from "../nouns/documents/sections.ts";
import type { LibraryItemRow } from "../nouns/library/items.ts";
import { createLibraryItem, libraryConversion, requireLibraryItem, libraryEvent } from "../nouns/library/items.ts";
import { templateEvent } from "../nouns/templates/templates.ts";
import { documentEvent, newestSection } from "../nouns/webhooks/payloads.ts";
import type { DocumentEvent, DocumentStatus, EventName } from "../nouns/documents/status-machine.ts";
import type { TemplateRow } from "../nouns/templates/row.ts";
import type { Tenant, World } from "../kit/world.ts";
import type { PayloadKind } from "../nouns/webhooks/row.ts";
import { beginInStatus } from "./document-in-status.ts";
import { newestFirst } from "./documents.ts";

export interface Subject {
  id: string;
  status: string;
  workspace_id: string;
  data(kinds: readonly PayloadKind[]): object;
}

export interface Made {
  id: string;
  /** While images load. */
  ready?: Promise<unknown>;
}

export interface Occasion {
  /** @throws 404, 400 */
  require(world: World, id: string): Subject;
  newest(tenant: Tenant): Subject | undefined;
  /** Makes the change that causes the event. @throws 400 */
  make(tenant: Tenant): Made;
}

export function occasionOf(event: EventName): Occasion {
  if (event.startsWith("template_")) return templateOccasion;
  if (event === "content_library_item_created") return libraryOccasion("cli.PROCESSED");
  if (event === "content_library_item_creation_failed") return libraryOccasion("cli.ERROR");
  return documentOccasion(event as DocumentEvent);
}

const SIGNED: readonly DocumentStatus[] = ["document.completed", "document.paid"];

interface DocumentOccasion {
  /** The service sends the event about such documents only. Without it, any document fits. */
  fits?: (world: World, document: DocumentRow) => boolean;
  status?: DocumentStatus;
  make?: (tenant: Tenant) => Made;
}

const isDraft = (_: World, { status }: DocumentRow) => status === "document.draft";
const isSigned = (_: World, { status }: DocumentRow) => SIGNED.includes(status);
const signed: DocumentOccasion = { fits: isSigned, status: "document.completed" };

const DOCUMENT_OCCASIONS: Readonly<Record<DocumentEvent, DocumentOccasion>> = {
  recipient_completed: signed,
  document_completed: signed,
  document_completed_pdf_ready: { ...signed, fits: (_, { internal }) => internal.pdf_ready },
  document_creation_failed: { fits: (_, { status }) => status === "document.error", status: "document.error" },
  document_created: { fits: isDraft },
  document_updated: { fits: isDraft },
  document_deleted: {},
  document_state_changed: {
    fits: (_, { status }) => status !== "document.uploaded" && status !== "document.error",
    status: "document.sent",
  },
  document_section_added: {
    fits: (world, document) => isDraft(world, document) && newestSection(world, document.id) !== undefined,
    make: (tenant) => changed(tenant, beginInStatus(tenant, {}), addSection),
  },
  quote_updated: {
    fits: (world, document) => isDraft(world, document) && document.quotes.length > 0,
    make: (tenant) => changed(tenant, beginInStatus(tenant, { template: templateWithQuote(tenant) }), changeQuote),
  },
};

function documentOccasion(event: DocumentEvent): Occasion {
  const { fits = () => true, status, make } = DOCUMENT_OCCASIONS[event];
  const subject = (world: World, document: DocumentRow): Subject => ({
    ...identity(document),
    data: (kinds) => documentEvent.of(document, { world, event, kinds }),
  });
  return {
    require(world, id) {
      const document = event === "document_deleted" ? findDocumentOrDeleted(world, id) : findDocument(world, id);
      if (!document) throw unknownDocument(id);
      if (event === "document_section_added" && !newestSection(world, id))
        throw badRequest("The document has no section.", {
          why: "document_section_added is about a new section; upload one first",
        });
      return subject(world, document);
    },
    newest(tenant) {
      const { world } = tenant;
      const found = newestFirst(tenant).find(
        (row) => row.internal.deleted_at === null && row.workspace_id === world.caller.workspace_id && fits(world, row),
      );
      return found && subject(world, found);
    },
    make: make ?? ((tenant) => beginInStatus(tenant, { status: status ?? "document.draft" })),
  };
}

function identity({ id, status, workspace_id }: { id: string; status: string; workspace_id: string }) {
  return { id, status, workspace_id };
}

/** Changes a new document once its images are there. */
function changed(tenant: Tenant, { id, ready }: Made, change: (world: World, document: DocumentRow) => void): Made {
  const run = () => tenant.store.transaction(() => change(tenant.world, requireDocument(tenant.world, id)));
  if (ready) return { id, ready: ready.then(run) };
  run();
  return { id };
}

function addSection(world: World, { id, template }: DocumentRow): void {
  const upload = uploadSection(world, id, "upload", {
    name: "Another section",
    template_uuid: template?.id,
    recipients: [],
    parse_text_tags: true,
  });
  world.jobs.cancelWhere(sectionConversion.job, { id: upload.id });
  sectionConversion.finish(world, upload, null);
}

function templateWithQuote({ store, world }: Tenant): string {
  const found = store.templates.all().find((row) => isOwn(world, row) && !row.internal.gallery && row.quotes.length > 0);
  if (!found)
    throw badRequest("No template has a quote.", { why: "give a template quotes in the fixtures, or name a document_id" });
  return found.id;
}

function changeQuote(world: World, { id, quotes }: DocumentRow): void {
  updateQuote(world, id, quotes[0]?.id ?? "", {});
}

type Stored = TemplateRow | LibraryItemRow;

function isOwn({ caller }: World, row: Stored): boolean {
  return row.workspace_id === caller.workspace_id && row.internal.deleted_at === null;
}

const templateSubject = (world: World, row: TemplateRow): Subject => ({
  ...identity(row),
  data: () => templateEvent.of(row, world),
});

const templateOccasion: Occasion = {
  require(world, id) {
    const row = world.store.templates.get(id);
    if (row?.workspace_id !== world.caller.workspace_id) throw notFound(`no template ${id} in this workspace`);
    return templateSubject(world, row);
  },
  newest({ store, world }) {
    const found = store.templates
      .all()
      .findLast((row) => isOwn(world, row) && !row.internal.gallery && row.status === "template.PROCESSED");
    return found && templateSubject(world, found);
  },
  make() {
    throw badRequest("There is no template.", { why: "create a template first, or send data" });
  },
};

function libraryOccasion(status: LibraryItemRow["status"]): Occasion {
  const subject = (world: World, row: LibraryItemRow): Subject => ({ ...identity(row), data: () => libraryEvent.of(row, world) });
  return {
    require: (world, id) => subject(world, requireLibraryItem(world, id)),
    newest({ store, world }) {
      const found = store.library_items.all().findLast((row) => isOwn(world, row) && row.status === status);
      return found && subject(world, found);
    },
    make: ({ store, world }) =>
      store.transaction(() => {
        if (status === "cli.PROCESSED") return createLibraryItem(world, { name: "Library item" });
        const item = createLibraryItem(world, { name: "Broken item", url: "https://files.example/broken.pdf" });
        world.jobs.cancelWhere(libraryConversion.job, { id: item.id });
        failConversion(world, libraryConversion, item, { type: "processing", detail: BROKEN });
        return { id: item.id };
      }),
  };
}
