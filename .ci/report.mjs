// Reads vitest's JSON reports. Prints the one line that counts the tests, or with --check-skips refuses tests that were
// skipped although what they need is there.
import { existsSync, readFileSync } from "node:fs";

const reports = process.argv.slice(2).filter((one) => one !== "--check-skips");
const isSkipCheck = process.argv.includes("--check-skips");
const REFERENCE = "../shared/reference/openapi.json";

let files = [];
try {
  files = reports.flatMap((report) => JSON.parse(readFileSync(report, "utf8")).testResults);
} catch {
  // No report: a test command did not come that far.
  if (!isSkipCheck) process.stdout.write("0 passed, 1 failed, 0 skipped\n");
  process.exit(1);
}

const tests = files.flatMap((one) => one.assertionResults.map((test) => ({ ...test, file: one.name })));
const passed = tests.filter((test) => test.status === "passed").length;
const skipped = tests.filter((test) => ["skipped", "pending", "todo", "disabled"].includes(test.status));
// A file that could not be loaded has no failing test of its own; it counts as one.
const broken = files.filter((one) => one.status === "failed" && !one.assertionResults.some((test) => test.status === "failed"));
const failed = tests.filter((test) => test.status === "failed").length + broken.length;

if (isSkipCheck) {
  // The messages of a test that passed are those of its first try.
  for (const test of tests.filter(({ status, failureMessages }) => status === "passed" && failureMessages.length > 0))
    process.stdout.write(`passed at the second try: ${test.fullName}\n  ${test.failureMessages[0].split("\n")[0]}\n`);
  for (const test of skipped) process.stdout.write(`skipped: ${test.fullName}\n`);
  // What this machine lacks for good is named by the test.
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
