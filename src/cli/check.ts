import { readRegularFile } from "../engine/core/regular-file.ts";
import { operations } from "../service/api/index.ts";
import { parseRoute } from "../engine/core/operation.ts";
import { ruleVocabulary } from "../engine/runtime/scenario-runs/rule-vocabulary.ts";
import { createSandbox } from "../library/sandbox.ts";
import { fixtures } from "../service/model/world/inputs.ts";
import { readFixtures, readScenario } from "../engine/scenario/load.ts";
import { locate } from "../engine/scenario/parse.ts";
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
    return readRegularFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { file, line: 1, column: 1, message: `cannot read the file: ${code}` };
  }
}

/** @internal */
export async function mistakesIn(text: string, file: string, areFixtures: boolean): Promise<Diagnostic[]> {
  try {
    if (areFixtures || looksLikeFixtures(text, file)) await checkFixtures(text, file);
    else {
      const mistakes = await checkScenario(text, file);
      if (mistakes.length > 0) return mistakes;
    }
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.mistakes;
    return [placed(file, messageOf(error))];
  }
}

/** Also finds paths of the service without its prefix, and seeds a world. @throws ScenarioError, SettingsError */
async function checkScenario(text: string, file: string): Promise<Diagnostic[]> {
  readScenario(text, file, ruleVocabulary, (path) => readRegularFile(path));
  const written = readText(text, file).raw as { rules?: { when?: { path?: unknown } }[] };
  const mistakes = [...(written.rules ?? []).entries()].flatMap(([i, rule]) => {
    const path = rule.when?.path;
    if (typeof path !== "string" || !lacksPrefix(path)) return [];
    const message = `no operation has the path "${path}"; did you mean "${PREFIX}${path}"?`;
    return [locate(text, file, ["rules", i, "when", "path"], message)];
  });
  if (mistakes.length === 0) await (await createSandbox({ scenario: file, clock: "frozen" })).close();
  return mistakes;
}

const PREFIX = "/public/v1";

/** Compares by segments: a parameter of a route, `*` and parts with `*` fit any segment. */
function lacksPrefix(path: string): boolean {
  if (!path.startsWith("/") || path.startsWith("/public/") || path.includes("**")) return false;
  const wanted = `${PREFIX}${path.replace(/\/$/, "")}`.split("/");
  return operations.some(({ route }) => {
    const parts = parseRoute(route).path.split("/");
    return (
      parts.length === wanted.length &&
      parts.every((part, i) => part === wanted[i] || /^\{\w+\}$/.test(part) || wanted[i]?.includes("*"))
    );
  });
}

/** A place at the start of the message becomes the place of the mistake. */
function placed(file: string, message: string): Diagnostic {
  const [, at, line, column, rest] = /^(.+?):(\d+):(\d+):? ([\s\S]*)$/.exec(message) ?? [];
  if (at === undefined) return { file, line: 1, column: 1, message };
  return { file: at, line: Number(line), column: Number(column), message: rest ?? "" };
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
