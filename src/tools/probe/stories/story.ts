/** A story tells the readings of one assumption apart. */
import type { Account } from "../account.ts";
import { type Answer, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";

/** Returns the reading that the service has. Stories and their helpers throw the same errors. @throws Undecided, ServiceFailure */
export type Story = (account: Account) => Promise<string | number>;

/** The reading of a status. @throws Undecided for a status that belongs to none */
export function byStatus(answer: Answer, readings: Readonly<Record<number, string | number>>): string | number {
  const reading = readings[answer.status];
  if (reading === undefined) throw new Undecided(`No reading expects this answer: ${shown(answer)}`);
  return reading;
}

/** `allowed` for a success, `refused` for a refusal with one of the statuses. A 403 may only mean that the key lacks a right. @throws Undecided */
export function allowedOrRefused<R extends string>(answer: Answer, allowed: R, refused: R, statuses = [400, 404, 409]): R {
  if (answer.status < 300) return allowed;
  if (statuses.includes(answer.status)) return refused;
  throw new Undecided(`No reading expects this answer: ${shown(answer)}`);
}
