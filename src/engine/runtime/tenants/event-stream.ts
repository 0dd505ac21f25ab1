import type { Clock } from "../../core/tenant-clock.ts";
import type { JournalEntry } from "../../journal/journal.ts";
import type { DeliveryRow } from "../../jobs/rows.ts";
import type { JobRun } from "../../jobs/scheduler.ts";
import type { Service } from "../service.ts";
import type { Happening, PersonAct } from "../world.ts";

export type TenantEvent =
  | { type: "exchange"; entry: JournalEntry }
  | { type: "delivery"; delivery: DeliveryRow }
  /** The clock has a new time or mode. An `advance` said before where this move would end. */
  | { type: "clock"; clock: Pick<Clock, "now" | "mode" | "speed">; from?: number; to?: number | undefined }
  /** A move begins, and its jobs follow. `to` is undefined when only these jobs show where it ends. */
  | { type: "advance"; clock: Pick<Clock, "mode" | "speed">; from: number; to: number | undefined }
  | { type: "status"; subject: string; status: string }
  | { type: "act"; subject: string; act: PersonAct }
  | { type: "job"; run: JobRun; refused?: string }
  | { type: "reset" };

/** Undefined when another event says it: the call that creates a subject shows its first status. */
export function toTenantEvent({ name, subject, act }: Happening, { subjects }: Service): TenantEvent | undefined {
  if (act) return { type: "act", subject, act };
  return subjects.isStatus(name) && !subjects.isFirstStatus(name) ? { type: "status", subject, status: name } : undefined;
}

export class EventStream {
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(event: TenantEvent | undefined) => void>();
  readonly #observers = new Set<(event: TenantEvent | undefined) => void>();
  readonly #onError: (error: unknown) => void;

  /** `onError` receives errors of listeners, because they must not fail the call that caused the event. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** A listener that works later reports its error here, for the same reason. */
  report(error: unknown): void {
    this.#onError(error);
  }

  #each<Run>(all: Iterable<Run>, call: (run: Run) => void): void {
    for (const run of all) {
      try {
        call(run);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Calls `run` with each event, and with undefined at the end. Returns a function that unsubscribes. */
  listen(run: (event: TenantEvent | undefined) => void): () => void {
    this.#listeners.add(run);
    return () => this.#listeners.delete(run);
  }

  /** As `listen`. It also hears calls that a closing server answers. */
  observe(run: (event: TenantEvent | undefined) => void): () => void {
    this.#observers.add(run);
    return () => this.#observers.delete(run);
  }

  get isHeard(): boolean {
    return this.#listeners.size + this.#observers.size > 0;
  }

  get isListening(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: TenantEvent): void {
    if (!this.isHeard) return;
    this.#each(this.#listeners, (run) => run(event));
    this.#each(this.#observers, (run) => run(event));
  }

  end(): void {
    this.#each([...this.#listeners], (run) => run(undefined));
    this.#listeners.clear();
  }

  stop(): void {
    this.end();
    this.#each([...this.#observers], (run) => run(undefined));
    this.#observers.clear();
  }

  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  emitChange(): void {
    this.#each(this.#watchers, (run) => run());
  }
}
