import type { DomainTables } from "../../../service/model/tables.ts";
import type { Store } from "../../store/store.ts";

/** The ends of OAuth tokens after `now`, epoch ms. */
export function* tokenEnds(store: Store<DomainTables>, now: number): Iterable<number> {
  for (const { expires_at } of store.tokens.all()) if (expires_at > now) yield expires_at;
}
