import { nearest, noSuch } from "../../engine/core/text.ts";
import { durationText, readDuration, DURATION_MS_MAX } from "../../engine/core/time-limits.ts";
import { type Profile, PROFILES } from "./profile-names.ts";
import { type Assume, type Reading, SWITCH_IDS, type SwitchId, switchOf } from "./switches.ts";

export const DURATIONS_MAX = 10;

/** The message names the nearest valid id or reading. */
export class AssumeError extends Error {
  override readonly name = "AssumeError";
}

export interface Choice {
  profile?: Profile;
  assume: Assume;
}

/** Reads `ID=VALUE`. @throws AssumeError */
export function readPair(text: string): Assume {
  const at = text.indexOf("=");
  if (at < 1) throw new AssumeError(`Cannot read "${text}" as an assumption. Write ID=VALUE, such as delete.second=404.`);
  return readAssume({ [text.slice(0, at).trim()]: text.slice(at + 1).trim() });
}

/** @throws AssumeError */
export function readAssume(map: Readonly<Record<string, unknown>>): Assume {
  return Object.fromEntries(
    Object.entries(map).flatMap(([id, value]) => {
      if (!isSwitch(id)) throw new AssumeError(noSwitch(id));
      return value === undefined ? [] : [[id, readReading(id, value)]];
    }),
  );
}

export function readChoice(value: unknown): Choice {
  if (!isMap(value))
    throw new AssumeError(`Assumptions are a map of ids and readings, such as {"delete.second": 404}, not ${shownValue(value)}.`);
  const { profile, assume = {}, ...rest } = value;
  if (!isMap(assume)) throw new AssumeError(`"assume" is a map of ids and readings, not ${shownValue(assume)}.`);
  return { ...(profile === undefined ? {} : { profile: readProfile(profile) }), assume: readAssume({ ...rest, ...assume }) };
}

/** @throws AssumeError */
export function readProfile(value: unknown): Profile {
  const found = PROFILES.find((one) => one === value);
  if (found === undefined) throw new AssumeError(noSuch("profile", String(value), PROFILES));
  return found;
}

export function isSwitch(id: string): id is SwitchId {
  return SWITCH_IDS.includes(id as SwitchId);
}

/** Accepts a number as text, and the reverse. */
export function readReading<Id extends SwitchId>(id: Id, value: unknown): Reading<Id> {
  const { readings } = switchOf(id);
  if (readings === "durations") return readDurations(id, value) as unknown as Reading<Id>;
  // Some YAML versions read on and off as true and false.
  const word = value === true ? "on" : value === false ? "off" : value;
  const found = readings.find((one) => one === word || (typeof word === "string" && String(one) === word));
  if (found !== undefined) return found as Reading<Id>;
  const near = nearest(String(value), readings.map(String));
  const list = `The readings are ${readings.join(", ")}.`;
  throw new AssumeError(
    `The assumption ${id} has no reading ${shownValue(value)}. ${near === undefined ? list : `Did you mean ${near}? ${list}`}`,
  );
}

function readDurations(id: string, value: unknown): number[] {
  const list = typeof value === "string" ? value.split(",").map((one) => one.trim()) : value;
  if (!Array.isArray(list) || list.length > DURATIONS_MAX)
    throw new AssumeError(
      `The assumption ${id} is a list of at most ${DURATIONS_MAX} durations, such as 1m,5m,30m, not ${shownValue(value)}.`,
    );
  if (list.length === 1 && list[0] === "") return [];
  return list.map((one: unknown) => {
    if (typeof one === "number" && Number.isInteger(one) && one >= 0 && one <= DURATION_MS_MAX) return one;
    const read = readDuration(String(one));
    if (read.problem !== undefined) throw new AssumeError(`The assumption ${id}: ${read.problem}`);
    return read.value;
  });
}

export function shownReading(reading: string | number | readonly number[]): string | number | string[] {
  return typeof reading === "object" ? reading.map(durationText) : reading;
}

function noSwitch(id: string): string {
  const near = nearest(id, SWITCH_IDS);
  return `There is no switchable assumption ${id}. ${near === undefined ? `There are ${SWITCH_IDS.join(", ")}.` : `Did you mean ${near}?`}`;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shownValue(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
