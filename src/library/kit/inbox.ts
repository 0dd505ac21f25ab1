import * as z from "zod";
import type { Tenant } from "../../service/service.ts";
import { systemClock } from "../../engine/core/clock.ts";
import { lazy } from "../../engine/core/operation.ts";
import { WALL_MS_MAX } from "../../engine/core/time-limits.ts";
import { ClosedError, InboxTimeoutError, SettingsError } from "../errors.ts";
import type { EventName } from "../file-types.ts";
import { checked } from "./method.ts";
import type { EventMatch, ReceivedEvent } from "./types.ts";
import { words } from "../../service/words.ts";

/** Shorter than the usual limit of a test, 5 s, so that the test shows this message. */
const TIMEOUT_MS = 3000;
const eventName = lazy(() => z.enum(words.events).optional());
const conditions = lazy(() =>
  z.strictObject({
    status: z.enum(words.statuses).optional(),
    document_id: z.string().optional(),
    name: z.string().optional(),
    recipient: z.string().optional(),
  }),
);
const nextOptions = lazy(() => z.strictObject({ timeout: z.number().min(0).max(WALL_MS_MAX).optional() }));

function closedError(method = "inbox.next"): ClosedError {
  return new ClosedError(
    method,
    "this webhook receiver is closed, as after sandbox.reset()",
    "Open another with sandbox.webhooks.receiver().",
  );
}

interface Waiter {
  accepts(event: ReceivedEvent): boolean;
  settle(result: { event: ReceivedEvent } | { error: Error }): void;
}

export class InboxEvents {
  readonly received: ReceivedEvent[] = [];
  readonly refused: ReceivedEvent[] = [];
  readonly #taken = new Set<ReceivedEvent>();
  readonly #waiters = new Set<Waiter>();
  readonly #tenant: Tenant;
  readonly #subscription: string;
  readonly #events: readonly EventName[];
  #isClosed = false;

  constructor(tenant: Tenant, subscription: string, events: readonly EventName[]) {
    this.#tenant = tenant;
    this.#subscription = subscription;
    this.#events = events;
  }

  add(event: ReceivedEvent): void {
    this.received.push(event);
    for (const waiter of this.#waiters)
      try {
        if (!waiter.accepts(event)) continue;
        this.#taken.add(event);
        waiter.settle({ event });
        return;
      } catch (error) {
        // The delivery did arrive. The function of the test is wrong.
        waiter.settle({ error: error as Error });
      }
  }

  /** The first matching event that no earlier call returned. @throws InboxTimeoutError */
  next(
    event?: EventName,
    match: EventMatch | ((event: ReceivedEvent) => boolean) = {},
    options: { timeout?: number | undefined } = {},
  ) {
    const timeout = this.#check(event, match, options);
    const fits =
      typeof match === "function" ? (one: ReceivedEvent) => answerOf(match, one) : (one: ReceivedEvent) => fitsMatch(one, match);
    const accepts = (one: ReceivedEvent) => (event === undefined || one.event === event) && fits(one);
    return new Promise<ReceivedEvent>((resolve, reject) => {
      const known = this.received.find((one) => !this.#taken.has(one) && accepts(one));
      if (known) {
        this.#taken.add(known);
        resolve(known);
        return;
      }
      if (this.#isClosed) {
        reject(closedError());
        return;
      }
      const over = this.#tenant.auto.wait();
      const waiter: Waiter = {
        accepts,
        settle: (result) => {
          cancel();
          over();
          this.#waiters.delete(waiter);
          if ("event" in result) resolve(result.event);
          else reject(result.error);
        },
      };
      const cancel = systemClock.deadline(timeout, () =>
        waiter.settle({ error: new InboxTimeoutError(this.#report(event, match, timeout), [...this.received]) }),
      );
      this.#waiters.add(waiter);
    });
  }

  ended(method: string): ClosedError | undefined {
    return this.#isClosed ? closedError(method) : undefined;
  }

  clear(): void {
    this.received.length = 0;
    this.refused.length = 0;
    this.#taken.clear();
  }

  close(): void {
    this.#isClosed = true;
    for (const waiter of this.#waiters) waiter.settle({ error: closedError() });
  }

  /** @throws SettingsError for an event that can never arrive */
  #check(event: EventName | undefined, match: unknown, options: unknown): number {
    checked(event, eventName, 'the event is one such as "document_state_changed"');
    if (event !== undefined && !this.#events.includes(event))
      throw new SettingsError(
        `the receiver does not subscribe to ${event}; it subscribes to ${this.#events.join(", ")}. Add it to webhooks.receiver({ events }).`,
      );
    if (typeof match !== "function") checked(match, conditions, "the match is an object such as { status } or a function");
    return checked(options, nextOptions, "the options are an object such as { timeout: 5000 }").timeout ?? TIMEOUT_MS;
  }

  #report(event: EventName | undefined, match: unknown, timeout: number): string {
    const wanted = `${event ?? "event"}${typeof match === "function" ? " that the function accepts" : Object.keys(match as object).length > 0 ? ` with ${JSON.stringify(match)}` : ""}`;
    const lines = [`No ${wanted} arrived within ${timeout} ms.`];
    if (this.received.length === 0 && this.refused.length === 0) lines.push("Nothing arrived at all.");
    else lines.push("Instead arrived:");
    for (const one of this.received) lines.push(`  ${describe(one)}${this.#taken.has(one) ? ", returned before" : ""}`);
    for (const one of this.refused) lines.push(`  ${describe(one)}, answered ${one.status} (signature ${one.signature})`);
    const waiting = this.#tenant.store.deliveries
      .all()
      .filter((row) => row.subscriber === this.#subscription && row.state === "pending");
    if (waiting.length > 0) lines.push(`Deliveries that wait: ${waiting.length}.`);
    const work = this.#tenant.clock.nextFor("work");
    if (this.#tenant.clock.mode === "frozen" && work !== undefined)
      lines.push('The clock is frozen, and work waits for it: await sandbox.clock.advance({ until: "next" }).');
    return lines.join("\n");
  }
}

/** A promise would accept every event. @throws SettingsError */
function answerOf(match: (event: ReceivedEvent) => boolean, event: ReceivedEvent): boolean {
  const answer: unknown = match(event);
  if (answer instanceof Promise)
    throw new SettingsError("the function returned a promise. Pass one that returns true or false at once.");
  return Boolean(answer);
}

function fitsMatch({ data }: ReceivedEvent, { status, document_id, name, recipient }: EventMatch): boolean {
  return (
    (status === undefined || data.status === status) &&
    (document_id === undefined || data.id === document_id) &&
    (name === undefined || data.name === name) &&
    (recipient === undefined || data.action_by?.email?.toLowerCase() === recipient.toLowerCase())
  );
}

function describe({ event, data, duplicate }: ReceivedEvent): string {
  const who = data.action_by?.email === undefined ? "" : ` by ${data.action_by.email}`;
  return `${event}${data.status === undefined ? "" : ` (${data.status})`} of ${data.id}${who}${duplicate ? ", a duplicate" : ""}`;
}
