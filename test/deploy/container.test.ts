/**
 * The container files, as far as they can be tried without a container engine: the Dockerfile's steps are replayed in folders,
 * its command runs as a user that is not root, and what is YAML is read.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { files, run, serve } from "../support/process.ts";

type Step = readonly [instruction: string, rest: string];

function stepsOf(text: string): Step[] {
  return text
    .replace(/\\\n/g, " ")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .map((line) => [line.split(" ", 1)[0] ?? "", line.slice(line.indexOf(" ") + 1).trim()] as const);
}

interface Image {
  root: string;
  workdir: string;
  env: Record<string, string>;
  user: string;
  health: string[];
  command: string[];
}

/** What this test does in place of a step that takes minutes or that the test run has done already. */
const INSTEAD: Record<string, (image: Image) => void> = {
  // The packages of this checkout are those of the lock file.
  "npm ci --ignore-scripts": () => {},
  // The same command made the dist/ that is there, before the tests began.
  "npm run build": ({ root, workdir }) => cpSync("dist", join(root, workdir, "dist"), { recursive: true }),
};

function copy(image: Image, rest: string, stages: ReadonlyMap<string, Image>): void {
  const words = rest.split(/\s+/);
  const from = words[0]?.startsWith("--from=") ? stages.get(words.shift()?.slice(7) ?? "")?.root : ".";
  if (from === undefined) throw new Error(`COPY ${rest}: no such stage`);
  const target = words.pop() ?? "";
  for (const source of words) {
    const path = join(from, source);
    if (!existsSync(path)) throw new Error(`COPY ${rest}: there is no ${source}`);
    const isInto = target.endsWith("/") || words.length > 1;
    // A folder gives its contents, a file itself.
    const to = join(image.root, image.workdir, target, isInto && statSync(path).isFile() ? basename(source) : "");
    cpSync(path, to, { recursive: true });
  }
}

function replay(text: string, folder: string): Image {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  for (const [instruction, rest] of stepsOf(text)) {
    if (instruction === "FROM") {
      const [, base, name = "last"] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      expect(base).toMatch(/^node:2\d-slim$/);
      image = { root: join(folder, name), workdir: "/", env: {}, user: "root", health: [], command: [] };
      mkdirSync(image.root);
      stages.set(name, image);
      continue;
    }
    if (!image) throw new Error(`${instruction} before FROM`);
    if (instruction === "WORKDIR") {
      image.workdir = rest;
      mkdirSync(join(image.root, rest), { recursive: true });
    } else if (instruction === "COPY") copy(image, rest, stages);
    else if (instruction === "RUN") {
      const act = INSTEAD[rest];
      if (!act) throw new Error(`the test knows nothing of RUN ${rest}`);
      act(image);
    } else if (instruction === "ENV")
      for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/g)) image.env[name as string] = value as string;
    else if (instruction === "USER") image.user = rest;
    else if (instruction === "HEALTHCHECK") image.health = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4));
    else if (instruction === "ENTRYPOINT" || instruction === "CMD") image.command.push(...JSON.parse(rest));
    else expect(instruction).toBe("EXPOSE");
  }
  return image as Image;
}

/** Starts the image's command; as a user that is not root where the test may choose. */
async function start(image: Image, env: Record<string, string>): Promise<string> {
  const [program, ...args] = image.command;
  const who = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child: ChildProcess = spawn(program as string, args, {
    cwd: join(image.root, image.workdir),
    env: { PATH: process.env.PATH, ...image.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
    ...who,
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  const line = await new Promise<string>((resolve) => child.stdout?.once("data", (bytes: Buffer) => resolve(bytes.toString())));
  return line.slice(line.indexOf("http")).trim();
}

describe("deploy/Dockerfile", () => {
  test("its steps make an image that holds what it needs, is not root, and is healthy when it serves", async () => {
    const folder = files();
    chmodSync(folder, 0o755);
    const image = replay(readFileSync("deploy/Dockerfile", "utf8"), folder);
    const app = join(image.root, image.workdir);
    expect(readdirSync(app).sort()).toEqual(["LICENSE", "dist", "examples", "fixtures", "package.json", "scenarios"]);
    expect(image.user).toBe("node");
    // Without a token it does not start: it would be open to everybody.
    const [program, ...args] = image.command;
    const refused = await new Promise<number | null>((done) =>
      spawn(program as string, args, { cwd: app, env: { PATH: process.env.PATH, ...image.env }, stdio: "ignore" }).once(
        "exit",
        done,
      ),
    );
    expect(refused).toBe(2);

    const url = await start(image, { DOCDOUBLE_ADMIN_TOKEN: "choose-one", DOCDOUBLE_PORT: "0" });
    const port = new URL(url).port;
    const [health, ...rest] = image.health;
    const env = { PATH: process.env.PATH, DOCDOUBLE_URL: `http://127.0.0.1:${port}` };
    expect(execFileSync(health as string, rest, { cwd: app, env, encoding: "utf8" })).toContain("ready");
    const answer = await fetch(`http://127.0.0.1:${port}/public/v1/templates`, {
      headers: { authorization: "API-Key docdouble-key" },
    });
    expect(answer.status).toBe(200);
  });

  test("what the build needs is not kept from it, and what it does not need is", () => {
    const ignored = readFileSync(".dockerignore", "utf8").trim().split("\n");
    expect(ignored).toEqual(expect.arrayContaining(["node_modules", "dist", ".git"]));
    for (const [instruction, rest] of stepsOf(readFileSync("deploy/Dockerfile", "utf8")))
      if (instruction === "COPY" && !rest.startsWith("--from="))
        for (const word of rest.split(" ").slice(0, -1)) expect(ignored).not.toContain(word);
  });
});

/** Names in the environment that the command has flags for. */
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

/** Runs a command as a shell does, with an `npx` that knows this package and no other. */
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
  test("it names files that there are and settings that docdouble has, and its application finds the server", async () => {
    const { services } = parse(readFileSync("deploy/compose.yaml", "utf8"));
    expect(Object.keys(services)).toEqual(["docdouble", "app"]);
    const { build, environment, volumes, ports } = services.docdouble;
    expect(existsSync(join("deploy", build.context, build.dockerfile))).toBe(true);
    expect(ports).toEqual([`${exposedPort()}:${exposedPort()}`]);
    for (const name of Object.keys(environment)) expect.soft(await settings()).toContain(name);
    const [source, target] = volumes[0].split(":");
    const scenario = join("deploy", source, environment.DOCDOUBLE_SCENARIO.replace(`${target}/`, ""));
    expect((await run(["check", scenario])).code).toBe(0);

    const { command, depends_on, environment: own } = services.app;
    expect(depends_on).toEqual({ docdouble: { condition: "service_healthy" } });
    expect(own.PANDADOC_URL).toBe(`http://docdouble:${exposedPort()}`);
    const server = await serve(["--port", "0", "--log", "silent"], { env: { ...environment, DOCDOUBLE_SCENARIO: scenario } });
    const [program, ...args] = command;
    expect(program).toBe("node");
    const env = { PATH: process.env.PATH, ...own, PANDADOC_URL: new URL(server.url).origin };
    expect((await promisify(execFile)(process.execPath, args, { env })).stdout).toBe("docdouble answers 200\n");
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

  test("its jobs have the shape that Actions want, and take the findings from where they are written", () => {
    expect(on).toEqual(["push", "pull_request"]);
    expect(Object.keys(jobs)).toEqual(["by-npx", "by-service-container"]);
    for (const step of Object.values(jobs).flatMap((job) => job.steps)) {
      expect(Object.keys(step).every((name) => ["run", "uses", "with", "if"].includes(name))).toBe(true);
      expect([step.run, step.uses].filter(Boolean)).toHaveLength(1);
      if (step.uses) expect(step.uses).toMatch(/^actions\/[a-z-]+@v\d+$/);
    }
    const [file] = jobs["by-npx"]?.steps.flatMap((step) => step.with?.path ?? []) ?? [];
    expect(commandsOf(jobs["by-npx"] as Job).join()).toContain(`--junit ${file} `);
  });

  test("the commands of the job by npx do what they say in a project that docdouble init began", async () => {
    const folder = files();
    const [install, command] = commandsOf(jobs["by-npx"] as Job);
    expect(install).toBe("npm ci");
    await shell("npx docdouble init", folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { test: "node docdouble/offers.mjs" } }));
    expect(await shell(command as string, folder)).toMatch(/sent \w{22}/);
    expect(readFileSync(join(folder, "docdouble.xml"), "utf8")).toContain("<testcase");
  });

  test("the job with a service container reaches the port of the image, with settings that docdouble has", async () => {
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
    // What the workers import, in a worker: a world of its own, steered with the token.
    const worker = `const { admin } = await import(${JSON.stringify(resolve("examples/ci/worker.mjs"))}); console.log((await admin("POST", "/clock/advance", { by: "3d" })).from)`;
    const script = `"${process.execPath}" --input-type=module --eval '${worker}'`;
    expect(await shell(script, files(), { ...env, DOCDOUBLE_URL: server.url, VITEST_POOL_ID: "3" })).toMatch(/^20\d\d-/);
  });
});

test("examples/testcontainers/docdouble.ts is TypeScript, and names the port of the image and settings that docdouble has", async () => {
  const text = readFileSync("examples/testcontainers/docdouble.ts", "utf8");
  await transform(text, { loader: "ts" });
  expect(/PORT = (\d+)/.exec(text)?.[1]).toBe(exposedPort());
  const names = [...text.matchAll(/(DOCDOUBLE_\w+):/g)].map((match) => match[1]);
  expect(names).toHaveLength(2);
  for (const name of names) expect(await settings()).toContain(name);
});
