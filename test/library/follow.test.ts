/** `clock.follow`: the fake timers of a test and the clock of the sandbox move together. */
import { createRequire } from "node:module";
import { mock } from "node:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createSandbox, type FakeTimers, SettingsError } from "../../src/index.ts";

const require = createRequire(import.meta.url);
const START = Date.UTC(2026, 2, 2, 9);

interface Kit {
  /** Installs the fake timers. Returns the argument for `follow`. */
  install(): FakeTimers;
  advance(ms: number): unknown;
  uninstall(): void;
}

const { ModernFakeTimers } = require("@jest/fake-timers");
const sinon = require("@sinonjs/fake-timers");

/** Fake timers of other runners. The tests under each runner use their own. */
const FAKED = ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"];

const KITS: Record<string, () => Kit> = {
  vitest: () => ({
    install: () => vi.useFakeTimers({ now: START }),
    advance: (ms) => vi.advanceTimersByTimeAsync(ms),
    uninstall: () => vi.useRealTimers(),
  }),
  jest: () => {
    const jest = new ModernFakeTimers({ config: { fakeTimers: { now: START }, testEnvironmentOptions: {} }, global: globalThis });
    return {
      install: () => {
        jest.useFakeTimers({ now: START, doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "performance", "hrtime"] });
        return jest;
      },
      advance: (ms) => jest.advanceTimersByTimeAsync(ms),
      uninstall: () => jest.useRealTimers(),
    };
  },
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

describe.each(Object.entries(KITS))("the fake timers of %s", (name, make) => {
  /** `tick` of node:test shows each timer the time at the end of the tick. */
  const shown = (due: number, end: number) => `client ${name === "node:test" ? `${end} ${end}` : `${due} ${due}`}`;

  test("and the clock of the sandbox move together, and timers run in order", async () => {
    const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" });
    const kit = make();
    const fakes = kit.install();
    onTestFinished(async () => {
      kit.uninstall();
      await sandbox.close();
    });
    const stop = sandbox.clock.follow(fakes);
    const ran: string[] = [];
    const note = (what: string) =>
      void ran.push(`${what} ${(sandbox.clock.now() - START) / 1000} ${(Date.now() - START) / 1000}`);
    const inbox = await sandbox.webhooks.receiver({
      events: ["document_state_changed"],
      handler: async (request) => {
        const [event] = [(await request.json()) as unknown].flat() as { data: { status: string } }[];
        note(event?.data.status ?? "");
        return new Response(null, { status: ran.length === 1 ? 500 : 200 });
      },
    });
    await sandbox.documents.create({ status: "document.draft" });
    await sandbox.clock.settle();
    for (const s of [30, 59, 61]) setTimeout(() => note("client"), s * 1000);

    // The client's timers move the clock: the sandbox's retry after a minute runs between them.
    await kit.advance(60_000);
    await sandbox.clock.settle();
    expect(ran).toEqual(["document.draft 0 0", shown(30, 60), shown(59, 60), "document.draft 60 60"]);
    expect(inbox.received.length).toBe(1);

    // The sandbox's clock moves the client's timers.
    await sandbox.clock.advance("2s");
    expect(ran.at(-1)).toBe(shown(61, 62));
    expect([sandbox.clock.now(), Date.now()]).toEqual([START + 62_000, START + 62_000]);
    await sandbox.clock.advance({ until: "next" });
    expect(Date.now()).toBe(sandbox.clock.now());
    expect(() => sandbox.clock.follow(fakes)).toThrow("follows fake timers already");

    stop();
    const stood = sandbox.clock.now();
    await kit.advance(1000);
    expect(sandbox.clock.now()).toBe(stood);
  });
});

test("follow refuses a wrong argument and names the problem", async () => {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen" });
  onTestFinished(() => sandbox.close());
  for (const wrong of [undefined, null, 5, {}, { tick() {} }])
    expect(() => sandbox.clock.follow(wrong as never)).toThrow("clock.follow takes vi of Vitest, jest of Jest");
  expect(() => sandbox.clock.follow(vi)).toThrow(SettingsError);
  expect(() => sandbox.clock.follow(vi)).toThrow("Call vi.useFakeTimers() before follow");
  expect(() => sandbox.clock.follow(mock as never)).toThrow("mock.timers.enable");
});
