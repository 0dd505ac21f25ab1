/**
 * Long work in turns of the event loop, so that calls are answered meanwhile. A turn is a span of real time, so the result must not
 * depend on where turns end.
 */
import { systemClock } from "./clock.ts";

const TURN_MS = 4;

/** Returns a function to ask between two pieces of work. It returns a promise when others must run first. */
export function turns(): () => Promise<void> | undefined {
  let begun = systemClock.elapsed();
  return () => {
    if (systemClock.elapsed() - begun < TURN_MS) return undefined;
    return systemClock.soon().then(() => {
      begun = systemClock.elapsed();
    });
  };
}

/** Work that yields between its pieces. */
export type Pieces<Result> = Generator<void, Result, void>;

export async function inTurns<Result>(work: Pieces<Result>): Promise<Result> {
  const askTurn = turns();
  let step = work.next();
  for (; !step.done; step = work.next()) {
    const others = askTurn();
    // An `await` of each piece would cost more than many pieces.
    if (others) await others;
  }
  return step.value;
}

/** All parts in one buffer. */
export function* joined(parts: readonly Uint8Array[]): Pieces<Buffer> {
  const whole = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
    yield;
  }
  return whole;
}

/** For callers beside whom nobody waits. */
export function atOnce<Result>(work: Pieces<Result>): Result {
  let step = work.next();
  while (!step.done) step = work.next();
  return step.value;
}
