import { readRegularFile } from "../engine/core/regular-file.ts";
import { readyFile } from "../engine/runtime/scenario-runs/ready-stories.ts";
import type { Service } from "../engine/runtime/service.ts";
import type { Language } from "../engine/scenario/language.ts";
import { PROFILES } from "../engine/assumptions/profile-names.ts";
import { AssumeError, type Choice } from "../engine/assumptions/switches.ts";
import { SettingsError } from "./errors.ts";
import type { FixturesFile } from "./file-types.ts";
import { readAssumeFile, readFixtures, readScenario, type Scenario } from "../engine/scenario/load.ts";
import type { AssumeSource, SandboxOptions } from "./types.ts";
import { ScenarioError } from "../engine/scenario/error.ts";

export interface Read {
  assume: Choice;
  scenarios: Scenario[];
  fixtures: object;
}

type SourceOptions = Pick<SandboxOptions, "scenario" | "fixtures" | "assume" | "profile">;

export class Sources {
  #good: Read;
  readonly #service: Service;
  readonly #options: SourceOptions;
  #unread: readonly string[] = [];

  constructor(service: Service, options: SourceOptions) {
    this.#service = service;
    this.#options = options;
    this.#good = this.read();
    this.take(this.#good);
  }

  get scenarios(): Scenario[] {
    return this.#good.scenarios;
  }

  get assume(): Choice {
    return this.#good.assume;
  }

  get fixtures(): object {
    return this.#good.fixtures;
  }

  take(read: Read): void {
    this.#good = read;
    this.#unread = [];
  }

  /** Keeps the loaded files. @throws SettingsError, or ScenarioError with the mistakes of all files */
  read(): Read {
    const errors: ScenarioError[] = [];
    const read = <T>(one: () => T): T[] => {
      try {
        return [one()];
      } catch (error) {
        if (!(error instanceof ScenarioError)) throw error;
        errors.push(error);
        return [];
      }
    };
    const { scenario } = this.#options;
    const { language, seed } = this.#service;
    const scenarios = [scenario ?? []].flat().flatMap((source) => read(() => scenarioOf(source, language)));
    const source = this.#fixtures(scenarios);
    const [fixtures = {}] = read(() => seed.standard(source === undefined ? undefined : fixturesOf(source, language)));
    const [assume = { assume: {} }] = read(() => assumeOfOptions(this.#options, language));
    this.#unread = [...errors.flatMap((one) => one.files), ...scenarios.flatMap((one) => one.files)];
    if (errors.length > 0)
      throw new ScenarioError(
        errors.flatMap((one) => one.mistakes),
        this.#unread,
      );
    return { scenarios, fixtures, assume };
  }

  #fixtures(scenarios: readonly Scenario[]): SourceOptions["fixtures"] {
    return this.#options.fixtures ?? scenarios.find((one) => one.fixtures !== undefined)?.fixtures;
  }

  /** Includes files that failed to load, so that a watcher notices corrections. */
  files(): string[] {
    const { scenario, assume } = this.#options;
    const fixtures = this.#fixtures(this.scenarios);
    const readings = [assume ?? []].flat().filter((one) => typeof one === "string" && !one.includes("="));
    const sources = [scenario ?? []].flat();
    const values = new Set(sources.flatMap((one) => (typeof one === "string" ? [] : [one.name ?? "scenario"])));
    const named = sources.filter((one) => typeof one === "string");
    const all = [...named, ...(readings as string[]), ...this.scenarios.flatMap((one) => one.files), ...this.#unread];
    return [...new Set([...all.filter((file) => !values.has(file)), ...(typeof fixtures === "string" ? [fixtures] : [])])];
  }
}

/** @throws SettingsError for an unreadable file, ScenarioError for mistakes in it */
export function scenarioOf(source: string | object, language: Language): Scenario {
  const { text, file } = sourceOf(source, "scenario");
  return readScenario(text, file, language, readText);
}

/** Joins readings in the order of their sources. @throws SettingsError, ScenarioError */
export function assumeOfOptions({ assume, profile }: SourceOptions, language: Language): Choice {
  try {
    const choices = [assume ?? []].flat().map((source) => choiceOf(source, language));
    const named = profile ?? choices.findLast((one) => one.profile !== undefined)?.profile;
    return {
      ...(named === undefined ? {} : { profile: named }),
      assume: Object.assign({}, ...choices.map((one) => one.assume)),
    };
  } catch (error) {
    throw error instanceof AssumeError ? new SettingsError(error.message) : error;
  }
}

function choiceOf(source: AssumeSource, language: Language): Choice {
  if (typeof source !== "string") return language.switches.readChoice(source);
  const profile = PROFILES.find((one) => one === source);
  if (profile !== undefined) return { profile, assume: {} };
  if (source.includes("=")) return { assume: language.switches.readPair(source) };
  if (/\.(ya?ml|json)$/i.test(source)) return readAssumeFile(readText(source), source, language);
  throw new SettingsError(
    `Cannot read "${source}" as assumptions. Write ID=VALUE, name a profile (${PROFILES.join(", ")}), or name a .yaml or .json file.`,
  );
}

function fixturesOf(source: string | FixturesFile, language: Language): object {
  const { text, file } = sourceOf(source, "fixtures");
  return readFixtures(text, file, language);
}

/** Turns a value into JSON, so that mistakes have a line. */
function sourceOf(source: string | object, kind: string): { text: string; file: string } {
  return typeof source === "string"
    ? { text: readText(source), file: source }
    : { text: JSON.stringify(source, null, 2), file: nameOf(source) ?? kind };
}

function nameOf(value: { name?: unknown }): string | undefined {
  return typeof value.name === "string" ? value.name : undefined;
}

function readText(file: string): string {
  try {
    return readRegularFile(readyFile(file) ?? file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SettingsError(`cannot read ${file}: ${code}${code === "ENOENT" ? ` (looked in ${process.cwd()})` : ""}`);
  }
}
