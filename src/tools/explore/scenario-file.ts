import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { readRegularFile, requireFolder } from "../../engine/core/regular-file.ts";
import type { ExpectFile, ScenarioFile } from "../../library/file-types.ts";
import { lazy } from "../../engine/core/operation.ts";
import { parseLeniently } from "../../engine/core/text.ts";
import { z } from "../../engine/core/zod-parts.ts";
import { yamlLibrary } from "../../engine/scenario/yaml.ts";
import { SettingsError } from "../../library/errors.ts";
import type { Base } from "./base-world.ts";
import type { FaultPlace, Symptom } from "./report.ts";
import { SYMPTOM_NAMES } from "./symptoms.ts";
import type { Patch } from "./faults.ts";

export interface Found {
  faults: FaultPlace[];
  symptom: Symptom;
}

const MARK = "# docdouble explore: ";
const WIDTH = 100;

export interface Story {
  name: string;
  sentences: readonly string[];
  seed: string;
  found: Found;
  patch: Patch;
  expect: ExpectFile | undefined;
  base: Base;
}

export function scenarioText(file: string, story: Story): string {
  const comments = story.sentences.flatMap((sentence) => wrapped(sentence));
  const mark = `${MARK}${JSON.stringify(story.found)}`;
  return `${comments.join("\n")}\n${mark}\n${yamlLibrary().stringify(scenarioValue(file, story), { lineWidth: 0 })}`;
}

/** Paths in the scenario count from `file`. */
export function scenarioValue(
  file: string,
  { name, seed, patch, expect, base }: Pick<Story, "name" | "seed" | "patch" | "expect" | "base">,
): ScenarioFile {
  const files = base.scenarios.filter((one) => typeof one === "string");
  const values = base.scenarios.filter((one): one is ScenarioFile => typeof one !== "string");
  const scenario = merged([
    { version: 1, transitions: base.transitions, assume: base.profile },
    // Its rules act before those of the user.
    { version: 1, ...patch },
    ...values,
    { version: 1, assume: base.assume },
  ]);
  const {
    version: _,
    name: _name,
    expect: userExpect,
    assume,
    include = [],
    clock: scenarioClock,
    fixtures: scenarioFixtures,
    ...rest
  } = scenario;
  const clock = { ...scenarioClock, ...base.clock };
  // Paths of a value count from the working directory.
  const fixtures = saveFixtures(file, name, base.fixtures ?? scenarioFixtures);
  const included = [...files, ...include];
  const whole: ScenarioFile = {
    version: 1,
    name,
    seed,
    ...(Object.keys(clock).length > 0 ? { clock } : {}),
    ...(fixtures === undefined ? {} : { fixtures }),
    ...rest,
    ...(assume && Object.keys(assume).length > 0 ? { assume } : {}),
    ...(included.length > 0 ? { include: included.map((one) => pathFrom(file, one)) } : {}),
    ...(userExpect || expect ? { expect: joinedExpectations(userExpect, expect) } : {}),
  };
  return whole;
}

const pathFrom = (file: string, target: string) => posix(relative(dirname(resolve(file)), resolve(target)));

/** A contract that forbids every finding stays. */
function joinedExpectations(first: ExpectFile = {}, second: ExpectFile = {}): ExpectFile {
  const joined = merged([first as never, second as never]) as unknown as ExpectFile;
  return first.contract === "clean" ? { ...joined, contract: "clean" } : joined;
}

function saveFixtures(file: string, name: string, fixtures: Base["fixtures"]): string | undefined {
  if (fixtures === undefined) return undefined;
  if (typeof fixtures === "string") return pathFrom(file, fixtures);
  const target = join(dirname(file), "fixtures", `${name}.yaml`);
  writeNew(target, () => yamlLibrary().stringify(fixtures, { lineWidth: 0 }));
  return pathFrom(file, target);
}

export const posix = (path: string) => path.replaceAll("\\", "/");

function wrapped(sentence: string): string[] {
  const lines: string[] = [];
  let line = "#";
  for (const word of sentence.split(/\s+/)) {
    if (line.length + word.length >= WIDTH && line !== "#") {
      lines.push(line);
      line = "#";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

export function merged(values: readonly ScenarioFile[]): ScenarioFile {
  const whole: Record<string, unknown> = {};
  for (const value of values)
    for (const [name, part] of Object.entries(value)) {
      const before = whole[name];
      if (part === undefined) continue;
      if (Array.isArray(before) && Array.isArray(part)) whole[name] = [...before, ...part];
      else if (isMap(before) && isMap(part))
        whole[name] = name === "world" ? merged([before as never, part as never]) : { ...before, ...part };
      else whole[name] = part;
    }
  return whole as unknown as ScenarioFile;
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Creates nothing, because most explorations find nothing. @throws SettingsError when the folder cannot hold files */
export function requireUsable(folder: string): void {
  let existing = resolve(folder);
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  try {
    requireFolder(existing);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`Cannot write to the folder ${folder}: ${code}. Name another folder with --out or out.`);
  }
}

/** Returns the file's name, relative to the working directory. */
export function writeScenario(folder: string, name: string, text: (file: string) => string): string {
  const file = join(folder, `${name}.yaml`);
  writeNew(file, () => text(file));
  return posix(relative(process.cwd(), resolve(file)));
}

/** A link or a pipe with this name goes, so that nothing outside the folder changes. @throws SettingsError */
function writeNew(file: string, text: () => string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { force: true });
    writeFileSync(file, text(), { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new SettingsError(`Cannot write ${file}: ${code}. Name another folder with --out or out.`);
  }
}

/** In order of their names. Files without a mark count too. */
export function foundFiles(folder: string): { file: string; found: Found | undefined }[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .sort()
    .map((name) => {
      const file = posix(relative(process.cwd(), resolve(join(folder, name))));
      return { file, found: foundIn(textOf(file)) };
    });
}

/** @throws SettingsError */
function textOf(file: string): string {
  try {
    return readRegularFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`Cannot play ${file}: ${code}. Remove it, or name another folder with --out or out.`);
  }
}

const mark = lazy(() =>
  z.object({
    faults: z.array(z.looseObject({ fault: z.string(), operation: z.string(), nth: z.number() })),
    symptom: z.enum(SYMPTOM_NAMES),
  }),
);

/** Undefined for a file of the user, and after a wrong change of the mark. */
function foundIn(text: string): Found | undefined {
  const line = text.split("\n").find((one) => one.startsWith(MARK));
  return line === undefined ? undefined : (mark().safeParse(parseLeniently(line.slice(MARK.length))).data as Found | undefined);
}
