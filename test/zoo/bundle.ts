/** Bundles the process form of the zoo into one file that Node starts fast. */
import { join } from "node:path";
import { build } from "esbuild";

/** Returns the command of an integration, up to its name. */
export async function zooCommand(folder: string): Promise<readonly string[]> {
  const outfile = join(folder, "zoo.mjs");
  await build({
    entryPoints: ["test/zoo/process.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    // The official client and axios are CommonJS.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  return [process.execPath, outfile];
}
