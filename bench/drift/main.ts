/** `npm run drift -- FILE [--json]` lists what differs between a description of the API and the served one. */
import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { exportOpenApi } from "../../src/service/openapi/export.ts";
import { compareDescriptions, DriftError, toText } from "./compare.ts";

function run(args: readonly string[]): number {
  const file = args.find((one) => !one.startsWith("--"));
  if (file === undefined) throw new DriftError("Name a file: npm run drift -- openapi.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new DriftError(`${file} cannot be read: ${String(error)}`);
  }
  let document: unknown;
  try {
    // JSON is also YAML.
    document = parse(text);
  } catch (error) {
    throw new DriftError(`${file} is neither JSON nor YAML: ${String(error)}`);
  }
  const differences = compareDescriptions(exportOpenApi("http://localhost", "0.0.0", {}), document);
  process.stdout.write(`${args.includes("--json") ? JSON.stringify(differences, null, 2) : toText(differences)}\n`);
  return differences.length === 0 ? 0 : 1;
}

try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof DriftError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
