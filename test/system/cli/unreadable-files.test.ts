/** E5: every command that cannot read or write a file exits 2 with one sentence, before it does anything else. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { files, run } from "../../support/process.ts";

const CASSETTE = "recordings/create-from-template.cassette";
const REAL = ["--real", "http://127.0.0.1:9", "--real-key", "key"];
const PROBE = ["probe", "--real", "http://127.0.0.1:9", "--key", "key", "--allow-production-key"];
const START = ["start", "--port", "0"];
const NEVER_RUN = ["--", process.execPath, "-e", "console.log('ran')"];

/** A folder cannot be read as a file. Nothing can be in a file. */
type Bad = { folder: string; missing: string; inFile: (name: string) => string; namesFolder: string };

function bad(): Bad {
  const file = files({ "plain.txt": "text" });
  const folder = join(dirname(file), "folder.yaml");
  mkdirSync(folder);
  const namesFolder = join(dirname(file), "names.yaml");
  writeFileSync(namesFolder, "version: 1\nfixtures: folder.yaml\n");
  return { folder, missing: join(dirname(file), "missing.yaml"), inFile: (name) => join(file, name), namesFolder };
}

const CASES: [string, (bad: Bad) => readonly string[]][] = [
  ["start --scenario", ({ folder }) => [...START, "--scenario", folder]],
  ["start --fixtures", ({ missing }) => [...START, "--fixtures", missing]],
  ["start --assume", ({ folder }) => [...START, "--assume", folder]],
  ["start --data in a file", ({ inFile }) => [...START, "--data", inFile("data.json")]],
  ["start --data of another program", ({ inFile }) => [...START, "--data", dirname(inFile("x"))]],
  ["start --data", ({ folder }) => [...START, "--data", folder]],
  ["run with a scenario", ({ folder }) => ["run", folder, ...NEVER_RUN]],
  ["run with fixtures that the scenario names", ({ namesFolder }) => ["run", namesFolder, ...NEVER_RUN]],
  ["run --fixtures", ({ inFile }) => ["run", "--fixtures", inFile("fixtures.yaml"), ...NEVER_RUN]],
  ["run --assume", ({ missing }) => ["run", "--assume", missing, ...NEVER_RUN]],
  ["explore with a scenario", ({ missing }) => ["explore", missing, ...NEVER_RUN]],
  ["explore --report", ({ inFile }) => ["explore", "--report", inFile("report.json"), ...NEVER_RUN]],
  ["explore --compare", ({ folder }) => ["explore", "--compare", folder, ...NEVER_RUN]],
  ["explore --out in a file", ({ inFile }) => ["explore", "--out", inFile("found"), ...NEVER_RUN]],
  ["explore --out that is a file", ({ inFile }) => ["explore", "--out", dirname(inFile("x")), ...NEVER_RUN]],
  ["compare --fixtures", ({ missing }) => ["compare", ...REAL, "--fixtures", missing, ...NEVER_RUN]],
  ["compare --report", ({ inFile }) => ["compare", ...REAL, "--report", inFile("report.json"), ...NEVER_RUN]],
  ["compare --record", ({ folder }) => ["compare", ...REAL, "--record", folder, ...NEVER_RUN]],
  ["replay with a cassette", ({ folder }) => ["replay", folder]],
  ["replay --report", ({ inFile }) => ["replay", "--report", inFile("report.json"), CASSETTE]],
  ["replay --fixtures", ({ missing }) => ["replay", "--fixtures", missing, CASSETTE]],
  ["proxy --ca", ({ inFile }) => ["proxy", "--ca", inFile("ca.pem")]],
  ["proxy --scenario", ({ missing }) => ["proxy", "--scenario", missing]],
  ["probe --clean", ({ folder }) => [...PROBE, "--clean", folder]],
  ["probe --journal", ({ inFile }) => [...PROBE, "--journal", inFile("journal")]],
  ["probe --write", ({ inFile }) => [...PROBE, "--write", inFile("assume.yaml")]],
  ["probe --contribute", ({ inFile }) => [...PROBE, "--contribute", inFile("seen.json")]],
  ["init", ({ inFile }) => ["init", inFile("new")]],
];

test.each(CASES)("%s exits 2 with one sentence when a file cannot be used", async (_, args) => {
  const ended = await run(args(bad()));
  expect(ended).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) });
  expect(ended.stderr).toMatch(/cannot|Cannot/);
});

test("run --junit keeps the command's result and exits 2 when it cannot write the file", async () => {
  const { inFile } = bad();
  const ended = await run(["run", "--junit", inFile("result.xml"), ...NEVER_RUN]);
  expect(ended.code).toBe(2);
  expect(ended.stderr).toMatch(/^[^\n]*cannot write [^\n]+ENOTDIR[^\n]*\n$/);
});

test("check exits 2 when it cannot read a file that a scenario names", async () => {
  const { namesFolder, folder } = bad();
  const ended = await run(["check", namesFolder]);
  expect(ended).toEqual({ code: 2, stdout: `${namesFolder}:1:1 cannot read ${folder}: EISDIR\n`, stderr: "" });
});
