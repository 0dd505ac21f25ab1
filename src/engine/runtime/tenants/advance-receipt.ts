import type { JobRun } from "../../jobs/scheduler.ts";

export interface Fired extends JobRun {
  refused?: string;
}

export function describeMostFrequent(fired: readonly Fired[]): string {
  const counts = new Map<string, number>();
  for (const { kind, payload } of fired) {
    const name = [kind, payload.name ?? payload.actor].filter((part) => part !== undefined).join(" ");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const [name, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ["nothing", 0];
  return `most of them, ${count}, were ${name}`;
}
