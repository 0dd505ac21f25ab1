/**
 * Tests the container files without a container engine: their files exist, their YAML parses, and their commands work.
 * test/system/nightly/image.test.ts builds the image and runs it.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { run } from "../../support/process.ts";

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
