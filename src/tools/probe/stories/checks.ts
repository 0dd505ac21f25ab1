/** Stories of assumptions with one reading: the answer is as stated, or the story returns it. */
import { isObject } from "../../compare/exchange.ts";
import { type Account, NO_ID, NO_UUID } from "../account.ts";
import type { CreatedKind } from "../kinds.ts";
import { type Answer, type CallInput, shown } from "../service.ts";
import { Undecided } from "../story-errors.ts";
import type { Story } from "./story.ts";

const AS_STATED = "as_stated";

export { NO_ID, NO_UUID };

export const CONTACTS = "/public/v1/contacts";
export const DOCUMENTS = "/public/v1/documents";
export const LOGS = "/public/v1/logs";
export const ITEMS = "/public/v2/product-catalog/items";
export const SUBSCRIPTIONS = "/public/v1/webhook-subscriptions";

/** An object names only the members that matter. A text may be a pattern, and a function may judge a member. */
export interface Expected {
  status: number;
  body: unknown;
}

/** Any page of a list, also an empty one. */
export const ANY_PAGE = { results: (value: unknown) => Array.isArray(value) };

export type Call = readonly [method: string, target: string, input?: CallInput] | ((account: Account) => Promise<Answer>);

export function answers(call: Call, expected: Expected): Story {
  return answerEach([call, expected]);
}

/** A request without a name, which the service must refuse. If it does not, the probe lists a thing without a name as left. */
export function malformed(
  kind: CreatedKind,
  target: string,
  text: string,
  type: string,
  input: CallInput = {},
): (account: Account) => Promise<Answer> {
  return (account) => account.create(kind, "", target, { ...input, raw: { text, type } });
}

/** Ends at the first answer that is not as expected. */
export function answerEach(...steps: (readonly [Call, Expected])[]): Story {
  return async (account) => {
    for (const [call, expected] of steps) {
      const answer = typeof call === "function" ? await call(account) : await account.call(...call);
      if (!isAsExpected(answer, expected)) return stated(false, answer);
    }
    return AS_STATED;
  };
}

/** A list, a search or a log may lag behind. */
const LOOKS_AFTER_S = [0, 3, 6, 12, 24, 48];

/** What the first look gives that gives something. @throws Undecided when the service shows nothing in time */
export async function shownInTime<T>(account: Account, what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const seconds of LOOKS_AFTER_S) {
    if (seconds > 0) await account.service.pacing.wait(seconds * 1000);
    const seen = await look();
    if (seen !== undefined) return seen;
  }
  throw new Undecided(`The service does not show ${what} yet, after ${LOOKS_AFTER_S.length} looks.`);
}

/** A filter must find the new thing by `value`, and not by a text that nothing has. @throws Undecided */
export async function requireFilter(
  account: Account,
  what: string,
  value: string,
  finds: (value: string) => Promise<boolean>,
): Promise<void> {
  await shownInTime(account, what, async () => (await finds(value)) || undefined);
  if (await finds(NO_ID)) throw new Undecided(`The service shows ${what} for another text too, so it ignores the filter.`);
}

/** @throws Undecided for a key without the right to make the call */
export function stated(isTrue: boolean, answer: Answer): string {
  if (!isTrue && answer.status === 403) throw new Undecided(`The key may not make this call: ${shown(answer)}`);
  return isTrue ? AS_STATED : shown(answer);
}

/** @throws Undecided, always: no reading of a switch answers so */
export function undecided(answer: Answer): never {
  throw new Undecided(`No reading answers so: ${shown(answer)}`);
}

export function isRefusal({ status, json }: Answer, expected: number): boolean {
  return status === expected && isObject(json) && Object.keys(json).length > 0;
}

export function isAsExpected({ status, json, text }: Answer, expected: Expected): boolean {
  return status === expected.status && fits(json ?? text, expected.body);
}

function fits(value: unknown, expected: unknown): boolean {
  if (typeof expected === "function") return expected(value) === true;
  if (expected instanceof RegExp) return typeof value === "string" && expected.test(value);
  if (Array.isArray(expected))
    return Array.isArray(value) && value.length === expected.length && expected.every((one, i) => fits(value[i], one));
  if (isObject(expected)) return isObject(value) && Object.entries(expected).every(([name, one]) => fits(value[name], one));
  return value === expected;
}
