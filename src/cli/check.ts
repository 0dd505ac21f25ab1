import { readFileSync } from "node:fs";
import { ruleVocabulary } from "../admin/scenario-runs/rule-vocabulary.ts";
import { createSandbox } from "../sandbox.ts";
import { fixtures } from "../domain/seeding/inputs.ts";
import { readFixtures, readScenario } from "../scenario/load.ts";
import { readText } from "../scenario/yaml.ts";
import { ScenarioError } from "../scenario/error.ts";
import { SettingsError } from "../errors.ts";

/** Prints each mistake as `file:line:column message`. Returns the exit code: 1 after a mistake. */
export async function check(files: readonly string[], areFixtures: boolean): Promise<0 | 1> {
  let code: 0 | 1 = 0;
  for (const file of files) {
    try {
      const text = readFileSync(file, "utf8");
      if (areFixtures || looksLikeFixtures(text, file)) await checkFixtures(text, file);
      else readScenario(text, file, ruleVocabulary, (path) => readFileSync(path, "utf8"));
      process.stdout.write(`${file}: ok\n`);
    } catch (error) {
      code = 1;
      process.stdout.write(`${messageOf(error, file)}\n`);
    }
  }
  return code;
}

/** Also seeds a world, which finds references to missing rows. @throws ScenarioError, SettingsError */
async function checkFixtures(text: string, file: string): Promise<void> {
  readFixtures(text, file);
  await (await createSandbox({ fixtures: file, clock: "frozen" })).close();
}

function messageOf(error: unknown, file: string): string {
  if (error instanceof ScenarioError) return error.message;
  if (error instanceof SettingsError) return `${file}:1:1 ${error.message}`;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return `${file}:1:1 cannot read the file: ${code}`;
}

/** Scenarios have a version; fixtures have lists of rows. @throws ScenarioError for malformed YAML */
function looksLikeFixtures(text: string, file: string): boolean {
  const { raw } = readText(text, file);
  if (typeof raw !== "object" || raw === null || "version" in raw) return false;
  return Object.keys(fixtures().shape).some((name) => name in raw);
}
