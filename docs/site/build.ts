/**
 * `npm run site` builds the documentation site with VitePress and packs it into site/docs.br, which the server serves below /docs. A link to
 * a page that does not exist stops the build. With `--if-old` it builds only when a page is newer than the archive, and only with the tools
 * of docs/. A packed clone without them has no documentation pages.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { fileURLToPath } from "node:url";
import { filesIn } from "../gather.ts";
import { installed, isInstalled } from "../installed.ts";
import { writeLists } from "../lists/index.ts";
import { sitePages } from "./pages.ts";

const FOLDER = "site";
const SOURCE = join(FOLDER, "src");
const BUILT = join(FOLDER, "built");
const ARCHIVE = join(FOLDER, "docs.br");

/** The pages lie outside of docs/, so Node would not find the theme by its name there. */
function theme(): string {
  const file = fileURLToPath(import.meta.resolve("vitepress/theme-without-fonts"));
  return `import theme from ${JSON.stringify(file)};\nimport "./theme.css";\nexport default theme;\n`;
}
const CONFIG = 'export { default } from "../../../docs/site/config.ts";\n';

/** Builds the archive unless it is newer than every page. */
export async function ensureSite(): Promise<void> {
  if (isOld()) await buildSite();
}

function isOld(): boolean {
  const made = existsSync(ARCHIVE) ? statSync(ARCHIVE).mtimeMs : 0;
  const pages = [...filesIn("docs", ""), "README.md", "package.json"];
  return pages.some((file) => statSync(file).mtimeMs > made);
}

async function buildSite(): Promise<void> {
  writeLists();
  rmSync(SOURCE, { recursive: true, force: true });
  const files = {
    ...sitePages(),
    ".vitepress/config.ts": CONFIG,
    ".vitepress/theme/index.ts": theme(),
    ".vitepress/theme/theme.css": readFileSync("docs/site/theme.css", "utf8"),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(SOURCE, name)), { recursive: true });
    writeFileSync(join(SOURCE, name), text);
  }
  // VitePress changes the environment of its process, so it runs in a separate one.
  const vitepress = join(installed("vitepress"), "bin/vitepress.js");
  await promisify(execFile)(process.execPath, [vitepress, "build", SOURCE, "--outDir", resolve(BUILT)], { maxBuffer: 1e8 });
  const bytes = packed(BUILT);
  writeFileSync(`${ARCHIVE}.new`, bytes);
  renameSync(`${ARCHIVE}.new`, ARCHIVE);
  process.stdout.write(`${ARCHIVE}: ${Math.round(bytes.length / 1000)} kB\n`);
}

/** Packs all files into one: a line of JSON with names and lengths, then their bytes. The server reads this format. */
function packed(folder: string): Buffer {
  const ending = (name: string) => name.split(".").at(-1) ?? "";
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => statSync(join(folder, name)).isFile() && name !== "hashmap.json" && !name.endsWith(".map"))
    // Similar files stand next to each other and compress better.
    .sort((a, b) => ending(a).localeCompare(ending(b)) || a.localeCompare(b));
  const bytes = names.map((name) => readFileSync(join(folder, name)));
  const list = `${JSON.stringify(names.map((name, i) => [name, bytes[i]?.length]))}\n`;
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = constants;
  // The next quality saves 1 % and takes twice as long.
  const params = { [BROTLI_PARAM_QUALITY]: 10, [BROTLI_PARAM_LGWIN]: 24 };
  return brotliCompressSync(Buffer.concat([Buffer.from(list), ...bytes]), { params });
}

if (process.argv[1]?.endsWith("build.ts")) {
  if (!process.argv.includes("--if-old")) await buildSite();
  else if (isInstalled("vitepress")) await ensureSite();
  else process.stderr.write("The package gets no new documentation pages. To include them, run npm run tools first.\n");
}
