/** A player runs the client once against a fresh world. `explore(fn)` plays functions, and `docdouble explore` plays processes. */
import type { ScenarioFile } from "../scenario/file-types.ts";
import type { Sandbox, ScenarioSource } from "../types.ts";
import type { End, Recorder } from "./recording.ts";

export interface RunPlan {
  /** 0 and 1 are the clean runs. For CMD it is `DOCDOUBLE_RUN`. */
  run: number;
  seed: string;
  /** What the run adds: rules, actors, readings. It comes before the user's scenarios, so that its rules act first. */
  scenario: ScenarioFile | undefined;
  /** A found file, or its value, to play instead of the user's scenarios and `scenario`. */
  file?: ScenarioSource;
  callsMax: number;
  /** Real milliseconds for which faults hold answers back. A command may take that much longer. */
  held_ms: number;
  signal: AbortSignal;
}

export interface Played {
  end: End;
  /** Open until `close`. */
  sandbox: Sandbox;
  recorder: Recorder;
  close(): Promise<void>;
}

export interface Player {
  /** What measures the client's waits: the sandbox's clock (`virtual`) or real time (`wall`). */
  readonly time: "virtual" | "wall";
  /** Real milliseconds that a command may take, when faults hold answers back that long. Known after the clean runs. */
  limit_ms(held_ms: number): number;
  /** Creates a sandbox for the plan, records it, runs the client, and resolves when the client ended. */
  play(plan: RunPlan): Promise<Played>;
}
