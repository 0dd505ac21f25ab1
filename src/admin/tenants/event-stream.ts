/** Events of a tenant for listeners, and notices of every committed change for watchers. */
import type { Clock } from "../../core/clock.ts";
import type { JournalEntry } from "../../engine/journal.ts";
import type { DeliveryRow } from "../../engine/rows.ts";

export type TenantEvent =
  | { type: "exchange"; entry: JournalEntry }
  | { type: "delivery"; delivery: DeliveryRow }
  | { type: "clock"; clock: Pick<Clock, "now" | "mode" | "speed"> };

export class EventStream {
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(event: TenantEvent | undefined) => void>();
  readonly #onError: (error: unknown) => void;

  /** `onError` receives errors of listeners: they must not fail the call that caused the event. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
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

  /** Calls `run` with each event, and with undefined at the end of the stream. Returns a function that unsubscribes. */
  listen(run: (event: TenantEvent | undefined) => void): () => void {
    this.#listeners.add(run);
    return () => this.#listeners.delete(run);
  }

  get isListening(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: TenantEvent): void {
    this.#each(this.#listeners, (run) => run(event));
  }

  end(): void {
    this.#each([...this.#listeners], (run) => run(undefined));
    this.#listeners.clear();
  }

  /** Calls `run` after every committed change. Returns a function that unsubscribes. */
  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  emitChange(): void {
    this.#each(this.#watchers, (run) => run());
  }
}
