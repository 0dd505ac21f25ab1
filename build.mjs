// Builds dist/: bundles that start fast, the public types, and the licenses of all bundled packages. Libraries that a start does not
// need, such as the PDF library, are separate files, which load on first use.
import { execFile } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { build, transformSync } from "esbuild";

const ENTRIES = {
  index: "src/index.ts",
  vitest: "src/vitest.ts",
  jest: "src/jest.ts",
  "node-test": "src/node-test.ts",
  mocha: "src/mocha.ts",
  playwright: "src/playwright.ts",
  intercept: "src/intercept.ts",
  msw: "src/msw.ts",
};

const LAST_FILE = "dist/THIRD-PARTY-NOTICES.txt";

// `npm start` builds only when no build exists, and needs no types. `npm pack` and the tests build after a change, and after `npm start`.
const isForStart = process.argv.includes("--if-missing");
if (isForStart && existsSync("dist/cli.cjs")) process.exit(0);
if (process.argv.includes("--if-changed") && isBuilt()) process.exit(0);

rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
// The compiler takes most of a build, so it runs beside the rest.
const types = isForStart ? undefined : compiledTypes();
// A failure is reported where the build needs the types.
types?.catch(() => {});
// The lists of commands, assumptions and other records, and the JSON Schemas and types of files.
const lists = isForStart ? undefined : promisify(execFile)(process.execPath, ["--import", "tsx", "docs/lists/index.ts"]);
lists?.catch(() => {});

/**
 * The two published files of the PDF reader become one program, which starts from compiled code. The first file looks for a drawing
 * library on Node. Without one it prints warnings, and fails because `DOMMatrix` is missing. docdouble only reads text, so the build
 * removes that search.
 */
const READER = "node_modules/pdfjs-dist";
const PDF_READER = `${READER}/legacy/build`;
const FONT = "LiberationSans-Regular.ttf";
/** The licenses of these files. No package.json names them. */
const ASSET_LICENSES = {
  "Liberation Sans (OFL-1.1)": ["standard_fonts/LICENSE_LIBERATION"],
  "Maps of characters (BSD-3-Clause)": ["cmaps/LICENSE"],
};
const DRAWING = /let (\w);try\{const \w=process\.getBuiltinModule\("module"\)\.createRequire.*?(?=globalThis\.navigator)/s;
const NOTE = "/* Changed by the build of docdouble: it does not search for a drawing library on Node. */\n";
const withoutDrawing = {
  name: "without-drawing",
  setup({ onLoad }) {
    onLoad({ filter: /pdf\.min\.mjs$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (!DRAWING.test(text)) throw new Error("the PDF reader is not the one that build.mjs knows");
      return { contents: `const DOMMatrix=globalThis.DOMMatrix??class{};${text.replace(DRAWING, "")}`, loader: "js" };
    });
  },
};
const pdfReader = {
  name: "pdf-reader",
  setup({ onResolve }) {
    copyFileSync(`${READER}/standard_fonts/${FONT}`, `dist/${FONT}`);
    writeFileSync("dist/cmaps.br", characterMaps());
    onResolve({ filter: /^pdfjs-dist\/legacy\/build\/pdf\.mjs$/ }, () => ({ path: "./pdf-reader.cjs", external: true }));
  },
};

/** Packs the character maps that a PDF can name into one file, a third of their size as single files: a line with names and lengths, then their bytes. */
function characterMaps() {
  // PDF knows no map of UTF-8 or UTF-32 by its name.
  const names = readdirSync(`${READER}/cmaps`).filter((name) => name.endsWith(".bcmap") && !/UTF(8|32)/.test(name));
  const maps = names.map((name) => readFileSync(`${READER}/cmaps/${name}`));
  const list = `${JSON.stringify(names.map((name, i) => [name, maps[i].length]))}\n`;
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = constants;
  // The next quality saves an eighth of the size and takes fifteen times as long.
  const params = { [BROTLI_PARAM_QUALITY]: 9, [BROTLI_PARAM_LGWIN]: 22 };
  return brotliCompressSync(Buffer.concat([Buffer.from(list), ...maps]), { params });
}

/** The reader of the reference page, compressed to a fifth. */
const READER_UI = "node_modules/swagger-ui-dist";
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"])
  writeFileSync(`dist/${name}.br`, brotliCompressSync(readFileSync(`${READER_UI}/${name}`)));

/** The YAML reader is a separate file, which the code loads on first use. */
const LAZY = { yaml: /scenario\/yaml\.ts$/ };
const lazyPackages = {
  name: "lazy-packages",
  setup({ onLoad }) {
    for (const [name, filter] of Object.entries(LAZY))
      onLoad({ filter }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const wanted = `createRequire(import.meta.url)("${name}")`;
        if (!text.includes(wanted)) throw new Error(`${path} does not load ${name} as build.mjs knows it`);
        return { contents: text.replace(wanted, `createRequire(import.meta.url)("./${name}.cjs")`), loader: "ts" };
      });
  },
};
/** The PDF writer and its reader of fonts are separate files too. The command and the library share them. */
const pdfWriter = {
  name: "pdf-writer",
  setup({ onResolve }) {
    onResolve({ filter: /^@cantoo\/(pdf-lib|fontkit)$/ }, ({ path }) => ({
      path: `./${path.replace("@cantoo/", "")}.cjs`,
      external: true,
    }));
  },
};
/** Packages of which docdouble uses nothing become empty. */
const leftOut = (filter) => ({
  name: "left-out",
  setup({ onLoad, onResolve }) {
    onResolve({ filter }, ({ path }) => ({ path, namespace: "left-out" }));
    onLoad({ filter: /.*/, namespace: "left-out" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
});
/** docdouble serves HTTP/1 only. Hono's server loads Node's HTTP/2 module just to recognize HTTP/2 requests, so this replaces it. */
const withoutHttp2 = {
  name: "without-http2",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^(node:)?http2$/ }, () => ({ path: "http2", namespace: "without-http2" }));
    onLoad({ filter: /.*/, namespace: "without-http2" }, () => ({
      contents: "export class Http2ServerRequest {} export const constants = {};",
      loader: "js",
    }));
  },
};
/** The files that an `assets.ts` reads become texts in the bundle, without comments and spaces. */
const PAGE_TEXT = /readFileSync\(new URL\("([^"]+)", import\.meta\.url\), "utf8"\)/g;
const pageTexts = {
  name: "page-texts",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]assets\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, "utf8").replace(PAGE_TEXT, (_, name) => {
        const loader = name.endsWith(".css") ? "css" : "js";
        const text = readFileSync(join(dirname(path), name), "utf8");
        return JSON.stringify(transformSync(text, { loader, minifyWhitespace: true, legalComments: "none" }).code);
      });
      if (contents.includes("readFileSync(")) throw new Error(`${path} reads a file in a way that build.mjs does not know`);
      return { contents, loader: "ts" };
    });
  },
};
const COMMON = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  metafile: true,
  // Names stay, so that stack traces are readable.
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the line of an uncaught error, so a line must not hold the whole file.
  lineLimit: 160,
  // All licenses are in one file, below.
  legalComments: "none",
  logLevel: "warning",
};
// Nobody follows a stack trace into these packages, so their names are short.
const packages = await build({
  ...COMMON,
  minify: true,
  entryPoints: { yaml: "yaml", "pdf-lib": "@cantoo/pdf-lib", fontkit: "@cantoo/fontkit" },
  // docdouble draws no SVG, writes no invoices as XML, and reads one TrueType font.
  plugins: [leftOut(/^(brotli\/.*|html-entities|node-html-better-parser)$/)],
  outdir: "dist",
  outExtension: { ".js": ".cjs" },
  format: "cjs",
});

// The launcher also reads these files as ASCII.
for (const name of [...Object.keys(LAZY), "pdf-lib", "fontkit"]) writeAscii(`dist/${name}.cjs`, (text) => text);

const CJS = {
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.url": "__url" },
  banner: { js: `const __url = require("node:url").pathToFileURL(__filename).href;` },
};

/**
 * Programs on top of the library: the command, and commands that few users start. They take the engine from `library.cjs`, so that the
 * package holds it once.
 */
const PROGRAMS = {
  main: "src/cli/main.ts",
  compare: "src/cli/compare.ts",
  explore: "together:src/cli/explore.ts,src/tools/explore/explore.ts",
  mcp: "src/tools/mcp/mcp.ts",
  probe: "src/cli/probe.ts",
  proxy: "src/tools/proxy/proxy.ts",
  verbs: "src/cli/verbs.ts",
  "vendor-mcp": "src/service/mcp/server/server.ts",
};
const SOURCE = /^\.\.?\/.*\.ts$/;
/** Sources of these programs. All other sources belong to the engine, also those of src/tools/explore that the library loads first. */
const PROGRAM_ROOMS = /^src\/(cli|service\/mcp\/server|tools\/(compare|probe|proxy|mcp|remote|explore\/(?!entry|error)))/;
function programOf(file) {
  const program = Object.keys(PROGRAMS).find((name) => PROGRAMS[name].includes(file));
  return program && { path: `./${program}.cjs`, external: true };
}
/** The library loads these programs and the pages on first use. */
const lazyPrograms = {
  name: "lazy-programs",
  setup({ onResolve }) {
    onResolve({ filter: SOURCE }, ({ path, kind, resolveDir }) => {
      const file = relative(".", join(resolveDir, path));
      if (PAGES.test(file)) return toPages(file);
      return kind === "dynamic-import" ? programOf(file) : undefined;
    });
  },
};
/**
 * Engine files without state and without classes that others compare. The programs contain copies of them, so that a short command, such
 * as `docdouble health`, does not load the library.
 */
const COPIED =
  /^src\/(engine\/core\/(clock|machine|maps|regular-file|text|time-limits|package-root|verb-request)|engine\/assumptions\/profile-names|service\/(words|kit\/names|nouns\/documents\/status-machine)|library\/version)\.ts$/;
/** Pages, and texts that describe the API and the assumptions. They are one file, which the library and the programs load on first use. */
const PAGES =
  /^src\/(inspector\/(assets|views|reference|landing|refusal-page|unbuilt-docs)|service\/(openapi|assumptions\/ledger|pages\/(assets|signing|embed|authorize))|engine\/(http\/html|verbs\/admin-examples|scenario\/(json-schema|describe-schema)))(\/|\.ts$)/;
const toPages = (file) => ({ path: `pages:${relative("src", file)}`, external: true });
/** Engine files that the programs and the pages import, by path below `src`. */
const engineFiles = new Set();
function toEngine(file) {
  engineFiles.add(relative("src", file));
  return { path: `engine:${relative("src", file)}`, external: true };
}
/** The command and the library run one program of two files. */
const together = {
  name: "together",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^together:/ }, ({ path }) => ({ path: path.replace("together:", ""), namespace: "together" }));
    onLoad({ filter: /.*/, namespace: "together" }, ({ path }) => ({
      contents: path
        .split(",")
        .map((file) => `export * from "./${file}";`)
        .join("\n"),
      resolveDir: process.cwd(),
    }));
  },
};
const onLibrary = {
  name: "on-library",
  setup({ onResolve }) {
    onResolve({ filter: SOURCE }, ({ path, kind, resolveDir }) => {
      if (kind === "entry-point") return undefined;
      const file = relative(".", join(resolveDir, path));
      if (PROGRAM_ROOMS.test(file)) return kind === "dynamic-import" ? programOf(file) : undefined;
      if (PAGES.test(file)) return toPages(file);
      return COPIED.test(file) ? undefined : toEngine(file);
    });
    onResolve({ filter: /^\.\/library\.cjs$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^yaml$/ }, ({ path }) => ({ path: `./${path}.cjs`, external: true }));
  },
};
const ENGINE = /\brequire\("engine:([^"]+)"\)/g;
const fromEngine = (text) => text.replaceAll(ENGINE, 'require("./library.cjs").engine["$1"]');
/** The command loads the library when it first uses a member. The other programs always need the library. */
const engineLater = `const __engine=(file)=>new Proxy({},{get:(_,key)=>require("./library.cjs").engine[file][key]});`;
const pagesLater = `const __pages=(file)=>new Proxy({},{get:(_,key)=>require("./pages.cjs").pages[file][key]});`;
const pageFiles = importedPages();
/** @throws for an import of the pages that would fail at run time: a dynamic one, or one of all members */
function fromPages(text) {
  const loaded = text.replaceAll(/\brequire\("pages:([^"]+)"\)/g, (_, file) => {
    if (!pageFiles.includes(file)) throw new Error(`build.mjs does not export src/${file} from dist/pages.cjs`);
    return `__pages("${file}")`;
  });
  const [wrong] = /"pages:[^"]+"|__toESM\(__pages[^)]*/.exec(loaded) ?? [];
  if (wrong !== undefined) throw new Error(`${wrong}: import single members of pages, with a static import`);
  return loaded;
}
/**
 * Where the library finds the classes of `fetch`: copies of the globals. hono's server replaces two of them by faster subclasses. It
 * would replace the globals of the user's process too, so the build hands it this object as `global`. It also looks for two classes of
 * WebSockets, which would load `fetch` in Node 24. docdouble serves no WebSockets.
 */
const WEB = "const __web={Headers:globalThis.Headers,Request:globalThis.Request,Response:globalThis.Response};";
const WEB_NAMES = {
  ...Object.fromEntries(["Headers", "Request", "Response"].map((name) => [name, `__web.${name}`])),
  ...Object.fromEntries(["Headers", "CloseEvent", "ErrorEvent"].map((name) => [`globalThis.${name}`, `__web.${name}`])),
  global: "__web",
};

const { "vendor-mcp": VENDOR_MCP, ...OTHER_PROGRAMS } = PROGRAMS;
const buildPrograms = (entryPoints, define, banner = "") =>
  build({
    ...COMMON,
    ...CJS,
    define: { ...CJS.define, ...define },
    banner: { js: CJS.banner.js + engineLater + pagesLater + banner },
    entryPoints,
    // The MCP SDK loads these packages for zod 3 schemas and for answers of users. docdouble has neither.
    plugins: [leftOut(/^(ajv|ajv-formats|zod\/v3|zod-to-json-schema)$/), together, onLibrary, pageTexts, lazyPackages],
    outdir: "dist",
  });
const programs = await buildPrograms(OTHER_PROGRAMS);
// Its answers leave through hono's server, which sends its own responses fastest.
const vendorMcp = await buildPrograms(
  { "vendor-mcp": VENDOR_MCP },
  WEB_NAMES,
  'const __web=require("./library.cjs").engine.web;',
);
for (const name of Object.keys(PROGRAMS)) {
  const file = `dist/${name}.cjs`;
  if (name === "main") writeAscii(file, (text) => withRequires(fromPages(text.replaceAll(ENGINE, '__engine("$1")'))));
  else writeFileSync(file, fromPages(fromEngine(readFileSync(file, "utf8"))));
}

const pages = await build({
  ...COMMON,
  ...CJS,
  banner: { js: `${CJS.banner.js}const __engine=require("./library.cjs").engine;` },
  stdin: { contents: namespaces("pages", pageFiles), resolveDir: "src", sourcefile: "pages.ts" },
  plugins: [
    {
      name: "pages-on-library",
      setup({ onResolve }) {
        onResolve({ filter: SOURCE }, ({ path, resolveDir }) => {
          const file = relative(".", join(resolveDir, path));
          return PAGES.test(file) ? undefined : toEngine(file);
        });
      },
    },
    pageTexts,
  ],
  outfile: "dist/pages.cjs",
  outExtension: {},
});
writeAscii("dist/pages.cjs", (text) => withRequires(text.replaceAll(ENGINE, '__engine["$1"]')));

// `import` and `require` share one program, so that both see the same classes. It is CommonJS, because Jest by default loads only that.
const library = await build({
  ...COMMON,
  ...CJS,
  define: { ...CJS.define, ...WEB_NAMES },
  banner: { js: CJS.banner.js + WEB + pagesLater },
  stdin: {
    contents: [
      'export * from "./index.ts"; export * from "./library/testing.ts";',
      'export * from "./library/kit/matchers/assertions.ts"; export * from "./library/kit/intercept.ts"; export * from "./library/kit/signing-page.ts";',
      namespaces("engine", [...engineFiles].sort()),
      "engine.web = global;",
    ].join("\n"),
    resolveDir: "src",
    sourcefile: "library.ts",
  },
  plugins: [lazyPrograms, withoutHttp2, pdfReader, pdfWriter, lazyPackages],
  outfile: "dist/library.cjs",
  outExtension: {},
});
writeAscii("dist/library.cjs", (text) => withRequires(fromPages(text)));

// The worker registers its code globally. The reader finds it there, and needs no thread for it.
const pdfReading = await build({
  ...COMMON,
  ...CJS,
  banner: { js: NOTE + CJS.banner.js },
  stdin: {
    contents: 'import "./pdf.worker.min.mjs"; export { getDocument, PagesMapper, VerbosityLevel } from "./pdf.min.mjs";',
    resolveDir: PDF_READER,
    sourcefile: "pdf-reader.mjs",
  },
  plugins: [withoutDrawing],
  outfile: "dist/pdf-reader.cjs",
  outExtension: {},
});
writeAscii("dist/pdf-reader.cjs", (text) => text);

// Loads that program with compiled code. The literal `require` lets a bundler of the user find the program.
const loader = await build({
  ...COMMON,
  ...CJS,
  stdin: {
    contents: `import { loadLibrary } from "./engine/start/load.ts";
module.exports = loadLibrary(__dirname, __filename, () => require("./library.cjs"));`,
    resolveDir: "src",
    sourcefile: "load.ts",
  },
  external: ["./library.cjs"],
  outfile: "dist/load.cjs",
  outExtension: {},
});

// Each entry takes its exports from that file. Node would read an imported CommonJS file twice, the first time for the names of its
// exports, which costs 0.3 s. `createRequire` reads it once.
const names = Object.keys(createRequire(import.meta.url)("./dist/library.cjs")).filter((name) => name !== "engine");
const required = `import { createRequire } from "node:module";
export const { ${names.join(", ")} } = createRequire(import.meta.url)("./load.cjs");`;
const fromLibrary = (format) => ({
  name: "from-library",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\.?\// }, ({ kind }) => {
      if (kind === "entry-point") return undefined;
      return format === "cjs" ? { path: "./load.cjs", external: true } : { path: "library", namespace: "required" };
    });
    onLoad({ filter: /.*/, namespace: "required" }, () => ({ contents: required, loader: "js" }));
  },
});
const entries = {
  ...COMMON,
  entryPoints: ENTRIES,
  external: ["vitest", "@jest/globals", "msw", "@playwright/test"],
  outdir: "dist",
};
const { vitest: _, ...CJS_ENTRIES } = ENTRIES;
await build({ ...entries, format: "esm", plugins: [fromLibrary("esm")] });
// vitest never uses `require`, so its entry needs no CommonJS form.
await build({
  ...entries,
  entryPoints: CJS_ENTRIES,
  format: "cjs",
  outExtension: CJS.outExtension,
  plugins: [fromLibrary("cjs")],
});

// The worker for files.
const processes = await build({
  ...COMMON,
  entryPoints: { "files-worker": "src/service/files/worker.ts" },
  plugins: [pdfReader, pdfWriter, lazyPackages],
  outdir: "dist",
  // No subfolders, so that every file finds package.json and fixtures/ one level up.
  chunkNames: "[name]-[hash]",
  splitting: true,
  format: "esm",
  // Bundled CommonJS code may `require` modules of Node.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
});
// Node would read an imported CommonJS file twice, the first time for the names of its exports. That takes a tenth of a second here.
for (const file of Object.keys(processes.metafile.outputs).filter((name) => name.endsWith(".js"))) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, withRequires(text));
}

// Node loads this form into each thread of an intercepted process.
const CHILD = { "intercept-child": "src/intercept-child.ts", "sleep-child": "src/sleep-child.ts" };
await build({ ...COMMON, ...CJS, entryPoints: CHILD, outdir: "dist" });

const launcher = await build({ ...COMMON, ...CJS, entryPoints: { cli: "src/cli/launch.ts" }, outdir: "dist" });
chmodSync("dist/cli.cjs", 0o755);
if (types) {
  await lists;
  declarations(Object.keys(ENTRIES), await types);
  const outputs = [packages, programs, vendorMcp, pages, library, pdfReading, loader, processes, launcher];
  // The build writes this file last: the file's time marks the end of a complete build.
  const inputs = outputs.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(LAST_FILE, notices([...inputs, `${READER_UI}/swagger-ui-bundle.js`]));
}

/** Whether the last complete build is newer than the sources, the build scripts and the installed packages. */
function isBuilt() {
  if (!existsSync(LAST_FILE)) return false;
  const inputs = [
    "src",
    "docs/lists",
    "docs/file-types.ts",
    "build.mjs",
    "package.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "node_modules/.package-lock.json",
  ];
  for (const entry of readdirSync("src", { recursive: true, withFileTypes: true }))
    inputs.push(join(entry.parentPath, entry.name));
  const built = statSync(LAST_FILE).mtimeMs;
  return inputs.every((path) => !existsSync(path) || statSync(path).mtimeMs < built);
}

/** Files with pages or descriptions that other files import, by path below `src`. */
function importedPages() {
  const imported = new Set();
  for (const name of readdirSync("src", { recursive: true })) {
    const file = join("src", name);
    if (!file.endsWith(".ts") || PAGES.test(file)) continue;
    for (const [, path] of readFileSync(file, "utf8").matchAll(/^(?:import|export) (?!type)[^;]*from "(\.[^"]+)";$/gm))
      imported.add(join(dirname(file), path));
  }
  return [...imported].filter((file) => PAGES.test(file)).map((file) => relative("src", file));
}

/** Code that exports the members of each file, by path below `src`. */
function namespaces(name, files) {
  const list = files.map((file, i) => `${JSON.stringify(file)}: ${name}${i}`);
  return [
    ...files.map((file, i) => `import * as ${name}${i} from "./${file}";`),
    `export const ${name} = { ${list.join(", ")} };`,
  ].join("\n");
}

/**
 * The launcher runs the programs without a module loader, so `import()` fails in them. Replaces each import of a CommonJS file of `dist`
 * by a `require` that runs as late.
 */
function withRequires(code) {
  return code.replaceAll(/import\("(\.\/[\w-]+\.cjs)"\)/g, 'Promise.resolve().then(()=>require("$1"))');
}

/** Escapes the non-ASCII letters that esbuild leaves in tagged templates. A single one would double the memory of the program's code. */
function writeAscii(file, change) {
  const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;
  writeFileSync(file, change(readFileSync(file, "utf8")).replace(/[^\0-\x7f]/g, escaped), "latin1");
}

/** Compiles all types into a new folder, and returns its path. */
async function compiledTypes() {
  const folder = mkdtempSync(join(tmpdir(), "docdouble-types-"));
  // One thread: several take twice the processor time, which parallel tests need. `npm run types` checks the types.
  const flags = ["--singleThreaded", "--noCheck", "-p", "tsconfig.build.json", "--outDir", folder];
  const tsc = ["node_modules/typescript/bin/tsc", ...flags];
  try {
    await promisify(execFile)(process.execPath, tsc);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`The types do not compile:\n${error.stdout}${error.stderr}`);
  }
  return folder;
}

/**
 * Writes the types that users can reach, and removes the folder `all`. `require` gets copies, because TypeScript reads each file as one
 * kind of module.
 *
 * @throws when a type comes from a package that users may not have
 */
function declarations(entries, all) {
  try {
    // The types of files come from the JSON Schema.
    copyFileSync("dist/library/file-types.d.ts", join(all, "library/file-types.d.ts"));
    const wanted = entries.map((name) => join(all, `${name}.d.ts`));
    for (const file of wanted) {
      const text = readFileSync(file, "utf8");
      for (const [, name] of text.matchAll(/(?:from|import|module)\s*\(?"([^"]+)"/g)) {
        if (name.startsWith(".")) {
          const next = join(dirname(file), name.replace(/\.[jt]s$/, ".d.ts"));
          if (!wanted.includes(next)) wanted.push(next);
        } else if (!/^(node:|vitest$|@jest\/globals$|@playwright\/test$|expect$|msw$)/.test(name)) {
          throw new Error(`${relative(all, file)}: the public types may not need ${name}`);
        }
      }
      const target = join("dist", relative(all, file));
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(file, target);
      const name = relative(all, file).replace(/\.d\.ts$/, "");
      if (name !== "vitest")
        writeFileSync(target.replace(/\.d\.ts$/, ".d.cts"), text.replace(/(from\s+"\.[^"]+)\.ts"/g, '$1.cts"'));
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
}

/** Name, version and license of every bundled package. @throws when a license is missing or not permissive */
function notices(inputs) {
  const folders = [...new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []))].sort();
  const parts = folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (!/^(MIT|ISC|Apache-2\.0|0BSD|BSD-[23]-Clause|\(MIT AND Zlib\)|Zlib)$/.test(license))
      throw new Error(`${name} is bundled under ${license}. Check that license, and add it to the list in build.mjs.`);
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file) && !file.endsWith(".js"));
    const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
    if (text === "" && !existsSync(join(folder, "README.md"))) throw new Error(`${name} ships no license`);
    return `${name} ${version} (${license})\n\n${text || licenseInReadme(folder, license)}`;
  });
  for (const [name, files] of Object.entries(ASSET_LICENSES))
    parts.push(`${name}\n\n${files.map((file) => readFileSync(`${READER}/${file}`, "utf8").trim()).join("\n\n")}`);
  const packed = readFileSync(`${READER_UI}/swagger-ui-bundle.js.LICENSE.txt`, "utf8");
  parts.push(`Packages within swagger-ui-dist\n\n${packed.trim()}`);
  return `docdouble contains code of these packages, fonts and maps of characters.\n\n${parts.join(`\n\n${"-".repeat(78)}\n\n`)}\n`;
}

/** Some packages state their license only in the README. */
function licenseInReadme(folder, license) {
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const section = /^#+ *licen[cs]e[^\n]*\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(readme)?.[1]?.trim();
  return section || `Distributed under ${license}.`;
}
