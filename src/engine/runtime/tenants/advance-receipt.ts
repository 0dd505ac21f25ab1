import type { JobRun } from "../../jobs/scheduler.ts";
import { countBy } from "../../core/maps.ts";

export interface Fired extends JobRun {
  refused?: string;
}

export function describeMostFrequent(fired: readonly Fired[]): string {
  const counts = countBy(fired, ({ kind, payload }) =>
    [kind, payload.name ?? payload.actor].filter((part) => part !== undefined).join(" "),
  );
  const [name, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ["nothing", 0];
  return `most of them, ${count}, were ${name}`;
}
