/**
 * The container files, as far as they can be tried without a container engine: the Dockerfile's steps are replayed in folders,
 * its command runs as a user that is not root, and what is YAML is read.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { files, run } from "../support/process.ts";

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

describe("YAML files", () => {
  test("deploy/compose.yaml names files that there are and settings that docdouble has", async () => {
    const { services } = parse(readFileSync("deploy/compose.yaml", "utf8"));
    const { build, environment, volumes } = services.docdouble;
    expect(existsSync(join("deploy", build.context, build.dockerfile))).toBe(true);
    const { stdout } = await run(["start", "--help"]);
    const flags = new Set(
      [...stdout.matchAll(/--([a-z-]+)/g)].map((match) => `DOCDOUBLE_${match[1]?.toUpperCase().replaceAll("-", "_")}`),
    );
    for (const name of Object.keys(environment)) expect.soft(flags).toContain(name);
    const [source, target] = volumes[0].split(":");
    expect(existsSync(join("deploy", source, environment.DOCDOUBLE_SCENARIO.replace(`${target}/`, "")))).toBe(true);
    expect(services.app.depends_on).toEqual({ docdouble: { condition: "service_healthy" } });
  });

  test("examples/ci/github-actions.yml is read, and its commands are ones that a shell and docdouble understand", async () => {
    const { on, jobs } = parse(readFileSync("examples/ci/github-actions.yml", "utf8"));
    expect(on).toEqual(["push", "pull_request"]);
    const steps = Object.values<{ steps: { run?: string; uses?: string }[] }>(jobs).flatMap((job) => job.steps);
    const { stdout } = await run(["--help"]);
    for (const { run: command, uses } of steps) {
      expect.soft(uses ?? command).toBeTruthy();
      if (command === undefined) continue;
      execFileSync("bash", ["-n", "-c", command]);
      const verb = /npx docdouble (\w+)/.exec(command)?.[1];
      if (verb) expect.soft(stdout).toMatch(new RegExp(`^  ${verb} `, "m"));
    }
  });
});
