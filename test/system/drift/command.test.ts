/** Runs the drift command on files: the official description, altered copies of it, and copies of what docdouble serves. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { drift } from "../../../bench/drift/command.ts";
import { compareDescriptions, toLine } from "../../../bench/drift/compare.ts";
import { CLASSES, classOf, explain } from "../../../bench/drift/intended.ts";
import { exportOpenApi } from "../../../src/service/openapi/export.ts";
import { OPENAPI_FILE } from "../../support/official-replies.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are altered freely
type Node = any;

const NAME = existsSync(OPENAPI_FILE) ? "" : ` (skipped: ${OPENAPI_FILE} is not there)`;
const official = (): Node => JSON.parse(readFileSync(OPENAPI_FILE, "utf8"));
const exported = exportOpenApi("http://localhost", "0.0.0", {});
const served = (): Node => structuredClone(exported);

function file(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-drift-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const json = (document: Node): string => file("openapi.json", JSON.stringify(document));

function withLessMembers(document: Node): Node {
  delete document.paths["/public/v1/workspaces"].get.responses["429"];
  return document;
}

describe("the drift command", () => {
  test("ends with 0 for what docdouble serves, and with 1 for a copy that differs in one place", () => {
    expect(drift([json(served())])).toEqual({ stdout: "0 differences\n", stderr: "", exitCode: 0 });
    expect(drift([json(withLessMembers(served()))])).toEqual({
      stdout: "status GET /public/v1/workspaces 429: only in docdouble\n1 difference\n",
      stderr: "",
      exitCode: 1,
    });
  });

  test("reads YAML, and prints differences as JSON", () => {
    const path = file("openapi.yaml", stringify(withLessMembers(served()), { aliasDuplicateObjects: false }));
    const { stdout, exitCode } = drift([path, "--json"]);
    expect([JSON.parse(stdout), exitCode]).toEqual([
      [{ kind: "status", place: "GET /public/v1/workspaces 429", ours: "declared" }],
      1,
    ]);
    expect(drift([json(served()), "--json"]).stdout).toBe("[]\n");
  });

  test.each<[string, () => string[], RegExp]>([
    ["no file", () => [], /^Name one file: npm run drift -- openapi.json\n$/],
    ["two files", () => ["a.json", "b.json"], /^Name one file/],
    [
      "an unknown option",
      () => [json(served()), "--every"],
      /^The option --every does not exist. Use --all, --json, --accept.\n$/,
    ],
    ["a missing file", () => ["/nowhere/openapi.json"], /^\/nowhere\/openapi.json cannot be read: /],
    ["a folder", () => [tmpdir()], /cannot be read: /],
    ["a text that is neither JSON nor YAML", () => [file("a.json", "{: [")], /a.json is neither JSON nor YAML: /],
    ["an empty file", () => [file("a.json", "")], /^The file is not an OpenAPI 3 description/],
    ["Swagger 2", () => [json({ swagger: "2.0", paths: {} })], /^The file is not an OpenAPI 3 description/],
  ])("ends with 2 for %s", (_, args, message) => {
    const { stdout, stderr, exitCode } = drift(args());
    expect([stdout, exitCode]).toEqual(["", 2]);
    expect(stderr).toMatch(message);
  });

  test("gives its exit code and its texts to the process", () => {
    const run = (...args: string[]) => {
      try {
        return [0, execFileSync("node_modules/.bin/tsx", ["bench/drift/main.ts", ...args], { encoding: "utf8", stdio: "pipe" })];
      } catch (error) {
        const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
        return [status, stdout, stderr];
      }
    };
    expect(run(json(withLessMembers(served())))).toEqual([
      1,
      "status GET /public/v1/workspaces 429: only in docdouble\n1 difference\n",
      "",
    ]);
    expect(run()).toEqual([2, "", "Name one file: npm run drift -- openapi.json\n"]);
  });
});

/** Answers add members here, whatever the spelling of the answer's schema. */
function extend(document: Node, path: string, more: Node): void {
  const { content } = document.paths[path].get.responses["200"];
  content["application/json"].schema = { allOf: [content["application/json"].schema, more] };
}

const MENDED = "Look at the list, then run npm run drift -- FILE --accept";

describe(`the official description${NAME}`, () => {
  const skips = test.skipIf(NAME !== "");

  skips(`has only intended differences, and every entry and class of the list occurs${NAME}`, () => {
    const differences = compareDescriptions(served(), official());
    const { open, intended, unused } = explain(differences);
    expect(open.map(toLine), MENDED).toEqual([]);
    expect(unused.map(toLine), MENDED).toEqual([]);
    expect(intended.length).toBe(differences.length);
    const used = new Set(intended.map((one) => classOf(one).id));
    expect(CLASSES.map((one) => one.id).filter((id) => !used.has(id))).toEqual([]);
    expect(drift([OPENAPI_FILE])).toEqual({
      stdout: `0 differences, and ${intended.length} intended. Add --all to list them\n`,
      stderr: "",
      exitCode: 0,
    });
  });

  skips(`shows intended differences with their reason only on request${NAME}`, () => {
    const { stdout, exitCode } = drift([OPENAPI_FILE, "--all", "--json"]);
    expect([(JSON.parse(stdout) as Node[]).every(({ reason }) => reason.length > 20), exitCode]).toEqual([true, 0]);
    expect(drift([OPENAPI_FILE, "--all"]).stdout).toContain(
      "intended operation GET /public/v1/templates/{}/shares: only in docdouble. Version 8.20.0 of the official description adds",
    );
  });

  skips.each<[string, (document: Node) => void, string[]]>([
    [
      "a new operation",
      (document) => (document.paths["/new/{id}"] = { post: document.paths["/public/v1/workspaces"].get }),
      ["operation POST /new/{}: only in the file"],
    ],
    [
      "a removed operation that has intended differences",
      (document) => delete document.paths["/public/v1/documents/{id}/details"],
      ["operation GET /public/v1/documents/{}/details: only in docdouble"],
    ],
    [
      "a new status",
      (document) => (document.paths["/public/v1/workspaces"].get.responses["418"] = { description: "" }),
      ["status GET /public/v1/workspaces 418: only in the file"],
    ],
    [
      "a new member of an answer",
      (document) => extend(document, "/public/v1/workspaces", { properties: { newcomer: { type: "string" } } }),
      ["member GET /public/v1/workspaces 200.newcomer: only in the file"],
    ],
    [
      "a new parameter",
      (document) => document.paths["/public/v1/workspaces"].get.parameters.push({ name: "newcomer", in: "query", schema: {} }),
      ["member GET /public/v1/workspaces query.newcomer: only in the file"],
    ],
    [
      "another value where an intended difference was",
      (document) => {
        const count = document.paths["/public/v1/workspaces"].get.parameters.find(({ name }: Node) => name === "count");
        count.schema = { ...count.schema, default: 49 };
      },
      ["value GET /public/v1/workspaces query.count default: 49 in the file, absent in docdouble"],
    ],
  ])(`with %s is reported exactly${NAME}`, (_, alter, lines) => {
    const document = official();
    alter(document);
    const { stdout, exitCode } = drift([json(document)]);
    expect([stdout.split("\n").slice(0, -2), exitCode]).toEqual([lines, 1]);
  });

  skips(`names entries of the list that no longer differ${NAME}`, () => {
    const document = official();
    extend(document, "/public/v1/workspaces", { required: ["total"] });
    const { stdout, exitCode } = drift([json(document), "--all"]);
    const settled = stdout.split("\n").filter((line) => line.startsWith("no longer different"));
    expect([settled, exitCode]).toEqual([
      ["no longer different value GET /public/v1/workspaces 200.total required: false in the file, true in docdouble"],
      0,
    ]);
  });
});
