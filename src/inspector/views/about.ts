import type { JournalEntry } from "../../engine/journal/journal.ts";
import { type Named, nameOf, rowsNamedIn } from "../log/log-event.ts";
import type { Look } from "./parts.ts";

/** The row that the call is about. The address, the answer or the session of a page names it. */
export function aboutOf({ tenant }: Look, one: JournalEntry): Named | undefined {
  const [named] = rowsNamedIn(tenant, one);
  if (named || one.subject === undefined) return named;
  const name = nameOf(tenant, one.subject);
  return name === undefined ? undefined : { id: one.subject, name };
}
