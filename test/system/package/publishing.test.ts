/** The parts of a release: the list of placeholders, the GitHub action, and the script that checks a version. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesIn } from "../../../docs/gather.ts";
import { temporary } from "../../support/package.ts";

const run = promisify(execFile);
const { folder, remove } = temporary();
afterAll(remove);

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const list = readFileSync("docs/publishing.md", "utf8");

test("docs/publishing.md names every file with the placeholder OWNER, or with a sentence that a release makes wrong", () => {
  const files = [
    ...["package.json", "action.yml", "CHANGELOG.md", "README.md", "SECURITY.md", "AGENTS.md"],
    ...["deploy", "docs", "examples", ".github", ".devcontainer", "src"].flatMap((folder) => filesIn(folder, "")),
  ].filter((file) => !/^docs\/(?:publishing\.md|\.vitepress\/(?:cache|\.temp))/.test(file));
  // A sentence about the registry becomes wrong with the first release.
  const open = files.filter((file) =>
    /\bOWNER\b|docdouble is not in the npm registry|^It is not in the npm registry/m.test(readFileSync(file, "utf8")),
  );
  expect(open.length).toBeGreaterThan(2);
  expect(open.filter((file) => !list.includes(`\`${file}\``))).toEqual([]);
});

test("package.json names the repository, requests provenance, and runs no script at installation", () => {
  expect(manifest.repository.url).toMatch(/^git\+https:\/\/github\.com\/[\w-]+\/docdouble\.git$/);
  expect(manifest.bugs.url).toContain("/issues");
  expect(manifest.publishConfig).toEqual({ access: "public", provenance: true });
  const lifecycle = ["prepare", "preinstall", "install", "postinstall"];
  expect(Object.keys(manifest.scripts).filter((name) => lifecycle.includes(name))).toEqual([]);
});

test("the changelog starts with an unreleased section, and each version has a link", () => {
  const text = readFileSync("CHANGELOG.md", "utf8");
  const versions = [...text.matchAll(/^## \[(.+?)\](?: - \d{4}-\d\d-\d\d)?$/gm)].map((match) => match[1]);
  expect(versions[0]).toBe("Unreleased");
  expect([...text.matchAll(/^## /gm)].length).toBe(versions.length);
  for (const version of versions) expect(text).toMatch(new RegExp(`^\\[${version}\\]: https://`, "m"));
});

test("the changelog begins with five highlights and what to check, and then lists each news once, by subject", () => {
  const [, unreleased = ""] =
    /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|^\[Unreleased\]:)/m.exec(readFileSync("CHANGELOG.md", "utf8")) ?? [];
  const [before = "", ...sections] = unreleased.split(/^### /m);
  const titles = sections.map((one) => one.slice(0, one.indexOf("\n")));
  expect(titles.slice(0, 2)).toEqual(["Highlights", "What you must check"]);
  expect(new Set(titles).size).toBe(titles.length);
  const entries = sections.map((one) => one.split("\n").filter((line) => line.startsWith("- ")));
  expect(before).not.toMatch(/^- /m);
  expect(entries[0]?.length).toBeLessThanOrEqual(5);
  entries.forEach((list, i) => {
    expect.soft(list.length, titles[i]).toBeGreaterThan(0);
    expect.soft(list.length, titles[i]).toBeLessThanOrEqual(30);
  });
  const all = entries.flat();
  expect(all.filter((one, i) => all.indexOf(one) !== i)).toEqual([]);
});

describe("npm run release", () => {
  const release = (...args: string[]) =>
    run(process.execPath, [".ci/release.mjs", ...args]).then(
      () => ({ code: 0, stderr: "" }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );

  test("refuses a missing or malformed version", async () => {
    for (const args of [[], ["1.0"], ["--dry-run"]])
      expect(await release(...args)).toEqual({
        code: 1,
        stderr: "release: Name a version, such as npm run release -- 0.2.0\n",
      });
  });
});

describe("action.yml", () => {
  const action = parse(readFileSync("action.yml", "utf8"));
  const [step] = action.runs.steps;

  /** Runs the step's script like a GitHub runner. */
  async function start(program: string, env: Record<string, string>) {
    const bin = join(folder, "bin");
    mkdirSync(bin, { recursive: true });
    // Drops the flags of npx and the package name. Writes the process id of the server, so that the test can stop it.
    writeFileSync(
      join(bin, "npx"),
      `#!/bin/bash\nwhile [ "$1" != docdouble ]; do shift; done\nshift\necho $$ > ${folder}/pid\nexec ${program} "$@"\n`,
    );
    chmodSync(join(bin, "npx"), 0o755);
    const output = join(folder, "output");
    const variables = join(folder, "env");
    for (const file of [output, variables]) writeFileSync(file, "");
    const settings = { PATH: `${bin}:${process.env.PATH}`, RUNNER_TEMP: folder, GITHUB_OUTPUT: output, GITHUB_ENV: variables };
    const outcome = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      env: { ...settings, VERSION: "", ARGS: "", ...env },
    }).then(
      () => ({ code: 0, stderr: "" }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
    return { ...outcome, output: readFileSync(output, "utf8"), variables: readFileSync(variables, "utf8") };
  }

  test("starts a server with the flags, waits until it is ready, and sets its URL for later steps", async () => {
    // These ports are below the ports that the system gives to clients.
    const port = String(10_000 + (process.pid % 20_000));
    const args = "--clock frozen --now 2026-03-02T09:00:00Z";
    const { code, stderr, output, variables } = await start(`${process.execPath} ${resolve("dist/cli.cjs")}`, {
      DOCDOUBLE_PORT: port,
      ARGS: args,
    });
    expect([code, stderr]).toEqual([0, ""]);
    try {
      const url = `http://127.0.0.1:${port}`;
      expect(output).toContain(`url=${url}\n`);
      expect(variables).toBe(`DOCDOUBLE_URL=${url}\nDOCDOUBLE_API_KEY=docdouble-key\n`);
      expect(await (await fetch(`${url}/__admin/clock`)).json()).toMatchObject({ mode: "frozen" });
    } finally {
      process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGTERM");
    }
    expect(Object.keys(action.outputs)).toEqual(["url", "api-key", "log"]);
  });

  test("fails with the server's log when the server does not start", async () => {
    const { code, stderr } = await start("sh -c 'echo no such flag; exit 2' sh", { DOCDOUBLE_PORT: "1" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/did not become ready at http:\/\/127\.0\.0\.1:1\. Its log:\nno such flag/);
  });
});
