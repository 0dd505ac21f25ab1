/** What no type and no linter holds: where chance comes from, what the engine may know, how large files grow, who imports whom. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = "src";

const files = readdirSync(ROOT, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1))
  .sort();

const textOf = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** The code of a file without comments and without the contents of texts. */
function codeOf(file: string): string {
  return textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}

/** The files that a file imports, relative to the root; types included, as they couple too. */
function importsOf(file: string): string[] {
  const found = textOf(file).matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map((match) => join(file, "..", match[1] as string));
}

/** From the lowest up; what stands in one line is one floor. */
const FLOORS = [
  ["core"],
  ["store"],
  ["files"],
  ["engine"],
  ["domain"],
  ["api"],
  ["scenario", "admin", "web", "openapi"],
  ["http"],
  [
    "types.ts",
    "errors.ts",
    "options-check.ts",
    "sources.ts",
    "sandbox.ts",
    "handles.ts",
    "index.ts",
    "testing.ts",
    "vitest.ts",
    "jest.ts",
    "node-test.ts",
    "cli",
  ],
];

const floorOf = (file: string) => FLOORS.findIndex((names) => names.includes(file.split("/")[0] as string));

describe("floors", () => {
  test("every file is on a floor", () => {
    expect(files.filter((file) => floorOf(file) < 0)).toEqual([]);
  });

  test("every file imports from its own floor and below", () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => floorOf(imported) > floorOf(file))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(upward).toEqual([]);
  });

  test("every import is of a file that is there", () => {
    const all = new Set(files);
    const missing = files.flatMap((file) =>
      importsOf(file)
        .filter((imported) => imported.endsWith(".ts") && !all.has(imported))
        .map((imported) => `${file} imports ${imported}`),
    );
    expect(missing).toEqual([]);
  });

  test("imports go round in no circle", () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(" → "));
      if (way.includes(file) || done.has(file)) return;
      for (const imported of valueImportsOf(file)) walk(imported, [...way, file]);
      done.add(file);
    };
    for (const file of files) walk(file, []);
    expect(circles).toEqual([]);
  });
});

/** Imports that are still there when the types are gone. */
function valueImportsOf(file: string): string[] {
  const found = textOf(file).matchAll(/^(?:import|export) (?!type )[^;]*?from "(\.[^"]+)"/gm);
  return [...found].map((match) => join(file, "..", match[1] as string)).filter((imported) => files.includes(imported));
}

describe("chance and time", () => {
  test("ids come from core/ids.ts and from nowhere else", () => {
    const chance = /\bMath\.random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b|\brandomInt\b/;
    expect(files.filter((file) => chance.test(codeOf(file)))).toEqual(["core/ids.ts"]);
  });

  test("the wall's time is read in core/clock.ts and nowhere else", () => {
    const time = /\bDate\.now\b|\bnew Date\b|\bDate\.parse\b|\bperformance\.now\b|\bset(?:Timeout|Interval|Immediate)\(/;
    // What a browser runs is a text here: its timers are the browser's.
    const ours = files.filter((file) => !/^web\/.*(?:assets|script)\.ts$/.test(file));
    expect(ours.filter((file) => time.test(codeOf(file)))).toEqual(["core/clock.ts"]);
  });
});

describe("what the lower floors know", () => {
  /** Words of the service, which belong to the domain and above; as parts of a name they count too. */
  const NOUNS = /(document|template|recipient|contact|pandadoc|signer|approver|folder|workspace|quote|pricing)/i;

  test.each(["core", "store", "files", "engine"])("%s names nothing of the service in its code", (floor) => {
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

  /** Names of other people's, the one refusal whose name is the service's own, and whose an exchange is. */
  const ALLOWED = new Set([
    "core/errors.ts: documentLocked",
    "files/pdf.ts: PDFDocument",
    "files/read.ts: PDFDocument",
    "files/pdf.ts: PdfDocument",
    "files/pdf-text.ts: getDocument",
    "files/docx.ts: document",
    "files/pdf-write.ts: PDFDocument",
    "files/pdf-fonts.ts: PDFDocument",
    "engine/journal.ts: workspace_id",
    // A part of the addresses of pages, in a regular expression.
    "engine/redact.ts: document",
    ...["lquote", "rquote", "ldblquote", "rdblquote"].map((word) => `files/rtf.ts: ${word}`),
  ]);
});

describe("size", () => {
  const LINES_MAX = 500;

  test(`no file has more than ${LINES_MAX} lines, lists of schemas and of types excepted`, () => {
    const long = files
      .filter((file) => !file.endsWith("schemas.ts") && file !== "domain/tables.ts" && file !== "scenario/file-types.ts")
      .map((file) => [file, textOf(file).split("\n").length - 1] as const)
      .filter(([, lines]) => lines > LINES_MAX);
    expect(long).toEqual([]);
  });
});

test("nobody switches a check off for a whole file", () => {
  const off = /@ts-nocheck|@ts-ignore|biome-ignore-all|eslint-disable/;
  expect(files.filter((file) => off.test(textOf(file)))).toEqual([]);
});
