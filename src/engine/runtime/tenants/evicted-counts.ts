/** Counts of what evicted tenants knew, so that their successors prove no upper bound without it. */
import { makeRoom } from "../../core/maps.ts";
import { type CountedRows, rowTraits } from "../../journal/gone-rows.ts";
import { type JournalSnapshot, traitsOf } from "../../journal/journal.ts";
import type { Tenant } from "./tenant.ts";

const REMEMBERED_MAX = 10_000;

interface Counts {
  calls: NonNullable<JournalSnapshot["gone"]>;
  rows: CountedRows;
}

export class EvictedCounts {
  readonly #counts = new Map<string, Counts>();

  remember(tenant: Tenant | undefined): void {
    if (!tenant) return;
    const { id, journal, goneRows, store, service, world } = tenant;
    const { messages } = service.language.words;
    for (const entry of journal.all()) journal.gone.add(traitsOf(entry));
    for (const row of store.deliveries.all()) goneRows.add(rowTraits("deliveries", row, messages));
    for (const row of service.messages.all(world)) goneRows.add(rowTraits(messages, row, messages));
    makeRoom(this.#counts, REMEMBERED_MAX);
    this.#counts.set(id, { calls: journal.gone.all(), rows: goneRows.all() });
  }

  /** Gives the counts to the tenant that follows. */
  give({ id, journal, goneRows }: Tenant): void {
    const counts = this.#counts.get(id);
    if (!counts) return;
    this.#counts.delete(id);
    journal.load({ entries: [], gone: counts.calls });
    goneRows.load(counts.rows);
  }
}
