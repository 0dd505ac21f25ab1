/** `clock.follow`: the fake timers of a test and the clock of the sandbox move together. */
import { createRequire } from "node:module";
import { mock } from "node:test";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSandbox, SettingsError } from "../../src/index.ts";
import { itFollows, type Kit, START } from "../support/follow.ts";

const sinon = createRequire(import.meta.url)("@sinonjs/fake-timers");

/** Fake timers of this runner and others. The system tests add those of Jest. */
const FAKED = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"];

const KITS: Record<string, () => Kit> = {
  vitest: () => ({
    install: () => vi.useFakeTimers({ now: START }),
    advance: (ms) => vi.advanceTimersByTimeAsync(ms),
    uninstall: () => vi.useRealTimers(),
  }),
  "node:test": () => ({
    install: () => {
      mock.timers.enable({ apis: ["setTimeout", "Date"], now: START });
      return mock.timers as never;
    },
    advance: (ms) => mock.timers.tick(ms),
    uninstall: () => mock.timers.reset(),
  }),
  sinon: () => {
    let clock: { tickAsync(ms: number): Promise<unknown>; uninstall(): void };
    return {
      install: () => {
        clock = sinon.install({ now: START, toFake: FAKED });
        return clock as never;
      },
      advance: (ms) => clock.tickAsync(ms),
      uninstall: () => clock.uninstall(),
    };
  },
};

for (const [name, make] of Object.entries(KITS)) itFollows(name, make);

test("follow refuses a wrong argument and names the problem", async () => {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen" });
  onTestFinished(() => sandbox.close());
  for (const wrong of [undefined, null, 5, {}, { tick() {} }])
    expect(() => sandbox.clock.follow(wrong as never)).toThrow("clock.follow takes vi of Vitest, jest of Jest");
  expect(() => sandbox.clock.follow(vi)).toThrow(SettingsError);
  expect(() => sandbox.clock.follow(vi)).toThrow(
    'Call vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }) before follow',
  );
  expect(() => sandbox.clock.follow(mock as never)).toThrow("mock.timers.enable");
});
