/**
 * `GET /__admin/events`. Without a view it sends calls, deliveries and clock changes in full. The view `log` sends a short form of all
 * events.
 */
import * as z from "zod";
import { iso, systemClock } from "../core/clock.ts";
import { tooManyRequests } from "../core/errors.ts";
import { binary, lazy } from "../core/operation.ts";
import { toCallView } from "./journal/call-view.ts";
import type { TenantEvent } from "../runtime/tenants/event-stream.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { toDelivery } from "./admin-views.ts";
import { verb, verbGroup } from "./define.ts";
import { getOrMake } from "../core/maps.ts";

const eventsInput = lazy(() => z.strictObject({ view: z.literal("log").optional().describe("log: a short form of all events") }));

/** Keep-alive comments, because proxies cut connections that are silent for minutes. */
const BEAT_MS = 20_000;

type FullEvent = Extract<TenantEvent, { type: (typeof FULL)[number] }>;
const FULL = ["exchange", "delivery", "clock"] as const;

function isFull(event: TenantEvent): event is FullEvent {
  return (FULL as readonly string[]).includes(event.type);
}

function dataOf(tenant: Tenant, event: FullEvent): unknown {
  switch (event.type) {
    case "exchange":
      return toCallView(event.entry, tenant);
    case "delivery":
      return toDelivery(event.delivery);
    case "clock":
      return { now: iso(event.clock.now()), mode: event.clock.mode, speed: event.clock.speed };
  }
}

const STREAMS_MAX = 500;
const WAITING_BYTES_MAX = 8 * 1024 * 1024;
const ALL_WAITING_BYTES_MAX = 64 * 1024 * 1024;

const encoder = new TextEncoder();
const streams = new Set<EventReader>();
let allWaiting = 0;

class EventReader {
  readonly body: ReadableStream<Uint8Array>;
  #queue: Uint8Array[] = [];
  #bytes = 0;
  #isEnded = false;
  #isCanceled = false;
  #wake = (): void => {};
  #stop = (): void => {};

  constructor(tenant: Tenant, view: "log" | undefined) {
    streams.add(this);
    this.#push(encoder.encode(`: events of ${tenant.id}\n\n`));
    const stopListening =
      view === "log"
        ? tenant.inspection.watchLog(tenant, (event) => (event ? this.#push(encode("log", event)) : this.#end()), { holds: true })
        : tenant.eventStream.listen((event) => {
            if (event === undefined) this.#end();
            else if (isFull(event)) this.#push(encoded(tenant, event));
          });
    let cancel = (): void => {};
    const beat = () => {
      cancel = systemClock.after(BEAT_MS, () => {
        this.#push(BEAT);
        beat();
      });
    };
    beat();
    this.#stop = () => {
      cancel();
      stopListening();
      streams.delete(this);
    };
    this.body = new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#pull(controller), cancel: () => this.#cancel() },
      new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
    );
  }

  get bytes(): number {
    return this.#bytes;
  }

  #push(event: Uint8Array): void {
    if (this.#isEnded) return;
    this.#queue.push(event);
    this.#count(event.length);
    if (this.#bytes > WAITING_BYTES_MAX) this.cut("this reader is");
    else if (allWaiting > ALL_WAITING_BYTES_MAX) {
      const [slowest] = [...streams].sort((a, b) => b.#bytes - a.#bytes);
      slowest?.cut("all readers together are");
    }
    this.#wake();
  }

  cut(who: string): void {
    const detail = `The stream ends: ${who} too far behind. Events were dropped; read GET /__admin/requests and connect again.`;
    this.#empty();
    this.#queue = [encoder.encode(`event: dropped\ndata: ${JSON.stringify({ detail })}\n\n`)];
    this.#end();
  }

  #end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#stop();
    this.#wake();
  }

  #cancel(): void {
    this.#isCanceled = true;
    this.#empty();
    this.#end();
  }

  #empty(): void {
    this.#queue = [];
    this.#count(-this.#bytes);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    allWaiting += bytes;
  }

  async #pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    while (this.#queue.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const event = this.#queue.shift();
    if (event) {
      controller.enqueue(event);
      this.#count(-Math.min(event.length, this.#bytes));
    }
    if (this.#isEnded && !this.#isCanceled && this.#queue.length === 0) controller.close();
  }
}

const BEAT = encoder.encode(":\n\n");

const texts = new WeakMap<TenantEvent, Uint8Array>();

function encode(name: string, data: unknown): Uint8Array {
  return encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

function encoded(tenant: Tenant, event: FullEvent): Uint8Array {
  return getOrMake(texts, event, () => encode(event.type, dataOf(tenant, event)));
}

const ELSEWHERE = {
  command: "docdouble logs shows them without an end",
  tool: "agents read calls and deliveries",
};

export const eventVerbs = verbGroup("Admin: events", ELSEWHERE, [
  verb({
    name: "events",
    does: "Streams server-sent events: `exchange` (each call), `delivery` (each attempt) and `clock`. With `?view=log`, each event is one line of the console as JSON. Try it with `curl -N`.",
    input: eventsInput,
    run({ tenant }, { view }): { body: ReadableStream } {
      if (streams.size >= STREAMS_MAX)
        throw tooManyRequests(1, `At most ${STREAMS_MAX} event streams may be open at one time. Close one and connect again.`);
      return { body: new EventReader(tenant, view).body };
    },
    admin: {
      id: "adminEvents",
      route: "GET /__admin/events",
      answer: binary("text/event-stream"),
      errors: [429],
      headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    },
  }),
]);
