/** Calls of the admin API that wait in real time. Each holds a connection, and looks again at each change. */
import { systemClock } from "../core/clock.ts";
import { tooManyRequests } from "../core/errors.ts";

const WAITING_MAX = 100;
let waiting = 0;

interface Waits {
  timeoutMs: number;
  /** Aborts when the caller leaves. */
  signal: AbortSignal | undefined;
  watch(look: () => void): () => void;
}

/** Returns when the condition holds, the time is over or the caller left. @throws 429, or what the condition throws */
export async function waitUntil(holds: () => boolean, { timeoutMs, signal, watch }: Waits): Promise<void> {
  if (waiting >= WAITING_MAX)
    throw tooManyRequests(1, `At most ${WAITING_MAX} calls may wait at one time. Repeat the call, or send no timeout.`);
  waiting++;
  const ends: (() => void)[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        try {
          if (holds()) resolve();
        } catch (error) {
          reject(error);
        }
      };
      const leave = () => resolve();
      signal?.addEventListener("abort", leave);
      ends.push(() => signal?.removeEventListener("abort", leave), systemClock.after(timeoutMs, leave), watch(look));
      if (signal?.aborted) leave();
    });
  } finally {
    waiting--;
    for (const end of ends) end();
  }
}
