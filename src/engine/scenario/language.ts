/** What the service adds to the language of scenario files: its names, and the schemas of its fixtures and acts. */
import type * as z from "zod";
import type { Switches } from "../assumptions/switches.ts";
import type { Schema } from "../core/operation.ts";
import { getOrMake } from "../core/maps.ts";

export interface Language {
  /** Ids of operations. */
  readonly ids: () => readonly string[];
  /** Ids of operations and of pages, which the journal holds. */
  readonly callIds: () => readonly string[];
  /** The statuses that an operation may answer. */
  statusesOf(id: string): readonly number[] | undefined;
  /** The schemas of an operation's successful answers in JSON. */
  answersOf(id: string): readonly z.ZodType[];
  /** Whether an operation only reads. */
  isRead(id: string): boolean;
  readonly statuses: readonly string[];
  readonly events: readonly string[];
  /** Events and statuses that an actor can wait for. */
  readonly triggers: readonly string[];
  readonly messageKinds: readonly string[];
  /** What conditions may ask about a subject. With `open`, `metadata`, also about each `metadata.<key>`. */
  readonly subjectFacts: { readonly names: readonly string[]; readonly open: string };
  /** What conditions may ask about a participant. */
  readonly participantFacts: readonly string[];
  /** Names of the tools that the service offers to agents. */
  readonly tools: readonly string[];
  /** Names of asynchronous steps. */
  readonly models: readonly string[];
  readonly acts: readonly string[];
  /** The act that a substitute replaces, if its file names none. */
  readonly usualAct: string;
  readonly actInput: Schema<z.ZodType<Record<string, unknown>>>;
  /** The members that each act takes. */
  readonly actMembers: Readonly<Record<string, readonly string[]>>;
  readonly fixtures: Schema<z.ZodType<object>>;
  /** As `fixtures`, but only with the members that `raw` has. */
  fixturesFor(raw: unknown): z.ZodType<object>;
  /** Named parts of the JSON Schema that belong to the fixtures. */
  readonly fixtureParts: Readonly<Record<string, Schema>>;
  /**
   * The sentence that an editor shows for each member of a scenario or fixtures file. A key is the path of a member from a named part
   * of the schema, without list and union steps. `*.name` covers all other members with this name.
   */
  readonly hover: Readonly<Record<string, string>>;
  readonly switches: Switches;
}

/** As `lazy`, but made once for each language. */
export function perLanguage<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new WeakMap<Language, { value: T }>();
  return (language) => getOrMake(made, language, () => ({ value: make(language) })).value;
}
