/** Assumptions with several readings to choose from. The service says which there are. */
import { nearest, noSuch } from "../core/text.ts";
import { durationText, readDuration, DURATION_MS_MAX } from "../core/time-limits.ts";
import { type Profile, PROFILES } from "./profile-names.ts";

export interface Switch {
  /** `durations` takes a list of durations. The strict profile keeps the default where it has no reading. */
  readonly readings: readonly (string | number)[] | "durations";
  /** Durations are in ms. */
  readonly default: ReadingValue;
  readonly strict?: string | number;
}

export type ReadingValue = string | number | readonly number[];

/** Readings by the id of their switch. Other switches have the reading of the profile. */
export type Assume = { readonly [id: string]: ReadingValue | undefined };

export interface Choice {
  profile?: Profile;
  assume: Assume;
}

export const DURATIONS_MAX = 10;

/** The message names the nearest valid id or reading. */
export class AssumeError extends Error {
  override readonly name = "AssumeError";
}

export class Switches {
  readonly ids: readonly string[];
  readonly #table: Readonly<Record<string, Switch>>;
  readonly #example: readonly [id: string, reading: string | number];

  /** Messages about wrong input show the example. */
  constructor(table: Readonly<Record<string, Switch>>, example: readonly [id: string, reading: string | number]) {
    this.#table = table;
    this.#example = example;
    this.ids = Object.keys(table);
  }

  has(id: string): boolean {
    return Object.hasOwn(this.#table, id);
  }

  /** @throws for an unknown id, which is a mistake of docdouble */
  of(id: string): Switch {
    const found = this.#table[id];
    if (found === undefined) throw new Error(`there is no switch ${id}`);
    return found;
  }

  assumeOf(profile: Profile): Assume {
    if (profile === "default") return {};
    return Object.fromEntries(
      this.ids.flatMap((id) => {
        const reading = this.of(id)[profile];
        return reading === undefined ? [] : [[id, reading]];
      }),
    );
  }

  /** Reads `ID=VALUE`. @throws AssumeError */
  readPair(text: string): Assume {
    const at = text.indexOf("=");
    if (at < 1) {
      const [id, reading] = this.#example;
      throw new AssumeError(`Cannot read "${text}" as an assumption. Write ID=VALUE, such as ${id}=${reading}.`);
    }
    return this.readAssume({ [text.slice(0, at).trim()]: text.slice(at + 1).trim() });
  }

  /** @throws AssumeError */
  readAssume(map: Readonly<Record<string, unknown>>): Assume {
    return Object.fromEntries(
      Object.entries(map).flatMap(([id, value]) => {
        if (!this.has(id)) throw new AssumeError(this.#noSwitch(id));
        return value === undefined ? [] : [[id, this.readReading(id, value)]];
      }),
    );
  }

  /** @throws AssumeError */
  readChoice(value: unknown): Choice {
    if (!isMap(value)) {
      const example = JSON.stringify(Object.fromEntries([this.#example])).replace(":", ": ");
      throw new AssumeError(`Assumptions are a map of ids and readings, such as ${example}, not ${shownValue(value)}.`);
    }
    const { profile, assume = {}, ...rest } = value;
    if (!isMap(assume)) throw new AssumeError(`"assume" is a map of ids and readings, not ${shownValue(assume)}.`);
    return {
      ...(profile === undefined ? {} : { profile: readProfile(profile) }),
      assume: this.readAssume({ ...rest, ...assume }),
    };
  }

  /** Accepts a number as text, and the reverse. @throws AssumeError */
  readReading(id: string, value: unknown): ReadingValue {
    const { readings } = this.of(id);
    if (readings === "durations") return readDurations(id, value);
    // Some YAML versions read on and off as true and false.
    const word = value === true ? "on" : value === false ? "off" : value;
    const found = readings.find((one) => one === word || (typeof word === "string" && String(one) === word));
    if (found !== undefined) return found;
    const near = nearest(String(value), readings.map(String));
    const list = `The readings are ${readings.join(", ")}.`;
    throw new AssumeError(
      `The assumption ${id} has no reading ${shownValue(value)}. ${near === undefined ? list : `Did you mean ${near}? ${list}`}`,
    );
  }

  #noSwitch(id: string): string {
    const near = nearest(id, this.ids);
    return `There is no switchable assumption ${id}. ${near === undefined ? `There are ${this.ids.join(", ")}.` : `Did you mean ${near}?`}`;
  }
}

export function shownReading(reading: ReadingValue): string | number | string[] {
  return typeof reading === "object" ? reading.map(durationText) : reading;
}

/** @throws AssumeError */
function readProfile(value: unknown): Profile {
  const found = PROFILES.find((one) => one === value);
  if (found === undefined) throw new AssumeError(noSuch("profile", String(value), PROFILES));
  return found;
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

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shownValue(value: unknown): string {
  return JSON.stringify(value) ?? String(value);
}
