import { readRegularFile } from "../engine/core/regular-file.ts";
import { service } from "../service/service.ts";
import { readFileSync } from "node:fs";
import { AssumeError, type Choice } from "../engine/assumptions/switches.ts";
import { switches } from "../service/assumptions/switches.ts";
import { inPackage } from "../engine/core/package-root.ts";
import type { Fixtures } from "../service/model/world/inputs.ts";
import { SettingsError } from "./errors.ts";
import { DEFAULT_KEY } from "./sandbox-host.ts";
import type { FixturesFile } from "./file-types.ts";
import { readAssumeFile, readFixtures, readScenario, type Scenario } from "../engine/scenario/load.ts";
import type { AssumeSource, SandboxOptions } from "./types.ts";
import { ScenarioError } from "../engine/scenario/error.ts";

export interface Read {
  assume: Choice;
  scenarios: Scenario[];
  fixtures: Fixtures;
}

type SourceOptions = Pick<
  SandboxOptions,
  "scenario" | "fixtures" | "assume" | "profile" | "rateLimit" | "httpsWebhooks" | "webhookRetries_ms"
>;

export class Sources {
  #good: Read;
  readonly #options: SourceOptions;
  #unread: readonly string[] = [];

  constructor(options: SourceOptions) {
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

  get fixtures(): Fixtures {
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
    const scenarios = [scenario ?? []].flat().flatMap((source) => read(() => scenarioOf(source)));
    const source = this.#fixtures(scenarios);
    const [fixtures = {}] = read(() => (source === undefined ? defaultFixtures() : fixturesOf(source)));
    const [assume = { assume: {} }] = read(() => assumeOfOptions(this.#options));
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
export function scenarioOf(source: string | object): Scenario {
  const { text, file } = sourceOf(source, "scenario");
  return readScenario(text, file, service.language, readText);
}

/**
 * Joins readings in the order of their sources. Options that mean the same as an assumption come last. @throws SettingsError,
 * ScenarioError
 */
export function assumeOfOptions({ assume, profile, rateLimit, httpsWebhooks, webhookRetries_ms }: SourceOptions): Choice {
  try {
    const choices = [assume ?? []].flat().map(choiceOf);
    const named = profile ?? choices.findLast((one) => one.profile !== undefined)?.profile;
    return {
      ...(named === undefined ? {} : { profile: named }),
      assume: {
        ...Object.assign({}, ...choices.map((one) => one.assume)),
        ...(rateLimit === undefined ? {} : { "rate_limit.profile": rateLimit }),
        ...(httpsWebhooks === undefined ? {} : { "webhook.https_only": httpsWebhooks ? "on" : "off" }),
        ...(webhookRetries_ms === undefined ? {} : { "webhook.retry_schedule": webhookRetries_ms }),
      },
    };
  } catch (error) {
    throw error instanceof AssumeError ? new SettingsError(error.message) : error;
  }
}

function choiceOf(source: AssumeSource): Choice {
  if (typeof source !== "string") return switches.readChoice(source);
  if (source.includes("=")) return { assume: switches.readPair(source) };
  if (/\.(ya?ml|json)$/i.test(source)) return readAssumeFile(readText(source), source, service.language);
  throw new SettingsError(`Cannot read "${source}" as assumptions. Write ID=VALUE, or name a .yaml or .json file.`);
}

function fixturesOf(source: string | FixturesFile): Fixtures {
  const { text, file } = sourceOf(source, "fixtures");
  return withDefaults(readFixtures(text, file, service.language));
}

function withDefaults(fixtures: Fixtures): Fixtures {
  const { workspaces = [], members = [], api_keys = [] } = fixtures;
  const somebody: NonNullable<Fixtures["members"]>[number] = {
    email: "admin@docdouble.example",
    first_name: "Ada",
    last_name: "Min",
    role: "Admin",
  };
  const all = members.length > 0 ? members : [somebody];
  const member = all[0]?.id ?? all[0]?.email ?? "";
  return {
    ...fixtures,
    workspaces: workspaces.length > 0 ? workspaces : [{ name: "Workspace" }],
    members: all,
    api_keys:
      api_keys.length > 0
        ? api_keys
        : [
            { key: DEFAULT_KEY, member },
            { key: "docdouble-sandbox-key", member, kind: "sandbox" },
          ],
  };
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
    return readRegularFile(file);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new SettingsError(`cannot read ${file}: ${code}${code === "ENOENT" ? ` (looked in ${process.cwd()})` : ""}`);
  }
}

let builtIn: Fixtures | undefined;

function defaultFixtures(): Fixtures {
  builtIn ??= JSON.parse(readFileSync(inPackage("fixtures/default.json"), "utf8")) as Fixtures;
  return builtIn;
}
