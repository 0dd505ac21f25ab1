import { unmetExpectations } from "../../engine/runtime/scenario-runs/expectations.ts";
import type { PerformedAct } from "../../engine/runtime/scenario-runs/scenario-runner.ts";
import type { Service } from "../../engine/runtime/service.ts";
import { saveWorld } from "../../engine/runtime/tenants/saved-world.ts";
import type { Tenant } from "../../engine/runtime/tenants/tenant.ts";
import { clientNote } from "./client-time.ts";
import { systemClock } from "../../engine/core/clock.ts";
import type { DispatchResult } from "../../engine/jobs/post-delivery.ts";
import { sign } from "../../engine/jobs/webhook-signature.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { DeliveryRow, Signing } from "../../engine/jobs/rows.ts";
import type { Unmet } from "../../library/types.ts";
import { groupBy } from "../../engine/core/maps.ts";

/**
 * `failed`: the client threw, or its process ended with another exit code than 0.
 * `hung`: in real time, or on the sandbox's clock (`virtual`).
 */
export type End =
  | { kind: "returned"; value?: unknown }
  | { kind: "failed"; message: string; stack?: string }
  | { kind: "hung"; time: "real" | "virtual"; message: string }
  | { kind: "interrupted" };

export interface Post {
  kind: "post";
  at: number;
  event: string;
  status: string | null;
  document: string;
  eventId: string;
  signed: Signing;
  /** Counts the deliveries of the event to this address, from 1. Copies and retries have 0. */
  nth: number;
  result: Pick<DispatchResult, "status" | "error"> | undefined;
}

/**
 * - `wall`: real milliseconds at the answer.
 * - `nth` counts the calls of the operation as rules do, from 1.
 * - `document` is the document of the call. For a call that creates a document, it is the id in the answer.
 * - `isLate`: the client had ended before the answer came.
 */
export interface CallItem {
  kind: "call";
  at: number;
  wall: number;
  entry: JournalEntry;
  operation: string;
  nth: number;
  document: string | undefined;
  /** The call took effect and created its document. */
  creates: boolean;
  cause: Post | undefined;
  site: string | undefined;
  isLate?: true;
}

/** A wait that the client declared on docdouble's clock: epoch ms on that clock. */
export interface DeclaredWait {
  from: number;
  to: number;
}

export interface ActItem extends Pick<PerformedAct, "asked" | "did"> {
  document: string;
  role: string;
  kind: "act";
  at: number;
}

export type Item = CallItem | Post | ActItem;

/** A document at the client's end. `origin` is the id of its template. */
export interface Recorded {
  id: string;
  status: string;
  name: string;
  origin: string | null;
  metadata: Readonly<Record<string, string>>;
  isDeleted: boolean;
}

/** All documents in the order of creation, deleted ones included. */
export function recordedIn({ service, world }: Tenant): Recorded[] {
  const { subjects } = service;
  return subjects.every(world).map((row) => {
    const { name, origin, metadata, isDeleted } = subjects.describe(row);
    return { id: row.id, status: row.status, name, origin, metadata, isDeleted };
  });
}

/**
 * `began` and `ended`: epoch ms on the sandbox's clock. `broken`: what the invariant threw.
 * `hasMovedInSilence`: whether automatic time moved because the client was silent.
 */
export interface Recording {
  run: number;
  began: number;
  ended: number;
  end: End;
  items: Item[];
  /** Deliveries that a fault lost. Nobody received them. */
  lost: readonly Post[];
  waits: readonly DeclaredWait[];
  service: Service;
  documents: Recorded[];
  made: ReadonlySet<string>;
  unmet: Unmet[];
  broken: string | undefined;
  hasMovedInSilence: boolean;
  /** The client told docdouble of a sleep, as `--sleep virtual` does for Node, Python and Ruby. */
  declaresSleeps: boolean;
  /** The world at the client's end, as a world file. Only runs of a scenario file have it. */
  world?: Uint8Array;
}

export const callsOf = (recording: Pick<Recording, "items">): CallItem[] => recording.items.filter((one) => one.kind === "call");
export const postsOf = (recording: Recording): Post[] => recording.items.filter((one) => one.kind === "post");

/** Calls that took effect, by operation, also those whose answer was lost. */
export function effectiveCalls(recording: Recording): Map<string, CallItem[]> {
  const effective = callsOf(recording).filter(({ entry }) => entry.own !== undefined && entry.own < 300);
  return groupBy(effective, ({ operation }) => operation);
}

export interface CallNote {
  cause?: Post | undefined;
  site?: string | undefined;
}

export class Recorder {
  readonly items: Item[] = [];
  readonly waits: DeclaredWait[] = [];
  readonly #tenant: Tenant;
  readonly #began: number;
  readonly #stop: (() => void)[] = [];
  readonly #arrivals: JournalEntry[] = [];
  #calls = 0;
  /** The recording keeps at most so many calls, so that an endless client gives the same recording each time. */
  callsMax = Number.POSITIVE_INFINITY;
  readonly #seen = new Set<string>();
  readonly #made = new Set<string>();
  #hasEnded = false;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    this.#began = tenant.clock.now();
    tenant.journal.arrivals = this.#arrivals;
    this.#stop.push(tenant.journal.watch((entry) => this.#call(entry)));
    const { receivers, scenarioRunner } = tenant;
    tenant.auto.sleepers.onWait = (from, to) => this.waits.push({ from, to });
    receivers.around = (request, post) => this.#post(request, post);
    scenarioRunner.onAct = ({ subject, who, asked, did }) =>
      this.items.push({ kind: "act", at: tenant.clock.now(), document: subject, role: who, asked, did });
  }

  get calls(): number {
    return this.#calls;
  }

  /** The client has ended. Answers that come now reach nobody. */
  clientEnds(): void {
    this.#hasEnded = true;
  }

  #createdBy({ responseBody }: JournalEntry): string | undefined {
    const { service, world } = this.#tenant;
    const createdId = /"id":"([^"]+)"/.exec(responseBody)?.[1];
    if (createdId !== undefined && service.subjects.find(world, createdId)) return createdId;
    // The answer of a gateway names no document.
    return service.subjects
      .every(world)
      .map((row) => row.id)
      .findLast((id) => !this.#made.has(id));
  }

  #call(entry: JournalEntry): void {
    const { operationId: operation } = entry;
    if (operation === undefined || entry.page) return;
    this.#calls++;
    if (this.#calls > this.callsMax) return;
    const creates = entry.own === 201 && this.#tenant.service.subjects.creators.includes(operation);
    const created = creates ? this.#createdBy(entry) : undefined;
    if (created !== undefined) this.#made.add(created);
    const note = clientNote() as CallNote | undefined;
    this.items.push({
      kind: "call",
      at: entry.at,
      wall: systemClock.elapsed(),
      entry,
      operation,
      nth: 0,
      document: entry.subject ?? created,
      creates,
      cause: note?.cause,
      site: note?.site,
      ...(this.#hasEnded ? { isLate: true as const } : {}),
    });
  }

  async #post(
    { url, headers }: { url: string; headers: Record<string, string> },
    post: () => Promise<DispatchResult>,
  ): Promise<DispatchResult> {
    const { service, store } = this.#tenant;
    const eventId = headers[service.deliveries.idHeader] ?? "";
    const row = store.deliveries.all().find((one) => one.event_id === eventId);
    const key = `${eventId} ${url.split("?")[0]}`;
    const signed = this.#signingOf(url, row);
    const isFirst = signed === "valid" && !this.#seen.has(key);
    if (isFirst) this.#seen.add(key);
    const item: Post = {
      kind: "post",
      at: this.#tenant.clock.now(),
      event: row?.event ?? "",
      status: row?.status ?? null,
      document: row?.subject ?? "",
      eventId,
      signed,
      nth: isFirst ? 1 : 0,
      result: undefined,
    };
    this.items.push(item);
    const result = await this.within(item, post);
    item.result = { status: result.status, error: result.error };
    return result;
  }

  /** Runs the receiver so that its calls carry the delivery. A player replaces it where it can. */
  within: <T>(post: Post, run: () => Promise<T>) => Promise<T> = (_, run) => run();

  #signingOf(url: string, row: DeliveryRow | undefined): Signing {
    const signature = new URL(url).searchParams.get("signature");
    if (signature === null) return "missing";
    const { service, world } = this.#tenant;
    const key = row && service.deliveries.subscriber(world, row.subscriber)?.key;
    return row?.signed ?? (key === undefined || this.#isSigned(row?.body ?? "", key, signature) ? "valid" : "invalid");
  }

  #isSigned(body: string, key: string, signature: string): boolean {
    return sign(body, key) === signature;
  }

  /** The world now, as a world file. */
  world(): Promise<Uint8Array> {
    return saveWorld(this.#tenant);
  }

  /** Ends the recording. The sandbox must still be open. */
  finish(run: number, end: End, broken: string | undefined): Recording {
    for (const stop of this.#stop) stop();
    const tenant = this.#tenant;
    const { scenarios } = tenant;
    return {
      run,
      began: this.#began,
      ended: tenant.clock.now(),
      end,
      items: numbered(this.items, this.#arrivals),
      lost: lostIn(tenant),
      waits: this.waits,
      service: tenant.service,
      documents: recordedIn(tenant),
      made: this.#made,
      unmet: [...scenarios.values()].flatMap(({ expect }) => (expect ? unmetExpectations(tenant, expect) : [])),
      broken,
      hasMovedInSilence: tenant.auto.hasMovedInSilence,
      declaresSleeps: tenant.auto.sleepers.isKnown,
    };
  }
}

function lostIn({ store }: Tenant): Post[] {
  const lost = store.deliveries.all().filter(({ state, attempts }) => state === "dropped" && attempts.length === 0);
  return lost.map(({ created, event, status, subject, event_id }) => ({
    ...{ kind: "post", at: created, event, status, document: subject, eventId: event_id, signed: "valid", nth: 0 },
    result: undefined,
  }));
}

/** In the order of arrival, because held answers are recorded late. Counts calls as rules do. */
function numbered(items: readonly Item[], arrivals: readonly JournalEntry[]): Item[] {
  const counts = new Map<string, number>();
  const count = (name: string): number => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts.get(name) as number;
  };
  const sorted = byArrival(items, arrivals);
  for (const item of sorted) {
    // A call that is refused before the rules does not count for them.
    if (item.kind === "call") item.nth = item.entry.status === 401 && !item.entry.injected ? 0 : count(item.operation);
    if (item.kind === "post" && item.nth > 0) item.nth = count(`event ${item.event}`);
  }
  return sorted;
}

/** Calls of the same instant are in the order in which rules counted them. Other items keep their places. */
function byArrival(items: readonly Item[], arrivals: readonly JournalEntry[]): Item[] {
  const order = new Map(arrivals.map((entry, i) => [entry.id, i]));
  const sorted = [...items].sort((a, b) => a.at - b.at);
  const isKnown = (item: Item): item is CallItem => item.kind === "call" && order.has(item.entry.id);
  const calls = sorted.filter(isKnown).sort((a, b) => a.at - b.at || rank(a) - rank(b));
  function rank({ entry }: CallItem): number {
    return order.get(entry.id) as number;
  }
  let next = 0;
  return sorted.map((item) => (isKnown(item) ? (calls[next++] as CallItem) : item));
}
