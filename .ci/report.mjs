// Reads vitest's JSON reports of .ci/reports. Prints the skipped tests, and one last line with the counts of tests. Fails when a test failed,
// or none passed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = ".ci/reports";
const reports = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const files = reports.flatMap((name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")).testResults);

const tests = files.flatMap((file) => file.assertionResults);
const withStatus = (...names) => tests.filter(({ status }) => names.includes(status));
// A file that fails to load contains no failed test. The file itself counts as one.
const broken = files.filter((one) => one.status === "failed" && !one.assertionResults.some(({ status }) => status === "failed"));
const passed = withStatus("passed").length;
const failed = withStatus("failed").length + broken.length;
const skipped = withStatus("skipped", "pending", "todo", "disabled");
for (const { fullName } of skipped) console.log(`skipped: ${fullName}`);
console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`);
if (passed === 0 || failed > 0) process.exitCode = 1;
