/** A player runs the client once against a fresh world: a function, or a process. */
import type { Service } from "../../engine/runtime/service.ts";
import type { ScenarioFile } from "../../library/file-types.ts";
import type { Sandbox, ScenarioSource } from "../../library/types.ts";
import type { End, Recorder } from "./recording.ts";

/**
 * Runs 0 and 1 are clean. `scenario` comes before the user's scenarios, so that its rules act first. `file` replaces both.
 * Faults hold answers back for `held_ms` of real time, and a command may take that much longer.
 */
export interface RunPlan {
  run: number;
  seed: string;
  scenario: ScenarioFile | undefined;
  file?: ScenarioSource;
  callsMax: number;
  /** The run may take this many times as long. */
  patience: number;
  held_ms: number;
  signal: AbortSignal;
}

export interface Played {
  end: End;
  sandbox: Sandbox;
  recorder: Recorder;
  close(): Promise<void>;
}

/**
 * `service` is what the client talks to. `time` measures the client's waits: `virtual` is the sandbox's clock, `wall` is real time.
 * After `waitLonger`, the client may be silent for longer before the clock moves.
 * `limit_ms` is the real time that a command may take with answers held back. The clean runs determine it.
 */
export interface Player {
  readonly service: Service;
  readonly time: "virtual" | "wall";
  limit_ms(held_ms: number): number;
  waitLonger(): void;
  play(plan: RunPlan): Promise<Played>;
}
