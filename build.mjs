// Builds dist/: bundles that start fast (the PDF library in a chunk of its own, loaded when first needed), and the types beside them.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");

/**
 * One copy of the PDF reader for the server and for the browsers that it serves: its two files as they are published, but for
 * what its first file does on Node when it is loaded. It looks for a library to draw with there, complains when there is none
 * and cannot go on without its matrices. Here it only reads text on Node.
 */
const PDF_READER = "node_modules/pdfjs-dist/legacy/build";
const DRAWING = /let (\w);try\{const \w=process\.getBuiltinModule\("module"\)\.createRequire.*?(?=globalThis\.navigator)/s;
const NOTE = "/* Changed by the build of docdouble: nothing to draw with is looked for on Node. */\n";
const pdfReader = {
  name: "pdf-reader",
  setup({ onResolve }) {
    const text = readFileSync(`${PDF_READER}/pdf.min.mjs`, "utf8");
    if (!DRAWING.test(text)) throw new Error("the PDF reader is not the one that build.mjs knows");
    writeFileSync("dist/pdf.mjs", `${NOTE}const DOMMatrix=globalThis.DOMMatrix??class{};${text.replace(DRAWING, "")}`);
    copyFileSync(`${PDF_READER}/pdf.worker.min.mjs`, "dist/pdf.worker.mjs");
    onResolve({ filter: /^pdfjs-dist\/legacy\/build\/pdf\.mjs$/ }, () => ({ path: "./pdf.mjs", external: true }));
  },
};

await build({
  entryPoints: { cli: "src/cli/main.ts", index: "src/index.ts", vitest: "src/vitest.ts" },
  external: ["vitest"],
  plugins: [pdfReader],
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
