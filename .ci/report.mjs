// Reads vitest's JSON reports and prints one line with the counts of tests. With `--check-skips` it lists the skipped tests instead,
// and fails when a test was skipped although it could run.
import { existsSync, readFileSync } from "node:fs";

const reports = process.argv.slice(2).filter((one) => one !== "--check-skips");
const isSkipCheck = process.argv.includes("--check-skips");
const REFERENCE = "../shared/reference/openapi.json";

let files = [];
try {
  files = reports.flatMap((report) => JSON.parse(readFileSync(report, "utf8")).testResults);
} catch {
  // A report is missing: a test command ended before it wrote one.
  if (!isSkipCheck) process.stdout.write("0 passed, 1 failed, 0 skipped\n");
  process.exit(1);
}

const tests = files.flatMap((one) => one.assertionResults.map((test) => ({ ...test, file: one.name })));
const passed = tests.filter((test) => test.status === "passed").length;
const skipped = tests.filter((test) => ["skipped", "pending", "todo", "disabled"].includes(test.status));
// A file that fails to load contains no failed test. The file itself counts as one.
const broken = files.filter((one) => one.status === "failed" && !one.assertionResults.some((test) => test.status === "failed"));
const failed = tests.filter((test) => test.status === "failed").length + broken.length;

if (isSkipCheck) {
  // A passed test has failure messages when its first try failed.
  for (const test of tests.filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0))
    process.stdout.write(`passed at the second try: ${test.fullName}\n  ${test.failureMessages[0].split("\n")[0]}\n`);
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
