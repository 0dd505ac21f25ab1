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
      const message =
        error instanceof ScenarioError ? error.message : `${file}: ${error instanceof Error ? error.message : String(error)}`;
      process.stdout.write(`${message}\n`);
    }
  }
  return code;
}
