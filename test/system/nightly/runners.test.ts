/**
 * The twelve tests of `docs/library.md` in new projects that install the packed file, for each runner and kind of module.
 * The same files, as TypeScript, compile with each moduleResolution. Bun and Deno also run a server.
 */
import { execFile, spawn } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import chromium from "@sparticuz/chromium";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { installed } from "../../../docs/installed.ts";
import { packOnce, project, temporary } from "../../support/package.ts";
import { PROGRAM_MS } from "../../support/patience.ts";
import { installPackages } from "../../support/registry-packages.ts";
import { beforeFile } from "./runners/before.ts";
import { DIALECTS, HELPERS, STORIES, TESTS, testFile } from "./runners/twelve.ts";

const { folder, remove } = temporary();
afterAll(remove);

/** Packages that this checkout lacks. Two major versions of a package are installed under two names. */
const RUNNERS = {
  vitest3: "npm:vitest@3",
  jest29: "npm:jest@29",
  "ts-jest": "29",
  "@babel/plugin-transform-modules-commonjs": "7",
  mocha: "11",
  typescript: "5",
  "@types/mocha": "10",
  bun: "1.4.5",
  deno: "2.9.6",
};
const OWN = ["vitest", "jest", "@jest/globals", "@playwright/test", "@types/node", "expect"];

beforeAll(async () => {
  const { tarball } = await packOnce();
  const manifest = JSON.stringify({ private: true, dependencies: RUNNERS });
  // Without peer rules, because they forbid two versions of a runner.
  installPackages(folder, { "package.json": manifest }, "--legacy-peer-deps");
  project(folder, tarball, [], {});
  for (const name of OWN) {
    const path = join(folder, "node_modules", name);
    rmSync(path, { recursive: true, force: true });
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(realpathSync(installed(name)), path);
  }
}, 200_000);

/** The programs of Bun and Deno. Each is in a package for this kind of machine. */
const RUNTIMES = {
  Bun: () => runtime("@oven", "bin/bun"),
  Deno: () => runtime("@deno", "deno"),
};
/** Deno checks types only when the project has @types/node. */
const DENO = ["--allow-all", "--no-check"];

function runtime(scope: string, program: string): string {
  const [name = ""] = readdirSync(join(folder, "node_modules", scope));
  return join(folder, "node_modules", scope, name, program);
}

interface Project {
  files: Record<string, string>;
  /** Arguments of Node, relative to the folder of the project. */
  args: readonly string[];
  /** The program that runs in place of Node. */
  program?: string;
  env?: NodeJS.ProcessEnv;
  /** The package of the runner, under the name that docdouble imports. */
  own?: readonly [name: string, installed: string];
}

const MODULE = '{ "type": "module" }';
const COMMONJS = '{ "type": "commonjs" }';
const bin = (path: string) => `../node_modules/${path}`;

function vitest(installed: string): Project {
  return {
    files: { "package.json": MODULE, "twelve.test.ts": testFile(DIALECTS.vitest, "ts") },
    args: [bin(`${installed}/vitest.mjs`), "run"],
    ...(installed === "vitest" ? {} : { own: ["vitest", installed] as const }),
  };
}

function jest(installed: string, kind: "commonjs" | "babel" | "ts" | "esm"): Project {
  const config = (text: object) => `module.exports = ${JSON.stringify({ testEnvironment: "node", rootDir: ".", ...text })};`;
  const args = [bin(`${installed}/bin/jest.js`), "--runInBand", "--config", "jest.config.cjs"];
  const babel = { plugins: [join(folder, "node_modules/@babel/plugin-transform-modules-commonjs")] };
  const kinds: Record<typeof kind, Project> = {
    commonjs: {
      files: {
        "package.json": COMMONJS,
        "jest.config.cjs": config({ transform: {} }),
        "twelve.test.js": testFile(DIALECTS.jestCommonJs, "js"),
      },
      args,
    },
    babel: {
      files: {
        "package.json": COMMONJS,
        "babel.config.json": JSON.stringify(babel),
        "jest.config.cjs": config({}),
        "twelve.test.js": testFile(DIALECTS.jest, "js"),
      },
      args,
    },
    ts: {
      files: {
        "package.json": COMMONJS,
        "tsconfig.json": JSON.stringify({
          compilerOptions: { target: "es2022", module: "node16", isolatedModules: true, esModuleInterop: true, strict: true },
        }),
        "jest.config.cjs": config({ transform: { "\\.ts$": ["ts-jest", { diagnostics: false }] } }),
        "twelve.test.ts": testFile(DIALECTS.jest, "ts"),
      },
      args,
    },
    esm: {
      files: {
        "package.json": MODULE,
        "jest.config.cjs": config({ transform: {}, testMatch: ["**/*.test.js"] }),
        "twelve.test.js": testFile(DIALECTS.jest, "js"),
      },
      args: ["--experimental-vm-modules", ...args],
    },
  };
  return kinds[kind];
}

function nodeTest(kind: "mjs" | "cjs"): Project {
  const dialect = kind === "mjs" ? DIALECTS.nodeTest : DIALECTS.nodeTestCommonJs;
  return { files: { [`twelve.test.${kind}`]: testFile(dialect, "js") }, args: ["--test"] };
}

function mocha(kind: "mjs" | "cjs"): Project {
  const dialect = kind === "mjs" ? DIALECTS.mocha : DIALECTS.mochaCommonJs;
  const file = `twelve.test.${kind}`;
  return { files: { [file]: testFile(dialect, "js") }, args: [bin("mocha/bin/mocha.js"), "--timeout", "20000", file] };
}

function bun(dialect: "jest" | "nodeTest"): Project {
  const file = dialect === "jest" ? "twelve.test.ts" : "twelve.test.mjs";
  const language = dialect === "jest" ? "ts" : "js";
  return { files: { [file]: testFile(DIALECTS[dialect], language) }, program: RUNTIMES.Bun(), args: ["test", `./${file}`] };
}

function deno(): Project {
  const files = { "twelve.test.mjs": testFile(DIALECTS.nodeTest, "js") };
  return { files, program: RUNTIMES.Deno(), args: ["test", ...DENO, "twelve.test.mjs"] };
}

/** In addition to the twelve: the example of the page, which drives a browser. */
async function playwright(): Promise<Project> {
  const launchOptions = { executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()), args: chromium.args };
  const [, example = ""] = /```js file=offers\.spec\.mjs\n([\s\S]*?)```/.exec(readFileSync("docs/library.md", "utf8")) ?? [];
  return {
    files: {
      "package.json": MODULE,
      "playwright.config.ts": `export default ${JSON.stringify({ workers: 1, reporter: "list", use: { launchOptions } })};`,
      "twelve.spec.ts": testFile(DIALECTS.playwright, "ts"),
      "offers.spec.mjs": example,
    },
    args: [bin("@playwright/test/cli.js"), "test"],
  };
}

const PROJECTS: Record<string, () => Project | Promise<Project>> = {
  "vitest 3": () => vitest("vitest3"),
  "vitest 4": () => vitest("vitest"),
  ...Object.fromEntries(
    (["commonjs", "babel", "ts", "esm"] as const).flatMap((kind) => [
      [`Jest 29, ${kind}`, () => jest("jest29", kind)],
      [`Jest 30, ${kind}`, () => jest("jest", kind)],
    ]),
  ),
  "node:test, ES modules": () => nodeTest("mjs"),
  "node:test, CommonJS": () => nodeTest("cjs"),
  "without the kit": () => ({ files: { "before.test.mjs": beforeFile(HELPERS) }, args: ["--test"] }),
  "Mocha, ES modules": () => mocha("mjs"),
  "Mocha, CommonJS": () => mocha("cjs"),
  "Playwright Test": playwright,
  "Bun, docdouble/jest": () => bun("jest"),
  "Bun, docdouble/node-test": () => bun("nodeTest"),
  "Deno, docdouble/node-test": deno,
};

async function run(name: string, project: Project): Promise<{ code: number; output: string }> {
  const home = join(folder, name.replace(/\W+/g, "-"));
  for (const [file, text] of Object.entries({ "package.json": "{}", ...project.files })) {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, file), text);
  }
  if (project.own) {
    const [wanted, installed] = project.own;
    mkdirSync(join(home, "node_modules"));
    symlinkSync(join(folder, "node_modules", installed), join(home, "node_modules", wanted));
    cpSync(join(folder, "node_modules/docdouble"), join(home, "node_modules/docdouble"), { recursive: true });
  }
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", CI: "1", ...project.env };
  for (const variable of [
    "NODE_OPTIONS",
    "VITEST",
    "VITEST_WORKER_ID",
    "VITEST_POOL_ID",
    "NODE_ENV",
    "TEST",
    "NODE_TEST_CONTEXT",
  ])
    delete env[variable];
  return new Promise((done) => {
    execFile(
      project.program ?? process.execPath,
      [...project.args],
      { cwd: home, env, timeout: PROGRAM_MS },
      (error, stdout, stderr) => done({ code: error ? Number(error.code ?? -1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

test("the twelve tests pass in each runner and kind of module", async () => {
  const waiting = Object.entries(PROJECTS);
  const failed: string[] = [];
  const passed: Record<string, number> = {};
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, make] = next;
      const { code, output } = await run(name, await make());
      const count = /(?:Tests:? +|\bpass |^ +|^\S*ok\S* \| )(\d+) pass(?:ed|ing)?\b|\bpass (\d+)/m.exec(output);
      passed[name] = Number(count?.[1] ?? count?.[2] ?? 0);
      if (code !== 0) failed.push(`${name} ended with ${code}:\n${output}`);
    }
  };
  // Two at a time, because each is one busy process.
  await Promise.all([work(), work()]);
  expect(failed.join("\n\n")).toBe("");
  const more: Readonly<Record<string, number>> = { "Playwright Test": TESTS + 1, "without the kit": STORIES.length };
  const wanted = Object.keys(PROJECTS).map((name) => [name, more[name] ?? TESTS]);
  expect(passed).toEqual(Object.fromEntries(wanted));
});

/** A story with a socket, a webhook, an uploaded PDF and a download, which two other processes read and write. */
const SERVED = `
import { createSandbox } from "docdouble";
const sandbox = await createSandbox({ clock: "frozen", seed: 7, port: 0 });
const headers = { authorization: "API-Key " + sandbox.apiKey };
const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
const { id } = await sandbox.documents.create({ template: "One signer", status: "document.completed" });
await sandbox.clock.settle();
console.log(inbox.received.some((one) => one.data.status === "document.completed" && one.signature === "valid"));
const pdf = await (await fetch(sandbox.url + "/public/v1/documents/" + id + "/download", { headers })).arrayBuffer();
const form = new FormData();
form.append("file", new Blob([pdf], { type: "application/pdf" }), "a.pdf");
form.append("data", JSON.stringify({ name: "A", recipients: [{ email: "a@b.example", role: "Client" }], fields: {} }));
const made = await (await fetch(sandbox.url + "/public/v1/documents?upload", { method: "POST", headers, body: form })).json();
await sandbox.clock.advance("5s");
console.log(sandbox.documents.get(made.id).status);
await sandbox.close();
`;

const command = () => join(folder, "node_modules/docdouble/dist/cli.cjs");

/** What a program prints, with its errors last. */
function outputOf(program: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((done) =>
    execFile(program, [...args], { cwd, timeout: PROGRAM_MS }, (_, stdout, stderr) => done(stdout + stderr)),
  );
}

describe.each(Object.keys(RUNTIMES) as (keyof typeof RUNTIMES)[])("%s", (name) => {
  const home = () => join(folder, name);
  const args = (file: string) => (name === "Deno" ? ["run", ...DENO, file] : [file]);

  test("runs the library with sockets, webhooks and files", async () => {
    mkdirSync(home(), { recursive: true });
    writeFileSync(join(home(), "package.json"), MODULE);
    writeFileSync(join(home(), "served.mjs"), SERVED);
    const output = await outputOf(RUNTIMES[name](), args("served.mjs"), home());
    expect(output).toBe("true\ndocument.draft\n");
  });

  test("runs the command", async () => {
    const child = spawn(RUNTIMES[name](), [...args(command()), "start", "--port", "0", "--log", "silent"], { cwd: folder });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const line = await new Promise<string>((resolve) => child.stdout.on("data", (text) => resolve(String(text))));
    const headers = { authorization: "API-Key docdouble-key" };
    const answer = await fetch(`${/http:\S+/.exec(line)?.[0]}/public/v1/documents`, { headers });
    expect(await answer.json()).toEqual({ results: [] });
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });
});

const FETCHES =
  'const { status } = await fetch("https://api.pandadoc.com/public/v1/templates", { headers }); console.log("fetch", status);';
const USES_HTTPS = `import { get } from "node:https";
get("https://api.pandadoc.com/public/v1/templates", { headers }, (answer) => { console.log("https", answer.statusCode); answer.resume(); });`;
const HEADERS = 'const headers = { authorization: "API-Key docdouble-key" };';

/** Deno sends only `fetch` through a proxy, and loads no module by a variable. docs/limits.md says so. */
test.each([
  ["Bun", "fetch", FETCHES],
  ["Bun", "https", USES_HTTPS],
  ["Deno", "fetch", FETCHES],
] as const)("docdouble run --intercept redirects calls of %s by %s", async (name, client, script) => {
  const home = join(folder, `${name}-${client}`);
  mkdirSync(home);
  writeFileSync(join(home, "client.mjs"), `${HEADERS}\n${script}`);
  const playing = [RUNTIMES[name](), ...(name === "Deno" ? ["run", ...DENO] : []), "client.mjs"];
  expect(await outputOf(process.execPath, [command(), "run", "--intercept", "--", ...playing], home)).toMatch(
    new RegExp(`^${client} 200$`, "m"),
  );
});

describe("types", () => {
  const OPTIONS = {
    target: "es2022",
    lib: ["es2023", "esnext.disposable"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  };
  const NEWEST = resolve("node_modules/typescript/bin/tsc");
  const RESOLUTIONS = [
    ["node10", { module: "commonjs", moduleResolution: "node10", skipLibCheck: true, ignoreDeprecations: "5.0" }],
    ["node16", { module: "node16" }],
    ["nodenext", { module: "nodenext" }],
    ["bundler", { module: "esnext", moduleResolution: "bundler" }],
  ] as const;

  test.each(RESOLUTIONS)("the twelve tests compile strictly with moduleResolution %s", async (name, options) => {
    const home = join(folder, `types-${name}`);
    mkdirSync(home);
    const dialects = ["jest", "nodeTest", "mocha", "playwright", ...(name === "node10" ? [] : (["vitest"] as const))] as const;
    for (const dialect of dialects) writeFileSync(join(home, `${dialect}.ts`), testFile(DIALECTS[dialect], "ts"));
    writeFileSync(join(home, "package.json"), MODULE);
    const compilerOptions = { ...OPTIONS, skipLibCheck: true, esModuleInterop: true, types: ["node", "mocha"], ...options };
    writeFileSync(join(home, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    const { output } = await new Promise<{ output: string }>((done) =>
      // The newest compiler is several times faster, but does not support node10.
      execFile(
        process.execPath,
        [name === "node10" ? bin("typescript/bin/tsc") : NEWEST, "-p", "."],
        { cwd: home },
        (_, stdout, stderr) => done({ output: `${stdout}${stderr}` }),
      ),
    );
    expect(output).toBe("");
  });
});
