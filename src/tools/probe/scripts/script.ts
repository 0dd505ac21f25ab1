/** A script makes calls, and returns what it saw as JSON. What it saw at the service must be what it sees at a double with one reading. */
import { type Account, required } from "../account.ts";
import { type Answer, at, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";

/** Scripts and their helpers throw the same errors. @throws Undecided, ServiceFailure */
export type Script = (account: Account) => Promise<unknown>;

/** A success, a refusal with one of the statuses, or another status. A 403 may only mean that the key lacks a right. */
export function outcomeOf({ status }: Answer, refusals: readonly number[] = [400, 404, 409]): string | number {
  if (status < 300) return "done";
  return refusals.includes(status) ? "refused" : status;
}

/** The list in an answer. @throws Undecided for an answer without it */
export function listIn(answer: Answer, what: string, name = "results"): unknown[] {
  const list = at(required(answer, what).json, name);
  if (!Array.isArray(list)) throw new Undecided(`No reading expects this answer: ${shown(answer)}`);
  return list;
}

export async function detailsOf(account: Account, id: string): Promise<unknown> {
  return required(await account.call("GET", `/public/v1/documents/${id}/details`), "the details").json;
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
