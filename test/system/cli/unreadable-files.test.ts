/** E5: every command that cannot read or write a file exits 2 with one sentence, before it does anything else. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { files, run } from "../../support/process.ts";

const CASSETTE = "recordings/create-from-template.cassette";
const REAL = ["--real", "http://127.0.0.1:9", "--real-key", "key"];
const PROBE = ["probe", "--real", "http://127.0.0.1:9", "--key", "key", "--allow-production-key"];
const START = ["start", "--port", "0"];
const NEVER_RUN = ["--", process.execPath, "-e", "console.log('ran')"];

const CALL = {
  startedDateTime: "2026-03-02T09:00:00Z",
  request: { method: "GET", url: "https://api.pandadoc.com/public/v1/contacts", headers: [] },
  response: { status: 200, headers: [], content: { mimeType: "application/json", text: '{"results":[]}' } },
};

/** A folder cannot be read as a file. Nothing can be in a file. A pipe without a writer has no end. */
type Bad = { folder: string; missing: string; inFile: (name: string) => string; namesFolder: string; pipe: string; har: string };

function bad(): Bad {
  const file = files({ "plain.txt": "text" });
  const folder = join(dirname(file), "folder.yaml");
  mkdirSync(folder);
  const namesFolder = join(dirname(file), "names.yaml");
  writeFileSync(namesFolder, "version: 1\nfixtures: folder.yaml\n");
  const pipe = join(dirname(file), "pipe");
  if (process.platform !== "win32") execFileSync("mkfifo", [pipe]);
  const har = join(dirname(file), "calls.har");
  writeFileSync(har, JSON.stringify({ log: { entries: [CALL] } }));
  return { folder, missing: join(dirname(file), "missing.yaml"), inFile: (name) => join(file, name), namesFolder, pipe, har };
}

const CASES: [string, (bad: Bad) => readonly string[]][] = [
  ["start --scenario", ({ folder }) => [...START, "--scenario", folder]],
  ["start --fixtures", ({ missing }) => [...START, "--fixtures", missing]],
  ["start --assume", ({ folder }) => [...START, "--assume", folder]],
  ["start --world", ({ pipe }) => [...START, "--world", pipe]],
  ["world show", ({ pipe }) => ["world", "show", pipe]],
  ["world load", ({ pipe }) => ["world", "load", pipe]],
  ["do with a value of a file", ({ pipe }) => ["do", "clock.advance", "--by", `@${pipe}`]],
  ["import", ({ pipe }) => ["import", pipe, "--out", "never.cassette"]],
  ["import --out", ({ pipe, har }) => ["import", har, "--out", pipe]],
  ["run --har", ({ pipe }) => ["run", "--har", pipe, ...NEVER_RUN]],
  ["run --save-world in a file", ({ inFile }) => ["run", "--save-world", inFile("shop.world"), ...NEVER_RUN]],
  ["explore with an unreadable found file", ({ namesFolder }) => ["explore", "--out", dirname(namesFolder), ...NEVER_RUN]],
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
  ["probe --write", ({ inFile }) => [...PROBE, "--write", inFile("assume.yaml")]],
  ["init", ({ inFile }) => ["init", inFile("new")]],
];

test.each(CASES)("%s exits 2 with one sentence when a file cannot be used", async (_, args) => {
  const ended = await run(args(bad()));
  expect(ended).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(/^[^\n]+\n$/) });
  expect(ended.stderr).toMatch(/cannot|Cannot/);
});

test("run --junit exits 2 before the command runs when it cannot write the file", async () => {
  const { inFile } = bad();
  const ended = await run(["run", "--junit", inFile("result.xml"), ...NEVER_RUN]);
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toMatch(/^Cannot write [^\n]+(ENOTDIR|EEXIST)[^\n]*\n$/);
});

test("check exits 2 when it cannot read a file that a scenario names", async () => {
  const { namesFolder, folder } = bad();
  const ended = await run(["check", namesFolder]);
  expect(ended).toEqual({ code: 2, stdout: `${namesFolder}:1:1 cannot read ${folder}: EISDIR\n`, stderr: "" });
});

test("a command that fails before its work keeps the report of an earlier one", async () => {
  const { missing } = bad();
  const report = join(dirname(missing), "report.json");
  writeFileSync(report, "of yesterday");
  const commands = [
    ["explore", missing, "--report", report, ...NEVER_RUN],
    ["explore", "--merge", missing, "--report", report],
    ["replay", missing, "--report", report],
    ["compare", ...REAL, "--fixtures", missing, "--report", report, ...NEVER_RUN],
    ["run", missing, "--junit", report, ...NEVER_RUN],
  ];
  for (const args of commands) {
    expect.soft((await run(args)).code, args.join(" ")).toBe(2);
    expect.soft(readFileSync(report, "utf8"), args.join(" ")).toBe("of yesterday");
  }
});

test("run says that the command is missing where a shell variable is empty", async () => {
  const ended = await run(["run", "--", ""]);
  expect(ended).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining("the command is missing: docdouble run") });
});

test("start names a flag whose value is missing at the end", async () => {
  const ended = await run(["start", "--port"]);
  expect(ended).toEqual({ code: 2, stdout: "", stderr: "error: option '--port <number>' argument missing\n" });
});
