/** Those who want to know of what happens in a tenant: streams of events, and whoever waits for a change. */
import type { Clock } from "../../core/clock.ts";
import type { JournalEntry } from "../../engine/journal.ts";
import type { DeliveryRow } from "../../engine/rows.ts";

/** Something that happened. */
export type TenantEvent =
  | { type: "exchange"; exchange: JournalEntry }
  | { type: "delivery"; delivery: DeliveryRow }
  | { type: "clock"; clock: Pick<Clock, "now" | "mode" | "speed"> };

export class EventStream {
  readonly #watchers = new Set<() => void>();
  readonly #listeners = new Set<(event: TenantEvent | undefined) => void>();
  readonly #onError: (error: unknown) => void;

  /** `onError` hears of errors of listeners: they never reach whoever caused the event. */
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

  /** Tells `run` of everything that happens, and of the end by undefined, until the returned function is called. */
  listen(run: (event: TenantEvent | undefined) => void): () => void {
    this.#listeners.add(run);
    return () => this.#listeners.delete(run);
  }

  get isListening(): boolean {
    return this.#listeners.size > 0;
  }

  tell(event: TenantEvent): void {
    this.#each(this.#listeners, (run) => run(event));
  }

  /** Ends all listening. */
  hangUp(): void {
    this.#each([...this.#listeners], (run) => run(undefined));
    this.#listeners.clear();
  }

  /** Calls `run` after every change that has held, until the returned function is called. */
  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  tellOfChange(): void {
    this.#each(this.#watchers, (run) => run());
  }
}
