/**
 * Webhook deliveries. `enqueue` writes a delivery within the transaction of its event, a job posts it, and each attempt becomes part of
 * its row. The retry schedule repeats failed attempts. After its last delay, the delivery fails.
 *
 * Webhook rules use two hooks: `plan` decides when and how often a delivery is sent, and `perform` changes one attempt.
 */
import { systemClock } from "../core/clock.ts";
import type { Clock } from "../core/tenant-clock.ts";
import type { Store } from "../store/store.ts";
import { type Dispatch, type DispatchResult, dispatch } from "./post-delivery.ts";
import { makeSignature, respelled, withSignature } from "./webhook-signature.ts";
import type { AddressPolicy } from "./address-policy.ts";
import type { DeliveryEffect } from "../scenario/rule-schema.ts";
import type { Scheduler } from "./scheduler.ts";
import type { DeliveryRow, EngineTables, Launch, Origin, Signing } from "./rows.ts";

export interface OutboxSettings {
  retries_ms: readonly number[];
  timeout_ms: number;
  addressPolicy: AddressPolicy;
  headers: Record<string, string>;
  eventIdHeader: string;
}

export interface Subscriber {
  url: string;
  key: string;
  oldKey: string | null;
  accepts: boolean;
}

/** What webhook rules ask for. */
export type DeliveryPlan = Omit<DeliveryEffect, "batch"> & Launch;

export interface OutboxHooks {
  subscriber(id: string): Subscriber | undefined;
  attempted(delivery: DeliveryRow): void;
  plan?(delivery: DeliveryRow): DeliveryPlan;
  perform?(delivery: DeliveryRow, attempt: number): DeliveryEffect;
}

export const DELIVER_JOB = "deliver";

// assumed: webhook.order.
/** A delivery waits this many wall milliseconds for the answer to the previous delivery to the same subscriber. */
const TURN_MS = 50;

interface DeliverPayload {
  delivery: string;
  batch?: string[];
  batch_key?: string;
  attempt: number;
  by_hand?: boolean;
}

export type NewDelivery = Omit<DeliveryRow, "origin" | "created" | "state" | "attempts" | "retries_ms" | "held_for">;

export class Outbox {
  readonly #clock: Clock;
  readonly #store: Store<EngineTables>;
  readonly #scheduler: Pick<Scheduler<unknown>, "schedule" | "cancel" | "change" | "findWhere">;
  readonly #settings: () => OutboxSettings;
  readonly #hooks: OutboxHooks;
  readonly #post: (request: Dispatch) => Promise<DispatchResult>;
  readonly #origin: () => Origin;
  /** By subscriber. Resolves when the next delivery may start, with true after an answer 410, which ends the subscription. */
  readonly #turns = new Map<string, Promise<boolean>>();

  constructor(options: {
    clock: Clock;
    store: Store<EngineTables>;
    scheduler: Pick<Scheduler<unknown>, "schedule" | "cancel" | "change" | "findWhere">;
    settings: () => OutboxSettings;
    hooks: OutboxHooks;
    post?: (request: Dispatch) => Promise<DispatchResult>;
    origin: () => Origin;
  }) {
    this.#clock = options.clock;
    this.#store = options.store;
    this.#scheduler = options.scheduler;
    this.#settings = options.settings;
    this.#hooks = options.hooks;
    this.#post = options.post ?? dispatch;
    this.#origin = options.origin;
  }

  enqueue(delivery: NewDelivery): DeliveryRow {
    const fresh: DeliveryRow = {
      ...delivery,
      origin: this.#origin(),
      created: this.#clock.now(),
      state: "pending",
      attempts: [],
      retries_ms: null,
      held_for: null,
    };
    const plan = this.#hooks.plan?.(fresh) ?? {};
    const { after_event: awaited, delay, batch } = plan;
    const isHeld = awaited && !this.hasReceived(fresh, awaited);
    const row: DeliveryRow = {
      ...fresh,
      ...(plan.respell ? { body: respelled(fresh.body) } : {}),
      state: plan.drop ? "dropped" : "pending",
      retries_ms: plan.retries ?? null,
      held_for: isHeld ? { ...awaited, then: { delay, batch } } : null,
    };
    this.#store.deliveries.put(row);
    for (const [i, signed] of (plan.copy_ahead ?? []).entries()) this.#sendAhead(row, signed, i);
    if (plan.drop) {
      this.#release(row);
      return row;
    }
    this.#launch(row, plan);
    for (let copy = 2; copy <= 1 + (plan.duplicate ?? 0); copy++) {
      const twin = this.#store.deliveries.put({ ...row, id: `${row.id}.${copy}` });
      this.#launch(twin, plan);
    }
    return row;
  }

  #sendAhead(row: DeliveryRow, signed: Signing, i: number): void {
    const name = i === 0 ? "ahead" : `ahead${i + 1}`;
    const copy: DeliveryRow = {
      ...row,
      id: `${row.id}.${name}`,
      event_id: signed === "valid" ? row.event_id : `${row.event_id}-${name}`,
      state: "pending",
      retries_ms: [],
      held_for: null,
      signed,
    };
    this.#store.deliveries.put(copy);
    this.#launch(copy, {});
  }

  #launch(row: DeliveryRow, plan: Launch): void {
    if (row.held_for) return;
    if (plan.batch) this.#join(row, plan.batch, plan.delay ?? 0);
    else this.#scheduler.schedule(DELIVER_JOB, plan.delay ?? 0, { delivery: row.id, attempt: 1 });
  }

  #join(row: DeliveryRow, batch: NonNullable<Launch["batch"]>, delay_ms: number): void {
    const key = `${batch.key}/${row.subscriber}`;
    const [open] = this.#scheduler.findWhere(DELIVER_JOB, { batch_key: key });
    if (!open) {
      this.#scheduler.schedule(DELIVER_JOB, delay_ms + batch.window, {
        delivery: row.id,
        batch: [],
        batch_key: key,
        attempt: 1,
      });
      return;
    }
    const payload = open.payload as unknown as DeliverPayload;
    const joined = { ...payload, batch: [...(payload.batch ?? []), row.id] };
    if (joined.batch.length + 1 < batch.max) {
      this.#scheduler.change(open.id, joined);
      return;
    }
    this.#scheduler.cancel(open.id);
    const { batch_key: _, ...full } = joined;
    this.#scheduler.schedule(DELIVER_JOB, delay_ms, full);
  }

  redeliver(delivery: DeliveryRow): DeliveryRow {
    const row = this.#store.deliveries.put({ ...delivery, state: "pending", held_for: null });
    this.#scheduler.schedule(DELIVER_JOB, 0, { delivery: row.id, attempt: row.attempts.length + 1, by_hand: true });
    return row;
  }

  /** Posts a copy of a delivery once, with another signature and an unknown event id. Returns the copy. */
  forge(delivery: DeliveryRow, signed: Signing): DeliveryRow {
    const copies = this.#store.deliveries
      .where("subject", delivery.subject)
      .filter((row) => row.id.startsWith(`${delivery.id}.forged`));
    const name = `forged${copies.length + 1}`;
    const row = this.#store.deliveries.put({
      ...delivery,
      id: `${delivery.id}.${name}`,
      event_id: `${delivery.event_id}-${name}`,
      state: "pending",
      attempts: [],
      origin: this.#origin(),
      retries_ms: [],
      held_for: null,
      signed,
    });
    this.#launch(row, {});
    return row;
  }

  /** Makes one attempt. Resolves to the function that writes the outcome. */
  deliver(payload: DeliverPayload): undefined | Promise<() => void> {
    const rows = [payload.delivery, ...(payload.batch ?? [])].flatMap((id) => this.#store.deliveries.get(id) ?? []);
    const [first] = rows;
    if (!first) return undefined;
    const subscriber = this.#hooks.subscriber(first.subscriber);
    if (!subscriber?.accepts) {
      this.#drop(rows);
      return undefined;
    }
    const body = rows.length === 1 ? first.body : `[${rows.map((row) => row.body.slice(1, -1)).join(",")}]`;
    // In a batch, the plan of an earlier member wins.
    const { signature: signed = "valid", attempt_result: forced }: DeliveryEffect = Object.assign(
      {},
      ...rows
        .map((row) => (row.signed ? { signature: row.signed } : (this.#hooks.perform?.(row, payload.attempt) ?? {})))
        .reverse(),
    );
    const signature = makeSignature(body, subscriber, signed);
    const at = this.#clock.now();
    const settings = this.#settings();
    const request: Dispatch = {
      url: signature === "" ? subscriber.url : withSignature(subscriber.url, signature),
      body,
      headers: { ...settings.headers, [settings.eventIdHeader]: first.event_id },
      timeout_ms: settings.timeout_ms,
      addressPolicy: settings.addressPolicy,
    };
    const posted =
      forced === undefined ? this.#inTurn(first.subscriber, () => this.#post(request)) : Promise.resolve(forcedResult(forced));
    return posted.then((result) => () => {
      if (result) this.#record(payload, rows, subscriber, { at, signature, signed, ...result });
      else this.#drop(rows);
    });
  }

  #drop(rows: readonly DeliveryRow[]): void {
    for (const { id, ...row } of rows)
      this.#release(this.#store.deliveries.put({ ...(this.#store.deliveries.get(id) ?? { ...row, id }), state: "dropped" }));
  }

  /** Posts after the answer to the subscriber's previous delivery, or after `TURN_MS`. spec: an answer 410 ends deliveries. */
  #inTurn(subscriber: string, post: () => Promise<DispatchResult>): Promise<DispatchResult | undefined> {
    const before = this.#turns.get(subscriber);
    let next = (_isOver: boolean) => {};
    const turn = new Promise<boolean>((resolve) => {
      next = (isOver) => {
        if (this.#turns.get(subscriber) === turn) this.#turns.delete(subscriber);
        resolve(isOver);
      };
    });
    this.#turns.set(subscriber, turn);
    const run = async () => {
      const cancel = systemClock.after(TURN_MS, () => next(false));
      let isOver = false;
      try {
        const result = await post();
        isOver = result.status === 410;
        return result;
      } finally {
        cancel();
        next(isOver);
      }
    };
    if (!before) return run();
    return before.then((isOver) => {
      if (!isOver) return run();
      next(true);
      return undefined;
    });
  }

  #record(
    payload: DeliverPayload,
    rows: readonly DeliveryRow[],
    subscriber: Subscriber,
    attempt: DeliveryRow["attempts"][number],
  ): void {
    const isDelivered = attempt.status !== null && attempt.status < 400;
    const schedule = rows[0]?.retries_ms ?? this.#settings().retries_ms;
    const retry = payload.by_hand ? undefined : schedule[payload.attempt - 1];
    const isFinal = isDelivered || attempt.status === 410 || retry === undefined;
    const recorded = rows.map((row) => {
      const current = this.#store.deliveries.get(row.id) ?? row;
      return this.#store.deliveries.put({
        ...current,
        url: subscriber.url,
        state: isDelivered ? "delivered" : isFinal ? "failed" : "pending",
        attempts: [...current.attempts, attempt],
      });
    });
    if (!isFinal) this.#scheduler.schedule(DELIVER_JOB, retry, { ...payload, attempt: payload.attempt + 1 });
    for (const row of recorded) {
      this.#hooks.attempted(row);
      if (isFinal) this.#release(row);
    }
  }

  /** Whether the subscriber has received the event about the same subject, or docdouble gave it up. */
  hasReceived(delivery: DeliveryRow, { event, status }: NonNullable<DeliveryRow["held_for"]>): boolean {
    return this.#store.deliveries
      .where("subject", delivery.subject)
      .some(
        (row) =>
          row.subscriber === delivery.subscriber &&
          row.event === event &&
          (status === null || row.status === status) &&
          row.state !== "pending",
      );
  }

  #release(finished: DeliveryRow): void {
    for (const row of this.#store.deliveries.where("held", `${finished.subscriber}/${finished.subject}`)) {
      if (row.held_for?.event !== finished.event) continue;
      if (row.held_for.status !== null && row.held_for.status !== finished.status) continue;
      this.#launch(this.#store.deliveries.put({ ...row, held_for: null }), row.held_for.then ?? {});
    }
  }
}

function forcedResult(result: NonNullable<DeliveryEffect["attempt_result"]>): DispatchResult {
  const none = { status: null, error: null, reason: null, duration_ms: 0, response_body: null, response_headers: null };
  if (result === "timeout") return { ...none, error: "TIMEOUT_ERROR", reason: "timed out by a webhook rule" };
  if (result === "refused") return { ...none, error: "CONNECT_ERROR", reason: "refused by a webhook rule" };
  return { ...none, status: result, reason: "answered by a webhook rule", response_body: "" };
}
