/**
 * `npm run docs` writes two files of the sources from their records, and the lists of dist/. With `--check` it writes none of the
 * two, and fails when one is out of date, when a link leads nowhere, when a package has no reason, or when code and ledger disagree about an assumption.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { records } from "../src/service/assumptions/ledger.ts";
import { ledgerProblems } from "./gather.ts";
import { pageProblems } from "./links.ts";
import { writeLists } from "./lists/index.ts";
import { serviceWords } from "./service-words.ts";

const FILES = {
  "src/tools/compare/service-words.json": serviceWords,
};

writeLists();
const isCheck = process.argv.includes("--check");
const problems = isCheck ? [...ledgerProblems(records), ...pageProblems()] : [];
for (const [file, text] of Object.entries(FILES)) {
  if (readFileSync(file, "utf8") === text()) continue;
  if (isCheck) problems.push(`${file} is out of date. Run npm run docs.`);
  else writeFileSync(file, text());
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
