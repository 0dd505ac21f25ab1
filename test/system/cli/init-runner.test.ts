/** `docdouble init RUNNER`: the written example passes with the real runner, a failure shows what happened, and no process stays behind. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { within } from "../../support/patience.ts";

const CLI = resolve("dist/cli.cjs");
const root = mkdtempSync(join(tmpdir(), "docdouble-init-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Runner {
  name: string;
  /** The program, or a package of this repository with a program. */
  program: string;
  args: string[];
  example: string;
  /** The asserted status in the example, and a wrong one. */
  right: string;
  wrong: string;
  /** What a test says to go on in the world of `first.world.gz`, as docs/tests/languages.md writes it. */
  opens: string;
}

const RUNNERS: readonly Runner[] = [
  [
    "pytest",
    "pytest",
    ["tests"],
    "tests/test_docdouble_example.py",
    "== 200",
    "== 201",
    'docdouble.load_world("first.world.gz")',
  ],
  ["phpunit", "phpunit", ["tests"], "tests/DocdoubleExampleTest.php", "(200,", "(201,", "$this->loadWorld('first.world.gz');"],
  ["rspec", "rspec", [], "spec/docdouble_example_spec.rb", "eq(200)", "eq(201)", 'docdouble.load_world("first.world.gz")'],
  [
    "go",
    "go",
    ["test", "./docdoubletest"],
    "docdoubletest/example_test.go",
    "!= 200",
    "!= 201",
    'double.LoadWorld("../first.world.gz")',
  ],
  [
    "vitest",
    "vitest",
    ["run"],
    "test/docdouble-example.test.mjs",
    "toBe(200)",
    "toBe(201)",
    'await double.loadWorld("first.world.gz");',
  ],
  ["jest", "jest", [], "test/docdouble-example.test.js", "toBe(200)", "toBe(201)", 'await double.loadWorld("first.world.gz");'],
].map(([name, program, args, example, right, wrong, opens]) => ({ name, program, args, example, right, wrong, opens }) as Runner);

const require = createRequire(import.meta.url);
const packageOf = (name: string) => dirname(require.resolve(`${name}/package.json`));
const PACKAGES: Readonly<Record<string, string>> = { vitest: "vitest.mjs", jest: "bin/jest.js" };
/** The command of a runner: its program, or Node with the program of its package. */
const commandOf = ({ program, args }: Runner): [string, ...string[]] => {
  const file = PACKAGES[program];
  return file === undefined ? [program, ...args] : [process.execPath, join(packageOf(program), file), ...args];
};
const env = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS: _, VITEST: __, DOCDOUBLE_URL: ___, ...rest } = process.env;
  return { ...rest, NO_COLOR: "1", ...more };
};
const lacks = ({ program }: Runner) =>
  PACKAGES[program] === undefined &&
  spawnSync(program, [program === "go" ? "version" : "--version"], { env: env() }).error !== undefined;

/** The processes that stay. A server gets a moment to end. */
function leftIn(folder: string): string[] {
  const deadline = Date.now() + within(10_000);
  while (processes(folder).length > 0 && Date.now() < deadline) spawnSync("sleep", ["0.1"]);
  return processes(folder);
}

/** A folder with docdouble and the packages in its `node_modules`. */
function home(name: string): string {
  const folder = join(root, name);
  // A second try finds what the first one left.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules", ".bin"), { recursive: true });
  symlinkSync(CLI, join(folder, "node_modules", ".bin", "docdouble"));
  for (const one of Object.keys(PACKAGES)) symlinkSync(packageOf(one), join(folder, "node_modules", one));
  return folder;
}

function init(folder: string, what: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, "init", what, "--json"], {
    cwd: folder,
    env: env(),
    encoding: "utf8",
  });
  return { status, stderr, files: status === 0 ? (JSON.parse(stdout) as { files: string[] }).files : [] };
}

function play(runner: Runner, folder: string, more: NodeJS.ProcessEnv = {}) {
  const [program, ...args] = commandOf(runner);
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: folder,
    env: env(more),
    encoding: "utf8",
    timeout: within(120_000),
  });
  return { status, said: stdout + stderr };
}

/** Command lines of processes that were started from below the folder. */
const processes = (folder: string) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes(folder));

describe.each(RUNNERS.map((runner) => [runner.name, runner] as const))("init %s", (name, runner) => {
  const reason = lacks(runner) ? `, but this machine has no ${runner.program}` : "";

  test("writes two to five files without absolute paths, and never writes over a file", () => {
    const folder = home(`${name}-files`);
    const { status, files } = init(folder, name);
    expect(status).toBe(0);
    expect(files.length).toBeGreaterThanOrEqual(2);
    expect(files.length).toBeLessThanOrEqual(5);
    expect(files).toContain(runner.example);
    const texts = files.map((one) => readFileSync(join(folder, one), "utf8"));
    for (const text of texts) expect(text).not.toMatch(/\/(home|work|tmp|usr|root)\//);
    writeFileSync(join(folder, files[0] as string), "mine");
    const again = init(folder, name);
    expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining("already there. Nothing was written.") });
    expect(readFileSync(join(folder, files[0] as string), "utf8")).toBe("mine");
  });

  test.skipIf(reason)(
    `passes with docdouble in the folder above, and a failure shows what happened${reason}`,
    { timeout: within(240_000) },
    () => {
      const above = home(name);
      const folder = join(above, "project");
      mkdirSync(folder);
      expect(init(folder, name).status).toBe(0);
      expect(play(runner, folder)).toMatchObject({ status: 0 });
      const example = join(folder, runner.example);
      writeFileSync(example, readFileSync(example, "utf8").replace(runner.right, runner.wrong));
      const failed = play(runner, folder);
      expect(failed.status).not.toBe(0);
      expect(failed.said).toContain("What happened");
      expect(failed.said).toContain("POST /public/v1/documents -> 201");
      expect(leftIn(above)).toEqual([]);
    },
  );
});
