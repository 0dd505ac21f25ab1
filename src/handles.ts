/** What a library user holds of one tenant: clock, rules, journal, webhooks, documents and mails, typed, without HTTP. */
import { catalogue } from "./control/catalogue.ts";
import { type Unmet, reportUnmet, unmetExpectations } from "./control/expect.ts";
import { mismatches, patternTest, type RequestPattern } from "./control/journal-view.ts";
import type { Fired, Tenant, TenantSnapshot } from "./control/tenant.ts";
import { parseDuration, parseInstant } from "./core/clock.ts";
import { notFound } from "./core/errors.ts";
import type { EventName } from "./domain/document-machine.ts";
import { requireDocument } from "./domain/lifecycle.ts";
import { type EmailRow, findMails, type MailMatch } from "./domain/mails.ts";
import { type Act, type ActInput, act } from "./domain/signing.ts";
import type { DocumentRow } from "./domain/tables.ts";
import { triggerEvent } from "./domain/webhook-events.ts";
import type { Exchange } from "./engine/journal.ts";
import { RUNTIME } from "./engine/rules.ts";
import type { DeliveryRow } from "./engine/tables.ts";
import { readRule } from "./scenario/load.ts";
import type { RuleFile } from "./scenario/schema.ts";

/** How far to advance: ms, a duration such as `3d`, an instant, or until the next timer or none is due. */
export type AdvanceGoal = number | string | { to: string | number } | { until: "next" | "idle" };

/** What did not hold, with a line for each; thrown by `verify`. */
export class VerificationError extends Error {
  readonly unmet: readonly Unmet[];
  constructor(unmet: readonly Unmet[]) {
    super(`${unmet.length} unmet:\n${reportUnmet(unmet)}`);
    this.name = "VerificationError";
    this.unmet = unmet;
  }
}

export interface Handles {
  readonly clock: {
    /** Epoch ms. */
    now(): number;
    /** Runs all that falls due on the way, waits for the deliveries it caused, and tells what fired. */
    advance(goal: AdvanceGoal): Promise<Fired[]>;
    set(change: { mode?: "real" | "frozen"; now?: string | number; speed?: number }): void;
    /** Waits until what is due now has been done. */
    settle(): Promise<void>;
  };
  readonly rules: {
    /** Adds a rule before all others, as a scenario file writes it. @throws ScenarioError */
    add(rule: RuleFile): void;
    remove(name: string): boolean;
    /** Takes away the rules that were added at run time. */
    clear(): void;
    /** Names of rules that have not acted as often as they were meant to. */
    pending(): string[];
  };
  readonly journal: {
    /** The oldest first. */
    all(): Exchange[];
    find(pattern: RequestPattern): Exchange[];
    count(pattern: RequestPattern): number;
    /** The exchange that comes nearest to a pattern, and what differs. */
    nearest(pattern: RequestPattern): { exchange: Exchange; differences: ReturnType<typeof mismatches> } | undefined;
    clear(): void;
  };
  readonly webhooks: {
    deliveries(match?: { event?: EventName; document_id?: string; state?: DeliveryRow["state"] }): DeliveryRow[];
    /** Sends an event by hand to all that subscribed to it. */
    trigger(event: EventName, options?: { document_id?: string; data?: Record<string, unknown> }): DeliveryRow[];
    redeliver(id: string): void;
  };
  readonly documents: {
    all(): DocumentRow[];
    get(id: string): DocumentRow | undefined;
    /** A counterparty acts. @throws the service's refusal */
    simulate(id: string, act: Act, input?: ActInput): DocumentRow;
  };
  readonly emails: {
    /** The newest last. */
    all(): EmailRow[];
    find(match: MailMatch): EmailRow[];
    clear(): void;
  };
  /** State, jobs, clock, rules, deliveries and mails together; `restore` may be called more than once. */
  snapshot(): { restore(): void };
  /** Checks what the loaded scenarios expect. @throws VerificationError */
  verify(): Promise<void>;
}

export function handlesOf(tenant: Tenant): Handles {
  const { store } = tenant;
  const find = (pattern: RequestPattern) => tenant.journal.all().filter(patternTest(pattern));
  return {
    clock: {
      now: () => tenant.clock.now(),
      advance: (goal) => tenant.advance(toGoal(goal, tenant.clock.now())),
      set: ({ now, ...change }) => tenant.clock.set({ ...change, ...(now === undefined ? {} : { now: toInstant(now) }) }),
      settle: () => tenant.clock.settle(),
    },
    rules: {
      add(rule) {
        const compiled = readRule(JSON.stringify(rule, null, 2), RUNTIME, catalogue);
        tenant.rules.put({ ...compiled, id: compiled.name });
      },
      remove: (name) => tenant.rules.remove(name),
      clear: () => tenant.rules.clear(RUNTIME),
      pending: () => tenant.rules.pending().map((rule) => rule.name),
    },
    journal: {
      all: () => tenant.journal.all(),
      find,
      count: (pattern) => find(pattern).length,
      nearest: (pattern) =>
        tenant.journal
          .all()
          .map((exchange) => ({ exchange, differences: mismatches(pattern, exchange) }))
          .sort((a, b) => a.differences.length - b.differences.length)[0],
      clear: () => tenant.journal.clear(),
    },
    webhooks: {
      deliveries: ({ event, document_id, state } = {}) =>
        store.deliveries
          .all()
          .filter(
            (row) =>
              (event === undefined || row.event === event) &&
              (document_id === undefined || row.subject === document_id) &&
              (state === undefined || row.state === state),
          ),
      trigger: (event, options = {}) => store.transaction(() => triggerEvent(tenant.world, { event, ...options })),
      redeliver(id) {
        const row = store.deliveries.get(id);
        if (!row) throw notFound(`no delivery ${id}`);
        store.transaction(() => tenant.outbox.redeliver(row));
      },
    },
    documents: {
      all: () => store.documents.all().filter((row) => row.internal.deleted_at === null),
      get: (id) => store.documents.get(id),
      simulate: (id, name, input = {}) =>
        store.transaction(() => act(tenant.world, requireDocument(tenant.world, id).id, name, input)),
    },
    emails: {
      all: () => findMails(tenant.world),
      find: (match) => findMails(tenant.world, match),
      clear: () => tenant.parts.emails(),
    },
    snapshot() {
      const taken: TenantSnapshot = tenant.snapshot();
      return { restore: () => tenant.restore(taken) };
    },
    async verify() {
      await tenant.clock.settle();
      const unmet = [...tenant.scenarios.values()].flatMap((scenario) =>
        scenario.expect ? unmetExpectations(tenant, scenario.expect) : [],
      );
      if (unmet.length > 0) throw new VerificationError(unmet);
    },
  };
}

function toInstant(value: string | number): number {
  const instant = typeof value === "number" ? value : parseInstant(value);
  if (instant === undefined) throw new RangeError(`${value} is no ISO 8601 instant`);
  return instant;
}

function toGoal(goal: AdvanceGoal, now: number): Parameters<Tenant["advance"]>[0] {
  if (typeof goal === "object") return "until" in goal ? goal : { to: toInstant(goal.to) };
  const by = typeof goal === "number" ? goal : parseDuration(goal);
  if (by === undefined) throw new RangeError(`${goal} is no duration; write 250ms, 3s, 5m, 2h or 5d`);
  return { to: now + by };
}
