import { isoMillis } from "../core/clock.ts";
import { withoutControls } from "../core/text.ts";
import type { JournalEntry } from "../engine/journal.ts";
import { shownUrl, shownWhy } from "../engine/redacted-call.ts";

export function textLine(exchange: JournalEntry): string {
  const { operationId, rule, status, method } = exchange;
  const notes = [operationId, rule && `rule ${rule}`, shownWhy(exchange)].filter(Boolean).join(" · ");
  return withoutControls(`${status ?? "---"} ${method.padEnd(6)} ${shownUrl(exchange)}${notes ? `  ${notes}` : ""}`);
}

export function jsonLine(exchange: JournalEntry, tenant: string): string {
  const { at, method, status, operationId, rule } = exchange;
  const [url, why] = [shownUrl(exchange), shownWhy(exchange)];
  return JSON.stringify({ at: isoMillis(at), tenant, method, url, status, operationId, rule, why });
}
