import { systemClock } from "../core/clock.ts";
import type { ArmedRule } from "../rules/rules.ts";
import { untilOrLate } from "../runtime/tenants/holds.ts";
import type { Effect } from "../scenario/rule-schema.ts";
import type { Call } from "./call.ts";

/** Counts the call for the rules that wait for it, and lets the calls go that they hold. */
export function noteArrival({ tenant, entry }: Call): void {
  for (const rule of tenant.rules.list()) {
    const { hold } = rule.effect;
    if (!hold || entry.operationId === undefined || !hold.until.operations.includes(entry.operationId)) continue;
    if (tenant.rules.countArrival(rule) >= hold.until.nth) tenant.holds.release(rule.id);
  }
}

/** The other call goes first, unless a rule or the reading of a file delays it. */
export async function holdCall(call: Call, rule: ArmedRule<Effect>, hold: NonNullable<Effect["hold"]>): Promise<void> {
  const { tenant, entry } = call;
  const { operations, nth } = hold.until;
  if ((rule.arrived ?? 0) >= nth) return;
  call.acted.add(rule);
  const { until, cancel } = tenant.holds.wait(rule.id);
  const back = tenant.auto.setAside();
  await untilOrLate(tenant.clock, hold.at_most, until).finally(back);
  cancel();
  const hasArrived = (rule.arrived ?? 0) >= nth;
  if (hasArrived) await systemClock.soon();
  const other = `call ${nth} of ${operations.join(" or ")}`;
  entry.why ??= hasArrived
    ? `rule ${rule.name} held the call until ${other} came`
    : `rule ${rule.name} held the call; ${other} did not come`;
}
