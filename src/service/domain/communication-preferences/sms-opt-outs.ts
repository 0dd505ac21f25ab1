import { isoSeconds } from "../../../engine/core/clock.ts";
import { compareText } from "../../../engine/core/text.ts";
import type { World } from "../../model/world.ts";
import type { SmsOptOutsQuery } from "../../model/communication-preferences/inputs.ts";
import type { SmsOptOutRow } from "../../model/communication-preferences/rows.ts";

const HOUR_MS = 3_600_000;

export function putSmsOptOut(
  world: World,
  change: Pick<SmsOptOutRow, "workspace_id" | "phone_number" | "status"> & { id?: string; changed_at?: number },
): void {
  const { id = world.ids.uuid(), changed_at = world.clock.now(), workspace_id, phone_number, status } = change;
  world.store.sms_opt_outs.put({ id, workspace_id, phone_number, status, changed_at });
}

/**
 * Returns the last change of each number in the window, newest first. Default window: the last hour.
 * assumed: sms_opt_outs.window.
 */
export function listSmsOptOuts(world: World, query: SmsOptOutsQuery): SmsOptOutRow[] {
  const now = world.clock.now();
  const from = query.timestamp_from ?? now - HOUR_MS;
  const to = query.timestamp_to ?? now;
  const latest = new Map<string, SmsOptOutRow>();
  for (const row of world.store.sms_opt_outs.where("workspace", world.caller.workspace_id)) {
    if (row.changed_at < from || row.changed_at > to) continue;
    const known = latest.get(row.phone_number);
    if (!known || known.changed_at <= row.changed_at) latest.set(row.phone_number, row);
  }
  return [...latest.values()].sort((a, b) => b.changed_at - a.changed_at || compareText(a.phone_number, b.phone_number));
}

export function hasOptedOutOfSms(world: World, phone_number: string, workspace_id: string): boolean {
  let last: SmsOptOutRow | undefined;
  for (const row of world.store.sms_opt_outs.where("workspace", workspace_id)) {
    if (row.phone_number === phone_number && (!last || last.changed_at <= row.changed_at)) last = row;
  }
  return last?.status === "opt-out";
}

export function toSmsOptOut(row: SmsOptOutRow) {
  return { phone_number: row.phone_number, status: row.status, opt_out_changed: isoSeconds(row.changed_at) };
}
