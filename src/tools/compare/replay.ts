import { answerOf, REAL_ORIGIN, requestOf } from "./cassette.ts";
import type { Cassette } from "./cassette-reader.ts";
import { Comparison } from "./comparison.ts";
import type { DifferenceGroup } from "./difference-groups.ts";
import { type DoubleOptions, DoubleSide } from "./double-side.ts";

export interface Replayed {
  calls: number;
  differences: DifferenceGroup[];
  notes: string[];
}

export async function replayCassette({ header, entries }: Cassette, options: DoubleOptions = {}): Promise<Replayed> {
  const double = await DoubleSide.start({ ...options, isOffline: true, ...(header.at === undefined ? {} : { now: header.at }) });
  try {
    const seesWebhooks = entries.some((one) => "event" in one);
    const comparison = new Comparison({ double, realUrl: REAL_ORIGIN, seesWebhooks, isCleaned: header.by !== "hand" });
    let at = 0;
    for (const entry of entries) {
      at = entry.at;
      if ("event" in entry) await comparison.event(Buffer.from(JSON.stringify(entry.body)), at, entry.id);
      else await comparison.call(requestOf(entry, double.apiKey), answerOf(entry), at);
    }
    await comparison.finish(at);
    const { calls, differences } = comparison.report();
    return { calls, differences, notes: comparison.notes() };
  } finally {
    await double.close();
  }
}
