/** The structure of src: sources of randomness and time, and texts of pages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

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

test("no file switches off a check for the whole file", () => {
  const off = /@ts-nocheck|@ts-ignore|biome-ignore-all|eslint-disable/;
  expect(files.filter((file) => off.test(textOf(file)))).toEqual([]);
});
