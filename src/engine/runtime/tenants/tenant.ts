import { Readings } from "../../assumptions/readings.ts";
import type { Choice } from "../../assumptions/switches.ts";
import { Clock } from "../../core/tenant-clock.ts";
import { ClockError, EndlessClockError, type Goal } from "../../core/clock-settings.ts";
import { Ids } from "../../core/ids.ts";
import type { Inspection } from "../inspection.ts";
import { CallHandlers } from "../call-handlers.ts";
import type { Service } from "../service.ts";
import type { EngineWorld, Settings, Tables } from "../world.ts";
import { Journal } from "../../journal/journal.ts";
import { AUTO_DEFAULTS, AutoTime } from "../../jobs/auto-time.ts";
import { DELIVER_JOB, type Outbox } from "../../jobs/outbox.ts";
import { outboxOf } from "./tenant-outbox.ts";
import { RateLimiter } from "../../jobs/rate-limit.ts";
import { type JobHandlers, type JobRun, Scheduler } from "../../jobs/scheduler.ts";
import type { Scenario } from "../../scenario/load.ts";
import { engineWorldOf } from "./engine-world.ts";
import { EventStream, toTenantEvent, type TenantEvent } from "./event-stream.ts";
import { Holds } from "./holds.ts";
import { LocalReceivers } from "./local-receivers.ts";
import { RepeatedAnswers } from "./repeated-answers.ts";
import { systemClock } from "../../core/clock.ts";
import { resumedStart, restoreTenant, saverOf } from "./tenant-persistence.ts";
import { loadInto } from "../scenario-runs/load-into.ts";
import { ScenarioRunner } from "../scenario-runs/scenario-runner.ts";
import { AdvanceReceipt } from "./advance-receipt.ts";
import { openStore, type Store } from "../../store/store.ts";
import { snapshotParts } from "./snapshot-parts.ts";
import { type IdSeed, idsFrom, isolated, type TenantSnapshot } from "./snapshot.ts";
import type { TenantOptions } from "./tenant-options.ts";

/** The parts of a reset that every service has. */
export const RESET_ORDER = ["rules", "clock", "state", "webhooks", "journal"] as const;

export class Tenant {
  readonly id: string;
  readonly clock: Clock;
  readonly auto: AutoTime;
  readonly ids: Ids;
  idSeed: IdSeed;
  /** A separate sequence, so that reads do not change the ids of later rows. */
  readonly requestIds: Ids;
  readonly store: Store<Tables>;
  readonly scheduler: Scheduler<EngineWorld>;
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly limiter = new RateLimiter();
  readonly settings: Settings;
  readonly readings: Readings;
  readonly receivers = new LocalReceivers();
  readonly repeated = new RepeatedAnswers();
  readonly handlers = new CallHandlers();
  readonly world: EngineWorld;
  readonly service: Service;
  readonly inspection: Inspection;
  readonly #closeService: () => void;
  readonly scenarioRunner: ScenarioRunner;
  readonly snapshots = new Map<string, TenantSnapshot>();
  /** Delays an answer. Wall milliseconds, so that a call also ends with a frozen clock. */
  delayAnswer: (ms: number) => Promise<void> = (ms) => systemClock.sleep(ms);
  readonly holds = new Holds();
  /** Counts resets and restores. A call that began in an earlier generation has no effect. */
  generation = 0;
  ended: string | undefined;
  /** Counts the uses of all tenants, so the tenant with the least was not used for longest. */
  lastUse = 0;
  /** A sandbox has given out its handles, so a reset keeps it. */
  hasHandles = false;
  #options: TenantOptions;
  #receipt: AdvanceReceipt | undefined;
  #lastRun: JobRun | undefined;
  #isSeeding = false;
  /** How many rows a limit deleted, by collection. */
  trimmedRows: Readonly<Record<string, number>> = {};
  readonly eventStream: EventStream;

  constructor(options: TenantOptions) {
    const { service } = options;
    this.#options = options;
    this.service = service;
    this.inspection = options.inspection;
    this.id = options.id;
    this.eventStream = new EventStream(options.onError);
    this.journal = new Journal({ entriesMax: options.journalMax, onError: options.onError });
    this.settings = options.settings;
    this.readings = new Readings(service.switches, options.assume ?? { assume: {} });
    this.scenarioRunner = new ScenarioRunner(
      service,
      () => this.world,
      options.settings,
      this.readings,
      (why) => {
        if (this.#lastRun) this.#emit({ type: "job", run: this.#lastRun, refused: why });
      },
    );
    this.clock = new Clock({ ...resumedStart(options.kept ?? {}, options.clock), onError: options.onError });
    this.idSeed = { from: `${options.seed}/${options.id}`, seeds: 0 };
    this.ids = new Ids(this.idSeed.from);
    this.requestIds = new Ids(`${idsFrom(this.origin)}/requests`);
    const isFresh = options.data.size === 0;
    this.store = openStore(service.tables, options.data, {
      freeze: options.freeze ?? false,
      log: options.log,
      onTrim: (collection, { length }) => {
        this.trimmedRows = { ...this.trimmedRows, [collection]: (this.trimmedRows[collection] ?? 0) + length };
      },
      onChange: () => this.#changed(),
      onError: options.onError,
      now: () => this.clock.now(),
      call: () => this.journal.current ?? null,
    });
    this.auto = new AutoTime(this.clock, options.auto ?? AUTO_DEFAULTS, {
      isListening: () => service.deliveries.isListening(this.world),
      ends: (now) => service.access.ends(this.world, now),
      moved: () => this.#emit({ type: "clock", clock: this.clock }),
    });
    this.scheduler = new Scheduler<EngineWorld>(this.clock, this.store, this.#jobs(), () => this.world);
    this.scheduler.listen((run) => {
      this.#lastRun = run;
      this.#emit({ type: "job", run });
    });
    this.outbox = outboxOf(this, (delivery) => this.#emit({ type: "delivery", delivery }));
    const engineWorld = engineWorldOf(this, (event) => {
      this.scenarioRunner.handleHappening(event);
      const streamed = this.eventStream.isHeard && !this.#isSeeding ? toTenantEvent(event, service) : undefined;
      if (streamed) this.store.afterCommit(() => this.#emit(streamed));
    });
    const { world, close } = service.extend(engineWorld);
    this.world = { ...world, caller: { ...service.systemCaller(world) } };
    this.#closeService = close;
    for (const [name, empty] of Object.entries(service.parts))
      this.parts[name] = () => {
        this.store.transaction(() => empty(this.world));
        this.#forgetTrimmed(name);
      };
    this.journal.watch((entry) => {
      this.touch();
      this.#emit({ type: "exchange", entry });
    });
    try {
      this.#begin(options, isFresh);
    } catch (error) {
      this.stop("its world could not begin");
      throw error;
    }
  }

  #begin(options: TenantOptions, isFresh: boolean): void {
    this.scenarioRunner.begin(options.scenarios);
    // Settings and progressions affect seeded subjects, so rules come first.
    this.scenarioRunner.arm();
    if (isFresh) this.#seedAll();
    else {
      restoreTenant(this, options.kept ?? {}, options);
      this.scheduler.resume();
    }
    this.#adoptCaller();
  }

  /** The parts of a reset. A test checks that the list is complete. */
  readonly parts: Record<string, () => void> = {
    clock: () => {
      this.clock.reset(this.#options.clock);
      this.auto.reset();
      this.scheduler.rearm();
      this.limiter.clear();
      this.#emit({ type: "clock", clock: this.clock });
    },
    state: () => {
      this.generation++;
      this.store.restore({});
      this.trimmedRows = {};
      this.scheduler.sequence = 0;
      this.ids.state = new Ids(this.idSeed.from).state;
      this.#seedAll();
      this.#adoptCaller();
      this.scheduler.rearm();
    },
    webhooks: () => {
      this.store.transaction(() => {
        this.scheduler.cancelWhere(DELIVER_JOB, {});
        for (const row of this.store.deliveries.all()) this.store.deliveries.delete(row.id);
      });
      this.#forgetTrimmed("deliveries");
    },
    journal: () => {
      this.journal.clear();
      Object.assign(this.requestIds, { state: new Ids(`${idsFrom(this.origin)}/requests`).state });
    },
    rules: () => {
      this.scenarioRunner.rearm();
      this.handlers.clear();
    },
  };

  reset(): void {
    this.holds.releaseAll();
    this.receivers.closeAll();
    const { origin } = this.idSeed;
    this.idSeed = { from: idsFrom(this.origin), seeds: 0, ...(origin ? { origin } : {}) };
    this.scenarioRunner.begin(this.#options.scenarios);
    this.readings.changes = { assume: {} };
    for (const part of RESET_ORDER) this.parts[part]?.();
    for (const part of Object.keys(this.service.parts)) this.parts[part]?.();
    this.#emit({ type: "reset" });
  }

  /** Delays an answer as a rule asks. */
  pauseAnswer(ms: number): Promise<void> {
    const over = this.auto.sleepers.hold(ms);
    return this.delayAnswer(ms).finally(over);
  }

  /** Where ids come from. A world from a file keeps the seed and the tenant of its first process. */
  get origin(): NonNullable<IdSeed["origin"]> {
    return this.idSeed.origin ?? { seed: this.#options.seed, tenant: this.id };
  }

  get trimmed(): Record<string, number> {
    const { dropped } = this.journal;
    return { ...(dropped > 0 ? { requests: dropped } : {}), ...this.trimmedRows };
  }

  #forgetTrimmed(collection: string): void {
    const { [collection]: _, ...others } = this.trimmedRows;
    this.trimmedRows = others;
  }

  /** Puts what changed beside the rows since its last call. */
  saver(): ReturnType<typeof saverOf> {
    return saverOf(this, this.#options.kept ?? {}, () => this.#options);
  }

  touch(): void {
    this.#options.onChange?.();
  }

  readonly state = snapshotParts(this);

  snapshot(): TenantSnapshot {
    const taken = Object.entries(this.state).map(([name, one]) => [name, one.take()]);
    return isolated(Object.fromEntries(taken) as TenantSnapshot);
  }

  restore(snapshot: TenantSnapshot): void {
    const copy = isolated(snapshot);
    this.replace(() => {
      for (const [name, one] of Object.entries(this.state)) one.put(copy[name as keyof TenantSnapshot] as never);
    });
  }

  /** Calls in progress have no effect on the state that `put` puts. */
  replace(put: () => void): void {
    this.generation++;
    put();
    this.#adoptCaller();
    this.scheduler.rearm();
    this.#emit({ type: "clock", clock: this.clock });
  }

  get rules(): ScenarioRunner["rules"] {
    return this.scenarioRunner.rules;
  }

  get scenarios(): ScenarioRunner["scenarios"] {
    return this.scenarioRunner.scenarios;
  }

  reload(scenarios: readonly Scenario[], fixtures: object, assume: Choice): void {
    this.readings.start = assume;
    this.scenarioRunner.reload(this.#options.scenarios, scenarios);
    this.#options = { ...this.#options, scenarios, fixtures };
  }

  /** @throws ClockError, which names the most frequent job of an endless loop */
  async advance(goal: Goal): Promise<AdvanceReceipt> {
    const receipt = new AdvanceReceipt();
    const from = this.clock.now();
    // The clock refuses a second advance, and the receipt of the first continues.
    const isSecond = this.clock.advancing;
    if (!isSecond) this.#receipt = receipt;
    const to = this.#endOf(goal, from);
    try {
      const over = this.clock.advance(goal);
      // The clock has checked the goal, and has run nothing yet.
      if (!isSecond && this.clock.advancing) this.#emit({ type: "advance", clock: this.clock, from, to });
      await over;
    } catch (error) {
      if (error instanceof EndlessClockError) throw new ClockError(`${error.message}; ${receipt.describeMostFrequent()}`);
      throw error;
    } finally {
      if (this.#receipt === receipt) this.#receipt = undefined;
      this.#emit({ type: "clock", clock: this.clock, from, to });
    }
    return receipt;
  }

  /** Undefined when only the jobs that run decide it. */
  #endOf(goal: Goal, from: number): number | undefined {
    if ("by" in goal) return from + goal.by;
    if ("to" in goal) return goal.to;
    return goal.until === "next" ? Math.max(this.clock.next() ?? from, from) : undefined;
  }

  /** `stopAt` limits automatic time, and null removes the limit. @throws ClockError */
  setClock({ stopAt, ...change }: Parameters<Clock["set"]>[0] & { stopAt?: number | null | undefined }): void {
    this.clock.set(change);
    if (stopAt !== undefined) this.auto.stopAt = stopAt ?? undefined;
    this.#emit({ type: "clock", clock: this.clock });
  }

  /**
   * Loads a scenario into the running world: sets the clock and the seed of ids, then seeds its rows. The clock can move back only while
   * the journal is empty. The initial state then starts again at the earlier instant.
   * An error leaves everything unchanged. @throws ClockError, ScenarioError or a refusal
   */
  load(scenario: Scenario): void {
    loadInto(this, scenario);
    this.#emit({ type: "clock", clock: this.clock });
  }

  #emit(event: TenantEvent): void {
    this.#receipt?.note(event);
    if (event.type === "clock") this.touch();
    this.eventStream.emit(event);
  }

  #changed(): void {
    this.#options.onChange?.();
    this.eventStream.emitChange();
  }

  /** @param why completes "This call has no effect: …" for current and later calls */
  stop(why: string): void {
    this.ended = why;
    this.holds.releaseAll();
    this.receivers.closeAll();
    this.generation++;
    this.eventStream.stop();
    this.auto.end();
    this.clock.stop();
    this.scheduler.stop();
    this.#closeService();
  }

  #seedAll(): void {
    this.#isSeeding = true;
    try {
      this.store.timeless(() =>
        this.store.transaction(() => {
          this.service.seed.before(this.world, this.#options.fixtures);
          this.#adoptCaller();
          this.service.seed.subjects(this.world, this.#options.fixtures);
          this.scenarioRunner.seedAll();
        }),
      );
    } finally {
      this.#isSeeding = false;
    }
  }

  #adoptCaller(): void {
    Object.assign(this.world.caller, this.service.systemCaller(this.world));
  }

  #jobs(): JobHandlers<EngineWorld> {
    return {
      ...this.service.jobs,
      ...this.scenarioRunner.jobs,
      [DELIVER_JOB]: { run: (payload: Parameters<Outbox["deliver"]>[0]) => this.outbox.deliver(payload) },
    } as JobHandlers<EngineWorld>;
  }
}
