/**
 * The only owner of real time and of the forms of instants. All other files in `src/` get them here. `tenant-clock.ts` holds the clock of
 * a tenant.
 */
import { type Checked, EARLIEST_WRITTEN, instantProblem, LATEST, parseDuration, readDuration } from "./time-limits.ts";

/** Saved when docdouble loads, so that a test's fake timers stop nothing in docdouble. A clock follows fake timers only by `follow`. */
const real = {
  now: Date.now,
  // `performance` would load a dozen of Node's files.
  hrtime: process.hrtime,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
};

/** The wall clock, for work that must not follow a tenant's time: socket limits, injected delays, disk writes. */
export const systemClock = {
  now: (): number => real.now(),
  /** Milliseconds from an arbitrary start, with a fraction. */
  elapsed: (): number => {
    const [seconds, nanoseconds] = real.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  timeout: (ms: number): AbortSignal => AbortSignal.timeout(ms),
  /** Runs at the next turn of the event loop. Returns a function that cancels, as `deadline` and `after` do. */
  immediate: (run: () => void): (() => void) => {
    const turn = real.setImmediate(run);
    return () => real.clearImmediate(turn);
  },
  soon: (): Promise<void> => new Promise((resolve) => real.setImmediate(resolve)),
  sleep: (ms: number): Promise<void> => new Promise((resolve) => real.setTimeout(resolve, ms)),
  /** Keeps the process alive until then. */
  deadline: (ms: number, run: () => void): (() => void) => {
    const timer = real.setTimeout(run, ms);
    return () => real.clearTimeout(timer);
  },
  /** Does not keep the process alive. */
  after: (ms: number, run: () => void): (() => void) => {
    const timer = real.setTimeout(run, ms);
    timer.unref();
    return () => real.clearTimeout(timer);
  },
  /** A busy machine runs timers before it reads what has arrived meanwhile. */
  afterArrivals: (run: () => void): (() => void) => {
    let left = TURNS_OF_A_CALL;
    let turn: NodeJS.Immediate;
    const next = () => {
      if (left-- === 0) run();
      else turn = real.setImmediate(next);
    };
    next();
    return () => real.clearImmediate(turn);
  },
};

/** Turns of the event loop in which a call that has arrived is read and begins. */
const TURNS_OF_A_CALL = 6;

export interface Stopwatch {
  elapsed(): number;
  after(ms: number, run: () => void): () => void;
  /** Runs once the calls that have arrived have begun. Absent where no call comes from outside. */
  afterArrivals?(run: () => void): () => void;
}

/** The source of a clock that flows: the wall clock, or fake timers. */
export interface TimeSource {
  now(): number;
  after(ms: number, run: () => void): () => void;
}

/** The timers and dates of the process now. A test may have replaced them by fakes. */
export function presentTime(): { source: TimeSource; isFake: boolean } {
  const { Date: dates, setTimeout: set, clearTimeout: clear } = globalThis;
  const source: TimeSource = {
    now: () => dates.now(),
    after: (ms, run) => {
      const timer = set(run, ms);
      return () => clear(timer);
    },
  };
  return { source, isFake: dates.now !== real.now && set !== real.setTimeout };
}

function dateOf(instant: number): Date {
  return new Date(Math.min(LATEST, Math.max(EARLIEST_WRITTEN, instant)));
}

/** The service's form: UTC with microseconds, `2024-07-02T16:21:35.770000Z`. */
export function iso(instant: number): string {
  let text = written.get(instant);
  if (text === undefined) {
    text = `${dateOf(instant).toISOString().slice(0, -1)}000Z`;
    if (written.size >= WRITTEN_MAX) written.clear();
    written.set(instant, text);
  }
  return text;
}

const written = new Map<number, string>();
const WRITTEN_MAX = 10_000;

export function isoOrNull(instant: number | null): string | null {
  return instant === null ? null : iso(instant);
}

/** To the second, `2024-07-02T16:21:35Z`. Some answers of services use this form. */
export function isoSeconds(instant: number, zone: "Z" | "+00:00" = "Z"): string {
  return iso(instant).slice(0, 19) + zone;
}

/** Without a zone, `2024-07-02T16:21:35.770000`. Answers without zones use this form. */
export function isoZoneless(instant: number): string {
  return iso(instant).slice(0, -1);
}

/** With milliseconds, `2024-07-02T16:21:35.770Z`. The admin API and docdouble's pages use this form. */
export function isoMillis(instant: number): string {
  return dateOf(instant).toISOString();
}

export function toDate(instant: number): Date {
  return dateOf(instant);
}

export function httpDate(instant: number): string {
  const second = Math.floor(instant / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastDate = dateOf(instant).toUTCString();
  }
  return lastDate;
}

let lastSecond = Number.NaN;
let lastDate = "";

/** Epoch milliseconds of an ISO 8601 text in the years 0 to 9999. Undefined for other texts. A text without a zone is UTC. */
export function parseInstant(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i.exec(text);
  if (!match) return undefined;
  const [, date, time, zone] = match;
  const instant = Date.parse(`${date}T${time ?? "00:00:00"}${(zone ?? "Z").toUpperCase()}`);
  return !(instant >= EARLIEST_WRITTEN && instant <= LATEST) ||
    new Date(Date.parse(`${date}T00:00:00Z`)).toISOString().slice(0, 10) !== date
    ? undefined
    : instant;
}

export function readInstant(text: string): Checked {
  const value = parseInstant(text);
  const problem = instantProblem(value, text);
  return problem === undefined ? { value: value as number } : { problem };
}

export function readMoment(text: string, now: number): Checked {
  if (parseDuration(text) === undefined) return readInstant(text);
  const wait = readDuration(text);
  return wait.problem === undefined ? { value: now + wait.value } : wait;
}
