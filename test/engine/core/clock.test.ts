import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseInstant, type TimeSource } from "../../../src/engine/core/clock.ts";
import { Clock } from "../../../src/engine/core/tenant-clock.ts";
import { ClockError, type ClockSettings, TIMERS_MAX } from "../../../src/engine/core/clock-settings.ts";
import { parseDuration, spokenDuration } from "../../../src/engine/core/time-limits.ts";

const START = Date.UTC(2026, 2, 2, 9);

/** Vitest's fake timers. The wall clock itself ignores them. */
const fakes: TimeSource = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

function frozen(settings: ClockSettings = {}): Clock {
  const clock = new Clock({
    mode: "frozen",
    now: START,
    onError: (error) => {
      throw error;
    },
    ...settings,
  });
  onTestFinished(() => clock.stop());
  return clock;
}

/** A promise that the test resolves by hand. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("a running clock", () => {
  test("a real clock starts at the time of the wall clock and follows it", () => {
    vi.useFakeTimers({ now: START });
    const clock = new Clock({ source: fakes });
    expect(clock.mode).toBe("real");
    expect(clock.now()).toBe(START);
    vi.advanceTimersByTime(1500);
    expect(clock.now()).toBe(START + 1500);
    clock.stop();
  });

  test("a clock with a speed runs that many times faster, and so do its timers", async () => {
    vi.useFakeTimers({ now: START });
    const clock = new Clock({ speed: 60, source: fakes });
    const ran: number[] = [];
    clock.at(START + 60_000, () => void ran.push(clock.now()));
    await vi.advanceTimersByTimeAsync(999);
    expect(clock.now()).toBe(START + 59_940);
    expect(ran).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ran).toEqual([START + 60_000]);
    clock.stop();
  });

  test("a change of speed or mode keeps the current instant", () => {
    vi.useFakeTimers({ now: START });
    const clock = new Clock({ source: fakes });
    vi.advanceTimersByTime(1000);
    clock.set({ speed: 10 });
    expect(clock.now()).toBe(START + 1000);
    vi.advanceTimersByTime(1000);
    expect(clock.now()).toBe(START + 11_000);
    clock.set({ mode: "frozen" });
    vi.advanceTimersByTime(5000);
    expect(clock.now()).toBe(START + 11_000);
    clock.stop();
  });

  test("a timer beyond the longest timeout of the platform does not fire early", async () => {
    vi.useFakeTimers({ now: START });
    const clock = new Clock({ source: fakes });
    const due = START + 60 * 86_400_000;
    let ran = false;
    clock.at(due, () => {
      ran = true;
    });
    await vi.advanceTimersByTimeAsync(due - START - 1);
    expect(ran).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(ran).toBe(true);
    clock.stop();
  });

  test("a timer that is already due runs soon, but never inside at()", async () => {
    const clock = frozen();
    let ran = false;
    clock.at(START, () => {
      ran = true;
    });
    expect(ran).toBe(false);
    await clock.settle();
    expect(ran).toBe(true);
  });

  test("a stopped clock runs no more timers", async () => {
    vi.useFakeTimers({ now: START });
    const clock = new Clock({ source: fakes });
    let ran = false;
    const run = () => {
      ran = true;
    };
    clock.at(START + 10, run);
    clock.stop();
    clock.at(START, run);
    await vi.advanceTimersByTimeAsync(100);
    expect(ran).toBe(false);
  });
});

describe("advance", () => {
  test("advance runs due timers in order of time, then of creation, each at its own instant", async () => {
    const clock = frozen();
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name}@${clock.now() - START}`);
    clock.at(START + 300, note("c"));
    clock.at(START + 100, note("a"));
    clock.at(START + 300, note("d"));
    clock.at(START + 200, note("b"));
    clock.at(START + 1001, note("later"));
    await clock.advance({ to: START + 1000 });
    expect(ran).toEqual(["a@100", "b@200", "c@300", "d@300"]);
    expect(clock.now()).toBe(START + 1000);
    expect(clock.next()).toBe(START + 1001);
  });

  test("advance runs timers at its target, and timers that other timers set on the way", async () => {
    const clock = frozen();
    const ran: number[] = [];
    clock.at(START + 10, () => {
      ran.push(clock.now() - START);
      clock.at(clock.now(), () => void ran.push(clock.now() - START));
      clock.at(clock.now() + 90, () => void ran.push(clock.now() - START));
      clock.at(clock.now() + 91, () => void ran.push(clock.now() - START));
    });
    await clock.advance({ to: START + 100 });
    expect(ran).toEqual([10, 10, 100]);
  });

  test("advance runs the work of one instant concurrently, and waits for all of it before it moves on", async () => {
    const clock = frozen();
    const [slow, quick] = [gate(), gate()];
    const log: string[] = [];
    clock.at(START + 10, async () => {
      log.push("slow starts");
      await slow.opened;
      log.push(`slow ends @${clock.now() - START}`);
    });
    clock.at(START + 10, async () => {
      log.push("quick starts");
      await quick.opened;
      log.push("quick ends");
      slow.open();
    });
    clock.at(START + 20, () => void log.push("next instant"));
    const done = clock.advance({ to: START + 30 });
    await Promise.resolve();
    await Promise.resolve();
    expect(log).toEqual(["slow starts", "quick starts"]);
    quick.open();
    await done;
    expect(log).toEqual(["slow starts", "quick starts", "quick ends", "slow ends @10", "next instant"]);
  });

  test("advance applies the outcomes of one instant in the order of their timers, not of their completion", async () => {
    const clock = frozen();
    const first = gate();
    const outcomes: string[] = [];
    clock.at(START + 10, async () => {
      await first.opened;
      return () => void outcomes.push("first");
    });
    clock.at(START + 10, async () => {
      first.open();
      return () => void outcomes.push("second");
    });
    await clock.advance({ to: START + 10 });
    expect(outcomes).toEqual(["first", "second"]);
  });

  test("advance first waits for work that is already running", async () => {
    const clock = frozen();
    const running = gate();
    const log: string[] = [];
    clock.at(START, async () => {
      await running.opened;
      log.push(`@${clock.now() - START}`);
    });
    await new Promise((resolve) => setImmediate(resolve));
    const done = clock.advance({ to: START + 500 });
    running.open();
    await done;
    expect(log).toEqual(["@0"]);
  });

  test("advance continues when a timer throws, rejects or has an outcome that throws, and reports each error", async () => {
    const errors: unknown[] = [];
    const clock = frozen({ onError: (error) => errors.push((error as Error).message) });
    let ran = false;
    clock.at(START + 1, () => {
      throw new Error("thrown");
    });
    clock.at(START + 1, () => Promise.reject(new Error("rejected")));
    clock.at(START + 1, async () => () => {
      throw new Error("outcome");
    });
    clock.at(START + 2, () => {
      ran = true;
    });
    await clock.advance({ to: START + 2 });
    expect(errors).toEqual(["thrown", "rejected", "outcome"]);
    expect(ran).toBe(true);
  });

  test("an advance over many timers lets other work run in between", async () => {
    const clock = frozen();
    let runs = 0;
    const seen: number[] = [];
    for (let i = 1; i <= 250; i++) clock.at(START + i, () => void runs++);
    setImmediate(() => seen.push(runs));
    await clock.advance({ by: 250 });
    expect([seen, runs]).toEqual([[100], 250]);
  });

  test("advance stops an endless loop with an error, and the clock works after a reset", async () => {
    const clock = frozen();
    let runs = 0;
    const again = () => {
      runs++;
      clock.at(clock.now(), again);
    };
    clock.at(START, again);
    await expect(clock.advance({ to: START + 1000 })).rejects.toThrow(
      new ClockError(`stopped after ${TIMERS_MAX} timers: assuming an endless loop`),
    );
    expect(runs).toBe(TIMERS_MAX);
    expect(clock.advancing).toBe(false);
    clock.reset({ mode: "frozen", now: START, speed: 1 });
    await clock.advance({ to: START + 5 });
    expect(clock.now()).toBe(START + 5);
  });

  test("advance refuses an earlier instant, and a second advance while one runs", async () => {
    const clock = frozen();
    await expect(clock.advance({ to: START - 1 })).rejects.toThrow("the clock cannot go back; reset it instead");
    await expect(clock.advance({ by: -1 })).rejects.toThrow("the clock cannot go back; reset it instead");
    const running = gate();
    clock.at(START + 1, () => running.opened);
    const done = clock.advance({ to: START + 1 });
    await expect(clock.advance({ to: START + 2 })).rejects.toThrow("already being advanced");
    expect(() => clock.set({ speed: 2 })).toThrow("the clock is being advanced");
    running.open();
    await done;
  });

  test("a real clock stands still during an advance and then runs on from its target", async () => {
    vi.useFakeTimers({ now: START });
    const clock = new Clock({ source: fakes });
    const seen: number[] = [];
    clock.at(START + 1000, () => {
      vi.setSystemTime(START + 77);
      seen.push(clock.now());
    });
    await clock.advance({ to: START + 5000 });
    expect(seen).toEqual([START + 1000]);
    expect(clock.now()).toBe(START + 5000);
    vi.setSystemTime(START + 177);
    expect(clock.now()).toBe(START + 5100);
    clock.stop();
  });

  test("until next runs all timers of the next instant, deadlines included, and stops there", async () => {
    const clock = frozen();
    const ran: string[] = [];
    clock.at(START + 10, () => void ran.push("deadline"), { deadline: true });
    clock.at(START + 10, () => void ran.push("work"));
    clock.at(START + 11, () => void ran.push("after"));
    await clock.advance({ until: "next" });
    expect(ran).toEqual(["deadline", "work"]);
    expect(clock.now()).toBe(START + 10);
    await clock.advance({ until: "next" });
    await clock.advance({ until: "next" });
    expect(ran).toEqual(["deadline", "work", "after"]);
    expect(clock.now()).toBe(START + 11);
  });

  test("until idle advances while work waits, runs deadlines on the way, and leaves later deadlines", async () => {
    const clock = frozen();
    const ran: string[] = [];
    clock.at(START + 20, () => void ran.push("passed deadline"), { deadline: true });
    clock.at(START + 86_400_000, () => void ran.push("expiry"), { deadline: true });
    clock.at(START + 10, () => {
      ran.push("work");
      clock.at(START + 30, () => void ran.push("more work"));
    });
    await clock.advance({ until: "idle" });
    expect(ran).toEqual(["work", "passed deadline", "more work"]);
    expect(clock.now()).toBe(START + 30);
    expect(clock.next()).toBe(START + 86_400_000);
  });
});

describe("set, reset, cancel and settle", () => {
  test("set refuses an earlier instant or an invalid speed, and changes nothing", () => {
    const clock = frozen();
    expect(() => clock.set({ now: START - 1, speed: 3 })).toThrow("the clock cannot go back; reset it instead");
    expect(() => clock.set({ now: START + 5, speed: 0 })).toThrow("Use a number from 0.001 to 1000000.");
    expect(() => clock.set({ now: START + 5, speed: Number.NaN })).toThrow("Use a number from 0.001 to 1000000.");
    expect([clock.now(), clock.speed]).toEqual([START, 1]);
  });

  test("set to a later instant runs the timers that are due by then", async () => {
    const clock = frozen();
    const ran: string[] = [];
    clock.at(START + 20, () => void ran.push("b"));
    clock.at(START + 10, () => void ran.push("a"));
    clock.set({ now: START + 50 });
    await clock.settle();
    expect(ran).toEqual(["a", "b"]);
  });

  test("reset can move the clock back, and drops all timers", async () => {
    const clock = frozen();
    let ran = false;
    clock.at(START + 10, () => {
      ran = true;
    });
    clock.reset({ mode: "frozen", now: START - 1000, speed: 2 });
    expect([clock.now(), clock.speed, clock.next()]).toEqual([START - 1000, 2, undefined]);
    await clock.advance({ to: START + 100 });
    expect(ran).toBe(false);
  });

  test("a canceled timer never runs, even if it is canceled at its due instant", async () => {
    const clock = frozen();
    const ran: string[] = [];
    const early = clock.at(START + 10, () => void ran.push("early"));
    clock.cancel(early);
    clock.at(START + 20, () => clock.cancel(late));
    const late = clock.at(START + 20, () => void ran.push("late"));
    await clock.advance({ to: START + 20 });
    clock.cancel(early);
    expect(ran).toEqual([]);
    expect(clock.next()).toBeUndefined();
  });

  test("settle waits for running work and its due follow-ups, and does not move the clock", async () => {
    const clock = frozen();
    const ran: string[] = [];
    clock.at(START, async () => {
      await Promise.resolve();
      return () => {
        ran.push("outcome");
        clock.at(START, () => void ran.push("follow-up"));
        clock.at(START + 1, () => void ran.push("not due"));
      };
    });
    await clock.settle();
    expect(ran).toEqual(["outcome", "follow-up"]);
    expect(clock.now()).toBe(START);
  });
});

describe("instants and durations", () => {
  test.each([
    ["2024-07-02T16:21:35.770000Z", Date.UTC(2024, 6, 2, 16, 21, 35, 770)],
    ["2024-07-02T16:21:35z", Date.UTC(2024, 6, 2, 16, 21, 35)],
    ["2024-07-02 16:21", Date.UTC(2024, 6, 2, 16, 21)],
    ["2024-07-02T16:21:35+02:00", Date.UTC(2024, 6, 2, 14, 21, 35)],
    ["2024-07-02T16:21:35-0530", Date.UTC(2024, 6, 2, 21, 51, 35)],
    ["2024-07-02T16:21:35.1Z", Date.UTC(2024, 6, 2, 16, 21, 35, 100)],
    ["2024-07-02", Date.UTC(2024, 6, 2)],
    ["2024-02-29", Date.UTC(2024, 1, 29)],
    ["2023-02-29", undefined],
    ["2024-02-30T00:00:00Z", undefined],
    ["2024-13-01", undefined],
    ["2024-07-02T25:00:00Z", undefined],
    ["2024-07-02T16:60:00Z", undefined],
    ["2024-07-02T16:21:35+99:00", undefined],
    ["2024-07-02T", undefined],
    ["2024-7-2", undefined],
    ["1719937295", undefined],
    ["yesterday", undefined],
    ["", undefined],
    [" 2024-07-02", undefined],
  ])("parseInstant reads or refuses %j", (text, expected) => {
    expect(parseInstant(text)).toBe(expected);
  });

  test.each([
    ["250ms", 250],
    ["3s", 3000],
    ["1.5s", 1500],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["5d", 432_000_000],
    ["0s", 0],
    [" 3s ", 3000],
    ["3", undefined],
    ["-3s", undefined],
    ["3 s", undefined],
    ["3S", undefined],
    ["s", undefined],
    ["1e3s", undefined],
    ["3s5m", undefined],
    ["1.2345s", undefined],
    ["1234567890s", 1_234_567_890_000],
    ["", undefined],
  ])("parseDuration reads or refuses %j", (text, expected) => {
    expect(parseDuration(text)).toBe(expected);
  });

  test.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1000, "1 s"],
    [12_340, "12.3 s"],
    [60_000, "1 min"],
    [90_500, "1 min 30 s"],
    [3_600_000, "1 h"],
    [5_400_000, "1 h 30 min"],
    [86_400_000, "1 d"],
    [90_000_000, "1 d 1 h"],
    [2_592_000_000, "30 d"],
  ])("spokenDuration says %i ms as %s", (ms, text) => {
    expect(spokenDuration(ms)).toBe(text);
  });

  test("parseDuration rounds to whole milliseconds", () => {
    expect(parseDuration("1.001s")).toBe(1001);
    expect(parseDuration("0.5ms")).toBe(1);
    expect(parseDuration("2.007s")).toBe(2007);
  });
});
