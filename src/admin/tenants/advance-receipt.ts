/** What an advance of the clock tells of itself. */
import type { JobRun } from "../../engine/scheduler.ts";

/** One thing that fell due, for the receipt of `advance`. */
export interface Fired extends JobRun {
  /** Why an actor's step was refused. */
  refused?: string;
}

/** What ran most often, for the message about a loop. */
export function mostOf(fired: readonly Fired[]): string {
  const counts = new Map<string, number>();
  for (const { kind, payload } of fired) {
    const name = [kind, payload.name ?? payload.actor].filter((part) => part !== undefined).join(" ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [name, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ["nothing", 0];
  return `most of them, ${count}, were ${name}`;
}
