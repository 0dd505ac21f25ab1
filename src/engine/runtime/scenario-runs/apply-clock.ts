import { iso, parseInstant } from "../../core/clock.ts";
import type { Clock } from "../../core/tenant-clock.ts";
import { ClockError } from "../../core/clock-settings.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Scenario } from "../../scenario/load.ts";

/** Returns whether the clock moved back. @throws ClockError */
export function setClockFor({ name, clock: wanted }: Scenario, clock: Clock, journal: Journal): boolean {
  if (Object.keys(wanted).length === 0) return false;
  if (clock.advancing) throw new ClockError(`the scenario ${name} sets the clock, which is being advanced`);
  const { mode = clock.mode, speed = clock.speed } = wanted;
  const now = wanted.now === undefined ? undefined : parseInstant(wanted.now);
  if (now === undefined || now >= clock.now()) {
    clock.set({ mode, speed, now });
    return false;
  }
  if (journal.size > 0)
    throw new ClockError(
      `the scenario ${name} begins at ${iso(now)}, before this tenant's ${iso(clock.now())}, and calls were answered already; reset first, or use another key that starts with test-. A ready-made story loads with POST /__admin/stories/{name}, or docdouble do stories.load, and keeps the clock`,
    );
  clock.reset({ mode, now, speed });
  return true;
}
