/**
 * From event to answer: `enqueue` writes a delivery with the transaction that caused it, a job posts it, and each try
 * is kept as an attempt. What fails is tried again after each delay of the schedule, then given up.
 */
import type { Clock } from "../core/clock.ts";
import type { Store } from "../store/store.ts";
import { type Dispatch, type DispatchResult, dispatch, sign } from "./dispatch.ts";
import type { Scheduler } from "./scheduler.ts";
import type { DeliveryRow, EngineTables } from "./tables.ts";

export interface OutboxSettings {
  /** Delays in ms before the second and each later attempt. */
  retries_ms: readonly number[];
  /** Wall milliseconds a receiver has to answer. */
  timeout_ms: number;
  /** Headers of every delivery; the event id's own is added by name. */
  headers: Record<string, string>;
  eventIdHeader: string;
}

/** What the outbox must ask about a subscriber when it is about to post. */
export interface Subscriber {
  url: string;
  key: string;
  /** False: deliveries to it are dropped. */
  accepts: boolean;
}

export interface OutboxHooks {
  subscriber(id: string): Subscriber | undefined;
  /** Called in the transaction that writes an attempt. */
  attempted(delivery: DeliveryRow): void;
}

export const DELIVER_JOB = "deliver";

export class Outbox {
  readonly #clock: Clock;
  readonly #store: Store<EngineTables>;
  readonly #scheduler: Pick<Scheduler<unknown>, "schedule">;
  readonly #settings: () => OutboxSettings;
  readonly #hooks: OutboxHooks;
  readonly #post: (request: Dispatch) => Promise<DispatchResult>;

  constructor(options: {
    clock: Clock;
    store: Store<EngineTables>;
    scheduler: Pick<Scheduler<unknown>, "schedule">;
    settings: () => OutboxSettings;
    hooks: OutboxHooks;
    post?: (request: Dispatch) => Promise<DispatchResult>;
  }) {
    this.#clock = options.clock;
    this.#store = options.store;
    this.#scheduler = options.scheduler;
    this.#settings = options.settings;
    this.#hooks = options.hooks;
    this.#post = options.post ?? dispatch;
  }

  /** Writes a delivery and its first job. */
  enqueue(delivery: Omit<DeliveryRow, "created" | "state" | "attempts">): DeliveryRow {
    const row = this.#store.deliveries.put({ ...delivery, created: this.#clock.now(), state: "pending", attempts: [] });
    this.#scheduler.schedule(DELIVER_JOB, 0, { delivery: row.id, attempt: 1 });
    return row;
  }

  /** Sends a delivery once more, outside the schedule of retries. */
  redeliver(delivery: DeliveryRow): DeliveryRow {
    const row = this.#store.deliveries.put({ ...delivery, state: "pending" });
    this.#scheduler.schedule(DELIVER_JOB, 0, { delivery: row.id, attempt: row.attempts.length + 1, by_hand: true });
    return row;
  }

  /** The job: one attempt, and its outcome as the function that writes it. */
  deliver(payload: { delivery: string; attempt: number; by_hand?: boolean }): undefined | Promise<() => void> {
    const delivery = this.#store.deliveries.get(payload.delivery);
    if (!delivery) return undefined;
    const subscriber = this.#hooks.subscriber(delivery.subscriber);
    if (!subscriber?.accepts) {
      this.#store.deliveries.put({ ...delivery, state: "dropped" });
      return undefined;
    }
    const settings = this.#settings();
    // assumed: signed when it is sent, so a retry after a change of the key carries the new key's signature.
    const signature = sign(delivery.body, subscriber.key);
    const at = this.#clock.now();
    const request: Dispatch = {
      url: withSignature(subscriber.url, signature),
      body: delivery.body,
      headers: { ...settings.headers, [settings.eventIdHeader]: delivery.event_id },
      timeout_ms: settings.timeout_ms,
    };
    return this.#post(request).then((result) => () => {
      const current = this.#store.deliveries.get(delivery.id) ?? delivery;
      const succeeded = result.status !== null && result.status < 400;
      const retry = payload.by_hand ? undefined : settings.retries_ms[payload.attempt - 1];
      const isFinal = succeeded || result.status === 410 || retry === undefined;
      const row = this.#store.deliveries.put({
        ...current,
        url: subscriber.url,
        state: succeeded ? "delivered" : isFinal ? "failed" : "pending",
        attempts: [...current.attempts, { at, signature, ...result }],
      });
      if (!isFinal) this.#scheduler.schedule(DELIVER_JOB, retry, { delivery: row.id, attempt: payload.attempt + 1 });
      this.#hooks.attempted(row);
    });
  }
}

/** The URL with `signature` added to its query, the rest of it kept letter for letter. */
function withSignature(url: string, signature: string): string {
  const [target = "", fragment] = url.split("#");
  const joined = `${target}${target.includes("?") ? (/[?&]$/.test(target) ? "" : "&") : "?"}signature=${signature}`;
  return fragment === undefined ? joined : `${joined}#${fragment}`;
}
