import fc from "fast-check";
import { expect, test } from "vitest";
import { type Timer, TimerQueue } from "../../../src/engine/core/timers.ts";
import { law } from "../../support/law.ts";

test("a timer queue orders timers by due time and then by age, after any adds and removals", () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("add" as const),
      due: fc.integer({ min: 0, max: 20 }),
      of: fc.constantFrom("work" as const, "deadline" as const, "skipped" as const),
    }),
    fc.record({ kind: fc.constant("remove" as const), at: fc.nat(50) }),
    fc.record({ kind: fc.constant("take" as const) }),
  );
  law(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const queue = new TimerQueue();
      const made: Timer[] = [];
      let waiting: Timer[] = [];
      const drop = (timer: Timer | undefined) => {
        if (timer) queue.remove(timer);
        waiting = waiting.filter((one) => one !== timer);
      };
      for (const one of steps) {
        if (one.kind === "add") {
          const timer = { due: one.due, seq: made.length, run: () => {}, kind: one.of, at: 0 };
          made.push(timer);
          waiting.push(timer);
          queue.add(timer);
        } else drop(one.kind === "take" ? queue.first() : made[one.at % Math.max(1, made.length)]);
        const sorted = waiting.toSorted((a, b) => a.due - b.due || a.seq - b.seq);
        expect(queue.first()).toBe(sorted[0]);
        for (const kind of ["work", "deadline", "skipped"] as const)
          expect(queue.firstOf(kind)).toBe(sorted.find((timer) => timer.kind === kind));
        expect(queue.working).toBe(waiting.filter((timer) => timer.kind === "work").length);
      }
      queue.clear();
      expect(queue.first()).toBeUndefined();
      expect(queue.working).toBe(0);
    }),
  );
});
