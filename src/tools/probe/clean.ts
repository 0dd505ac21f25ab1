/** Finishes the cleanup of probes that ended before it, with the journal of each. */
import { systemClock } from "../../engine/core/clock.ts";
import { SettingsError } from "../../library/errors.ts";
import type { Journal, JournaledRun } from "./journal.ts";
import { Marks } from "./marks.ts";
import { ownerOf } from "./probe.ts";
import { Service, type ServiceOptions } from "./service.ts";
import { ServiceFailure } from "./story-errors.ts";
import { Things } from "./things.ts";

export interface CleanReport {
  version: 1;
  /** Runs whose cleanup was not complete. */
  runs: number;
  stopped?: string;
  left_behind?: string[];
}

export interface CleanOptions extends ServiceOptions {
  now?(): number;
  /** Takes the lines that belong to one run. */
  journalOf(run: JournaledRun): Journal;
}

/**
 * Deletes only what the service shows with a name of the run.
 * @throws SettingsError for a journal of another service or account
 */
export async function clean(all: readonly JournaledRun[], options: CleanOptions): Promise<CleanReport> {
  const runs = all.filter((one) => !one.isEnded);
  const other = runs.find((one) => one.real !== options.url);
  if (other !== undefined)
    throw new SettingsError(
      `Cannot clean: the journal is about ${other.real}, and --real names ${options.url}. Use the same address.`,
    );
  const service = new Service(options);
  const left: string[] = [];
  if (runs.length === 0) return { version: 1, runs: 0 };
  try {
    const { account } = await ownerOf(service);
    if (runs.some((one) => one.account !== account))
      throw new SettingsError("Cannot clean: the journal is about another account. Use the key of the probe.");
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error;
    return { version: 1, runs: runs.length, stopped: error.message };
  }
  for (const run of runs) {
    const now = options.now ?? systemClock.now;
    const things = new Things(service, { marks: new Marks(run.run), url: options.url, now, journal: options.journalOf(run) });
    things.restore(run);
    await things.deleteAll(options.onWait);
    left.push(...things.left());
  }
  return { version: 1, runs: runs.length, ...(left.length === 0 ? {} : { left_behind: left }) };
}
