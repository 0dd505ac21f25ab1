/** Moves time for a function: while the client only waits, to the next instant at which a timer or job is due. */
import type { Tenant } from "../../engine/runtime/tenants/tenant.ts";
import type { ClientTime } from "./client-time.ts";
import { systemClock } from "../../engine/core/clock.ts";
import { messageOf } from "../../engine/core/text.ts";
import { DAY_MS } from "../../engine/core/time-limits.ts";
import type { End } from "./recording.ts";

/** After this many turns of the event loop without activity, the client counts as waiting. Sockets need more turns. */
const QUIET_TURNS = 3;
const QUIET_TURNS_OF_SOCKETS = 40;
/** After this many turns in which something works, each turn takes a millisecond. The work may need the processor. */
const BUSY_TURNS = 50;
const HORIZON_MS = 400 * DAY_MS;
/** A client that waits this often without a call in between counts as hung. */
const IDLE_WAITS_MAX = 20_000;
/** Real milliseconds to wait for work that docdouble cannot see, such as that of another process. */
const GRACE_MS = 60;

export interface Traffic {
  open: number;
  held: number;
  usesSockets: boolean;
}

export interface DriverOptions {
  tenant: Tenant;
  time: ClientTime;
  calls: () => number;
  traffic: Traffic;
  /** Real milliseconds for the whole run. */
  timeout_ms: number;
  callsMax: number;
  /** The client may wait this many times as often. */
  patience: number;
  signal: AbortSignal;
}

type Outcome = { value: unknown } | { error: unknown };

export class Driver {
  readonly #options: DriverOptions;
  readonly #deadline: number;
  #outcome: Outcome | undefined;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#deadline = systemClock.elapsed() + options.timeout_ms;
  }

  /** Never throws. */
  async drive(client: () => unknown): Promise<End> {
    const { tenant, time, calls, callsMax, patience, signal } = this.#options;
    void this.#start(client);
    let idle = 0;
    let seen = 0;
    const horizon = tenant.clock.now() + HORIZON_MS;
    for (;;) {
      const isQuiet = await this.#quiet();
      if (this.#outcome) return toEnd(this.#outcome);
      if (signal.aborted) return { kind: "interrupted" };
      if (!isQuiet) return { kind: "hung", time: "real", message: `it did not end within ${this.#options.timeout_ms} real ms` };
      if (calls() > callsMax)
        return { kind: "hung", time: "virtual", message: `it made more than ${callsMax} calls and did not end` };
      const [timer, job] = [time.next(), tenant.clock.next()];
      if (timer === undefined && job === undefined) {
        if (await this.#stirs()) continue;
        return { kind: "hung", time: "virtual", message: "it waits, and nothing more will happen" };
      }
      const next = Math.min(timer ?? Number.POSITIVE_INFINITY, job ?? Number.POSITIVE_INFINITY);
      if (next > horizon) {
        const days = Math.round(HORIZON_MS / DAY_MS);
        return { kind: "hung", time: "virtual", message: `it still waits after ${days} days on the clock` };
      }
      if (!tenant.clock.advancing && next > tenant.clock.now()) tenant.clock.set({ now: next });
      // Work of the service that is due at the same instant comes first.
      if (job !== undefined && job <= next && !tenant.clock.advancing) continue;
      time.fire();
      const now = tenant.journal.total;
      idle = now === seen ? idle + 1 : 0;
      seen = now;
      if (idle > IDLE_WAITS_MAX * patience)
        return {
          kind: "hung",
          time: "virtual",
          message: `it waited ${IDLE_WAITS_MAX * patience} times and did nothing in between`,
        };
    }
  }

  async #start(client: () => unknown): Promise<void> {
    try {
      this.#outcome = { value: await client() };
    } catch (error) {
      this.#outcome = { error };
    }
    this.#options.time.activity++;
  }

  /** Resolves to true once the client only waits, and to false when the real time is over. */
  async #quiet(): Promise<boolean> {
    const { time, tenant, traffic, calls, signal } = this.#options;
    let seen = "";
    let busyTurns = 0;
    for (let turns = 0; turns < (traffic.usesSockets ? QUIET_TURNS_OF_SOCKETS : QUIET_TURNS); turns++) {
      await (busyTurns > BUSY_TURNS ? systemClock.sleep(1) : systemClock.soon());
      const now = `${time.activity} ${calls()} ${traffic.open} ${traffic.held} ${tenant.holds.open} ${tenant.journal.total}`;
      const isBusy = traffic.open > traffic.held + tenant.holds.open || isWorking();
      if (now !== seen || isBusy) turns = 0;
      busyTurns = isBusy ? busyTurns + 1 : 0;
      seen = now;
      if (this.#outcome && !isBusy) return true;
      if (systemClock.elapsed() > this.#deadline || signal.aborted) return false;
    }
    return true;
  }

  async #stirs(): Promise<boolean> {
    const { time, tenant } = this.#options;
    const before = time.activity + tenant.journal.total;
    const until = systemClock.elapsed() + GRACE_MS;
    while (systemClock.elapsed() < until) {
      await systemClock.sleep(5);
      if (this.#outcome || time.activity + tenant.journal.total !== before) return true;
      if (tenant.clock.next() !== undefined) return true;
    }
    return false;
  }
}

function isWorking(): boolean {
  return process.getActiveResourcesInfo().some((name) => WORK.test(name));
}

const WORK = /^(FSReq|GetAddrInfo|GetNameInfo|QueryReq|TCPConnect|PipeConnect|Zlib|Brotli|.*Job$|.*Request$)/;

function toEnd(outcome: Outcome): End {
  if ("value" in outcome) return { kind: "returned", value: outcome.value };
  const { error } = outcome;
  const stack = error instanceof Error ? error.stack : undefined;
  return { kind: "failed", message: messageOf(error), ...(stack === undefined ? {} : { stack }) };
}
