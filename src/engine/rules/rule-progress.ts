/** Says what a rule saw and what it waits for. */
import { type ArmedRule, effectsOf } from "./rules.ts";

/** @param noun what the counter of the rule counts: `call`, `delivery` or `attempt` */
export function progressOf(rule: ArmedRule<unknown>, noun: string): string {
  const hits = counted(effectsOf(rule), "hit");
  const idle = rule.idle ? `, and ${counted(rule.idle, "hit")} without an effect` : "";
  if (!rule.call) return `${hits}${idle}`;
  const saw = rule.matched === 0 ? `no ${noun}` : counted(rule.matched, noun);
  return `${hits}${idle}: saw ${saw}${waitOf(rule)}. A counter sees what meets "when" and what no earlier rule took`;
}

function waitOf({ call, counts }: ArmedRule<unknown>): string {
  if (!call) return "";
  const seen = Math.max(
    0,
    ...Object.entries(counts).flatMap(([key, count]) => (key === "" || key.startsWith("=") ? [count] : [])),
  );
  const next = nextOf(call, seen);
  if (next === undefined) return "";
  return call.per === undefined
    ? `, waits for its ${ordinal(next)}`
    : `, at most ${seen} per ${call.per}, waits for the ${ordinal(next)}`;
}

/** The number at which the rule acts next. Undefined when it has passed. */
function nextOf({ nth, from, every }: NonNullable<ArmedRule<unknown>["call"]>, seen: number): number | undefined {
  if (nth !== undefined) return nth > seen ? nth : undefined;
  const start = Math.max(seen + 1, from ?? 1);
  if (every !== undefined) return Math.ceil(start / every) * every;
  return from !== undefined && from > seen ? from : undefined;
}

function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

function ordinal(number: number): string {
  const teens = number % 100 > 10 && number % 100 < 14;
  const ending = teens ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}
