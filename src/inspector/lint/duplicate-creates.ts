import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Tenant } from "../../service/service.ts";
import type { Found } from "./found.ts";
import { makeRoom } from "../../engine/core/maps.ts";

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
const ALIKE_KEPT = 20;
const GROUPS_MAX = 2000;

interface Create {
  id: string;
  at: number;
  isAltered: boolean;
  created: string | undefined;
}

export class DuplicateCreates {
  readonly #tenant: Tenant;
  readonly #alike = new Map<string, Create[]>();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  /** @param key equal calls have equal keys */
  see(one: JournalEntry, key: string): Found[] {
    const collection = CREATES[one.operationId ?? ""];
    if (collection === undefined || (one.own !== 201 && one.own !== 200)) return [];
    const alike = this.#alike.get(key) ?? [];
    // The search stops at the first create that still counts. A deleted or failed one never counts again, so it goes from the list.
    const place = alike.findIndex(
      (other) => one.at - other.at < SAME_CREATE_MS && !wasDeletedOrFailed(this.#tenant, collection, other, one.at),
    );
    const recent = place < 0 ? [] : alike.slice(place);
    const [first] = recent;
    this.#alike.delete(key);
    makeRoom(this.#alike, GROUPS_MAX);
    this.#alike.set(key, [
      ...recent.slice(0, ALIKE_KEPT),
      { id: one.id, at: one.at, isAltered: one.injected, created: one.injected ? undefined : createdId(one) },
    ]);
    if (!first) return [];
    const lost = first.isAltered ? ", after the first answer was lost or replaced" : "";
    const message = `the same ${one.operationId} took effect twice: two ${NOUNS[collection]} exist${lost}`;
    return [{ kind: "duplicate_create", message, before: [first.id], key: first.id }];
  }
}

function wasDeletedOrFailed(tenant: Tenant, collection: keyof typeof NOUNS, create: Create, instant: number): boolean {
  const id = create.created;
  if (id === undefined) return false;
  const row = tenant.store[collection].get(id);
  if (!row) return true;
  // An attachment's row exists only until its removal.
  if (!("internal" in row)) return false;
  const { deleted_at } = row.internal;
  const failed = /[.](?:error|ERROR)$/.test(row.status) && row.date_modified <= instant;
  return failed || (deleted_at !== null && deleted_at <= instant);
}

export function createdId({ responseBody }: JournalEntry): string | undefined {
  return /"(?:uu)?id":"([^"]+)"/.exec(responseBody)?.[1];
}
