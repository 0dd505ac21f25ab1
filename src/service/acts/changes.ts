/** The document before and after each change, for the timeline of its page. */
import type { Version } from "../../engine/store/history.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import type { Tenant } from "../kit/world.ts";

export interface Change {
  /** The ids of its entries in the timeline: first its call, then the latest event. */
  entries: readonly string[];
  /** Undefined for a new document. */
  before: DocumentRow | undefined;
  after: DocumentRow;
}

/** Oldest first. Changes before the server's start are missing, and so are the oldest of very many. */
export function changesOf(tenant: Tenant, document: DocumentRow): Change[] {
  const versions = tenant.store.versionsOf("documents", document.id) as readonly Version<DocumentRow>[];
  return versions.map(({ call, before, after, written }) => {
    const events = written.flatMap(({ collection, id }) => {
      const row = collection === "history" ? tenant.store.history.get(id) : undefined;
      return row?.document_id === document.id ? [`${row.event.kind}-${row.n}`] : [];
    });
    return {
      entries: [...(call === null ? [] : [`call-${call}`]), ...events.reverse(), ...(before === undefined ? ["status-0"] : [])],
      before,
      after,
    };
  });
}
