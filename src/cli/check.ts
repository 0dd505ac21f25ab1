import { readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readRegularFile } from "../engine/core/regular-file.ts";
import { linesWithoutControls } from "../engine/core/text.ts";
import { readyFile } from "../engine/runtime/scenario-runs/ready-stories.ts";
import { type Diagnostic, ScenarioError } from "../engine/scenario/error.ts";
import { readFixtures, readScenario, type Scenario } from "../engine/scenario/load.ts";
import { service } from "../service/service.ts";
import { locate } from "../engine/scenario/parse.ts";
import { readText } from "../engine/scenario/yaml.ts";
import { SettingsError } from "../library/errors.ts";
import { createSandbox, hostOf } from "../library/sandbox.ts";
import type { SandboxOptions } from "../library/types.ts";
import { definitionOf, innermost } from "../engine/core/schema-parts.ts";
import type { Finding, Written } from "./file-checks/finding.ts";
import { nameFindings, namesOf, type WorldNames, withWritten } from "./file-checks/names.ts";
import { memberFindings } from "./file-checks/members.ts";
import { pathFindings } from "./file-checks/paths.ts";
import { shadowedRules } from "./file-checks/shadowed.ts";
import { EXIT_USAGE } from "./usage-error.ts";

export interface CheckFlags {
  fixtures?: boolean;
  json?: boolean;
}

interface Found {
  mistakes: Diagnostic[];
  /** What may be a mistake. A client may still supply what the file names. */
  warnings: Diagnostic[];
}

interface Checked extends Found {
  file: string;
  ok: boolean;
}

/** Also a file that the checked file names. */
const CANNOT_READ = /(?:^|: )cannot read /;

/**
 * Prints each mistake as `file:line:column message`. Returns the exit code: 1 after a mistake, and 2 when it could not read a file.
 * Warnings change no exit code.
 */
export async function check(files: readonly string[], flags: CheckFlags): Promise<0 | 1 | typeof EXIT_USAGE> {
  const checked: Checked[] = [];
  let areReadable = true;
  for (const file of files) {
    const text = textOf(file);
    const found =
      typeof text === "string" ? await checkFile(text, file, flags.fixtures ?? false, files) : { mistakes: [text], warnings: [] };
    areReadable &&= !found.mistakes.some(({ message }) => CANNOT_READ.test(message));
    checked.push({ file, ok: found.mistakes.length === 0, ...found });
  }
  const ok = checked.every((one) => one.ok);
  const lines = checked.flatMap((one) => [
    ...one.mistakes.map((mistake) => lineOf(mistake)),
    ...one.warnings.map((warning) => lineOf(warning, "warning: ")),
    ...(one.ok ? [`${one.file}: ok`] : []),
  ]);
  process.stdout.write(
    `${flags.json ? JSON.stringify({ ok, files: checked }, null, 2) : linesWithoutControls([...new Set(lines)].join("\n"))}\n`,
  );
  return areReadable ? (ok ? 0 : 1) : EXIT_USAGE;
}

function lineOf({ file, line, column, message }: Diagnostic, word = ""): string {
  return `${file}:${line}:${column} ${word}${message}`;
}

/** Returns the text of the file, or why it cannot be read. */
function textOf(file: string): string | Diagnostic {
  try {
    return readRegularFile(readyFile(file) ?? file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { file, line: 1, column: 1, message: `cannot read the file: ${code}` };
  }
}

/**
 * @internal
 * @param others files that may include this file, beside those in its folder and in the folder above
 */
export async function checkFile(
  text: string,
  file: string,
  areFixtures: boolean,
  others: readonly string[] = [],
): Promise<Found> {
  try {
    if (!areFixtures && !looksLikeFixtures(text, file)) return await checkScenario(text, file, others);
    await checkFixtures(text, file);
    return { mistakes: [], warnings: [] };
  } catch (error) {
    return { mistakes: mistakesOf(error, file), warnings: [] };
  }
}

function mistakesOf(error: unknown, file: string): Diagnostic[] {
  return error instanceof ScenarioError ? error.mistakes : [placed(file, messageOf(error))];
}

const read = (path: string) => readRegularFile(path);

/** A file that others include names rows of theirs, so it is checked as a part of them. @throws ScenarioError */
async function checkScenario(text: string, file: string, others: readonly string[]): Promise<Found> {
  const scenario = readScenario(text, file, service.language, read);
  const including = includersOf(file, others);
  if (including.length === 0) return checkWhole(scenario);
  const found: Found = { mistakes: [], warnings: [] };
  for (const one of including) {
    const { mistakes, warnings } = await checkWhole(one);
    const isOwn = (diagnostic: Diagnostic) => resolve(diagnostic.file) === resolve(file);
    found.mistakes.push(...mistakes.filter(isOwn));
    found.warnings.push(...warnings.filter(isOwn));
  }
  return found;
}

/** Finds conditions that nothing can meet in a scenario and in the files that it includes, and seeds its world. */
async function checkWhole(scenario: Scenario): Promise<Found> {
  const found: Found = { mistakes: [], warnings: [] };
  const files = [...new Set(scenario.files)].map((file) => {
    const text = read(file);
    return { file, text, written: readText(text, file).raw as Written };
  });
  const add = (file: string, text: string, { path, message, isCertain }: Finding) =>
    (isCertain ? found.mistakes : found.warnings).push(locate(text, file, path, message));
  for (const { file, text, written } of files)
    for (const one of [...pathFindings(written), ...memberFindings(written)]) add(file, text, one);
  for (const { part, name, message } of shadowedRules(scenario))
    for (const { file, text, written } of files) {
      const at = ((written[part] ?? []) as readonly { name: string }[]).findIndex((rule) => rule.name === name);
      if (at >= 0) add(file, text, { path: [part, at], message, isCertain: true });
    }
  const addNames = (names: WorldNames) => {
    for (const { file, text, written } of files) for (const one of nameFindings(written, names)) add(file, text, one);
  };
  try {
    addNames(await namesIn({ scenario: scenario.file }));
  } catch (error) {
    found.mistakes.push(...mistakesOf(error, scenario.file));
    const names = await namesIn(scenario.fixtures === undefined ? {} : { fixtures: scenario.fixtures }).catch(() => undefined);
    if (names)
      addNames(
        withWritten(
          names,
          files.map(({ written }) => written.world),
        ),
      );
  }
  for (const list of [found.mistakes, found.warnings])
    list.sort((a, b) => (a.file === b.file ? a.line - b.line || a.column - b.column : 0));
  return found;
}

async function namesIn(options: SandboxOptions): Promise<WorldNames> {
  await using sandbox = await createSandbox({ ...options, clock: "frozen" });
  return namesOf(hostOf(sandbox).defaultTenant.store);
}

/** Files without mistakes only, because the mistakes of others are not those of this file. */
function includersOf(file: string, others: readonly string[]): Scenario[] {
  const folder = dirname(resolve(file));
  const near = [folder, dirname(folder)].flatMap((one) => filesIn(one));
  const candidates = new Set([...others, ...near].map((one) => resolve(one)));
  candidates.delete(resolve(file));
  return [...candidates].flatMap((one) => {
    const text = textOf(one);
    if (typeof text !== "string" || !text.includes("include") || !text.includes(basename(file))) return [];
    try {
      const scenario = readScenario(text, one, service.language, read);
      return scenario.files.some((part) => resolve(part) === resolve(file)) ? [scenario] : [];
    } catch (error) {
      if (error instanceof ScenarioError) return [];
      throw error;
    }
  });
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((one) => one.isFile() && /\.(ya?ml|json)$/i.test(one.name)).map(({ name }) => join(folder, name));
  } catch {
    return [];
  }
}

/** A place at the start of the message becomes the place of the mistake. */
function placed(file: string, message: string): Diagnostic {
  const [, at, line, column, rest] = /^(.+?):(\d+):(\d+):? ([\s\S]*)$/.exec(message) ?? [];
  if (at === undefined) return { file, line: 1, column: 1, message };
  return { file: at, line: Number(line), column: Number(column), message: rest ?? "" };
}

/** Also seeds a world, which finds references to missing rows. @throws ScenarioError, SettingsError */
async function checkFixtures(text: string, file: string): Promise<void> {
  readFixtures(text, file, service.language);
  await (await createSandbox({ fixtures: file, clock: "frozen" })).close();
}

function messageOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message;
  throw error;
}

/** Scenarios have a version; fixtures have lists of rows. @throws ScenarioError for malformed YAML */
function looksLikeFixtures(text: string, file: string): boolean {
  const { raw } = readText(text, file);
  if (typeof raw !== "object" || raw === null || "version" in raw) return false;
  return Object.keys(definitionOf(innermost(service.language.fixtures()))?.shape ?? {}).some((name) => name in raw);
}
