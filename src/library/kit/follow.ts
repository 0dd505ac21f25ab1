/** Moves fake timers of a test runner and a tenant's clock together. */
import type { Tenant } from "../../service/service.ts";
import { presentTime, type TimeSource } from "../../engine/core/clock.ts";
import { SettingsError } from "../errors.ts";

interface RunnerTimers {
  advanceTimersByTimeAsync(ms: number): Promise<unknown>;
}

interface NodeTimers {
  tick(ms: number): void;
  runAll(): void;
}

/** `sinon.useFakeTimers()` returns it too. */
interface SinonClock {
  readonly now: number;
  tickAsync(ms: number): Promise<unknown>;
  readonly setTimeout: (run: () => void, ms: number) => unknown;
  clearTimeout(timer: never): void;
}

export function follow(tenant: Tenant, fakes: unknown): () => void {
  const { source, move } = toSource(fakes);
  const stop = tenant.clock.follow(source, move);
  tenant.auto.isResting = true;
  let isOver = false;
  return () => {
    // A second call must not wake automatic time under another clock.
    if (isOver) return;
    isOver = true;
    tenant.auto.isResting = false;
    stop();
  };
}

function toSource(fakes: unknown): { source: TimeSource; move: (ms: number) => Promise<void> } {
  if (isSinon(fakes)) return { source: sourceOf(fakes), move: async (ms) => void (await fakes.tickAsync(ms)) };
  const timers = isNode(fakes) ? fakes : isNode(member(fakes, "timers")) ? (member(fakes, "timers") as NodeTimers) : undefined;
  if (timers)
    return {
      source: installed('mock.timers.enable({ apis: ["setTimeout", "Date"] })'),
      move: async (ms) => timers.tick(ms),
    };
  if (isRunner(fakes)) {
    const how =
      typeof member(fakes, "isFakeTimers") === "function"
        ? 'vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })'
        : "jest.useFakeTimers()";
    return {
      source: installed(how),
      move: async (ms) => void (await fakes.advanceTimersByTimeAsync(ms)),
    };
  }
  throw new SettingsError(
    "clock.follow takes vi of Vitest, jest of Jest, mock.timers of node:test, or a clock of @sinonjs/fake-timers. Pass one of them.",
  );
}

/** @param how the way to install fake timers, for the message */
function installed(how: string): TimeSource {
  const { source, isFake } = presentTime();
  if (!isFake)
    throw new SettingsError(
      `clock.follow: setTimeout and Date are not both fake. Call ${how} before follow, and after importing docdouble.`,
    );
  return source;
}

function sourceOf(clock: SinonClock): TimeSource {
  return {
    now: () => clock.now,
    after: (ms, run) => {
      const timer = clock.setTimeout.call(clock, run, ms) as never;
      return () => clock.clearTimeout(timer);
    },
  };
}

function member(value: unknown, name: string): unknown {
  return (typeof value === "object" && value !== null) || typeof value === "function"
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function hasMethods(value: unknown, ...names: string[]): boolean {
  return names.every((name) => typeof member(value, name) === "function");
}

function isSinon(value: unknown): value is SinonClock {
  return typeof member(value, "now") === "number" && hasMethods(value, "tickAsync", "setTimeout", "clearTimeout");
}

function isNode(value: unknown): value is NodeTimers {
  return hasMethods(value, "tick", "runAll", "enable");
}

function isRunner(value: unknown): value is RunnerTimers {
  return hasMethods(value, "advanceTimersByTimeAsync", "useFakeTimers");
}
