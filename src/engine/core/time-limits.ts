/** The limits of time. Instants, durations and speeds from outside pass through here, so that the clock stays in years of four digits. */

export const EARLIEST = 0;
export const LATEST = 253_402_300_799_999;
/** The due time of a job that never runs. */
export const NEVER = LATEST + 1;
export const EARLIEST_WRITTEN = -62_167_219_200_000;

export const CLOCK_MODES = ["real", "frozen", "auto"] as const;

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
export const DAY_MS = UNITS.d;

const DURATION_DAYS_MAX = 36_500;
export const DURATION_MS_MAX = DURATION_DAYS_MAX * DAY_MS;
export const DURATION_S_MAX = DURATION_MS_MAX / 1000;
export const SPEED_MIN = 0.001;
export const SPEED_MAX = 1_000_000;
/** The longest wait that Node's `setTimeout` accepts. */
export const WALL_MS_MAX = 2_147_483_647;

const RANGE = "from 1970-01-01 to 9999-12-31";

export class TimeLimitError extends RangeError {
  override readonly name = "TimeLimitError";
}

/** Whole milliseconds of a duration such as `250ms` or `1.5h`, of any length. Undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,20}(?:\.\d{1,3})?)(ms|s|m|h|d)$/.exec(text.trim());
  return match ? Math.round(Number(match[1]) * UNITS[match[2] as keyof typeof UNITS]) : undefined;
}

export function durationText(ms: number): string {
  const unit = (["d", "h", "m", "s"] as const).find((one) => ms !== 0 && ms % UNITS[one] === 0) ?? "ms";
  return `${ms / UNITS[unit]}${unit}`;
}

/** The two largest units, for people: `36 s` or `3 d 2 h`. */
export function spokenDuration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms % DAY_MS === 0) return durationText(ms).replace(/\D+/, " $&");
  const units = [
    ["d", DAY_MS],
    ["h", UNITS.h],
    ["min", UNITS.m],
    ["s", UNITS.s],
  ] as const;
  const first = units.findIndex(([, size]) => ms >= size);
  const [unit, size] = units[first] as (typeof units)[number];
  if (unit === "s") return `${Math.round(ms / 100) / 10} s`;
  const [next, nextSize] = units[first + 1] as (typeof units)[number];
  const rest = Math.floor((ms % size) / nextSize);
  return `${Math.floor(ms / size)} ${unit}${rest === 0 ? "" : ` ${rest} ${next}`}`;
}

export type Checked = { value: number; problem?: undefined } | { problem: string };

export function readDuration(text: string): Checked {
  const value = parseDuration(text);
  if (value === undefined) return { problem: `"${text}" is not a duration. Write 250ms, 3s, 5m, 2h or 5d.` };
  if (value > DURATION_MS_MAX) return { problem: `"${text}" is too long. The longest duration is ${DURATION_DAYS_MAX}d.` };
  return { value };
}

export function requireDuration(text: string): number {
  return required(readDuration(text));
}

export function required(checked: Checked): number {
  if (checked.problem !== undefined) throw new TimeLimitError(checked.problem);
  return checked.value;
}

export function isInClock(instant: number): boolean {
  return instant >= EARLIEST && instant <= LATEST;
}

/** Why the clock cannot hold `instant`. Undefined when it can. @param shown the user's text for the message */
export function instantProblem(instant: number | undefined, shown: unknown): string | undefined {
  if (instant === undefined || Number.isNaN(instant))
    return `${instantText(shown)} is not an ISO 8601 instant. Write one such as 2026-03-02T09:00:00Z.`;
  if (!isInClock(instant)) return `${instantText(shown)} is outside the clock's range. Use an instant ${RANGE}.`;
  if (!Number.isInteger(instant)) return `${instantText(shown)} is not a whole number of milliseconds since 1970.`;
  return undefined;
}

function instantText(value: unknown): string {
  return typeof value === "object" && value !== null ? shown(value) : `"${String(value)}"`;
}

export function speedProblem(speed: unknown): string | undefined {
  if (typeof speed === "number" && speed >= SPEED_MIN && speed <= SPEED_MAX) return undefined;
  return `Cannot set the clock's speed to ${shown(speed)}. Use a number from ${SPEED_MIN} to ${SPEED_MAX}.`;
}

export function advanceProblem(now: number, ms: unknown): string | undefined {
  if (typeof ms !== "number" || !Number.isFinite(ms))
    return `Cannot advance the clock by ${shown(ms)}. Use whole milliseconds from 0 up, or a duration such as 3d.`;
  if (now + ms > LATEST)
    return `Cannot advance the clock by ${durationText(ms)}: it would pass 9999-12-31. At most ${Math.floor((LATEST - now) / DAY_MS)}d are left; reset the clock to begin anew.`;
  if (!Number.isInteger(ms))
    return `Cannot advance the clock by ${ms} ms: it counts whole milliseconds. Use a number without a fraction.`;
  return undefined;
}

export function shown(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : typeof value === "object" ? JSON.stringify(value) : String(value);
}

export function moved(instant: number, ms: number): number {
  return Math.min(LATEST, Math.max(EARLIEST, Math.round(instant + ms)));
}

export function requireLimits({ mode, now, speed }: { mode?: unknown; now?: unknown; speed?: unknown }): void {
  if (mode !== undefined && !(CLOCK_MODES as readonly unknown[]).includes(mode))
    throw new TimeLimitError(`Cannot set the clock's mode to ${shown(mode)}. Use real, frozen or auto.`);
  const problem =
    (now === undefined ? undefined : instantProblem(typeof now === "number" ? now : undefined, now)) ??
    (speed === undefined ? undefined : speedProblem(speed));
  if (problem !== undefined) throw new TimeLimitError(problem);
}

export function requireGoal(now: number, goal: { by?: unknown; to?: unknown; until?: unknown }): void {
  if (goal.until !== undefined && goal.until !== "next" && goal.until !== "idle")
    throw new TimeLimitError(`Cannot advance the clock until ${shown(goal.until)}. Use next or idle.`);
  const problem =
    "by" in goal
      ? advanceProblem(now, goal.by)
      : "to" in goal
        ? instantProblem(typeof goal.to === "number" ? goal.to : undefined, goal.to)
        : goal.until === undefined
          ? "Cannot advance the clock: the goal is missing. Give one of by, to, until."
          : undefined;
  if (problem !== undefined) throw new TimeLimitError(problem);
}
