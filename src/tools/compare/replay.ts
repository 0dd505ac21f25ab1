import { answerOf, type Cassette, type CassetteEntry, type CassetteHeader, REAL_ORIGIN, requestOf } from "./cassette.ts";
import { Comparison } from "./comparison.ts";
import type { DifferenceGroup } from "./difference-groups.ts";
import { type DoubleOptions, DoubleSide } from "./double-side.ts";
import type { CallAnswer } from "./exchange.ts";

export interface Replayed {
  calls: number;
  differences: DifferenceGroup[];
  notes: string[];
}

/** A double that hears the entries of one cassette, and nothing else. */
export class Replay {
  readonly double: DoubleSide;
  readonly comparison: Comparison;

  private constructor(double: DoubleSide, comparison: Comparison) {
    this.double = double;
    this.comparison = comparison;
  }

  static async start({ at, by }: CassetteHeader, options: DoubleOptions, seesWebhooks: boolean): Promise<Replay> {
    const double = await DoubleSide.start({ ...options, isOffline: true, ...(at === undefined ? {} : { now: at }) });
    return new Replay(double, new Comparison({ double, realUrl: REAL_ORIGIN, seesWebhooks, isCleaned: by !== "hand" }));
  }

  /** The double's answer to a call. */
  async play(entry: CassetteEntry): Promise<CallAnswer | undefined> {
    if ("call" in entry) return this.comparison.call(requestOf(entry, this.double.apiKey), answerOf(entry), entry.at);
    await this.comparison.event(Buffer.from(JSON.stringify(entry.body)), entry.at, entry.id);
    return undefined;
  }
}

export async function replayCassette({ header, entries }: Cassette, options: DoubleOptions = {}): Promise<Replayed> {
  const seesWebhooks = entries.some((one) => "event" in one);
  const replay = await Replay.start(header, options, seesWebhooks);
  try {
    for (const entry of entries) await replay.play(entry);
    await replay.comparison.finish(entries.at(-1)?.at ?? 0);
    const { calls, differences } = replay.comparison.report();
    return { calls, differences, notes: replay.comparison.notes() };
  } finally {
    await replay.double.close();
  }
}
