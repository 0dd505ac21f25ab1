// Reads vitest's JSON reports and prints one line with the counts of tests. With `--check` it lists the skipped tests and the tests that
// passed only at the second try. It fails when a test was skipped although it could run, and for more than three second tries.
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

const reports = process.argv.slice(2).filter((one) => one !== "--check");
const isCheck = process.argv.includes("--check");
/** A busy machine may need a few second tries. More of them hide a fault. */
const SECOND_TRIES_MAX = 3;
/** Each run adds its second tries here, so that a test that fails now and then is found. */
const KEPT = "node_modules/.cache/docdouble-ci/second-tries.txt";
const REFERENCE = "../shared/reference/openapi.json";

let files = [];
try {
  files = reports.flatMap((report) => JSON.parse(readFileSync(report, "utf8")).testResults);
} catch {
  // A report is missing: a test command ended before it wrote one.
  if (!isCheck) process.stdout.write("0 passed, 1 failed, 0 skipped\n");
  process.exit(1);
}

const tests = files.flatMap((one) => one.assertionResults.map((test) => ({ ...test, file: one.name })));
const passed = tests.filter((test) => test.status === "passed").length;
const skipped = tests.filter((test) => ["skipped", "pending", "todo", "disabled"].includes(test.status));
// A file that fails to load contains no failed test. The file itself counts as one.
const broken = files.filter((one) => one.status === "failed" && !one.assertionResults.some((test) => test.status === "failed"));
const failed = tests.filter((test) => test.status === "failed").length + broken.length;

if (isCheck) {
  // A passed test has failure messages when its first try failed.
  const second = tests.filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0);
  const lines = second.map((test) => `${test.fullName}\n  ${test.failureMessages[0].split("\n")[0]}\n`);
  for (const line of lines) process.stdout.write(`passed at the second try: ${line}`);
  if (lines.length > 0) {
    mkdirSync(dirname(KEPT), { recursive: true });
    appendFileSync(KEPT, `${new Date().toISOString()}\n${lines.join("")}`);
    process.stdout.write(`${KEPT} lists the second tries of all runs.\n`);
  }
  if (second.length > SECOND_TRIES_MAX) {
    process.stdout.write(`${second.length} tests passed only at the second try. At most ${SECOND_TRIES_MAX} may.\n`);
    process.exitCode = 1;
  }
  for (const test of skipped) process.stdout.write(`skipped: ${test.fullName}\n`);
  // The title of a test names the program that this machine lacks.
  const unexplained = skipped.filter((test) => !/\(skipped: there is no [\w-]+ on this machine\)/.test(test.fullName));
  if (existsSync(REFERENCE) && unexplained.length > 0) {
    process.stdout.write("The reference material is there, so nothing may be skipped.\n");
    process.exitCode = 1;
  }
  if (passed === 0) {
    process.stdout.write("No test passed.\n");
    process.exitCode = 1;
  }
} else {
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped.length} skipped\n`);
}
