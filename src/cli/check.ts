import { readFileSync } from "node:fs";
import { ruleVocabulary } from "../engine/runtime/scenario-runs/rule-vocabulary.ts";
import { createSandbox } from "../library/sandbox.ts";
import { fixtures } from "../service/model/world/inputs.ts";
import { readFixtures, readScenario } from "../engine/scenario/load.ts";
import { readText } from "../engine/scenario/yaml.ts";
import { type Diagnostic, ScenarioError } from "../engine/scenario/error.ts";
import { SettingsError } from "../library/errors.ts";
import { EXIT_USAGE } from "./usage-error.ts";

export interface CheckFlags {
  fixtures?: boolean;
  json?: boolean;
}

interface Checked {
  file: string;
  ok: boolean;
  mistakes: Diagnostic[];
}

/**
 * Prints each mistake as `file:line:column message`. Returns the exit code: 1 after a mistake, and 2 when it could not read a file.
 */
export async function check(files: readonly string[], flags: CheckFlags): Promise<0 | 1 | typeof EXIT_USAGE> {
  const checked: Checked[] = [];
  let areReadable = true;
  for (const file of files) {
    const text = textOf(file);
    areReadable &&= typeof text === "string";
    const mistakes = typeof text === "string" ? await mistakesIn(text, file, flags.fixtures ?? false) : [text];
    checked.push({ file, ok: mistakes.length === 0, mistakes });
  }
  const ok = checked.every((one) => one.ok);
  const lines = checked.flatMap(({ file, mistakes }) =>
    mistakes.length === 0 ? [`${file}: ok`] : mistakes.map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`),
  );
  process.stdout.write(`${flags.json ? JSON.stringify({ ok, files: checked }, null, 2) : lines.join("\n")}\n`);
  return areReadable ? (ok ? 0 : 1) : EXIT_USAGE;
}

/** Returns the text of the file, or why it cannot be read. */
function textOf(file: string): string | Diagnostic {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { file, line: 1, column: 1, message: `cannot read the file: ${code}` };
  }
}

async function mistakesIn(text: string, file: string, areFixtures: boolean): Promise<Diagnostic[]> {
  try {
    if (areFixtures || looksLikeFixtures(text, file)) await checkFixtures(text, file);
    else readScenario(text, file, ruleVocabulary, (path) => readFileSync(path, "utf8"));
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.mistakes;
    return [{ file, line: 1, column: 1, message: messageOf(error) }];
  }
}

/** Also seeds a world, which finds references to missing rows. @throws ScenarioError, SettingsError */
async function checkFixtures(text: string, file: string): Promise<void> {
  readFixtures(text, file);
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
  return Object.keys(fixtures().shape).some((name) => name in raw);
}
