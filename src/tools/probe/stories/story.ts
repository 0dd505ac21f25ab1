/** A story tells the readings of one switch apart. */
import type { Account } from "../account.ts";
import { type Answer, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";

/** Returns the reading that the service has. Stories and their helpers throw the same errors. @throws Undecided, ServiceFailure */
export type Story = (account: Account) => Promise<string | number>;

/** The reading of a status. @throws Undecided for a status that belongs to none */
export function byStatus(answer: Answer, readings: Readonly<Record<number, string | number>>): string | number {
  return readings[answer.status] ?? undecided(answer);
}

/** `allowed` for a success, `refused` for a refusal with one of the statuses. A 403 may only mean that the key lacks a right. @throws Undecided */
export function allowedOrRefused<R extends string>(answer: Answer, allowed: R, refused: R, statuses = [400, 404, 409]): R {
  if (answer.status < 300) return allowed;
  return statuses.includes(answer.status) ? refused : undecided(answer);
}

/** @throws Undecided, always */
export function undecided(answer: Answer): never {
  throw new Undecided(`No reading expects this answer: ${shown(answer)}`);
}

/** A list, a search or a log may lag behind. */
const LOOKS_AFTER_S = [0, 3, 6, 12, 24, 48];

/** What the first look gives that gives something. @throws Undecided when the service shows nothing in time */
export async function shownInTime<T>(account: Account, what: string, look: () => Promise<T | false | undefined>): Promise<T> {
  for (const seconds of LOOKS_AFTER_S) {
    if (seconds > 0) await account.service.pacing.wait(seconds * 1000);
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
  }
  throw new Undecided(`The service does not show ${what} yet, after ${LOOKS_AFTER_S.length} looks.`);
}
