/** The scripts of `.ci/` that judge a run of tests, and that name missing tools. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import { files } from "../support/process.ts";

interface Outcome {
  code: number | null;
  text: string;
}

/** Runs a script of this checkout in a folder. */
function script(name: string, folder: string, args: readonly string[], env: Record<string, string> = {}): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [resolve(".ci", name), ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return { code: status, text: stdout + stderr };
}

/** A report of vitest with passed tests, of which some failed at the first try. */
function report(secondTries: number): string {
  const tests = Array.from({ length: 5 }, (_, i) => ({
    status: "passed",
    fullName: `test ${i}`,
    failureMessages: i < secondTries ? [`Error: too slow ${i}\n at a.ts`] : [],
  }));
  const one = { name: "a.test.ts", status: "passed", assertionResults: tests };
  return JSON.stringify({ testResults: [one] });
}

test.each([
  [3, 0],
  [4, 1],
])("%i second tries end the check of a run with the code %i, and a list keeps them", (count, code) => {
  const file = files({ "report.json": report(count) });
  const folder = dirname(file);
  const checked = script("report.mjs", folder, ["--check", file]);
  expect(checked.code, checked.text).toBe(code);
  expect(checked.text).toContain("passed at the second try: test 0\n  Error: too slow 0\n");
  const kept = readFileSync(join(folder, "node_modules/.cache/docdouble-ci/second-tries.txt"), "utf8");
  expect(kept.match(/^test \d$/gm)).toHaveLength(count);
  expect(script("report.mjs", folder, [file])).toEqual({ code: 0, text: "5 passed, 0 failed, 0 skipped\n" });
});

test("a command whose tools are missing says in one sentence how to install them, and finds tools in folders above", () => {
  const folder = files();
  mkdirSync(join(folder, "docs"));
  writeFileSync(join(folder, "docs/package.json"), '{"devDependencies": {"speller": "1.0.0"}}');
  const env = { npm_lifecycle_event: "preprose" };
  expect(script("tools.mjs", folder, ["docs"], env)).toEqual({
    code: 1,
    text: "npm run prose needs packages that are not installed, such as speller. Run npm run tools first.\n",
  });
  mkdirSync(join(folder, "node_modules/speller"), { recursive: true });
  expect(script("tools.mjs", folder, ["docs"], env)).toEqual({ code: 0, text: "" });
});
