/** Finds creates that a client sends twice, as by a blind retry: they leave duplicates behind. */
import type { JournalEntry } from "../../engine/journal.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { LintFinding } from "./finding.ts";

const CREATES: Readonly<Record<string, keyof typeof NOUNS>> = {
  createDocument: "documents",
  createDocumentFromUpload: "documents",
  createDocumentFromMarkdownUpload: "documents",
  createTemplate: "templates",
  createTemplateWithUpload: "templates",
  createContentLibraryItem: "library_items",
  createContentLibraryItemFromUpload: "library_items",
  createDocumentAttachment: "attachments",
  createDocumentAttachmentFromFileUpload: "attachments",
};
const NOUNS = {
  documents: "documents",
  templates: "templates",
  library_items: "content library items",
  attachments: "attachments",
} as const;

const SAME_CREATE_MS = 600_000;
/** Similar creates to compare the next one with. */
const ALIKE_KEPT = 20;

export function duplicateCreates(tenant: Tenant, entries: readonly JournalEntry[]): LintFinding[] {
  const alike = new Map<string, JournalEntry[]>();
  return entries.flatMap((one) => {
    const collection = CREATES[one.operationId ?? ""];
    if (collection === undefined || (one.own !== 201 && one.own !== 200)) return [];
    const key = `${one.caller?.key} ${one.operationId} ${one.url} ${one.body}`;
    const recent = (alike.get(key) ?? []).filter(
      (other) => one.at - other.at < SAME_CREATE_MS && !wasGone(tenant, collection, other, one.at),
    );
    const [first] = recent;
    // The latest few suffice; a client in a loop makes thousands.
    alike.set(key, [...recent.slice(0, ALIKE_KEPT), one]);
    if (!first) return [];
    const message = `the same ${one.operationId} was carried out twice: two ${NOUNS[collection]} stand`;
    return [{ kind: "duplicate_create" as const, message, entries: [first.id, one.id] }];
  });
}

/** Whether the created row was gone at an instant, as its creator could know: a new create is then correct. */
function wasGone(tenant: Tenant, collection: keyof typeof NOUNS, create: JournalEntry, instant: number): boolean {
  const id = create.injected ? undefined : /"(?:uu)?id":"([^"]+)"/.exec(create.responseBody)?.[1];
  if (id === undefined) return false;
  const row = tenant.store[collection].get(id);
  if (!row) return true;
  // Attachments are removed without a tombstone.
  if (!("internal" in row)) return false;
  const { deleted_at } = row.internal;
  const failed = /[.](?:error|ERROR)$/.test(row.status) && row.date_modified <= instant;
  return failed || (deleted_at !== null && deleted_at <= instant);
}
