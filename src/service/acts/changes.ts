/** The changes of a document with the document before and after each, for the slider of its page. */
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { isAbout } from "../../engine/journal/same-calls.ts";
import type { Version } from "../../engine/store/versions.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import type { HistoryEvent } from "../model/lifecycle/rows.ts";
import type { Tenant } from "../model/tenant.ts";

export interface Change {
  /** Epoch ms. */
  at: number;
  /** The call that made the change, or that changed nothing. Undefined for acts and due jobs. */
  call: JournalEntry | undefined;
  events: readonly HistoryEvent[];
  /** The ids of its entries in the timeline. */
  entries: readonly string[];
  /** Undefined for a new document. */
  before: DocumentRow | undefined;
  after: DocumentRow;
}

type Placed = Change & { place: number };

/**
 * Oldest first. Calls that should have changed the document but did not are among them, with the same document before and after.
 * Changes before the server's start have no entry, and neither have those that a limit dropped.
 */
export function changesOf(tenant: Tenant, document: DocumentRow): Change[] {
  const versions = tenant.store.versionsOf("documents", document.id) as readonly Version<DocumentRow>[];
  const made: Placed[] = versions.map(({ at, call, calls, before, after, beside }) => {
    const rows = (beside.history ?? []).flatMap((id) => {
      const row = tenant.store.history.get(id);
      return row?.document_id === document.id ? [row] : [];
    });
    return {
      at,
      call: call === null ? undefined : tenant.journal.get(call),
      events: rows.map((row) => row.event),
      entries: [
        ...(call === null ? [] : [`call-${call}`]),
        ...(before === undefined ? ["status-0"] : []),
        ...rows.map((row) => `${row.event.kind}-${row.n}`),
      ],
      before,
      after,
      place: calls,
    };
  });
  const causes = new Set(versions.map((one) => one.call));
  const first = tenant.journal.total - tenant.journal.size;
  const vain = tenant.journal.all().flatMap((call, i): Placed[] => {
    if (call.method === "GET" || causes.has(call.id) || !isAbout(call, document.id)) return [];
    const place = first + i;
    const after = made.findLast((one) => one.place <= place)?.after;
    return after ? [{ at: call.at, call, events: [], entries: [`call-${call.id}`], before: after, after, place }] : [];
  });
  return [...made, ...vain].sort((a, b) => a.place - b.place).map(({ place: _, ...change }) => change);
}
