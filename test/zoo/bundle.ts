/** Bundles the process form of the zoo into files that Node starts fast. */
import { join } from "node:path";
import { build } from "esbuild";

/** Returns the command of an integration, up to its name. */
export async function zooCommand(folder: string): Promise<readonly string[]> {
  await build({
    entryPoints: { zoo: "test/zoo/process.ts" },
    bundle: true,
    // Each client is a file, so a run loads only its own libraries.
    splitting: true,
    platform: "node",
    format: "esm",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    // The official client and axios are CommonJS.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    logLevel: "warning",
  });
  return [process.execPath, join(folder, "zoo.mjs")];
}
