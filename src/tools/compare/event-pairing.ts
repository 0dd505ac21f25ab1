import { type Comparing, compareValues } from "./compare-values.ts";
import type { Difference } from "./difference.ts";
import type { DifferenceGroups } from "./difference-groups.ts";
import type { DoubleSide } from "./double-side.ts";
import { isObject, parseJson } from "./exchange.ts";
import type { Ties } from "./id-map.ts";

interface Event {
  event: string;
  data: Record<string, unknown>;
  subject: string;
  status: unknown;
  id: string | undefined;
}

export interface EventPairingOptions {
  double: DoubleSide;
  ties: Ties;
  log: DifferenceGroups;
  seesWebhooks: boolean;
  comparing: () => Comparing;
  /** The client moves the clocks of both sides, so wall time says nothing. */
  isSteered: () => boolean;
  /** Called after the double followed an act outside the API. */
  onFollow: (event: string) => void;
  /** Called at the end for each event about a thing that no call has shown. */
  onForeign: (event: string) => void;
  /** The double refused to create this thing. */
  isOrphan: (id: string) => boolean;
  /** The double may have processed this document longer or shorter, so its events do not count. */
  isInterrupted: (id: string) => boolean;
}

/** A second delivery within this time is a duplicate, not a retry. */
const DUPLICATE_MS = 500;
/** A retry may come this much later than planned. */
const SLACK_MS = 5000;

export class EventPairing {
  readonly #options: EventPairingOptions;
  #real: Event[] = [];
  #double: Event[] = [];
  #seen = 0;
  readonly #ids = new Set<string>();
  readonly #attempts = new Map<string, { at_ms: number; count: number }>();

  constructor(options: EventPairingOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#real.length > 0 || (this.#options.seesWebhooks && this.#double.length > 0);
  }

  async add(body: Buffer, at_ms: number, eventId?: string): Promise<void> {
    const all = eventsOf(body.toString("utf8"), eventId);
    if (eventId !== undefined) {
      const attempt = this.#attempts.get(`${all.length} ${eventId}`);
      this.#attempts.set(`${all.length} ${eventId}`, { at_ms, count: (attempt?.count ?? 0) + 1 });
      if (attempt) {
        this.#compareRetry(all[0]?.event ?? "webhook", at_ms - attempt.at_ms, attempt.count);
        return;
      }
    }
    const events = all.filter((one) => !this.#options.isOrphan(one.subject));
    this.#seen += events.length;
    this.#real.push(...events);
    await this.match();
    for (const one of events) {
      if (!this.#real.includes(one)) continue;
      const id = this.#options.ties.doubleOf(one.subject);
      if (id === undefined || !(await this.#options.double.follow(id, one.data))) continue;
      this.#options.onFollow(one.event);
      await this.match();
    }
    if (this.#real.length > 0 && (await this.#options.double.catchUp(at_ms))) await this.match();
  }

  #compareRetry(event: string, gap_ms: number, count: number): void {
    if (this.#options.isSteered() || gap_ms < DUPLICATE_MS) return;
    const expected_ms = this.#options.double.retries_ms[count - 1];
    if (expected_ms !== undefined && gap_ms > expected_ms / 2 && gap_ms < expected_ms * 2 + SLACK_MS) return;
    const seconds = (ms: number) => `retry ${count} after ${Math.round(ms / 1000)} s`;
    const double = expected_ms === undefined ? `no retry ${count}` : seconds(expected_ms);
    this.#report(event, [{ kind: "value", pointer: "", real: seconds(gap_ms), double }], "webhook.retry_schedule");
  }

  /** Retries and duplicates carry the id of the first delivery. */
  #isRepeated(delivery: string): boolean {
    if (this.#ids.has(delivery)) return true;
    this.#ids.add(delivery);
    return false;
  }

  async match(): Promise<void> {
    for (const row of this.#options.double.takeDeliveries())
      if (!this.#isRepeated(`double ${row.event_id}`)) this.#double.push(...eventsOf(row.body, row.event_id));
    if (this.#real.length === 0 || this.#double.length === 0) return;
    const open: Event[] = [];
    for (const one of this.#real) {
      const subject = this.#options.ties.doubleOf(one.subject) ?? one.subject;
      const index = this.#double.findIndex(
        (other) => other.event === one.event && other.subject === subject && other.status === one.status,
      );
      if (index < 0) {
        open.push(one);
        continue;
      }
      const [other] = this.#double.splice(index, 1) as [Event];
      if (one.id !== undefined && other.id !== undefined) this.#options.ties.tie(one.id, other.id);
      const found = compareValues(one.data, other.data, this.#options.comparing());
      if (!this.#options.isInterrupted(one.subject)) this.#report(one.event, found);
    }
    this.#real = open;
  }

  async finish(at_ms: number): Promise<void> {
    if (this.#real.length > 0) {
      await this.#options.double.catchUp(at_ms);
      await this.match();
      await this.#options.double.finish(async () => {
        await this.match();
        return this.#real.length === 0;
      });
    }
    const { ties, isInterrupted } = this.#options;
    this.#real = this.#real.filter((one) => !isInterrupted(one.subject));
    this.#double = this.#double.filter((one) => !isInterrupted(ties.realOf(one.subject) ?? ""));
    const describe = ({ event, status }: Event) => (status === undefined ? { event } : { event, status });
    for (const one of this.#real)
      if (one.subject !== "" && ties.doubleOf(one.subject) === undefined) this.#options.onForeign(one.event);
      else this.#report(one.event, [{ kind: "missing", pointer: "", real: describe(one), double: null }]);
    // Without any real webhook, the real service may be unable to reach this machine.
    if (this.#options.seesWebhooks && this.#seen > 0)
      for (const one of this.#double)
        this.#report(one.event, [{ kind: "added", pointer: "", real: null, double: describe(one) }]);
    this.#real = [];
    this.#double = [];
  }

  #report(event: string, found: Difference[], assumption?: string): void {
    this.#options.log.add(found, { operation: event, request: { method: "POST", target: "(webhook)" }, assumption });
  }
}

function eventsOf(body: string, deliveryId: string | undefined): Event[] {
  const all = [parseJson(body)].flat();
  // The delivery id of a batch is the id of its first event.
  const eventId = all.length === 1 ? deliveryId : undefined;
  return all.flatMap((one) => {
    if (!isObject(one) || typeof one.event !== "string" || !isObject(one.data)) return [];
    const { id, uuid, document_id, status } = one.data;
    return [{ event: one.event, data: one.data, subject: String(id ?? uuid ?? document_id ?? ""), status, id: eventId }];
  });
}
