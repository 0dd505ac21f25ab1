/** Prints log events. The line of a repeated call waits until it is complete, and then has its count. */
import { FOLDED_MAX } from "../inspector/log/folding.ts";
import type { LogEvent } from "../inspector/log/log-event.ts";
import { watchLog } from "../inspector/log/watch-log.ts";
import { systemClock } from "../engine/core/clock.ts";
import { hostOf } from "../library/sandbox.ts";
import type { Sandbox } from "../library/types.ts";
import { type Entry, isFoldable, jsonLine, lineOf, toEntries } from "./log-lines.ts";

export const LOG_FORMATS = ["pretty", "plain", "json", "silent"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

const HELD_MS = 500;

export function hasColor(output: Output, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  return output.isTTY === true && env.TERM !== "dumb";
}

export class Console {
  readonly #format: LogFormat;
  readonly #output: Output;
  readonly #color: boolean;
  readonly #after: (ms: number, run: () => void) => () => void;
  #events: LogEvent[] = [];
  #isScheduled = false;
  #open: Entry[] = [];
  #date = "";
  #release = (): void => {};

  constructor(format: LogFormat, output: Output, env: NodeJS.ProcessEnv = process.env, after = systemClock.after) {
    this.#after = after;
    this.#format = format;
    this.#output = output;
    this.#color = format === "pretty" && hasColor(output, env);
  }

  readonly hear = (event: LogEvent): void => {
    if (this.#format === "silent") return;
    this.#events.push(event);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => this.#print());
  };

  flush(): void {
    this.#print();
    this.#close();
  }

  say(line: string): void {
    this.flush();
    this.#output.write(`${line}\n`);
  }

  #print(): void {
    this.#isScheduled = false;
    const events = this.#events;
    this.#events = [];
    if (events.length === 0) return;
    if (this.#format === "json") {
      this.#output.write(events.map((event) => `${jsonLine(event)}\n`).join(""));
      return;
    }
    const before = this.#open;
    const entries = toEntries(events, before);
    const complete = entries.findLastIndex((one) => !isFoldable(one)) + 1;
    const open = Math.max(complete, entries.length - FOLDED_MAX);
    this.#output.write(this.#linesOf(entries.slice(0, open)));
    this.#open = entries.slice(open);
    if (before.length === 0 || open > 0) {
      this.#release();
      this.#release = this.#open.length > 0 ? this.#after(HELD_MS, () => this.#close()) : () => {};
    }
  }

  #close(): void {
    this.#release();
    this.#output.write(this.#linesOf(this.#open));
    this.#open = [];
  }

  #linesOf(entries: readonly Entry[]): string {
    return entries.map((one) => `${this.#dateLine(one)}${this.#lineOf(one)}\n`).join("");
  }

  #lineOf(entry: Entry): string {
    return lineOf(entry, { color: this.#color, clock: this.#format === "pretty" ? "time" : "instant" });
  }

  #dateLine({ since }: Entry): string {
    const date = since.slice(0, "2026-01-01".length);
    if (this.#format !== "pretty" || date === this.#date) return "";
    this.#date = date;
    return `${date}\n`;
  }
}

export function showSandbox(sandbox: Sandbox, shown: Console): void {
  hostOf(sandbox).eachTenant((tenant) => {
    watchLog(tenant, (event) => (event ? shown.hear(event) : shown.flush()));
  });
}
