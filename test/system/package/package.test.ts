/** The package: its files, its size, and a project that runs it. */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Packed, packInto, project, temporary } from "../../support/package.ts";

const run = promisify(execFile);
const { folder, remove } = temporary();
let packed: Packed;

beforeAll(async () => {
  packed = await packInto(folder);
}, 240_000);
afterAll(remove);

describe("what is packed", () => {
  test("nothing of the development is in it", () => {
    const paths = packed.files.map((one) => one.path);
    expect(
      paths.filter(
        (path) =>
          !/^(dist|fixtures|scenarios|examples)\/|^docs\/(?!node_modules)([\w-]+\/)?[\w-]+\.md$|^docs\/do\/client\.mjs$|^site\/docs\.br$|^(README|CHANGELOG|SKILL)\.md$|^llms\.txt$|^LICENSE$|^package\.json$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    expect(paths).toContain("dist/THIRD-PARTY-NOTICES.txt");
    const { exports, bin } = JSON.parse(readFileSync("package.json", "utf8"));
    const leaves = (one: unknown): string[] =>
      typeof one === "string" ? [one] : Object.values(one as object).flatMap((inner) => leaves(inner));
    const named = [...leaves(exports), bin.docdouble];
    for (const path of named) expect.soft(paths).toContain(path.replace("./", ""));
  });

  test("the types need neither zod nor big.js, and no type of the inside is there", () => {
    const types = packed.files.map((one) => one.path).filter((path) => path.endsWith(".d.ts"));
    expect(types.length).toBeLessThan(46);
    for (const path of types) expect.soft(readFileSync(path, "utf8"), path).not.toMatch(/zod|big\.js|Tenant\b|World\b/);
  });

  test("the license of all that is bundled comes with it", () => {
    const notices = readFileSync("dist/THIRD-PARTY-NOTICES.txt", "utf8");
    for (const name of [
      "hono",
      "@hono/node-server",
      "zod",
      "lowdb",
      "yaml",
      "commander",
      "big.js",
      "@cantoo/pdf-lib",
      "@cantoo/fontkit",
      "pdfjs-dist",
      "fflate",
    ])
      expect.soft(notices).toMatch(new RegExp(`^${name} \\d`, "m"));
    for (const name of ["Liberation Sans", "Maps of characters"]) expect.soft(notices).toMatch(new RegExp(`^${name}.*\\(`, "m"));
    expect(notices).toContain("Permission is hereby granted");
    expect(notices).toContain("Apache License");
  });

  test("it is small, and needs no other package", () => {
    expect(packed.size).toBeLessThan(3_400_000);
    expect(JSON.parse(readFileSync("package.json", "utf8")).dependencies).toBeUndefined();
  });
});

describe("a project that uses it", () => {
  test("import and require see the same classes and functions", async () => {
    const home = join(folder, "both");
    project(home, packed.tarball, [], {
      "use.cjs": `
const names = ["docdouble", "docdouble/intercept"];
(async () => {
  for (const name of names) {
    const [required, imported] = [require(name), await import(name)];
    for (const key of Object.keys(required)) if (required[key] !== imported[key]) throw new Error(name + " " + key);
    console.log(name, Object.keys(required).sort().join() === Object.keys(imported).filter((key) => key !== "default" && key !== "module.exports").sort().join());
  }
  const { createSandbox } = require("docdouble");
  const { intercept } = await import("docdouble/intercept");
  const sandbox = await createSandbox();
  const stop = intercept(sandbox);
  const headers = { authorization: "API-Key " + sandbox.apiKey };
  console.log((await fetch("https://api.pandadoc.com/public/v1/contacts", { headers })).status);
  stop();
  await sandbox.close();
})();
`,
    });
    const { stdout, stderr } = await run(process.execPath, ["use.cjs"], { cwd: home });
    expect([stdout, stderr]).toEqual(["docdouble true\ndocdouble/intercept true\n200\n", ""]);
  });

  test("loads by import and, without a warning, by require()", async () => {
    const home = join(folder, "runs");
    project(home, packed.tarball, [], {
      "use.mjs":
        'import { createSandbox, VERSION } from "docdouble";\nconst s = await createSandbox();\nawait s.close();\nconsole.log(VERSION);\n',
      "use.cjs":
        'const { createSandbox, VERSION } = require("docdouble");\ncreateSandbox().then((s) => s.close()).then(() => console.log(VERSION));\n',
    });
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(existsSync(join(home, "node_modules/hono"))).toBe(false);
    for (const file of ["use.mjs", "use.cjs"]) {
      const { stdout, stderr } = await run(process.execPath, [file], { cwd: home });
      expect([file, stdout, stderr]).toEqual([file, `${version}\n`, ""]);
    }
  });
});
