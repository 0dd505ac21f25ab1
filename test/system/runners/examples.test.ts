/**
 * The examples under Jest and node:test, each in a separate process. One file passes, and one fails with the expected message.
 * Vitest runs its example as a part of this suite.
 */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporary } from "../../support/package.ts";
import { within } from "../../support/patience.ts";

const { folder, remove } = temporary();
afterAll(remove);

beforeAll(() => {
  cpSync("examples", folder, { recursive: true });
  link(fileURLToPath(new URL(".", import.meta.resolve("jest/package.json"))), "jest");
  link(fileURLToPath(new URL(".", import.meta.resolve("@jest/globals/package.json"))), "@jest/globals");
  link(fileURLToPath(new URL(".", import.meta.resolve("vitest/package.json"))), "vitest");
  link(fileURLToPath(new URL(".", import.meta.resolve("@playwright/test/package.json"))), "@playwright/test");
  // The built package.
  link(resolve("."), "docdouble");
});

function link(target: string, name: string): void {
  const path = join(folder, "node_modules", name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

interface Ended {
  code: number;
  output: string;
}

/** Runs `args` in a folder of the examples. */
function node(args: readonly string[], cwd: string): Promise<Ended> {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", CI: "1" };
  for (const name of ["NODE_OPTIONS", "VITEST", "VITEST_WORKER_ID", "VITEST_POOL_ID", "NODE_ENV", "TEST", "NODE_TEST_CONTEXT"])
    delete env[name];
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: join(folder, cwd), env, timeout: within(50_000) }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? -1) : 0, output: `${stdout}${stderr}` }),
    );
  });
}

/** A test file that expects two send calls, although none happened. */
const failing = (imports: string, claim: string) => `
${imports}
const sandbox = useSandbox();
test("sends twice", async () => {
  const headers = { authorization: \`API-Key \${sandbox.apiKey}\`, "content-type": "application/json" };
  await sandbox.fetch("/public/v1/documents/nobody/send", { method: "POST", headers, body: '{"silent":true}' });
  ${claim}
});
`;
const COUNT = "expected exactly 2 calls of sendDocument, found 0 among 1";
const MISS = [
  "The nearest call was POST /public/v1/documents/nobody/send → 404 (no document nobody in this workspace):",
  'expected {"contains":"false"}, was {"silent":true}',
];
const STORY = "What happened in docdouble:";
const WANTED = '"sendDocument", { times: 2, body: { $: { contains: "false" } } }';

describe.concurrent("runners", () => {
  test("the example for node:test passes, and a failure shows the nearest call", async () => {
    const imports = 'import { test } from "node:test";\nimport { assertReceived, useSandbox } from "docdouble/node-test";';
    mkdirSync(join(folder, "node-failing"));
    writeFileSync(join(folder, "node-failing/failing.test.mjs"), failing(imports, `assertReceived(sandbox, ${WANTED});`));
    const [passed, failed] = await Promise.all([node(["--test"], "starter"), node(["--test"], "node-failing")]);
    expect(passed.code, passed.output).toBe(0);
    expect(passed.output).toContain("pass 2");
    expect(failed.code).toBe(1);
    expect(failed.output).toContain(STORY);
    for (const text of [COUNT, ...MISS.map((one) => one.replaceAll("\\", ""))])
      expect(failed.output.replaceAll("\\", "")).toContain(text);
  });

  test("the example for Jest passes, and a failure shows the nearest call", async () => {
    const imports = 'import { expect, test } from "@jest/globals";\nimport { useSandbox } from "docdouble/jest";';
    writeFileSync(join(folder, "jest/failing.test.mjs"), failing(imports, `expect(sandbox).toHaveReceived(${WANTED});`));
    const jest = join(folder, "node_modules/jest/bin/jest.js");
    const { code, output } = await node(["--experimental-vm-modules", jest, "--runInBand"], "jest");
    expect(output).toContain("1 failed, 1 passed");
    for (const text of [COUNT, ...MISS, STORY]) expect(output).toContain(text);
    expect(code).toBe(1);
  });

  test("Vitest and Playwright show the story of a failed test", async () => {
    mkdirSync(join(folder, "vitest-failing"));
    mkdirSync(join(folder, "playwright-failing"));
    const imports = 'import { expect, test } from "vitest";\nimport { useSandbox } from "docdouble/vitest";';
    writeFileSync(
      join(folder, "vitest-failing/failing.test.mjs"),
      failing(imports, `expect(sandbox).toHaveReceived(${WANTED});`),
    );
    const text = `
import { expect, test } from "docdouble/playwright";
test("sends twice", async ({ sandbox }) => {
  await fetch(sandbox.url + "/public/v1/documents/nobody");
  expect(sandbox).toHaveReceived("sendDocument", { times: 2 });
});
`;
    writeFileSync(join(folder, "playwright-failing/failing.spec.mjs"), text);
    const [vitest, playwright] = await Promise.all([
      node([join(folder, "node_modules/vitest/vitest.mjs"), "run"], "vitest-failing"),
      node([join(folder, "node_modules/@playwright/test/cli.js"), "test", "--reporter=line"], "playwright-failing"),
    ]);
    for (const { code, output } of [vitest, playwright]) {
      expect(code, output).toBe(1);
      expect(output).toContain(STORY);
    }
    expect(vitest.output).toContain("POST /public/v1/documents/nobody/send → 404 (no document nobody in this workspace)");
    expect(playwright.output).toContain("GET /public/v1/documents/nobody → 401");
  });

  test("Jest loads the package by require, without a flag of Node", async () => {
    mkdirSync(join(folder, "jest-commonjs"));
    const files = {
      "package.json": "{}",
      "jest.config.js": 'module.exports = { testEnvironment: "node", transform: {} };',
      "offers.test.js": `
const { createSandbox, SettingsError } = require("docdouble");
const { intercept } = require("docdouble/intercept");
const { useSandbox } = require("docdouble/jest");
jest.setTimeout(50_000);
const sandbox = useSandbox({ clock: "frozen" });
test("meets a fault at the fixed host, and downloads the PDF of a completed document", async () => {
  const stop = intercept(sandbox);
  const headers = { authorization: "API-Key " + sandbox.apiKey };
  const { id } = await sandbox.documents.create({ status: "document.completed" });
  sandbox.faults.next("downloadDocument", "pdf_not_ready");
  const statuses = [];
  for (let i = 0; i < 2; i++) statuses.push((await fetch("https://api.pandadoc.com/public/v1/documents/" + id + "/download", { headers })).status);
  expect(statuses).toEqual([202, 200]);
  expect(sandbox).toHaveReceived("downloadDocument", { times: 2 });
  await expect(createSandbox({ potr: 1 })).rejects.toBeInstanceOf(SettingsError);
  stop();
});
`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "jest-commonjs", name), text);
    const { code, output } = await node([join(folder, "node_modules/jest/bin/jest.js"), "--runInBand"], "jest-commonjs");
    expect(output).toContain("1 passed");
    expect(code, output).toBe(0);
  });
});
