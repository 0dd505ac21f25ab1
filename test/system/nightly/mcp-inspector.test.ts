/** The official inspector of MCP servers, from the registry, runs every tool of the vendor's server from its command line. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { servedWorld } from "../../support/mcp.ts";
import { CASES } from "../../support/mcp-tools.ts";
import { temporary } from "../../support/package.ts";
import { installPackages } from "../../support/registry-packages.ts";
import { KEY } from "../../support/world.ts";

const { folder } = temporary();
/** Version 2 needs a newer Node than docdouble. */
const PACKAGE = "@modelcontextprotocol/inspector";
const cli = join(folder, "node_modules", PACKAGE, "cli/build/cli.js");

beforeAll(() => {
  const dependencies = { [PACKAGE]: "1.0.3" };
  installPackages(folder, { "package.json": JSON.stringify({ private: true, dependencies }) });
  expect(existsSync(cli)).toBe(true);
}, 200_000);

// biome-ignore lint/suspicious/noExplicitAny: the inspector prints results of every shape
async function inspect(url: string, ...args: string[]): Promise<any> {
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  const server = ["--cli", `${url}/v1/mcp`, "--transport", "http", "--header", `Authorization: API-Key ${KEY}`];
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...server, ...args], { env, maxBuffer: 2 ** 24 });
  return JSON.parse(stdout);
}

test("the inspector lists the tools", async () => {
  const { tools } = await inspect((await servedWorld()).url, "--method", "tools/list");
  expect(tools.map((one: { name: string }) => one.name)).toEqual(Object.keys(CASES).sort());
});

test.each(Object.entries(CASES))("the inspector runs %s", async (name, { input, expected }) => {
  const world = await servedWorld();
  const args = Object.entries(await input(world)).flatMap(([member, value]) => [
    "--tool-arg",
    `${member}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
  const { structuredContent, isError } = await inspect(world.url, "--method", "tools/call", "--tool-name", name, ...args);
  expect([isError ?? false, structuredContent]).toEqual([false, expected]);
});
