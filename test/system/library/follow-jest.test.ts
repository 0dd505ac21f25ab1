/** `clock.follow` with the fake timers of Jest. `test/library/follow.test.ts` uses those of other runners. */
import { createRequire } from "node:module";
import { itFollows, START } from "../../support/follow.ts";

const { ModernFakeTimers } = createRequire(import.meta.url)("@jest/fake-timers");
const REAL = ["nextTick", "queueMicrotask", "setImmediate", "performance", "hrtime"];

itFollows("jest", () => {
  const jest = new ModernFakeTimers({ config: { fakeTimers: { now: START }, testEnvironmentOptions: {} }, global: globalThis });
  return {
    install: () => {
      jest.useFakeTimers({ now: START, doNotFake: REAL });
      return jest;
    },
    advance: (ms) => jest.advanceTimersByTimeAsync(ms),
    uninstall: () => jest.useRealTimers(),
  };
});
