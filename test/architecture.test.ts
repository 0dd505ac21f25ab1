/** The structure of src: rooms, sources of randomness and time, product nouns in the engine, and sizes of files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findNouns } from "../.ci/nouns.mjs";
import { countLines, findLongFiles, findProblems, type Layout, readImports } from "../.ci/rooms.mjs";

const ROOT = "src";

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  .sort();

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** The code of a file without comments and without the contents of strings. */
function codeOf(file: string): string {
  return textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}

describe("rooms", () => {
  const layout = JSON.parse(readFileSync(".ci/rooms.json", "utf8")) as Layout;

  test("src keeps the order of rooms, and has no import cycle", () => {
    expect(findProblems(readImports("src"), layout)).toEqual([]);
  });

  const small: Layout = {
    rooms: [
      ["engine/core", ""],
      ["engine/jobs", ""],
      ["service/model", ""],
      ["service", ""],
      ["cli", ""],
    ],
    gates: { service: ["service/service.ts", "service/words.ts"] },
    lines: { most: 400, except: [] },
    packages: { hono: ["engine/jobs"] },
  };
  const empty = {
    "engine/core/a.ts": [],
    "engine/jobs/a.ts": ["hono", "engine/core/a.ts"],
    "service/model/a.ts": ["zod"],
    "service/service.ts": ["service/model/a.ts"],
    "cli/a.ts": ["service/service.ts"],
  };

  test.each([
    [
      "a higher room",
      { "engine/core/a.ts": ["engine/jobs/a.ts"], "engine/jobs/a.ts": [] },
      "engine/core/a.ts imports engine/jobs/a.ts from a higher room.",
    ],
    [
      "a room behind a gate",
      { "cli/a.ts": ["service/model/a.ts"] },
      "cli/a.ts imports service/model/a.ts. Only service/service.ts and service/words.ts of service can be seen from outside.",
    ],
    ["a package of another room", { "cli/a.ts": ["hono/jsx"] }, "cli/a.ts imports hono/jsx. Only engine/jobs may."],
    ["a missing file", { "cli/a.ts": ["cli/b.ts"] }, "cli/a.ts imports cli/b.ts, which does not exist."],
    ["a cycle", { "cli/a.ts": ["cli/a.ts"] }, "Import cycle: cli/a.ts → cli/a.ts"],
    ["an unknown room", { "other/a.ts": [] }, 'other/a.ts is in no room. Add its folder to "rooms" in .ci/rooms.json.'],
  ])("an import of %s is found", (_, imports, problem) => {
    expect(findProblems({ ...empty, ...imports }, small)).toEqual([problem]);
  });

  test("type imports and imports at run time count", () => {
    const folder = mkdtempSync(join(tmpdir(), "docdouble-rooms-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.ts"), 'import type { B } from "./b.ts";');
    writeFileSync(join(folder, "b.ts"), 'export type { A } from "./a.ts";');
    writeFileSync(join(folder, "c.ts"), "const late = await import(`./a.ts`); type B = typeof import('./b.ts');");
    expect(readImports(folder)).toEqual({ "a.ts": ["b.ts"], "b.ts": ["a.ts"], "c.ts": ["a.ts", "b.ts"] });
  });
});

describe("randomness and time", () => {
  test("only core/ids.ts and the time of explored clients use randomness", () => {
    const chance = /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b|\brandomInt\b/;
    expect(files.filter((file) => chance.test(codeOf(file)))).toEqual(["engine/core/ids.ts", "tools/explore/client-time.ts"]);
  });

  test("only core/clock.ts reads the wall clock", () => {
    const time =
      /\bDate\.now\b|\bnew Date\b|\bDate\.parse\b|\bperformance\.now\b|\bhrtime\b|\bset(?:Timeout|Interval|Immediate)\(/;
    // Three files put another time in the place of a client's.
    const ours = files.filter((file) => !/^library\/kit\/(?:ask-sleep|fake-time|virtual-sleep)\.ts$/.test(file));
    expect(ours.filter((file) => time.test(codeOf(file)))).toEqual(["engine/core/clock.ts"]);
  });
});

describe("product nouns", () => {
  test("no file of the engine holds a noun of PandaDoc", () => {
    const engine = files.filter((file) => file.startsWith("engine/"));
    expect(engine.flatMap((file) => findNouns(file, textOf(file)))).toEqual([]);
  });

  test.each([
    ["a part of a name", "const documentRow_id = 1;", ["document"]],
    ["a comment", "/** Recipients sign. */", ["recipients"]],
    ["a text", 'return "emails";', ["emails"]],
    ["a plural in ies", "currencies", ["currencies"]],
    ["a word of a library", "urlPathTemplate", []],
    ["a longer word", "documentation, mailbox, emailed", []],
  ])("%s has its nouns found", (_, line, nouns) => {
    expect(findNouns("a.ts", line)).toEqual(nouns.map((noun) => `a.ts:1 has the noun ${noun}: ${line}`));
  });
});

describe("styles and scripts of pages", () => {
  const FILE = /readFileSync\(new URL\("([^"]+)", import\.meta\.url\), "utf8"\)/g;
  const isAssets = (file: string) => file.endsWith("/assets.ts");

  /** Styles and scripts that a TypeScript file holds itself. An `assets.ts` holds reads of files, and nothing else. */
  function findPageTexts(file: string, text: string): string[] {
    const code = text.replace(/\/\*.*?\*\//gs, "");
    if (isAssets(file)) {
      const statements = code
        .replace(/import [^;]*;/g, "")
        .replace(FILE, "FILE")
        .replace(/\s/g, "")
        .split(";");
      return statements.filter((one) => !/^(?:(?:export)?const[A-Z_]+=(?:FILE|asset\([A-Z_,]+\)))?$/.test(one));
    }
    const elements = /<(?:style|script)\b[^\n$]*|\s(?:style|on[a-z]+)=(?=\\?["'$])|(?<!function )\basset\(/gi;
    const found = [...code.matchAll(elements)].map(([one]) => one.trim());
    if (!/import [^;]*\bhtmlPage\b/.test(code)) return found;
    const imported = /import (\{[^}]*\}) from "[./]*\/assets\.ts"/.exec(code)?.[1]?.split(/[{},\s]+/) ?? [];
    const given = [...code.matchAll(/\b(?:style|script|module): (?:\w+ \? )?(\S*?)(?: : undefined)?,?(?=[\n ])/g)];
    return [...found, ...given.filter(([, name = ""]) => !imported.includes(name)).map(([one]) => one)];
  }

  test("the TypeScript files hold none of them", () => {
    const found = files.flatMap((file) => findPageTexts(file, textOf(file)).map((one) => `${file}: ${one}`));
    // One function writes the elements, with what an assets.ts made. The other file reads pages that are built already.
    expect(found).toEqual([
      "engine/http/html.ts: <style>",
      'engine/http/html.ts: <script type="application/json" id="state">',
      "engine/http/html.ts: <script>",
      'engine/http/html.ts: <script type="module">',
      "inspector/documentation.ts: <script(?![^>]*\\bsrc=)[^>]*>([\\s\\S]*?)<\\/script>/g)];",
    ]);
  });

  test("every file with styles or a script is in an assets.ts", () => {
    const onDisk = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((name) => /\.(?:css|[cm]?js)$/.test(name));
    const read = files
      .filter(isAssets)
      .flatMap((file) => [...textOf(file).matchAll(FILE)].map(([, name]) => join(file, "..", name as string)));
    expect(onDisk.length).toBeGreaterThan(10);
    expect([...new Set(read)].sort()).toEqual(onDisk.sort());
  });

  test.each([
    ["a style element", "a.ts", "html`<style>:root{}</style>`", ["<style>:root{}</style>`"]],
    ["a script element", "a.ts", "const page = '<SCRIPT>run()</SCRIPT>';", ["<SCRIPT>run()</SCRIPT>';"]],
    ["a style attribute", "a.ts", 'html`<p style="color: red">`', ["style="]],
    ["a handler", "a.ts", "html`<a onclick='run()'>`", ["onclick="]],
    ["a style that no file holds", "a.ts", "const STYLE = asset(`:root{}`);", ["asset("]],
    [
      "a style of another module",
      "a.ts",
      'import { htmlPage } from "./html.ts";\nimport { STYLE } from "./style.ts";\nhtmlPage({ style: STYLE, body });',
      ["style: STYLE,"],
    ],
    [
      "a script without a name",
      "a.ts",
      'import { htmlPage } from "./html.ts";\nimport { STYLE } from "./assets.ts";\nhtmlPage({ style: STYLE, script: raw(`run()`) as never });',
      ["script: raw(`run()`)"],
    ],
    ["a string of an assets.ts", "a/assets.ts", "export const STYLE = asset(`:root{}`);", ["exportconstSTYLE=asset(`:root{}`)"]],
    ["a call of an assets.ts", "a/assets.ts", "export const STYLE = styleOf();", ["exportconstSTYLE=styleOf()"]],
    [
      "nothing wrong",
      "a/assets.ts",
      'const A = readFileSync(new URL("a.css", import.meta.url), "utf8");\nexport const STYLE = asset(A);',
      [],
    ],
  ])("%s is seen", (_, file, text, found) => {
    expect(findPageTexts(file, text)).toEqual(found);
  });
});

describe("the core that newcomers read", () => {
  const [, section = ""] = readFileSync("AGENTS.md", "utf8").split(/^## The core.*$|^## Glossary$/m);
  const listed = [...section.matchAll(/^\| `(src\/\S+)` \|/gm)].map(([, file]) => (file as string).slice(ROOT.length + 1));

  test("AGENTS.md lists at most 24 files, which exist and have at most 4,000 lines together", () => {
    expect(listed.length).toBeGreaterThan(10);
    expect(listed.length).toBeLessThanOrEqual(24);
    expect(listed.filter((file) => !files.includes(file))).toEqual([]);
    expect(listed.reduce((sum, file) => sum + textOf(file).split("\n").length, 0)).toBeLessThanOrEqual(4000);
  });

  test("each file of the core imports another one or is imported by one", () => {
    const imports = readImports("src");
    const alone = listed.filter((file) => !listed.some((one) => imports[one]?.includes(file) || imports[file]?.includes(one)));
    expect(alone).toEqual([]);
  });
});

describe("size", () => {
  test("no file of src has more lines than the layout allows", () => {
    const layout = JSON.parse(readFileSync(".ci/rooms.json", "utf8")) as Layout;
    expect(layout.lines).toEqual({ most: 400, except: ["library/file-types.ts"] });
    expect(findLongFiles(countLines("src"), layout)).toEqual([]);
  });

  test("a file with one line too many is found", () => {
    const folder = mkdtempSync(join(tmpdir(), "docdouble-lines-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const [name, lines] of [
      ["a.ts", 3],
      ["b.ts", 4],
      ["c.ts", 9],
    ] as const)
      writeFileSync(join(folder, name), "//\n".repeat(lines));
    const layout = { lines: { most: 3, except: ["c.ts"] } };
    expect(findLongFiles(countLines(folder), layout)).toEqual(["b.ts has 4 lines. Split it: a file has at most 3."]);
  });
});

test("no file switches off a check for the whole file", () => {
  const off = /@ts-nocheck|@ts-ignore|biome-ignore-all|eslint-disable/;
  expect(files.filter((file) => off.test(textOf(file)))).toEqual([]);
});
