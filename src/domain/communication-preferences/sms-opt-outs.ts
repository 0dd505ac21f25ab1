/** Phone numbers that opted out of text messages. Fixtures and the acts opt_out and opt_in change them. */
import { isoSeconds } from "../../core/clock.ts";
import { parseDuration } from "../../core/time-limits.ts";
import { compareText } from "../../core/text.ts";
import type { World } from "../world.ts";
import type { SmsOptOutsQuery } from "./inputs.ts";
import type { SmsOptOutRow } from "./rows.ts";

const HOUR_MS = 3_600_000;

export interface SmsOptOutFixture {
  id?: string;
  phone_number: string;
  status?: SmsOptOutRow["status"];
  /** How long before the start of the clock: `20m`. */
  changed_ago?: string;
}

export function seedSmsOptOut(world: World, one: SmsOptOutFixture, workspace_id: string): void {
  world.store.sms_opt_outs.put({
    id: one.id ?? world.ids.uuid(),
    workspace_id,
    phone_number: one.phone_number,
    status: one.status ?? "opt-out",
    changed_at: world.clock.before(parseDuration(one.changed_ago ?? "0s") ?? 0),
  });
}

/**
 * Returns the last change of each number in the window, newest first. Default window: the last hour. assumed: changes outside
 * the window do not count, and both ends belong to it.
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

export function hasOptedOut(world: World, phone_number: string, workspace_id: string): boolean {
  let last: SmsOptOutRow | undefined;
  for (const row of world.store.sms_opt_outs.where("workspace", workspace_id)) {
    if (row.phone_number === phone_number && (!last || last.changed_at <= row.changed_at)) last = row;
  }
  return last?.status === "opt-out";
}

export function toSmsOptOut(row: SmsOptOutRow) {
  return { phone_number: row.phone_number, status: row.status, opt_out_changed: isoSeconds(row.changed_at) };
}
