import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const RETRY_MS = 200;

/**
 * Runs `run` while this call holds the folder `lock`, which no other thread or process can make meanwhile. Waits for another holder.
 * A holder that has kept the lock for `limit_ms` counts as dead.
 */
export async function exclusively<T>(lock: string, limit_ms: number, run: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(lock), { recursive: true });
  let isWaiting = false;
  while (!makeLock(lock, limit_ms)) {
    if (!isWaiting) process.stderr.write(`Another process holds ${lock}. Waiting at most ${limit_ms / 1000} s.\n`);
    isWaiting = true;
    await wait(RETRY_MS);
  }
  try {
    return await run();
  } finally {
    rmdirSync(lock);
  }
}

function makeLock(lock: string, limit_ms: number): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined || Date.now() - made < limit_ms) return false;
  try {
    rmdirSync(lock);
  } catch {
    // Another caller removed it first.
  }
  return false;
}
