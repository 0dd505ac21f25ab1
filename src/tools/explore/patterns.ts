import { SettingsError } from "../../library/errors.ts";
import { fitsGlob, nearest } from "../../engine/core/text.ts";
import type { Service } from "../../engine/runtime/service.ts";
import { FAULTS } from "./fault-records.ts";
import type { FaultPlace } from "./report.ts";
import type { Language } from "../../engine/scenario/language.ts";

export type Matches = (place: FaultPlace) => boolean;

/** @throws SettingsError for a pattern that is not a text, or that matches no fault and no place */
export function readPatterns(
  { language }: Service,
  option: string,
  value: string | readonly string[] | undefined,
): Matches | undefined {
  if (value === undefined) return undefined;
  const list = [value].flat() as unknown[];
  for (const one of list)
    if (typeof one !== "string" || one.trim() === "")
      throw new SettingsError(
        `the option ${option} takes patterns such as throttled or createDocument:reset_*, not ${JSON.stringify(one)}.`,
      );
  const patterns = (list as string[]).flatMap((one) => one.split(/[,|]/).map((part) => part.trim())).filter((one) => one !== "");
  for (const one of patterns) requireKnown(language, option, one);
  return (place) => patterns.some((one) => fits(place, one.toLowerCase()));
}

/** `place:fault`, or one of both. A place may have its number, such as `createDocument#2`. */
function fits({ fault, operation, nth, reading = "" }: FaultPlace, pattern: string): boolean {
  const is = (glob: string, ...names: string[]) => names.some((name) => fitsGlob(name.toLowerCase(), glob));
  const [place = "", ofPlace] = pattern.split(":");
  if (ofPlace === undefined) return is(pattern, fault, reading, operation, `${operation}#${nth}`);
  return is(place, operation, `${operation}#${nth}`) && is(ofPlace, fault, reading);
}

/** A misspelled fault or operation would match nothing. Roles and readings may be anything. @throws SettingsError */
function requireKnown(language: Language, option: string, pattern: string): void {
  const known: readonly string[] = [...FAULTS, ...language.events, ...language.ids()];
  if (!/^\w+$/.test(pattern) || known.includes(pattern)) return;
  const near = nearest(pattern, known);
  if (near !== undefined)
    throw new SettingsError(`the option ${option}: there is no fault or operation ${pattern}; did you mean ${near}?`);
}
