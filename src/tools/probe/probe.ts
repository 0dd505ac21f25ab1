import { service } from "../../service/service.ts";
import { shownReading } from "../../engine/assumptions/switches.ts";
import type { AssumptionRecord } from "../../engine/assumptions/record.ts";
import { fitsGlob, nearest } from "../../engine/core/text.ts";
import { SettingsError } from "../../library/errors.ts";
import { Account, type AccountFacts } from "./account.ts";
import { at, Service, type ServiceOptions, shown } from "./service.ts";
import { seenAtDouble } from "./at-double.ts";
import { LIMITS, scriptsFor } from "./scripts/index.ts";
import type { Script } from "./scripts/script.ts";
import { ServiceFailure, Undecided } from "./story-errors.ts";

export interface Result {
  assumption: string;
  verdict: "confirmed" | "contradicted" | "undecided";
  default: string;
  seen: string | null;
  calls: number;
  why: string;
}

export interface ProbeReport {
  version: 1;
  results: Result[];
  stopped?: string;
  left_behind?: string[];
}

export interface ProbeOptions extends ServiceOptions {
  /** Ids of switches, or patterns such as `create.*`. Default: every switch. */
  only?: readonly string[];
  allowProductionKey?: boolean;
  /** Small letters and digits that differ from run to run. */
  run: string;
  onStory?(part: string): void;
  onResult?(result: Result): void;
}

export const AFTERWARDS = "after the stories";
const OWN_MEMBER = "/public/v1/members/current";
/** No account has this document. */
const GUARDED_DOWNLOAD = "/public/v1/documents/docdoubleProbeNoSuchXX/download-protected";
/** The probe ends after this many stories in a row that fail in the same call. */
const FAILURES_MAX = 3;
/** The probe ends when so many things with a known id stay after their stories. */
const UNDELETED_MAX = 5;

/** @throws SettingsError for unknown ids and for a key that must not be used */
export async function probe(options: ProbeOptions): Promise<ProbeReport> {
  const records = await chosenRecords(options.only);
  const stories = scriptsFor(options.key);
  const service = new Service(options);
  const ended = (stopped: string | undefined, left: string[]): ProbeReport => ({
    version: 1,
    results,
    ...(stopped === undefined ? {} : { stopped: service.hide(stopped) }),
    ...(left.length === 0 ? {} : { left_behind: left.map((one) => service.hide(one)) }),
  });
  const results: Result[] = [];
  const report = (record: AssumptionRecord, calls: number, outcome: Outcome) => {
    const { seen, why, ...rest } = toResult(record, calls, outcome);
    const result = { ...rest, seen: seen === null ? null : service.hide(seen), why: service.hide(why) };
    results.push(result);
    options.onResult?.(result);
  };
  const order = [...stories.keys()];
  const withStory = records.filter((one) => stories.has(one.id)).sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  for (const record of records) if (!stories.has(record.id)) report(record, 0, { why: record.not_probeable_because });
  if (withStory.length === 0) return { version: 1, results };

  let account: Account;
  try {
    account = new Account(service, await factsOf(service, options));
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error;
    for (const record of withStory) report(record, 0, { why: `Not probed: ${error.message}` });
    return ended(error.message, []);
  }
  let stopped: string | undefined;
  const streak = new FailureStreak(service);
  try {
    for (const record of withStory) {
      if (stopped !== undefined) {
        report(record, 0, { why: `Not probed: ${stopped}` });
        continue;
      }
      options.onStory?.(record.id);
      const before = service.calls;
      const play = async () => {
        const played = await runScript(record, stories.get(record.id) as Script, account);
        await account.things.deleteAfterStory();
        return played;
      };
      const first = await play();
      const outcome = isContradiction(record, first) ? bothOf(first, await play()) : first;
      report(record, service.calls - before, outcome);
      stopped = (await streak.reasonToStop(outcome.failure)) ?? tooManyLeft(account.things.undeleted);
    }
  } finally {
    // Also after a bug in a story.
    options.onStory?.(AFTERWARDS);
    await account.things.deleteAll();
  }
  return ended(stopped, account.things.left());
}

/** Counts stories in a row that fail in the same call. One call of the service may fail while the service works for all others. */
class FailureStreak {
  readonly #service: Service;
  #place: string | undefined;
  #count = 0;

  constructor(service: Service) {
    this.#service = service;
  }

  async reasonToStop(failure: ServiceFailure | undefined): Promise<string | undefined> {
    this.#count = failure === undefined ? 0 : failure.place === this.#place ? this.#count + 1 : 1;
    this.#place = failure?.place;
    if (failure === undefined) return undefined;
    if (failure.isFinal || this.#count === FAILURES_MAX) return failure.message;
    try {
      await this.#service.call("GET", OWN_MEMBER);
      return undefined;
    } catch (error) {
      if (error instanceof ServiceFailure) return error.message;
      throw error;
    }
  }
}

/** A key that may create things but not read or delete them would fill the account. */
function tooManyLeft(count: number): string | undefined {
  return count < UNDELETED_MAX
    ? undefined
    : `The probe cannot delete ${count} things that it created, so it creates no more. Check that the key may read and delete.`;
}

interface Outcome {
  seen?: string | undefined;
  why?: string;
  failure?: ServiceFailure;
}

/** The reading of the service: a double with this reading, and with no other, shows the same. @throws Undecided, ServiceFailure */
export async function readingSeen({ id, readings }: AssumptionRecord, script: Script, account: Account): Promise<string> {
  const seen = await script(account);
  if (id === LIMITS) return String(seen);
  const all = readings.map(async (one) =>
    (await seenAtDouble(id, one, account.facts.kind)) === JSON.stringify(seen) ? [one] : [],
  );
  const [reading, ...others] = (await Promise.all(all)).flat();
  if (reading === undefined || others.length > 0)
    throw new Undecided(`No reading alone explains what the service shows: ${JSON.stringify(seen)}.`);
  return String(reading);
}

async function runScript(record: AssumptionRecord, script: Script, account: Account): Promise<Outcome> {
  try {
    return { seen: await readingSeen(record, script, account) };
  } catch (error) {
    if (error instanceof Undecided) return { why: error.message };
    if (error instanceof ServiceFailure) return { why: error.message, failure: error };
    throw error;
  }
}

/** A service may answer otherwise now and then. So only what it shows twice contradicts docdouble. */
function bothOf(first: Outcome, again: Outcome): Outcome {
  if (again.seen !== undefined && again.seen === first.seen) return again;
  const second = again.seen === undefined ? `showed nothing: ${again.why}` : `showed ${again.seen}.`;
  return { ...again, seen: undefined, why: `The first try showed ${first.seen}. The second try ${second}` };
}

function isContradiction(record: AssumptionRecord, { seen }: Outcome): boolean {
  return seen !== undefined && seen !== defaultOf(record);
}

function defaultOf(record: AssumptionRecord): string {
  return [shownReading(record.default as string | number)].flat().join(",");
}

function toResult(record: AssumptionRecord, calls: number, { seen, why }: Outcome): Result {
  const byDefault = defaultOf(record);
  const common = { assumption: record.id, default: byDefault, calls };
  if (seen === undefined) return { ...common, verdict: "undecided", seen: null, why: why ?? "" };
  const isDefault = seen === byDefault;
  return {
    ...common,
    verdict: isDefault ? "confirmed" : "contradicted",
    seen,
    why: isDefault
      ? `The service does as docdouble assumes: ${record.statement}`
      : `docdouble assumes ${byDefault}: ${record.statement} The service shows ${seen}.`,
  };
}

/** @throws SettingsError */
async function chosenRecords(only: readonly string[] | undefined): Promise<AssumptionRecord[]> {
  const records = (await service.ledger()).filter((one) => one.switchable);
  if (only === undefined) return records;
  if (only.length === 0) throw new SettingsError("Cannot probe: --only names no assumption. docdouble assumptions lists them.");
  const chosen = only.flatMap((id) => {
    const found = records.filter(id.includes("*") ? (one) => fitsGlob(one.id, id) : (one) => one.id === id);
    if (found.length > 0) return found;
    const near = nearest(
      id,
      records.map((one) => one.id),
    );
    const next = near === undefined ? "docdouble assumptions lists them." : `Did you mean ${near}?`;
    throw new SettingsError(`Cannot probe ${id}: there is no assumption of this name with several readings. ${next}`);
  });
  return [...new Set(chosen)];
}

/**
 * The keys of both kinds look alike. Source: a protected download answers 401 to every sandbox key.
 * Every other answer counts as a production key, which is the safe side.
 * @throws SettingsError for a production key without permission
 */
async function factsOf(service: Service, options: ProbeOptions): Promise<AccountFacts> {
  const me = await service.call("GET", OWN_MEMBER);
  const email = at(me.json, "email");
  if (me.status !== 200 || typeof email !== "string")
    throw new ServiceFailure(`GET ${OWN_MEMBER} answered ${shown(me)}. Check that --real names the API.`, { isFinal: true });
  const guarded = await service.call("GET", GUARDED_DOWNLOAD, { expects: [401], isFile: true });
  const kind = guarded.status === 401 ? "sandbox" : "production";
  if (kind === "production" && !options.allowProductionKey)
    throw new SettingsError(
      `Cannot probe: the key of ${email} is a production key. Use a sandbox key, or allow it with --allow-production-key.`,
    );
  return { email, kind, run: options.run };
}
