/**
 * `npm run docs` writes the lists of dist/. With `--check` it fails when a link leads nowhere, when a package has no reason, or when code and
 * ledger disagree about an assumption.
 */
import { records } from "../src/service/assumptions/ledger.ts";
import { ledgerProblems } from "./gather.ts";
import { pageProblems } from "./links.ts";
import { writeLists } from "./lists/index.ts";

writeLists();
if (process.argv.includes("--check")) {
  const problems = [...ledgerProblems(records), ...pageProblems()];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}
