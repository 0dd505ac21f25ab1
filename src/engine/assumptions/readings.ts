import type { Profile } from "./profile-names.ts";
import type { Assume, Choice, ReadingValue, Switches } from "./switches.ts";

/**
 * Each layer overrides the layers before it: profile, scenarios, start options, changes at run time. A reset drops the changes at
 * run time.
 */
export class Readings {
  readonly #switches: Switches;
  #start: Choice;
  #scenarios: Assume = {};
  #changes: Choice = { assume: {} };
  #current: Assume;
  revision = 0;

  constructor(switches: Switches, start: Choice) {
    this.#switches = switches;
    this.#start = start;
    this.#current = this.#layers();
  }

  of(id: string): ReadingValue {
    return this.#current[id] ?? this.#switches.of(id).default;
  }

  get profile(): Profile {
    return this.#changes.profile ?? this.#start.profile ?? "default";
  }

  get assume(): Assume {
    return this.#current;
  }

  get start(): Choice {
    return this.#start;
  }

  set start(start: Choice) {
    this.#start = start;
    this.#current = this.#layers();
  }

  setScenarios(assume: Assume): void {
    this.#scenarios = assume;
    this.#current = this.#layers();
  }

  /** The setter replaces earlier changes. */
  get changes(): Choice {
    return this.#changes;
  }

  set changes(changes: Choice) {
    this.#changes = changes;
    this.#current = this.#layers();
    this.revision++;
  }

  #layers(): Assume {
    const all = { ...this.#switches.assumeOf(this.profile), ...this.#scenarios, ...this.#start.assume, ...this.#changes.assume };
    const differing = this.#switches.ids.filter((id) => all[id] !== undefined && !isSame(all[id], this.#switches.of(id).default));
    return Object.fromEntries(differing.map((id) => [id, all[id]]));
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
