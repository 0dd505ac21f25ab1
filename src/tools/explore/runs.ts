import { systemClock } from "../../engine/core/clock.ts";
import { WALL_MS_MAX } from "../../engine/core/time-limits.ts";
import type { ScenarioFile } from "../../library/file-types.ts";
import type { Sandbox } from "../../library/types.ts";
import { type Fault, answerDelayOf, joined, placeText } from "./faults.ts";
import type { Player, RunPlan } from "./player.ts";
import type { Recording } from "./recording.ts";
import { faultRecord } from "./fault-records.ts";
import type { ExploreProgress, ExploreReport, FaultPlace } from "./report.ts";
import { type Planned, SideBySide } from "./side-by-side.ts";

/** A run with this many calls more than the clean run counts as endless. The calls of a command take longer. */
const CALLS_MORE = { virtual: 4000, wall: 1000 } as const;
/** Before a command is called endless, it may make this many times as many calls. Some clients poll each second for an hour. */
const PATIENCE = { virtual: 1, wall: 4 } as const;

export interface RunsOptions {
  player: Player;
  seed: string;
  transitions: ScenarioFile["transitions"];
  budget_ms: number;
  runsMax: number;
  jobs: number;
  signal: AbortSignal;
  // biome-ignore lint/suspicious/noConfusingVoidType: an invariant without a return statement is fine
  invariant?: ((sandbox: Sandbox) => void | boolean | Promise<void | boolean>) | undefined;
  onProgress?: ((progress: ExploreProgress) => void) | undefined;
}

type Content = Pick<RunPlan, "scenario" | "file" | "held_ms"> & { title: string; isPatient?: boolean };

export class Runs {
  readonly #options: RunsOptions;
  readonly #deadline: number;
  readonly #sideBySide: SideBySide<Recording>;
  readonly #closer = new AbortController();
  readonly #signal: AbortSignal;
  readonly #endNotice: () => void;
  #current = "";
  #count = 0;
  #begun = 0;
  #nextNumber = 0;
  #cleanCalls = 0;
  breaks = 0;
  left = 0;
  /** The client ends by itself after many calls, so each run gets the time for them. */
  isPatient = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    this.#deadline = systemClock.elapsed() + options.budget_ms;
    this.#signal = AbortSignal.any([options.signal, this.#closer.signal]);
    this.#endNotice = systemClock.after(Math.min(options.budget_ms, WALL_MS_MAX), () => this.#show());
    const mayBegin = (ahead: number) => this.stop === undefined && this.#count + ahead < options.runsMax;
    this.#sideBySide = new SideBySide(options.jobs, mayBegin);
  }

  /** Runs that the search saw. Their number and order do not depend on `jobs`. */
  get count(): number {
    return this.#count;
  }

  get time(): Player["time"] {
    return this.#options.player.time;
  }

  /** 0: as quick as the clean run. 1: the client may wait long. 2: docdouble holds an answer back in real time. */
  slownessOf({ fault }: FaultPlace): 0 | 1 | 2 {
    if (this.time === "virtual") return 0;
    return answerDelayOf([{ fault }]) > 0 ? 2 : faultRecord(fault).waits ? 1 : 0;
  }

  limit_ms(faults: readonly FaultPlace[]): number {
    return this.#options.player.limit_ms(answerDelayOf(faults));
  }

  get stop(): Exclude<ExploreReport["ended"], "complete" | "clean"> | undefined {
    if (this.#options.signal.aborted) return "interrupted";
    if (this.#count >= this.#options.runsMax) return "runs";
    return systemClock.elapsed() >= this.#deadline ? "budget" : undefined;
  }

  async clean(): Promise<Recording> {
    const recording = await this.#play({ ...this.#withFaults([]), title: "the clean run" });
    this.#cleanCalls = Math.max(this.#cleanCalls, recording.items.filter((one) => one.kind === "call").length);
    return recording;
  }

  /** Forgets the clean runs. From now on, a silence of the client must last longer before the clock moves. */
  startAgain(): void {
    this.#options.player.waitLonger();
    this.#count = this.#begun = this.#nextNumber = this.#cleanCalls = 0;
  }

  play(faults: readonly Fault[]): Promise<Recording> {
    return this.#play(this.#withFaults(faults));
  }

  /** Numbers runs that the search will probably ask for. Plays some of them ahead where `jobs` allows it. */
  plan(all: readonly (readonly Fault[])[]): Planned<Recording>[] {
    return all.map((faults) => {
      const run = this.#nextNumber++;
      const planned = this.#sideBySide.plan(() => this.#execute(run, this.#withFaults(faults)));
      const take = () => {
        this.#count++;
        return planned.take();
      };
      return { take, drop: () => planned.drop() };
    });
  }

  async close(): Promise<void> {
    this.#closer.abort();
    this.#endNotice();
    await this.#sideBySide.end();
  }

  #withFaults(faults: readonly Fault[]): Content {
    const { transitions } = this.#options;
    return {
      title: faults.map(placeText).join(" and "),
      scenario: { version: 1, name: "explore", transitions, ...joined(faults) },
      held_ms: answerDelayOf(faults),
    };
  }

  playFile(file: string, faults: readonly FaultPlace[], isPatient = false): Promise<Recording> {
    return this.#play({ title: file, scenario: undefined, file, held_ms: answerDelayOf(faults), isPatient });
  }

  playScenario(title: string, scenario: ScenarioFile, faults: readonly FaultPlace[], isPatient = false): Promise<Recording> {
    return this.#play({ title, scenario: undefined, file: scenario, held_ms: answerDelayOf(faults), isPatient });
  }

  #show(): void {
    const isOver = systemClock.elapsed() >= this.#deadline;
    const { breaks, left } = this;
    this.#options.onProgress?.({ runs: this.#begun, breaks, left, current: this.#current, isOver });
  }

  #play(content: Content): Promise<Recording> {
    this.#count++;
    const run = this.#nextNumber++;
    return this.#sideBySide.now(() => this.#execute(run, content));
  }

  async #execute(run: number, { title, isPatient = false, ...content }: Content): Promise<Recording> {
    const { player, seed, invariant } = this.#options;
    this.#current = title;
    this.#show();
    this.#begun++;
    const patience = isPatient || this.isPatient ? PATIENCE[player.time] : 1;
    const callsMax = this.#cleanCalls + CALLS_MORE[player.time] * patience;
    const { end, sandbox, recorder, close } = await player.play({
      ...{ run, seed, signal: this.#signal, callsMax, patience },
      ...content,
    });
    try {
      const broken = end.kind === "interrupted" || end.kind === "hung" ? undefined : await brokenInvariant(invariant, sandbox);
      const recording = recorder.finish(run, end, broken);
      if (typeof content.file === "string" && end.kind !== "interrupted") recording.world = await recorder.world();
      return recording;
    } finally {
      await close();
    }
  }
}

async function brokenInvariant(invariant: RunsOptions["invariant"], sandbox: Sandbox): Promise<string | undefined> {
  try {
    return (await invariant?.(sandbox)) === false ? "it returned false" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
