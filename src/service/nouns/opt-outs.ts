import * as z from "zod";
import { instant } from "../../engine/core/inputs.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { compareText } from "../../engine/core/text.ts";
import { table } from "../../engine/store/collection.ts";
import type { Row } from "../../engine/store/row.ts";
import { ok, operation } from "../kit/operation.ts";
import { oneOf, seconds, text, view } from "../kit/view.ts";
import type { World } from "../kit/world.ts";

export interface SmsOptOutRow extends Row {
  workspace_id: string;
  phone_number: string;
  status: "opt-in" | "opt-out";
  changed_at: number;
}

/** The id is the address, in lower case. Opt-outs hold in every workspace. */
export interface EmailOptOutRow extends Row {
  changed_at: number;
}

export const optOutTables = {
  sms_opt_outs: table<SmsOptOutRow>()({ indexes: { workspace: (row) => row.workspace_id } }),
  email_opt_outs: table<EmailOptOutRow>()(),
};

export const smsOptOutsQuery = lazy(() => z.object({ timestamp_from: instant().optional(), timestamp_to: instant().optional() }));
export type SmsOptOutsQuery = z.infer<ReturnType<typeof smsOptOutsQuery>>;

export function setEmailOptOut(world: World, email: string, optOut: boolean): void {
  const id = email.toLowerCase();
  if (optOut) world.store.email_opt_outs.put({ id, changed_at: world.clock.now() });
  else world.store.email_opt_outs.delete(id);
}

export function hasOptedOutOfEmail(world: World, email: string): boolean {
  return world.store.email_opt_outs.get(email.toLowerCase()) !== undefined;
}

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

const smsOptOut = view<SmsOptOutRow>()({
  phone_number: text,
  status: oneOf(["opt-in", "opt-out"]),
  opt_out_changed: [seconds, (row) => row.changed_at],
});

export const communicationPreferencesGroup = group("Communication Preferences", [
  operation({
    id: "listRecentSmsOptOuts",
    route: "GET /public/v1/sms-opt-outs",
    query: smsOptOutsQuery,
    responses: { 200: smsOptOut.results },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok({ results: listSmsOptOuts(world, query).map(smsOptOut.of) }),
  }),
]);
