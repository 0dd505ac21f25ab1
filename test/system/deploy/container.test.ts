/**
 * Tests the container files without a container engine: their files exist, their YAML parses, and their commands work.
 * test/system/nightly/image.test.ts builds the image and runs it.
 */
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { files, run, serve } from "../../support/process.ts";

type Step = readonly [instruction: string, rest: string];

function stepsOf(text: string): Step[] {
  return text
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => [line.split(" ", 1)[0] ?? "", line.slice(line.indexOf(" ") + 1).trim()] as const);
}

describe("deploy/Dockerfile", () => {
  test(".dockerignore excludes node_modules, dist and .git, and no file that the Dockerfile copies", () => {
    const ignored = readFileSync(".dockerignore", "utf8").trim().split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["node_modules", "dist", ".git"]));
    for (const [instruction, rest] of stepsOf(readFileSync("deploy/Dockerfile", "utf8")))
      if (instruction === "COPY" && !rest.startsWith("--from="))
        for (const word of rest.split(" ").slice(0, -1)) {
          expect(ignored).not.toContain(word);
          expect(existsSync(word), word).toBe(true);
        }
  });
});

/** The environment variables for the flags of `docdouble start`. */
async function settings(): Promise<Set<string>> {
  const { stdout } = await run(["start", "--help"]);
  return new Set(
    [...stdout.matchAll(/--([a-z-]+)/g)].map((match) => `DOCDOUBLE_${match[1]?.toUpperCase().replaceAll("-", "_")}`),
  );
}

function exposedPort(): string {
  const port = stepsOf(readFileSync("deploy/Dockerfile", "utf8")).find(([instruction]) => instruction === "EXPOSE")?.[1];
  return port as string;
}

/** Runs a command in bash, with an `npx` that knows only this package. */
async function shell(command: string, folder: string, env: Record<string, string> = {}): Promise<string> {
  mkdirSync(join(folder, "bin"), { recursive: true });
  const npx = join(folder, "bin/npx");
  writeFileSync(
    npx,
    `#!/bin/sh\n[ "$1" = docdouble ] && shift && exec "${process.execPath}" "${resolve("dist/cli.cjs")}" "$@"\nexit 127\n`,
  );
  chmodSync(npx, 0o755);
  const clean = { PATH: `${join(folder, "bin")}:${process.env.PATH}`, HOME: folder, npm_config_update_notifier: "false", ...env };
  return (await promisify(execFile)("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, env: clean })).stdout;
}

describe("deploy/compose.yaml", () => {
  test("builds from the Dockerfile, and uses existing files and existing settings of docdouble", async () => {
    const { services } = parse(readFileSync("deploy/compose.yaml", "utf8"));
    expect(Object.keys(services)).toEqual(["docdouble", "app"]);
    const { build, environment, volumes, ports } = services.docdouble;
    expect(join("deploy", build.context, build.dockerfile)).toBe("deploy/Dockerfile");
    expect(ports).toEqual([`${exposedPort()}:${exposedPort()}`]);
    for (const name of Object.keys(environment)) expect.soft(await settings()).toContain(name);
    const [source, target] = volumes[0].split(":");
    const scenario = join("deploy", source, environment.DOCDOUBLE_SCENARIO.replace(`${target}/`, ""));
    expect((await run(["check", scenario])).code).toBe(0);

    const { image, depends_on, environment: own } = services.app;
    expect(depends_on).toEqual({ docdouble: { condition: "service_healthy" } });
    expect(own.PANDADOC_URL).toBe(`http://docdouble:${exposedPort()}`);
    expect(stepsOf(readFileSync("deploy/Dockerfile", "utf8"))).toContainEqual(["FROM", image]);
  });
});

interface Job {
  steps: { run?: string; uses?: string; if?: string; with?: Record<string, unknown> }[];
  env?: Record<string, string>;
  services?: Record<string, { image: string; ports: string[]; env: Record<string, string> }>;
}

describe("examples/ci/github-actions.yml", () => {
  const { on, jobs } = parse(readFileSync("examples/ci/github-actions.yml", "utf8")) as {
    on: string[];
    jobs: Record<string, Job>;
  };
  const commandsOf = (job: Job) => job.steps.flatMap(({ run }) => (run === undefined ? [] : [run]));

  test("has jobs in the format of GitHub Actions, and uploads the report that its command writes", () => {
    expect(on).toEqual(["push", "pull_request"]);
    expect(Object.keys(jobs)).toEqual(["by-npx", "by-service-container"]);
    for (const step of Object.values(jobs).flatMap((job) => job.steps)) {
      expect(Object.keys(step).every((name) => ["run", "uses", "with", "if"].includes(name))).toBe(true);
      expect([step.run, step.uses].filter(Boolean)).toHaveLength(1);
      if (step.uses) expect(step.uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
    }
    const uploads = jobs["by-npx"]?.steps.filter((step) => step.with?.path) ?? [];
    const [file, world] = uploads.map((step) => step.with?.path);
    expect(uploads.map((step) => step.if)).toEqual(["always()", "failure()"]);
    expect(commandsOf(jobs["by-npx"] as Job).join()).toContain(`--junit ${file} --save-world ${world} `);
  });

  test("the commands of the job by-npx work in a project that docdouble init created", async () => {
    const folder = files();
    const [pack, install, command] = commandsOf(jobs["by-npx"] as Job);
    expect(pack).toMatch(/^cd docdouble-source && npm ci && npm pack /);
    expect(install).toBe("npm ci && npm install --no-save ./docdouble-0.1.0.tgz");
    await shell("npx docdouble init", folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { test: "node docdouble/offers.mjs" } }));
    expect(await shell(command as string, folder)).toMatch(/sent \w{22}/);
    expect(readFileSync(join(folder, "docdouble.xml"), "utf8")).toContain("<testcase");
    expect(statSync(join(folder, "docdouble.world.gz")).mode & 0o777).toBe(0o600);
  });

  test("the job by-service-container uses the port of the image and existing settings, and its commands work", async () => {
    const { services, env = {}, ...job } = jobs["by-service-container"] as Job;
    const service = services?.docdouble;
    expect(service?.ports).toEqual([`${exposedPort()}:${exposedPort()}`]);
    expect(env.DOCDOUBLE_URL).toBe(`http://localhost:${exposedPort()}`);
    for (const name of Object.keys(service?.env ?? {})) expect(await settings()).toContain(name);
    expect(env.DOCDOUBLE_ADMIN_TOKEN).toBe(service?.env.DOCDOUBLE_ADMIN_TOKEN);
    const server = await serve(["--port", "0", "--log", "silent"], { env: service?.env ?? {} });
    const [, health, test] = commandsOf(job);
    expect(await shell(health as string, files(), { ...env, DOCDOUBLE_URL: server.url })).toContain("ready");
    expect(test).toMatch(/^npx vitest run --maxWorkers \d$/);
    // Imports the module of the workers in a worker, and moves the clock of the worker's tenant with the token.
    const worker = `const { admin } = await import(${JSON.stringify(resolve("examples/ci/worker.mjs"))}); console.log((await admin("POST", "/clock/advance", { by: "3d" })).from)`;
    const script = `"${process.execPath}" --input-type=module --eval '${worker}'`;
    expect(await shell(script, files(), { ...env, DOCDOUBLE_URL: server.url, VITEST_POOL_ID: "3" })).toMatch(/^20\d\d-/);
  });
});

test("examples/testcontainers/docdouble.ts is valid TypeScript, with the port of the image and existing settings", async () => {
  const text = readFileSync("examples/testcontainers/docdouble.ts", "utf8");
  await transform(text, { loader: "ts" });
  expect(/PORT = (\d+)/.exec(text)?.[1]).toBe(exposedPort());
  const names = [...text.matchAll(/(DOCDOUBLE_\w+):/g)].map((match) => match[1]);
  expect(names).toHaveLength(2);
  for (const name of names) expect(await settings()).toContain(name);
});
