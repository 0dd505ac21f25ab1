/** The structure of src: floors and rooms, sources of randomness and time, product nouns in the engine, and sizes of files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { findProblems, type Layout, readImports } from "../.ci/rooms.mjs";

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

describe("floors and rooms", () => {
  const layout = JSON.parse(readFileSync(".ci/rooms.json", "utf8")) as Layout;

  test("src keeps the order of floors and rooms, and has no import cycle", () => {
    expect(findProblems(readImports("src"), layout)).toEqual([]);
  });

  const small: Layout = { floors: [["low"], ["high"]], rooms: { high: ["first", "second"] }, leaves: ["high/*/rows.ts"] };
  const empty = { "low/a.ts": [], "high/first/a.ts": [], "high/first/rows.ts": [], "high/second/a.ts": [] };

  test.each([
    ["a higher floor", { "low/a.ts": ["high/first/a.ts"] }, "low/a.ts imports high/first/a.ts from a higher floor."],
    [
      "a higher room",
      { "high/first/a.ts": ["high/second/a.ts"] },
      "high/first/a.ts imports high/second/a.ts from a higher room.",
    ],
    [
      "a rule from a leaf",
      { "high/first/rows.ts": ["high/first/a.ts"] },
      "high/first/rows.ts is a leaf and imports high/first/a.ts, which is not a leaf.",
    ],
    ["a missing file", { "low/a.ts": ["low/b.ts"] }, "low/a.ts imports low/b.ts, which does not exist."],
    ["a cycle", { "low/a.ts": ["low/a.ts"] }, "Import cycle: low/a.ts → low/a.ts"],
    ["an unknown floor", { "other/a.ts": [] }, 'other/a.ts belongs to no floor. Add its folder to "floors" in .ci/rooms.json.'],
  ])("an import of %s is found", (_, imports, problem) => {
    expect(findProblems({ ...empty, ...imports }, small)).toEqual([problem]);
  });

  test("type imports count", () => {
    const folder = mkdtempSync(join(tmpdir(), "docdouble-rooms-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.ts"), 'import type { B } from "./b.ts";');
    writeFileSync(join(folder, "b.ts"), 'export type { A } from "./a.ts";');
    expect(readImports(folder)).toEqual({ "a.ts": ["b.ts"], "b.ts": ["a.ts"] });
  });
});

describe("randomness and time", () => {
  test("only core/ids.ts and core/client-time.ts use randomness", () => {
    const chance = /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b|\brandomInt\b/;
    expect(files.filter((file) => chance.test(codeOf(file)))).toEqual(["core/client-time.ts", "core/ids.ts"]);
  });

  test("only core/clock.ts and core/client-time.ts read the wall clock", () => {
    const time =
      /\bDate\.now\b|\bnew Date\b|\bDate\.parse\b|\bperformance\.now\b|\bhrtime\b|\bset(?:Timeout|Interval|Immediate)\(/;
    // Scripts for the browser are strings here, and use the timers of the browser.
    const ours = files.filter((file) => !/^web\/.*(?:assets|script)\.ts$/.test(file));
    expect(ours.filter((file) => time.test(codeOf(file)))).toEqual(["core/client-time.ts", "core/clock.ts"]);
  });
});

describe("product nouns", () => {
  /** Nouns of the service, which only the domain and higher floors may use. Parts of names count too. */
  const NOUNS = /(document|template|recipient|contact|pandadoc|signer|approver|folder|workspace|quote|pricing)/i;

  test.each(["core", "store", "files", "engine"])("the code of %s contains no noun of the service", (floor) => {
    const named = files
      .filter((file) => file.startsWith(`${floor}/`))
      .flatMap((file) =>
        [...codeOf(file).matchAll(/[A-Za-z_$][\w$]*/g)]
          .map((match) => match[0])
          .filter((name) => NOUNS.test(name) && !ALLOWED.has(`${file}: ${name}`))
          .map((name) => `${file}: ${name}`),
      );
    expect([...new Set(named)]).toEqual([]);
  });

  /** Names of libraries, the service's own refusal, and the owner of a journal entry. */
  const ALLOWED = new Set([
    "core/errors.ts: documentLocked",
    "files/pdf.ts: PDFDocument",
    "files/read.ts: PDFDocument",
    "files/pdf-text.ts: getDocument",
    "files/docx.ts: document",
    "files/pdf-write.ts: PDFDocument",
    "files/pdf-types.ts: PDFDocument",
    "engine/journal.ts: workspace_id",
    // A part of page addresses in a regular expression.
    "engine/redact.ts: document",
    ...["lquote", "rquote", "ldblquote", "rdblquote"].map((word) => `files/rtf.ts: ${word}`),
  ]);
});

describe("size", () => {
  const LINES_MAX = 500;

  test(`no file except schemas and types has more than ${LINES_MAX} lines`, () => {
    const long = files
      .filter((file) => !file.endsWith("schemas.ts") && file !== "domain/tables.ts" && file !== "scenario/file-types.ts")
      .map((file) => [file, textOf(file).split("\n").length - 1] as const)
      .filter(([, lines]) => lines > LINES_MAX);
    expect(long).toEqual([]);
  });
});

test("no file switches off a check for the whole file", () => {
  const off = /@ts-nocheck|@ts-ignore|biome-ignore-all|eslint-disable/;
  expect(files.filter((file) => off.test(textOf(file)))).toEqual([]);
});
