import type { Readings } from "../../assumptions/readings.ts";
import { ApiError } from "../../core/errors.ts";
import { type Conditions, matches, Rules, RUNTIME } from "../../rules/rules.ts";
import type { DeliveryPlan } from "../../jobs/outbox.ts";
import type { JobHandlers } from "../../jobs/scheduler.ts";
import type { DeliveryRow } from "../../jobs/rows.ts";
import type { DeliveryEffect, Effect } from "../../scenario/rule-schema.ts";
import type { ActInput, Actor } from "../../scenario/schema.ts";
import { deliveryContext } from "../../scenario/request-context.ts";
import type { Scenario } from "../../scenario/load.ts";
import type { Participant, Service, Subject } from "../service.ts";
import type { EngineWorld, Happening, Settings } from "../world.ts";
import { ScenarioTimers, TIMER_JOB } from "./scenario-timers.ts";

/** The subject stands under the noun of the service, because users see the payload. */
interface StepPayload {
  actor: string;
  act: string;
  input: ActInput;
  [noun: string]: unknown;
}

export interface PerformedAct {
  subject: string;
  asked: string;
  did: string;
  /** How reports name the participant. */
  who: string;
}

/** What a recipient does at a turn. */
export interface TurnEffect {
  do: string;
  with: ActInput;
  after_ms: number;
}

/** What differs from the scenarios of the options. Saved with the tenant. */
export interface RunnerState {
  given: string[];
  names: string[];
  scenarios: Scenario[];
  rules: ReturnType<Rules<Effect>["snapshot"]>;
  deliveryRules: ReturnType<Rules<DeliveryEffect>["snapshot"]>;
  turnRules: ReturnType<Rules<TurnEffect>["snapshot"]>;
  transitions: Settings["transitions"];
}

export class ScenarioRunner {
  readonly rules = new Rules<Effect>();
  readonly deliveryRules = new Rules<DeliveryEffect>();
  readonly turnRules = new Rules<TurnEffect>();
  readonly scenarios = new Map<string, Scenario>();
  readonly #service: Service;
  readonly #world: () => EngineWorld;
  readonly #settings: Settings;
  readonly #initial: Pick<Settings, "transitions">;
  readonly #readings: Pick<Readings, "setScenarios">;
  readonly #refused: (why: string) => void;
  readonly #timers = new ScenarioTimers({
    world: () => this.#world(),
    timerOf: ({ scenario, timer }) => this.scenarios.get(scenario)?.timers[timer],
    subjects: () => this.#service.subjects.every(this.#world()),
    applies: (timer, row) => this.#applies(timer, row),
    act: (timer, row) => this.#step(row.id, timer.do, timer.with),
  });
  /** Progressions that scenarios set. `settings` adds those set at run time. */
  #armed: Settings["transitions"] = {};
  #changes = 0;

  constructor(
    service: Service,
    world: () => EngineWorld,
    settings: Settings,
    readings: Pick<Readings, "setScenarios">,
    refused: (why: string) => void,
  ) {
    this.#service = service;
    this.#world = world;
    this.#settings = settings;
    this.#initial = { transitions: settings.transitions };
    this.#readings = readings;
    this.#refused = refused;
  }

  begin(scenarios: readonly Scenario[]): void {
    this.scenarios.clear();
    for (const scenario of scenarios) this.scenarios.set(scenario.name, scenario);
  }

  seedAll(): void {
    for (const scenario of this.scenarios.values()) this.#seed(scenario);
  }

  rearm(): void {
    this.rules.clear();
    this.deliveryRules.clear();
    this.turnRules.clear();
    this.arm();
  }

  /** Resets the counters of all scenarios. Rules and transitions that the admin API has set stay. */
  restart(): void {
    const set = this.#setTransitions();
    for (const name of this.scenarios.keys()) {
      this.rules.clear(name);
      this.deliveryRules.clear(name);
    }
    this.#armBeside(set);
  }

  snapshot() {
    return {
      rules: this.rules.snapshot(),
      deliveryRules: this.deliveryRules.snapshot(),
      turnRules: this.turnRules.snapshot(),
      scenarios: [...this.scenarios.values()],
    };
  }

  restore(snapshot: ReturnType<ScenarioRunner["snapshot"]>): void {
    this.#changes++;
    this.begin(snapshot.scenarios);
    this.rules.load(snapshot.rules);
    this.deliveryRules.load(snapshot.deliveryRules);
    this.turnRules.load(snapshot.turnRules);
  }

  /** Adds a scenario to the running world, or replaces the scenario of the same name. An error leaves everything unchanged. */
  load(scenario: Scenario): void {
    const before = this.snapshot();
    const set = this.#setTransitions();
    this.scenarios.set(scenario.name, scenario);
    this.#armBeside(Object.fromEntries(Object.entries(set).filter(([name]) => !Object.hasOwn(scenario.transitions, name))));
    try {
      this.#world().store.transaction(() => {
        this.#timers.cancel(scenario.name);
        this.#seed(scenario);
      });
    } catch (error) {
      // Also the counters of the rules that the new scenario replaced.
      this.restore(before);
      this.#armBeside(set);
      throw error;
    }
  }

  reload(before: readonly Scenario[], scenarios: readonly Scenario[]): void {
    for (const old of before) if (!scenarios.some((one) => one.name === old.name)) this.unload(old.name);
    this.#world().store.transaction(() => {
      for (const scenario of scenarios) {
        const old = this.scenarios.get(scenario.name);
        this.scenarios.set(scenario.name, scenario);
        if (JSON.stringify(old?.timers) === JSON.stringify(scenario.timers)) continue;
        this.#timers.cancel(scenario.name);
        this.#timers.set(scenario);
      }
    });
    this.#armBeside(this.#setTransitions());
  }

  unload(name: string): boolean {
    if (!this.scenarios.delete(name)) return false;
    this.rules.clear(name);
    this.deliveryRules.clear(name);
    this.#world().store.transaction(() => this.#timers.cancel(name));
    this.#armBeside(this.#setTransitions());
    return true;
  }

  /** The transitions that the admin API has set since the scenarios were armed. */
  #setTransitions(): Settings["transitions"] {
    return Object.fromEntries(Object.entries(this.#settings.transitions).filter(([name, one]) => one !== this.#armed[name]));
  }

  /** Arms the scenarios, and keeps these transitions. */
  #armBeside(set: Settings["transitions"]): void {
    this.arm();
    this.#settings.transitions = { ...this.#settings.transitions, ...set };
  }

  arm(): void {
    const transitions = { ...this.#initial.transitions };
    for (const { name, rules, webhooks, ...scenario } of this.scenarios.values()) {
      this.rules.arm(name, rules);
      this.deliveryRules.arm(name, webhooks);
      Object.assign(transitions, scenario.transitions);
    }
    this.#armed = transitions;
    this.#settings.transitions = transitions;
    this.#readings.setScenarios(Object.assign({}, ...[...this.scenarios.values()].map((one) => one.assume)));
    this.#changes++;
  }

  get revision(): number {
    return this.#changes + this.rules.revision + this.deliveryRules.revision + this.turnRules.revision;
  }

  runtimeState(configured: readonly Scenario[]): RunnerState {
    return {
      given: configured.map((one) => one.name),
      names: [...this.scenarios.keys()],
      scenarios: [...this.scenarios.values()].filter((one) => !configured.includes(one)),
      rules: this.rules.snapshot(),
      deliveryRules: this.deliveryRules.snapshot(),
      turnRules: this.turnRules.snapshot(),
      transitions: this.#setTransitions(),
    };
  }

  /** Scenarios loaded at run time come from `beyond`, the others from `configured`. */
  resume(beyond: RunnerState, configured: readonly Scenario[]): void {
    const resumed = beyond.names.flatMap(
      (name) => beyond.scenarios.find((one) => one.name === name) ?? configured.find((one) => one.name === name) ?? [],
    );
    const added = configured.filter((one) => !beyond.given.includes(one.name) && !beyond.names.includes(one.name));
    this.begin([...resumed, ...added]);
    const hasSource = ({ source }: { source: string }) => source === RUNTIME || this.scenarios.has(source);
    this.rules.load(beyond.rules.filter(hasSource));
    this.deliveryRules.load(beyond.deliveryRules.filter(hasSource));
    this.turnRules.load(beyond.turnRules ?? []);
    this.#armBeside(beyond.transitions);
  }

  readonly jobs: JobHandlers<EngineWorld> = {
    [TIMER_JOB]: this.#timers.job,
    scenario_step: {
      run: (payload: StepPayload) => this.#step(String(payload.document), payload.act, payload.input),
      outcome: "changes",
    },
  } as JobHandlers<EngineWorld>;

  /** Merges the effects of all matching webhook rules. For each member the first rule wins. */
  deliveryEffect(phase: "plan" | "perform", delivery: DeliveryRow, attempt: number): DeliveryPlan {
    if (this.deliveryRules.list().length === 0) return {};
    const context = deliveryContext(delivery, phase, attempt, this.#attributesOf(delivery.subject));
    const rules = this.deliveryRules.match(context);
    const taken: Record<string, unknown> = {};
    const isDropped = rules.some((rule) => rule.effect.drop);
    for (const rule of rules) {
      const own = Object.entries(rule.effect).filter(
        ([name, value]) => !(name in taken) && !this.#isMoot(name, value, delivery, isDropped),
      );
      for (const [name, value] of own) taken[name] = name === "batch" ? { ...(value as object), key: rule.id } : value;
      if (own.length === 0) this.deliveryRules.hadNoEffect(rule);
    }
    return taken;
  }

  /** A dropped delivery needs no plan except a copy ahead. A wait for an event that has arrived changes nothing. */
  #isMoot(name: string, value: unknown, delivery: DeliveryRow, isDropped: boolean): boolean {
    if (isDropped) return name !== "drop" && name !== "copy_ahead" && name !== "respell";
    if (name === "delay") return value === 0;
    const event = value as NonNullable<DeliveryEffect["after_event"]>;
    return name === "after_event" && this.#world().outbox.hasReceived(delivery, event);
  }

  #attributesOf(subject: string): ReturnType<Service["subjects"]["attributes"]> | undefined {
    const { subjects } = this.#service;
    const row = subjects.find(this.#world(), subject);
    return row && subjects.attributes(row);
  }

  #applies(one: Pick<Actor, "document">, row: Subject): boolean {
    return matches(one.document, this.#service.subjects.attributes(row));
  }

  handleHappening(event: Happening): void {
    const { acts, subjects } = this.#service;
    this.#actAsAsked(event);
    this.#actByTurn(event);
    for (const actor of this.#actors()) {
      if (!actor.on.includes(event.name)) continue;
      const row = subjects.find(this.#world(), event.subject);
      if (!row || !this.#applies(actor, row)) continue;
      const { recipient } = actor;
      const who = recipient && acts.participantsOf(row).find((one) => isMeant(recipient, one));
      if (recipient && !who) continue;
      let after = 0;
      for (const step of actor.steps) {
        after += step.after;
        const isNamed = step.with.recipient !== undefined || !this.#namesSomebody(step.do);
        const input: ActInput = { ...step.with, ...(who && !isNamed ? { recipient: who.id } : {}) };
        this.#scheduleStep(after, { actor: actor.name, act: step.do, subject: row.id, input });
      }
    }
  }

  #namesSomebody(act: string): boolean {
    return this.#service.acts.members[act]?.includes("recipient") ?? false;
  }

  /** Acts that the data of participants asks for. */
  #actAsAsked(event: Happening): void {
    for (const { actor, participant, act, after_ms } of this.#service.acts.asked(this.#world(), event))
      this.#scheduleStep(after_ms, { actor, act, subject: event.subject, input: { recipient: participant } });
  }

  /** Receives the act that happened, which a scenario may have replaced. */
  onAct: (act: PerformedAct) => void = () => {};

  /** A scenario may replace the act. @throws the service's refusals */
  perform(subject: string, name: string, input: ActInput): Subject {
    const { acts, subjects } = this.#service;
    const before = subjects.find(this.#world(), subject);
    const who = before && acts.actingParticipant(before, input.recipient);
    const { row, did } = this.#performOrReplace(subject, name, input);
    this.onAct({ subject, asked: name, did, who: who?.label ?? "" });
    return row;
  }

  #performOrReplace(subject: string, name: string, input: ActInput): { row: Subject; did: string } {
    const { acts, subjects } = this.#service;
    const world = this.#world();
    const asAsked = () => ({ row: acts.perform(world, subject, name, input), did: name });
    const substitutes = [...this.scenarios.values()].flatMap((scenario) => scenario.instead);
    if (!substitutes.some((one) => one.of.includes(name))) return asAsked();
    const row = subjects.require(world, subject);
    const who = acts.actingParticipant(row, input.recipient);
    const substitute = substitutes.find(
      (one) => one.of.includes(name) && this.#applies(one, row) && who !== undefined && isMeant(one.recipient, who),
    );
    if (!substitute || who === undefined) return asAsked();
    if (substitute.do === "nothing") return { row, did: "nothing" };
    const named = this.#namesSomebody(substitute.do) ? { recipient: who.id } : {};
    return { row: acts.perform(world, subject, substitute.do, { ...named, ...substitute.with }), did: substitute.do };
  }

  #actByTurn(event: Happening): void {
    if (this.turnRules.list().length === 0) return;
    for (const { id, facts } of this.#service.acts.turnsOf(event)) {
      const context: Record<string, unknown> = { ...facts, subject: event.subject };
      for (const { name: actor, effect } of this.turnRules.match((attribute) => context[attribute])) {
        const input = { ...effect.with, ...(this.#namesSomebody(effect.do) ? { recipient: id } : {}) };
        this.#scheduleStep(effect.after_ms, { actor, act: effect.do, subject: event.subject, input });
      }
    }
  }

  #actors(): Actor[] {
    return [...this.scenarios.values()].flatMap((scenario) => scenario.actors);
  }

  #seed(scenario: Scenario): void {
    this.#service.seed.before(this.#world(), scenario.world);
    this.#service.seed.subjects(this.#world(), scenario.world);
    this.#timers.set(scenario);
  }

  #scheduleStep(after_ms: number, { subject, ...step }: { actor: string; act: string; subject: string; input: ActInput }): void {
    const { actor, act, input } = step;
    this.#world().jobs.schedule("scenario_step", after_ms, { actor, act, document: subject, input });
  }

  #step(subject: string, act: string, input: ActInput): void {
    const row = this.#service.subjects.live(this.#world(), subject);
    if (!row) return;
    try {
      this.#world().store.savepoint(() => this.perform(row.id, act, input));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#refused(error.options.why ?? error.message);
    }
  }
}

function isMeant(recipient: Actor["recipient"], { facts }: Participant): boolean {
  return matches(recipient as Conditions, (name) => facts[name]);
}
