/**
 * `npm run docs` writes the words of the service from the sources, and the lists of dist/. With `--check` it fails when the words are out
 * of date, when a link leads nowhere, when a package has no reason, or when code and ledger disagree about an assumption.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { records } from "../src/service/assumptions/ledger.ts";
import { ledgerProblems } from "./gather.ts";
import { pageProblems } from "./links.ts";
import { writeLists } from "./lists/index.ts";
import { serviceWords } from "./service-words.ts";

const WORDS = "src/tools/compare/service-words.json";

writeLists();
if (!process.argv.includes("--check")) writeFileSync(WORDS, serviceWords());
else {
  const isOld = readFileSync(WORDS, "utf8") !== serviceWords();
  const old = isOld ? [`${WORDS} is out of date. Run npm run docs.`] : [];
  const problems = [...ledgerProblems(records), ...pageProblems(), ...old];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
