import { mails } from "../../service/service.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Look } from "./parts.ts";

/** What a page shows: the title of its tab, and false when the address names a row that the tenant does not have. */
export interface Heading {
  title: string;
  isFound: boolean;
}

export function headingOf(look: Look): Heading {
  const { view, id, open, tenant } = look;
  if (view === "documents" && id !== undefined) return heading(tenant.store.documents.get(id)?.name, "No such document");
  if (view === "journal" && id !== undefined) return heading(callsTitle(look, id), "No such call");
  const opened = open === undefined ? undefined : openedTitle(look, open);
  return { title: opened ?? view.replace(/^./, (first) => first.toUpperCase()), isFound: true };
}

function heading(title: string | undefined, otherwise: string): Heading {
  return { title: title ?? otherwise, isFound: title !== undefined };
}

function callsTitle({ tenant, with: second }: Look, id: string): string | undefined {
  const call = tenant.journal.get(id);
  if (second === undefined || !call) return call && callTitle(call);
  const other = tenant.journal.get(second);
  if (!other) return undefined;
  const isAlike = call.operationId !== undefined && call.operationId === other.operationId;
  return `${callTitle(call)} and ${isAlike ? statusText(other) : callTitle(other)}`;
}

function callTitle(call: JournalEntry): string {
  return `${call.operationId ?? `${call.method} ${call.path}`} ${statusText(call)}`;
}

function statusText({ status }: JournalEntry): string {
  return String(status ?? "no answer");
}

/** Rows that are open below their line do not name a page, but the one mail or the one delivery does. */
function openedTitle({ view, tenant }: Look, open: string): string | undefined {
  if (view === "mails") return mails.find(tenant.world, {}).find((mail) => mail.id === open)?.subject;
  return view === "deliveries" ? tenant.store.deliveries.get(open)?.event : undefined;
}
