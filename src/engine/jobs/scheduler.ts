/**
 * Jobs are timers as rows, with a kind and a due time. A fixed table has the handler of each kind. So snapshots contain jobs, a restore
 * starts them again, and a transaction that rolls back leaves no job.
 */
import type { Clock } from "../core/tenant-clock.ts";
import { LATEST, NEVER } from "../core/time-limits.ts";
import type { Timer } from "../core/timers.ts";
import type { Store } from "../store/store.ts";
import { type EngineTables, jobKey, type JobRow } from "./rows.ts";

export interface JobHandler<Context> {
  /**
   * Synchronous work shares one transaction with the removal of the job. An asynchronous handler writes nothing, and returns the function
   * that writes its outcome.
   */
  run(payload: never, context: Context): void | Promise<() => void>;
  /**
   * Cleans up after the last failed run, in one transaction with the removal of the job. With this function, the death of the process
   * counts as a failed run. Without it, the job runs again at the next start.
   */
  giveUp?(payload: never, context: Context): void;
  /** A deadline, such as an expiry or a reminder, does not count as pending work. */
  deadline?: boolean;
  /** What the job does to its subject, for a client that waits: `is ready`. Without it, no client waits for the job. */
  outcome?: string;
  /** Automatic time never moves to this job, because the job removes something that a client may still need. */
  skipped?: boolean;
}

export type JobHandlers<Context> = { readonly [kind: string]: JobHandler<Context> };

export interface JobRun {
  kind: string;
  at: number;
  payload: Record<string, unknown>;
}

const SECOND_TRY_MS = 60_000;
const TRIES_MAX = 2;

export class Scheduler<Context> {
  readonly #clock: Clock;
  readonly #store: Store<EngineTables>;
  readonly #handlers: JobHandlers<Context>;
  readonly #context: () => Context;
  readonly #timers = new Map<string, Timer>();
  #sequence = 0;
  /** Counts resets and restores, so that an earlier run writes no outcome after them. */
  #generation = 0;
  #listener: ((run: JobRun) => void) | undefined;

  constructor(clock: Clock, store: Store<EngineTables>, handlers: JobHandlers<Context>, context: () => Context) {
    this.#clock = clock;
    this.#store = store;
    this.#handlers = handlers;
    this.#context = context;
  }

  /** Writes a job and starts its timer when the transaction commits. A job beyond the clock's last instant never runs. Returns its id. */
  schedule(kind: string, delayMs: number, payload: Record<string, unknown> = {}): string {
    if (!this.#handlers[kind]) throw new Error(`no job handler for ${kind}`);
    const job = this.#store.jobs.put({
      id: `job_${++this.#sequence}`,
      kind,
      due: this.#dueIn(delayMs),
      payload,
    });
    this.#store.afterCommit(() => this.#arm(job));
    return job.id;
  }

  #dueIn(delayMs: number): number {
    const due = Math.round(this.#clock.now() + delayMs);
    return due <= LATEST ? due : NEVER;
  }

  change(id: string, payload: Record<string, unknown>): void {
    const job = this.#store.jobs.get(id);
    if (job) this.#store.jobs.put({ ...job, payload });
  }

  cancel(id: string): void {
    if (!this.#store.jobs.delete(id)) return;
    this.#store.afterCommit(() => this.#disarm(id));
  }

  cancelWhere(kind: string, match: Record<string, string | number>): void {
    for (const job of this.findWhere(kind, match)) this.cancel(job.id);
  }

  findWhere(kind: string, match: Record<string, string | number>): JobRow[] {
    const [first, ...others] = Object.entries(match);
    if (!first) return this.#store.jobs.where("kind", kind);
    return this.#store.jobs
      .where("about", jobKey(kind, ...first))
      .filter(({ payload }) => others.every(([name, value]) => payload[name] === value));
  }

  /** The next job that a client waits for, among those that the finder returns for each kind. */
  nextAwaited(find: (kind: string) => readonly JobRow[]): { job: JobRow; outcome: string } | undefined {
    let next: { job: JobRow; outcome: string } | undefined;
    for (const [kind, { outcome }] of Object.entries(this.#handlers)) {
      if (outcome === undefined) continue;
      for (const job of find(kind)) if (next === undefined || job.due < next.job.due) next = { job, outcome };
    }
    return next;
  }

  knows(kind: string): boolean {
    return Object.hasOwn(this.#handlers, kind);
  }

  get waiting(): number {
    return this.#store.jobs.size;
  }

  pending(): JobRow[] {
    return this.#store.jobs.all().sort((a, b) => a.due - b.due || sequenceOf(a.id) - sequenceOf(b.id));
  }

  /** The number of the last job. Numbers stay unique, because rows refer to jobs. */
  get sequence(): number {
    return this.#sequence;
  }

  set sequence(sequence: number) {
    this.#sequence = sequence;
  }

  rearm(): void {
    this.#armAll(({ running: _, ...job }) => job);
  }

  resume(): void {
    this.#armAll(({ running: _, ...job }) => ({ ...job, failures: (job.failures ?? 0) + 1 }));
  }

  stop(): void {
    this.#generation++;
    this.#store.transaction(() => {
      for (const { running, ...job } of this.#store.jobs.all()) if (running) this.#store.jobs.put(job);
    });
  }

  #armAll(afterRun: (job: JobRow) => JobRow): void {
    for (const timer of this.#timers.values()) this.#clock.cancel(timer);
    this.#timers.clear();
    this.#generation++;
    for (const job of this.pending()) {
      this.#sequence = Math.max(this.#sequence, sequenceOf(job.id));
      this.#arm(job.running ? this.#store.jobs.put(afterRun(job)) : job);
    }
  }

  listen(listener: ((run: JobRun) => void) | undefined): void {
    this.#listener = listener;
  }

  #arm(job: JobRow): void {
    const handler = this.#handlers[job.kind];
    if (!handler || !this.#store.jobs.get(job.id)) return;
    this.#timers.set(
      job.id,
      this.#clock.at(job.due, () => this.#run(job, handler), handler),
    );
  }

  #disarm(id: string): void {
    const timer = this.#timers.get(id);
    if (timer) this.#clock.cancel(timer);
    this.#timers.delete(id);
  }

  #run(armed: JobRow, handler: JobHandler<Context>): undefined | Promise<() => void> {
    this.#timers.delete(armed.id);
    const job = this.#store.jobs.get(armed.id);
    if (!job) return undefined;
    this.#listener?.({ kind: job.kind, at: this.#clock.now(), payload: job.payload });
    if ((job.failures ?? 0) >= TRIES_MAX) {
      this.#giveUp(job, handler);
      return undefined;
    }
    let running: Promise<() => void> | undefined;
    this.#runOrRetry(job.id, handler, () =>
      this.#store.transaction(() => {
        running = handler.run(job.payload as never, this.#context()) ?? undefined;
        if (!running) this.#store.jobs.delete(job.id);
        else if (handler.giveUp) this.#store.jobs.put({ ...job, running: true });
      }),
    );
    const generation = this.#generation;
    const finish = (outcome: () => void) => {
      if (generation !== this.#generation) return;
      this.#runOrRetry(job.id, handler, () =>
        this.#store.transaction(() => {
          if (this.#store.jobs.delete(job.id)) outcome();
        }),
      );
    };
    return running?.then(
      (outcome) => () => finish(outcome),
      (error: unknown) => () =>
        finish(() => {
          throw error;
        }),
    );
  }

  #giveUp(job: JobRow, handler: JobHandler<Context>): void {
    this.#store.transaction(() => {
      this.#store.jobs.delete(job.id);
      handler.giveUp?.(job.payload as never, this.#context());
    });
  }

  #runOrRetry(id: string, handler: JobHandler<Context>, run: () => void): void {
    try {
      run();
    } catch (error) {
      const job = this.#store.jobs.get(id);
      const failures = (job?.failures ?? 0) + 1;
      if (job && failures >= TRIES_MAX) this.#giveUp(job, handler);
      else if (job) {
        const { running: _, ...waiting } = job;
        this.#arm(this.#store.jobs.put({ ...waiting, due: this.#dueIn(SECOND_TRY_MS), failures }));
      }
      throw error;
    }
  }
}

function sequenceOf(id: string): number {
  return Number(id.slice("job_".length));
}
