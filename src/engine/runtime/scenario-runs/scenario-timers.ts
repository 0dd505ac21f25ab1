import { systemClock } from "../../core/clock.ts";
import type { JobHandler } from "../../jobs/scheduler.ts";
import type { Scenario } from "../../scenario/load.ts";
import type { Timer } from "../../scenario/schema.ts";
import type { Subject } from "../service.ts";
import type { EngineWorld } from "../world.ts";

export const TIMER_JOB = "scenario_timer";

interface TimerPayload extends Record<string, unknown> {
  scenario: string;
  timer: number;
  name: string;
  /** How many subjects earlier turns have looked at. */
  done?: number;
}

/** The most acts of a timer in one turn. Between turns, other calls get their answers. */
const TURN_MAX = 100;

interface Acting {
  world(): EngineWorld;
  /** Undefined after its scenario is gone. */
  timerOf(payload: TimerPayload): Timer | undefined;
  /** In the order of their creation, deleted ones too. So a deletion between two turns moves nobody. */
  subjects(): readonly Subject[];
  applies(timer: Timer, row: Subject): boolean;
  act(timer: Timer, row: Subject): void;
}

/** The timers of scenarios. Each is a job that acts on all subjects that fit. */
export class ScenarioTimers {
  readonly #acting: Acting;

  constructor(acting: Acting) {
    this.#acting = acting;
  }

  readonly job: JobHandler<EngineWorld> = {
    run: (payload: TimerPayload) => {
      if (payload.done !== undefined) return systemClock.soon().then(() => () => this.#actInTurn(payload));
      this.#actInTurn(payload);
      return undefined;
    },
    deadline: true,
  };

  set({ name: scenario, timers }: Scenario): void {
    const { jobs, clock } = this.#acting.world();
    for (const [timer, { at, name }] of timers.entries()) {
      const wait = at.after_ms ?? Math.max(0, at.instant - clock.now());
      jobs.schedule(TIMER_JOB, wait, { scenario, timer, name });
    }
  }

  cancel(scenario: string): void {
    this.#acting.world().jobs.cancelWhere(TIMER_JOB, { scenario });
  }

  #actInTurn({ done = 0, ...payload }: TimerPayload): void {
    const timer = this.#acting.timerOf(payload);
    if (!timer) return;
    const { jobs } = this.#acting.world();
    if (done === 0 && timer.every !== undefined) jobs.schedule(TIMER_JOB, timer.every, payload);
    let acts = 0;
    for (const [i, row] of this.#acting.subjects().entries()) {
      if (i < done || !this.#acting.applies(timer, row)) continue;
      if (acts === TURN_MAX) {
        jobs.schedule(TIMER_JOB, 0, { ...payload, done: i });
        return;
      }
      acts++;
      this.#acting.act(timer, row);
    }
  }
}
