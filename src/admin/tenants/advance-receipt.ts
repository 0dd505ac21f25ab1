/** The receipt of an advance of the clock. */
import type { JobRun } from "../../engine/scheduler.ts";

/** A job in the receipt. */
export interface Fired extends JobRun {
  /** The reason why an actor's step was refused. */
  refused?: string;
}

/** Names the most frequent job, for the message about an endless loop. */
export function describeMostFrequent(fired: readonly Fired[]): string {
  const counts = new Map<string, number>();
  for (const { kind, payload } of fired) {
    const name = [kind, payload.name ?? payload.actor].filter((part) => part !== undefined).join(" ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [name, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ["nothing", 0];
  return `most of them, ${count}, were ${name}`;
}
