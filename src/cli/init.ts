import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { inPackage } from "../engine/core/package-root.ts";
import { writeNewFiles } from "./new-files.ts";

const STARTER = inPackage("examples/starter/");

/** Leaves existing files unchanged. Returns the exit code: 2 when a file exists already. */
export function init(folder: string, { json = false, from = STARTER }: { json?: boolean; from?: URL } = {}): 0 | 2 {
  const names = readdirSync(from).sort();
  const files = new Map(names.map((name) => [join(folder, name), readFileSync(new URL(name, from))]));
  const code = writeNewFiles(files, "Choose another folder: npx docdouble init FOLDER");
  if (code !== 0) return code;
  const at = (name: string) => join(folder, name).split(sep).join("/");
  const test = relative(process.cwd(), join(process.cwd(), folder)) === "" ? "" : ` ${at("offers.test.mjs")}`;
  const commands = {
    check: `npx docdouble check ${at("scenario.yaml")}`,
    run: `npx docdouble run ${at("scenario.yaml")} --fixtures ${at("fixtures.yaml")} -- node ${at("offers.mjs")}`,
    test: `node --test${test}`,
  };
  const text = [
    `wrote ${names.map(at).join(", ")}`,
    "",
    "Check the files:",
    `  ${commands.check}`,
    "Run your client against the scenario:",
    `  ${commands.run}`,
    existsSync(join("node_modules", "docdouble"))
      ? "Run the test:"
      : "Run the test. It imports docdouble, so install docdouble in your project first:",
    `  ${commands.test}`,
  ].join("\n");
  process.stdout.write(`${json ? JSON.stringify({ files: names.map(at), commands }, null, 2) : text}\n`);
  return 0;
}
