/** Coverage of a command, which decides the order of pairs. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { CoverageFolder } from "../../../src/cli/explore/coverage.ts";
import { files } from "../../support/process.ts";

test("coverage has the code that ran, and its folder goes away", () => {
  const client = files({ "client.mjs": 'function retry() { return 1; }\nif (process.argv[2] === "fault") retry();\n' });
  const covered = (...args: string[]) => {
    const folder = new CoverageFolder();
    spawnSync(process.execPath, [client, ...args], { env: { ...process.env, NODE_V8_COVERAGE: folder.path } });
    const ran = folder.take();
    expect(existsSync(folder.path)).toBe(false);
    return ran;
  };
  const [clean, again, faulty] = [covered(), covered(), covered("fault")];
  expect(clean.size).toBeGreaterThan(0);
  expect([...again]).toEqual([...clean]);
  expect([...faulty].filter((one) => !clean.has(one)).length).toBeGreaterThan(0);
});

test("a folder without coverage, as of a program in another language, gives nothing", () => {
  const folder = new CoverageFolder();
  expect(folder.take()).toEqual(new Set());
  expect(folder.take()).toEqual(new Set());
});
