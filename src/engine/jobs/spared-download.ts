/** Downloads that many rows ask for and no client waits for, such as images. An address that fails again and again costs almost nothing. */
import { systemClock } from "../core/clock.ts";
import type { AddressPolicy } from "./address-policy.ts";
import { AnswerTimeout } from "./outgoing-request.ts";
import { download, type DownloadLimits } from "./download.ts";
import { Semaphore } from "./semaphore.ts";

/** Downloads at the same time: from one origin, and in this process. */
const AT_ONCE_MAX = { origin: 4, process: 16 } as const;
/** Below this number of failures in a row, each download tries a connection. So a server that starts late is found. */
const FAILURES_MIN = 8;
const IN_A_ROW_MS = 10_000;
const REMEMBERED_MS = 1000;
const KEPT_MAX = 1000;

interface Failure {
  count: number;
  /** In milliseconds of `systemClock.elapsed`. */
  at: number;
  error: unknown;
}

const entrance = new Semaphore(AT_ONCE_MAX.origin, AT_ONCE_MAX.process);
const failures = new Map<string, Failure>();

/**
 * Few at a time. The time limit starts after the wait. After eight failures in a row, all downloads of this URL fail for one second
 * without a connection. Without any answer, this holds for all URLs of the origin.
 * @throws what `download` throws
 */
export async function downloadSparingly(url: string, policy: AddressPolicy, limits: DownloadLimits): Promise<Uint8Array> {
  throwRemembered(url, policy);
  const { origin } = new URL(url);
  await entrance.enter(origin);
  try {
    throwRemembered(url, policy);
    return await noted(keysOf(url, policy), download(url, policy, limits));
  } finally {
    entrance.leave(origin);
  }
}

/** The failure that the next download of this URL repeats without a connection. */
export function rememberedFailure(url: string, policy: AddressPolicy): { error: unknown } | undefined {
  // Most servers meet no failure, and a URL takes microseconds to parse.
  if (failures.size === 0 || !URL.canParse(url)) return undefined;
  const now = systemClock.elapsed();
  return Object.values(keysOf(url, policy))
    .flatMap((key) => failures.get(key) ?? [])
    .find((known) => known.count >= FAILURES_MIN && now - known.at < REMEMBERED_MS);
}

function throwRemembered(url: string, policy: AddressPolicy): void {
  const known = rememberedFailure(url, policy);
  if (known) throw known.error;
}

interface Keys {
  url: string;
  origin: string;
}

function keysOf(url: string, policy: AddressPolicy): Keys {
  return { url: `${policy} ${url}`, origin: `${policy} ${new URL(url).origin}` };
}

async function noted(keys: Keys, result: Promise<Uint8Array>): Promise<Uint8Array> {
  try {
    const bytes = await result;
    for (const key of [keys.origin, keys.url]) failures.delete(key);
    return bytes;
  } catch (error) {
    note(hasNoAnswer(error) ? keys.origin : keys.url, error);
    throw error;
  }
}

/** Errors of names, connections and certificates have a code. */
function hasNoAnswer(error: unknown): boolean {
  return error instanceof AnswerTimeout || (error instanceof Error && "code" in error);
}

function note(key: string, error: unknown): void {
  const now = systemClock.elapsed();
  const known = failures.get(key);
  const isInRow = known !== undefined && now - known.at < IN_A_ROW_MS;
  if (!known && failures.size >= KEPT_MAX) failures.clear();
  failures.set(key, { count: isInRow ? known.count + 1 : 1, at: now, error });
}
