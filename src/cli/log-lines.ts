import { isoMillis } from "../core/clock.ts";
import { withoutControls } from "../core/text.ts";
import type { JournalEntry } from "../engine/journal.ts";
import { shownUrl, shownWhy } from "../engine/redacted-call.ts";

export function textLine(entry: JournalEntry): string {
  const { operationId, rule, status, method } = entry;
  const notes = [operationId, rule && `rule ${rule}`, shownWhy(entry)].filter(Boolean).join(" · ");
  return withoutControls(`${status ?? "---"} ${method.padEnd(6)} ${shownUrl(entry)}${notes ? `  ${notes}` : ""}`);
}

export function jsonLine(entry: JournalEntry, tenant: string): string {
  const { at, method, status, operationId, rule } = entry;
  const [url, why] = [shownUrl(entry), shownWhy(entry)];
  return JSON.stringify({ at: isoMillis(at), tenant, method, url, status, operationId, rule, why });
}
