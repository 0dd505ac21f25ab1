/**
 * One isolated world with all that belongs to it: state, clock, jobs, journal, rules, deliveries. Every part that holds
 * state is listed in `parts`, so that reset and snapshot cannot forget one.
 */
import { Clock, type ClockMode } from "../core/clock.ts";
import { ApiError } from "../core/errors.ts";
import { type IdState, Ids } from "../core/ids.ts";
import { plantDocuments } from "../domain/document-fixtures.ts";
import { type Fixtures, plant } from "../domain/fixtures.ts";
import { domainJobs } from "../domain/jobs.ts";
import { findDocument } from "../domain/lifecycle.ts";
import { type ActInput, act } from "../domain/signing.ts";
import { type DomainTables, tables } from "../domain/tables.ts";
import { noteAttempt, subscriberOf } from "../domain/webhooks.ts";
import type { Caller, Happening, Settings, World } from "../domain/world.ts";
import { Journal } from "../engine/journal.ts";
import { DELIVER_JOB, Outbox, type Plan } from "../engine/outbox.ts";
import { RateLimiter } from "../engine/rate-limit.ts";
import { matches, Rules } from "../engine/rules.ts";
import { type JobHandlers, type JobRun, Scheduler } from "../engine/scheduler.ts";
import type { Actor, DeliveryEffect, Effect, TimerSpec } from "../scenario/effect.ts";
import { deliveryFacts, documentFacts } from "../scenario/facts.ts";
import { concerns, type Scenario } from "../scenario/load.ts";
import { actOf, newlyTurned } from "../scenario/magic.ts";
import type { DeliveryRow } from "../engine/tables.ts";
import { openStore, type Store, type StoreData } from "../store/store.ts";

export interface ClockStart {
  mode: ClockMode;
  /** Epoch ms; none: the wall's time, also after a reset. */
  now?: number | undefined;
  speed: number;
}

export interface TenantOptions {
  id: string;
  seed: string;
  data: StoreData;
  settings: Settings;
  clock: ClockStart;
  fixtures: Fixtures;
  scenarios: readonly Scenario[];
  /** What an earlier process left beside the rows of `data`. */
  kept?: Kept | undefined;
  /** Freeze rows deeply. For tests. */
  freeze?: boolean;
  onChange?: () => void;
  onError: (error: unknown) => void;
}

/** What outlives a process beside the rows, so that no id is given twice and time does not go back. */
export interface Kept {
  now: number;
  ids: IdState;
  requestIds: IdState;
}

/** What `POST /__admin/reset/{part}` may name. */
export const PARTS = ["state", "journal", "rules", "clock", "webhooks", "emails"] as const;
export type Part = (typeof PARTS)[number];

/** One thing that fell due, for the receipt of `advance`. */
export interface Fired extends JobRun {
  /** Why an actor's step was refused. */
  refused?: string;
}

export class Tenant {
  readonly id: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Ids of requests: apart, so that a read does not change the ids of what is created after it. */
  readonly requestIds: Ids;
  readonly store: Store<DomainTables>;
  readonly scheduler: Scheduler<World>;
  readonly outbox: Outbox;
  readonly journal = new Journal();
  readonly rules = new Rules<Effect>();
  /** What scenarios do to deliveries. */
  readonly deliveryRules = new Rules<DeliveryEffect>();
  readonly limiter = new RateLimiter();
  readonly settings: Settings;
  /** The world as nobody in particular sees it: for what happens by itself. */
  readonly world: World;
  readonly scenarios = new Map<string, Scenario>();
  readonly snapshots = new Map<string, TenantSnapshot>();
  /** When the tenant was last used, wall ms. */
  usedAt = 0;
  #options: TenantOptions;
  readonly #initial: Settings;
  #fired: Fired[] | undefined;
  readonly #watchers = new Set<() => void>();

  constructor(options: TenantOptions) {
    this.#options = options;
    this.id = options.id;
    this.settings = options.settings;
    this.clock = new Clock({
      mode: options.clock.mode,
      speed: options.clock.speed,
      ...(options.clock.now === undefined ? {} : { now: options.clock.now }),
      onError: options.onError,
    });
    this.ids = new Ids(`${options.seed}/${options.id}`);
    this.requestIds = new Ids(`${options.seed}/${options.id}/requests`);
    const isFresh = Object.keys(options.data).length === 0;
    this.store = openStore(tables, options.data, { freeze: options.freeze ?? false, onChange: () => this.#changed() });
    this.scheduler = new Scheduler<World>(this.clock, this.store as never, this.#jobs(), () => this.world);
    this.scheduler.listen((run) => this.#fired?.push(run));
    this.outbox = new Outbox({
      clock: this.clock,
      store: this.store as never,
      scheduler: this.scheduler,
      settings: () => ({
        retries_ms: this.settings.retries_ms,
        timeout_ms: this.settings.webhookTimeout_ms,
        headers: { "content-type": "application/json", accept: "*/*", "user-agent": "PandaDoc Webhooks" },
        eventIdHeader: "x-pandadoc-webhook-event-id",
      }),
      hooks: {
        subscriber: (id) => subscriberOf(this.world, id),
        attempted: (delivery) => noteAttempt(this.world, delivery),
        plan: (delivery) => this.#planDelivery(delivery),
        perform: (delivery, attempt) => this.#deliveryEffect("perform", delivery, attempt) ?? {},
      },
    });
    this.world = {
      clock: this.clock,
      ids: this.ids,
      store: this.store,
      jobs: this.scheduler,
      outbox: this.outbox,
      journal: this.journal,
      settings: this.settings,
      caller: systemCaller(this.store),
      happened: (event) => this.#happened(event),
    };
    this.#initial = { ...options.settings };
    for (const scenario of options.scenarios) this.scenarios.set(scenario.name, scenario);
    if (isFresh) this.#plantAll();
    else this.#resume(options.kept);
    this.#adoptCaller();
    this.#armScenarios();
  }

  /** Everything that holds state, by the name that resets it. A test walks this list. */
  readonly parts: Readonly<Record<Part, () => void>> = {
    clock: () => {
      this.clock.reset(this.#options.clock);
      this.scheduler.rearm();
      this.limiter.clear();
    },
    state: () => {
      this.store.restore({});
      Object.assign(this.ids, { state: new Ids(`${this.#options.seed}/${this.id}`).state });
      this.#plantAll();
      this.#adoptCaller();
      this.scheduler.rearm();
    },
    webhooks: () => {
      this.store.transaction(() => {
        for (const job of this.scheduler.pending()) if (job.kind === DELIVER_JOB) this.scheduler.cancel(job.id);
        for (const row of this.store.deliveries.all()) this.store.deliveries.delete(row.id);
      });
    },
    journal: () => {
      this.journal.load({ sequence: 0, entries: [] });
      Object.assign(this.requestIds, { state: new Ids(`${this.#options.seed}/${this.id}/requests`).state });
    },
    rules: () => {
      this.rules.clear();
      this.deliveryRules.clear();
      this.#armScenarios();
    },
    emails: () => {
      this.store.transaction(() => {
        for (const row of this.store.emails.all()) this.store.emails.delete(row.id);
      });
    },
  };

  /** Back to the seed. */
  reset(): void {
    this.scenarios.clear();
    for (const scenario of this.#options.scenarios) this.scenarios.set(scenario.name, scenario);
    this.store.restore({});
    this.scheduler.rearm();
    for (const part of ["clock", "state", "webhooks", "journal", "rules", "emails"] as const) this.parts[part]();
  }

  kept(): Kept {
    return { now: this.clock.now(), ids: this.ids.state, requestIds: this.requestIds.state };
  }

  /** Goes on where an earlier process stopped. */
  #resume(kept: Kept | undefined): void {
    if (kept) {
      this.ids.state = kept.ids;
      this.requestIds.state = kept.requestIds;
      if (kept.now > this.clock.now()) this.clock.set({ now: kept.now });
    }
    this.scheduler.rearm();
  }

  snapshot(): TenantSnapshot {
    return structuredClone({
      data: this.store.snapshot(),
      clock: { mode: this.clock.mode, now: this.clock.now(), speed: this.clock.speed },
      ids: this.ids.state,
      requestIds: this.requestIds.state,
      journal: this.journal.snapshot(),
      rules: this.rules.snapshot(),
      deliveryRules: this.deliveryRules.snapshot(),
      limiter: this.limiter.snapshot(),
      transitions: this.settings.transitions,
    });
  }

  restore(snapshot: TenantSnapshot): void {
    const copy = structuredClone(snapshot);
    this.clock.reset(copy.clock);
    this.store.restore(copy.data);
    this.ids.state = copy.ids;
    this.requestIds.state = copy.requestIds;
    this.journal.load(copy.journal);
    this.rules.load(copy.rules);
    this.deliveryRules.load(copy.deliveryRules);
    this.limiter.load(copy.limiter);
    this.settings.transitions = copy.transitions;
    this.#adoptCaller();
    this.scheduler.rearm();
  }

  /** Loads a scenario over what runs: its world is planted, its rules armed, its actors wait. Replaces one of the same name. */
  loadScenario(scenario: Scenario): void {
    this.store.transaction(() => {
      plant(this.world, scenario.world);
      plantDocuments(this.world, scenario.world.documents ?? []);
      this.scheduler.cancelWhere(TIMER_JOB, { scenario: scenario.name });
      this.#setTimers(scenario);
    });
    this.scenarios.set(scenario.name, scenario);
    this.#armScenarios();
  }

  /** Takes the scenarios of files in the place of those it had: rules, actors and timers change, the state stays. */
  reload(scenarios: readonly Scenario[], fixtures: Fixtures): void {
    const before = this.#options.scenarios;
    this.#options = { ...this.#options, scenarios, fixtures };
    for (const old of before) if (!scenarios.some((one) => one.name === old.name)) this.unloadScenario(old.name);
    this.store.transaction(() => {
      for (const scenario of scenarios) {
        const old = this.scenarios.get(scenario.name);
        this.scenarios.set(scenario.name, scenario);
        if (JSON.stringify(old?.timers) === JSON.stringify(scenario.timers)) continue;
        this.scheduler.cancelWhere(TIMER_JOB, { scenario: scenario.name });
        this.#setTimers(scenario);
      }
    });
    this.#armScenarios();
  }

  /** Advances the clock and tells what fired, in order. */
  async advance(goal: Parameters<Clock["advance"]>[0]): Promise<Fired[]> {
    const fired: Fired[] = [];
    this.#fired = fired;
    try {
      await this.clock.advance(goal);
    } finally {
      this.#fired = undefined;
    }
    return fired;
  }

  /** Calls `run` after every change that has held, until the returned function is called. */
  watch(run: () => void): () => void {
    this.#watchers.add(run);
    return () => this.#watchers.delete(run);
  }

  #changed(): void {
    this.#options.onChange?.();
    for (const run of this.#watchers) run();
  }

  stop(): void {
    this.clock.stop();
  }

  get actors(): Actor[] {
    return [...this.scenarios.values()].flatMap((scenario) => scenario.actors);
  }

  #plantAll(): void {
    this.store.transaction(() => {
      plant(this.world, this.#options.fixtures);
      this.#adoptCaller();
      plantDocuments(this.world, this.#options.fixtures.documents ?? []);
      for (const scenario of this.scenarios.values()) {
        plant(this.world, scenario.world);
        plantDocuments(this.world, scenario.world.documents ?? []);
        this.#setTimers(scenario);
      }
    });
  }

  #armScenarios(): void {
    const { transitions, retries_ms, httpsWebhooks, rateLimit } = this.#initial;
    const settings = { transitions: { ...transitions }, retries_ms, httpsWebhooks, rateLimit };
    for (const { name, rules, webhooks, assume, ...scenario } of this.scenarios.values()) {
      this.rules.arm(name, rules);
      this.deliveryRules.arm(name, webhooks);
      Object.assign(settings.transitions, scenario.transitions);
      settings.retries_ms = assume["webhook.retry_schedule"] ?? settings.retries_ms;
      settings.httpsWebhooks = assume["webhook.https_only"] ?? settings.httpsWebhooks;
      settings.rateLimit = assume["rate_limit.profile"] ?? settings.rateLimit;
    }
    Object.assign(this.settings, settings);
  }

  /** Takes a scenario away: its rules, actors and timers. What it planted stays. */
  unloadScenario(name: string): boolean {
    if (!this.scenarios.delete(name)) return false;
    this.rules.clear(name);
    this.deliveryRules.clear(name);
    this.store.transaction(() => this.scheduler.cancelWhere(TIMER_JOB, { scenario: name }));
    this.#armScenarios();
    return true;
  }

  #setTimers(scenario: Scenario): void {
    for (const [index, timer] of scenario.timers.entries()) {
      const wait = "instant" in timer.at ? Math.max(0, timer.at.instant - this.clock.now()) : timer.at.after_ms;
      this.scheduler.schedule(TIMER_JOB, wait, { scenario: scenario.name, timer: index, name: timer.name });
    }
  }

  #runTimer(payload: TimerPayload): void {
    const timer: TimerSpec | undefined = this.scenarios.get(payload.scenario)?.timers[payload.timer];
    if (!timer) return;
    for (const document of this.store.documents.all()) {
      if (document.internal.deleted_at === null && concerns(timer, documentFacts(document))) {
        this.#step({ actor: timer.name, act: timer.do, document: document.id, input: timer.with });
      }
    }
    if (timer.every_ms !== undefined) this.scheduler.schedule(TIMER_JOB, timer.every_ms, { ...payload });
  }

  #planDelivery(delivery: DeliveryRow): Plan {
    const { batch, ...effect } = this.#deliveryEffect("plan", delivery, 0) ?? {};
    return batch ? { ...effect, batch: { key: "scenario", ...batch } } : effect;
  }

  /** What the webhook rules that meet a delivery do to it, the first rule's word counting. */
  #deliveryEffect(phase: "plan" | "perform", delivery: DeliveryRow, attempt: number): DeliveryEffect | undefined {
    if (this.deliveryRules.list().length === 0) return undefined;
    const facts = deliveryFacts(delivery, phase, attempt, this.store.documents.get(delivery.subject));
    const rules = this.deliveryRules.meet(facts);
    return Object.assign({}, ...rules.reverse().map((rule) => rule.effect)) as DeliveryEffect;
  }

  #adoptCaller(): void {
    Object.assign(this.world.caller, systemCaller(this.store));
  }

  #jobs(): JobHandlers<World> {
    return {
      ...domainJobs,
      [TIMER_JOB]: { run: (payload: TimerPayload) => this.#runTimer(payload), deadline: true },
      scenario_step: { run: (payload: StepPayload) => this.#step(payload) },
      [DELIVER_JOB]: { run: (payload: Parameters<Outbox["deliver"]>[0]) => this.outbox.deliver(payload) },
    } as JobHandlers<World>;
  }

  #happened(event: Happening): void {
    this.#actByMagic(event);
    for (const actor of this.actors) {
      if (!actor.on.includes(event.name)) continue;
      const document = this.store.documents.get(event.document_id);
      if (!document || !concerns(actor, documentFacts(document))) continue;
      const recipient =
        actor.recipient &&
        document.recipients.find((one) =>
          matches(actor.recipient ?? {}, (name) => ({ id: one.id, role: one.roles, email: one.email })[name]),
        );
      if (actor.recipient && !recipient) continue;
      let after = 0;
      for (const step of actor.steps) {
        after += step.after_ms;
        const input: ActInput = {
          ...step.with,
          ...(recipient && step.with.recipient === undefined ? { recipient: recipient.id } : {}),
        };
        this.scheduler.schedule("scenario_step", after, { actor: actor.name, act: step.do, document: document.id, input });
      }
    }
  }

  /** Recipients whose address says what they do: once it is their turn. */
  #actByMagic(event: Happening): void {
    if (event.name !== "document.sent" && event.name !== "recipient_completed" && event.name !== "document.waiting_pay") return;
    const document = this.store.documents.get(event.document_id);
    if (!document) return;
    const isPayment = event.name === "document.waiting_pay";
    for (const recipient of isPayment ? document.recipients : newlyTurned(document, this.clock.now())) {
      const wanted = actOf(recipient);
      if (!wanted || (wanted.act === "pay") !== isPayment) continue;
      const payload = { actor: recipient.email, act: wanted.act, document: document.id, input: { recipient: recipient.id } };
      this.scheduler.schedule("scenario_step", wanted.after_ms, payload);
    }
  }

  /** One step of an actor. What the domain refuses is told in the receipt; the world is left as it was. */
  #step(payload: StepPayload): void {
    const document = findDocument(this.world, payload.document);
    if (!document) return;
    try {
      this.store.savepoint(() => act(this.world, document.id, payload.act, payload.input));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const last = this.#fired?.at(-1);
      if (last) last.refused = error.options.why ?? error.message;
    }
  }
}

const TIMER_JOB = "scenario_timer";

interface TimerPayload extends Record<string, unknown> {
  scenario: string;
  timer: number;
}

interface StepPayload {
  actor: string;
  act: Parameters<typeof act>[2];
  document: string;
  input: ActInput;
}

export interface TenantSnapshot {
  data: StoreData;
  clock: ClockStart;
  ids: IdState;
  requestIds: IdState;
  journal: ReturnType<Journal["snapshot"]>;
  rules: ReturnType<Rules<Effect>["snapshot"]>;
  deliveryRules: ReturnType<Rules<DeliveryEffect>["snapshot"]>;
  limiter: ReturnType<RateLimiter["snapshot"]>;
  transitions: Settings["transitions"];
}

/** Acts as the first member of the first workspace: the one who set everything up. */
function systemCaller(store: Store<DomainTables>): Caller {
  const member = store.members.all()[0];
  const user = member && store.users.get(member.user_id);
  return {
    kind: "system",
    membership_id: member?.id ?? "",
    user_id: user?.id ?? "",
    email: user?.email ?? "",
    workspace_id: member?.workspace_id ?? store.workspaces.all()[0]?.id ?? "",
    environment: "production",
    role: "Admin",
    scopes: ["read", "write", "read+write"],
    credential: "",
  };
}
