/**
 * `npm run drift -- FILE [--all] [--json] [--accept]` lists what differs between a description of the API and the served one. It leaves out
 * intended differences, which `--all` adds with their reasons. `--accept` makes all differences of the file intended.
 */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { exportOpenApi } from "../../src/service/openapi/export.ts";
import { compareDescriptions, counted, DriftError, toLine } from "./compare.ts";
import { accept, type Explained, explain } from "./intended.ts";

let exported: unknown;

function served(): unknown {
  exported ??= exportOpenApi("http://localhost", "0.0.0", {});
  return exported;
}

const OPTIONS = ["--all", "--json", "--accept"];

interface Output {
  stdout: string;
  stderr: string;
  /** 0: no open difference. 1: some. 2: the arguments or the file are wrong. */
  exitCode: 0 | 1 | 2;
}

export function drift(args: readonly string[]): Output {
  try {
    return run(args);
  } catch (error) {
    if (!(error instanceof DriftError)) throw error;
    return { stdout: "", stderr: `${error.message}\n`, exitCode: 2 };
  }
}

function run(args: readonly string[]): Output {
  const unknown = args.find((one) => one.startsWith("-") && !OPTIONS.includes(one));
  if (unknown !== undefined) throw new DriftError(`The option ${unknown} does not exist. Use ${OPTIONS.join(", ")}.`);
  const files = args.filter((one) => !one.startsWith("-"));
  if (files[0] === undefined || files.length > 1) throw new DriftError("Name one file: npm run drift -- openapi.json");
  const differences = compareDescriptions(served(), read(files[0]));
  if (args.includes("--accept")) accept(differences);
  const explained = explain(differences);
  const all = args.includes("--all");
  const stdout = `${args.includes("--json") ? toJson(explained, all) : toText(explained, all)}\n`;
  return { stdout, stderr: "", exitCode: explained.open.length === 0 ? 0 : 1 };
}

function read(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new DriftError(`${file} cannot be read: ${String(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so it can be YAML.
  }
  try {
    return parse(text);
  } catch (error) {
    throw new DriftError(`${file} is neither JSON nor YAML: ${String(error)}`);
  }
}

function toJson({ open, intended }: Explained, all: boolean): string {
  return JSON.stringify(all ? [...open, ...intended] : open, null, 2);
}

function toText({ open, intended, unused }: Explained, all: boolean): string {
  const further = all ? intended.map((one) => `intended ${toLine(one)}. ${one.reason}`) : [];
  const settled = all ? unused.map((one) => `no longer different ${toLine(one)}`) : [];
  const hidden = intended.length > 0 && !all ? `, and ${intended.length} intended. Add --all to list them` : "";
  return [...open.map(toLine), ...further, ...settled, `${counted(open.length, "difference")}${hidden}`].join("\n");
}
