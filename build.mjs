// Builds dist/: bundles that start fast (the PDF library in a chunk of its own, loaded when first needed), and the types beside them.
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });

await build({
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts", vitest: "src/vitest.ts" },
  external: ["vitest"],
  outdir: "dist",
  // Flat, so that every file finds package.json and fixtures/ one level up.
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  sourcemap: true,
  // The maps name lines of the sources; carrying the sources too would triple the package.
  sourcesContent: false,
  // Names stay, so that a stack can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "linked",
  logLevel: "warning",
  // Bundled CommonJS code may ask for Node's own modules.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
chmodSync("dist/cli.js", 0o755);

execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], { stdio: "inherit" });
