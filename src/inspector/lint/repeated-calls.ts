import { hash } from "node:crypto";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { type Environment, type Tenant, checks } from "../../service/service.ts";
import type { Found } from "./found.ts";
import { makeRoom } from "../../engine/core/maps.ts";

/** A waiting client that reads again within these milliseconds is too eager. assumed: lint.poll_interval. */
const POLL_MS_MIN = 500;
const HASTY_MIN = 3;
/** A timer of Node counts from the beginning of its turn. So a client that waits as long as the answer asks can be some milliseconds early. */
const EARLY_MS_MAX = 100;
/** More reads than this at one instant of the clock count as an endless loop. */
const POLLS_AT_ONCE_MAX = 20;
/** An event and the calls of its handler. */
const HANDLING_MS = 1000;
const MINUTE_MS = 60_000;
const GROUPS_MAX = 2000;

const WAITING: Readonly<Record<string, RegExp>> = {
  statusDocument: /"document\.uploaded"/,
  statusTemplate: /"template\.UPLOADED"/,
  sectionDetails: /"document_sections_upload\.UPLOADED"/,
};

/** Keeps what later comparisons need, because the journal may drop the entry. */
interface Seen {
  id: string;
  at: number;
  wall: number;
  retryAfter_s: number;
  took_ms: number;
  isWaiting: boolean;
}

/** Calls that follow too soon. A finding keeps the first ids only, and a client may poll without end. */
interface Streak {
  count: number;
  ids: string[];
}

const STREAK_IDS_MAX = 100;

interface Group {
  last: Seen;
  hasty: Streak;
  standing: Streak;
  minute: number[];
}

export class RepeatedCalls {
  readonly #tenant: Tenant;
  readonly #groups = new Map<string, Group>();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  /**
   * @param key see `keyOf`
   * @param wall the wall clock's time at which the call ended, epoch ms. NaN for a restored call
   */
  see(entry: JournalEntry, key: string, wall: number): Found[] {
    if (entry.operationId === undefined || entry.page) return [];
    const seen = toSeen(entry, wall);
    const group = this.#groups.get(key);
    this.#groups.delete(key);
    if (!group) {
      makeRoom(this.#groups, GROUPS_MAX);
      this.#groups.set(key, { last: seen, hasty: newStreak(), standing: newStreak(), minute: [entry.at] });
      return [];
    }
    this.#groups.set(key, group);
    const ignored = ignoredWait(group.last, seen, entry);
    const found = [
      ...(ignored.length > 0 && this.#mayBeTwoHandlers(group.last, seen) ? [] : ignored),
      ...(entry.method === "GET" ? this.#poll(group, seen, entry) : []),
    ];
    group.last = seen;
    return found;
  }

  /** An event that comes twice has two handlers, and the second one does not know the answer of the first. */
  #mayBeTwoHandlers(one: Seen, next: Seen): boolean {
    const times = new Map<string, number>();
    for (const { event_id, attempts } of this.#tenant.store.deliveries.all()) {
      const near = attempts.filter(({ at }) => at >= one.at - HANDLING_MS && at <= next.at).length;
      times.set(event_id, (times.get(event_id) ?? 0) + near);
    }
    return [...times.values()].some((count) => count > 1);
  }

  #poll(group: Group, seen: Seen, entry: JournalEntry): Found[] {
    const fix = "Wait longer between reads, or subscribe to document_state_changed.";
    const found = ({ count, ids }: Streak, key: string, how: string): Found => ({
      kind: "polling_too_fast",
      message: `${entry.operationId} was polled ${count} times ${how}`,
      fix,
      key: `${key} ${entry.caller?.key} ${entry.url}`,
      // A finding that has its calls needs this one only.
      before: count > STREAK_IDS_MAX ? [] : ids.slice(0, -1),
    });
    if (seen.isWaiting && group.last.isWaiting) {
      const stands = seen.at === group.last.at;
      const passed = between(group.last, seen);
      const isHasty = passed !== undefined && passed < POLL_MS_MIN;
      if (isHasty && (stands || this.#isAuto)) lengthen(group.standing, entry.id);
      else if (isHasty) lengthen(group.hasty, entry.id);
      if (isHasty && group.hasty.count >= HASTY_MIN)
        return [found(group.hasty, "hasty", `less than ${POLL_MS_MIN} ms apart; a sandbox key allows ten calls a minute`)];
      if (isHasty && group.standing.count > POLLS_AT_ONCE_MAX)
        return [found(group.standing, "standing", "while the clock did not move; a sandbox key allows ten calls a minute")];
    }
    return this.#overLimit(group, entry);
  }

  get #isAuto(): boolean {
    return this.#tenant.clock.mode === "auto";
  }

  #overLimit(group: Group, entry: JournalEntry): Found[] {
    const environment = entry.caller?.environment as Environment | undefined;
    if (environment === undefined || entry.status === 429) return [];
    const { minute } = group;
    while (minute.length > 0 && (minute[0] as number) <= entry.at - MINUTE_MS) minute.shift();
    if (minute.at(-1) !== entry.at) minute.push(entry.at);
    const { limit } = checks.rateLimitOf("production", environment, entry.operationId as string, () => false) ?? {};
    if (limit === undefined || minute.length <= limit) return [];
    const key = environment === "sandbox" ? "sandbox" : "production";
    return [
      {
        kind: "polling_too_fast",
        message: `${entry.operationId} read the same thing more than ${limit} times in a minute; a ${key} key allows ${limit}`,
        fix: "Wait longer between reads, or subscribe to webhooks.",
        key: `limit ${entry.caller?.key} ${entry.url}`,
      },
    ];
  }
}

function newStreak(): Streak {
  return { count: 0, ids: [] };
}

function lengthen(streak: Streak, id: string): void {
  streak.count++;
  if (streak.ids.length < STREAK_IDS_MAX) streak.ids.push(id);
}

/** Bytes times `GROUPS_MAX` is what the keys may take. */
const KEY_BODY_MAX = 1000;

/** Equal calls have equal keys. A hash keeps keys of long bodies short. It costs more than a short body. */
export function keyOf({ caller, operationId, url, body }: JournalEntry): string {
  const text = body.length > KEY_BODY_MAX ? hash("sha1", body, "base64") : body;
  return `${caller?.key} ${operationId} ${url} ${text}`;
}

function toSeen(entry: JournalEntry, wall: number): Seen {
  const { id, at, took_ms, networkFault, responseHeaders } = entry;
  // A client that lost the answer, or repeated before the answer, could not know the delay.
  const retryAfter_s = networkFault === undefined ? Number(responseHeaders["retry-after"] ?? 0) : 0;
  return { id, at, took_ms, retryAfter_s, wall, isWaiting: isWaiting(entry) };
}

function between(one: Seen, next: Seen): number | undefined {
  const onClock = next.at - one.at;
  if (Number.isNaN(one.wall) || Number.isNaN(next.wall)) return onClock > 0 ? onClock : undefined;
  return Math.max(onClock, next.wall - one.wall);
}

function ignoredWait(one: Seen, next: Seen, entry: JournalEntry): Found[] {
  // A client that repeated before the answer could not know the delay.
  if (!(one.retryAfter_s > 0) || next.at < one.at + one.took_ms) return [];
  const passed = between(one, next);
  if (passed === undefined || passed + EARLY_MS_MAX >= one.retryAfter_s * 1000) return [];
  return [
    {
      kind: "retry_after_ignored",
      message: `${entry.operationId} was repeated ${next.at - one.at} ms after an answer that asked for ${one.retryAfter_s} s`,
      fix: `Wait ${one.retryAfter_s} s before you repeat the call.`,
      before: [one.id],
      key: one.id,
    },
  ];
}

function isWaiting({ operationId = "", status, responseBody }: JournalEntry): boolean {
  return status === 202 || (status === 200 && (WAITING[operationId]?.test(responseBody) ?? false));
}
