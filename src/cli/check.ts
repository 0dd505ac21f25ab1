import { readFileSync } from "node:fs";
import { catalogue } from "../control/catalogue.ts";
import { readFixtures, readScenario, ScenarioError } from "../scenario/load.ts";

/** Validates files and prints every mistake as `file:line:column message`. Returns the exit code: 1 when there is any. */
export function check(files: readonly string[], areFixtures: boolean): 0 | 1 {
  let code: 0 | 1 = 0;
  for (const file of files) {
    try {
      const text = readFileSync(file, "utf8");
      if (areFixtures) readFixtures(text, file);
      else readScenario(text, file, catalogue, (path) => readFileSync(path, "utf8"));
      process.stdout.write(`${file}: ok\n`);
    } catch (error) {
      code = 1;
      process.stdout.write(`${messageOf(error, file, areFixtures)}\n`);
    }
  }
  return code;
}

function messageOf(error: unknown, file: string, areFixtures: boolean): string {
  if (!(error instanceof ScenarioError)) return `${file}: ${error instanceof Error ? error.message : String(error)}`;
  if (!areFixtures && isFixtures(file)) return `${file}:1:1 these are fixtures: docdouble check --fixtures ${file}`;
  return error.message;
}

function isFixtures(file: string): boolean {
  try {
    readFixtures(readFileSync(file, "utf8"), file);
    return true;
  } catch {
    return false;
  }
}
