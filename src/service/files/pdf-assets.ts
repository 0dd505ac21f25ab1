/**
 * Fonts, decoders and character maps of pdfjs-dist. The built package holds copies beside its code, with all character maps in
 * one compressed file. In the repository they come from node_modules.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { own } from "../../engine/core/maps.ts";

const SOURCES: Readonly<Record<string, string>> = {
  "LiberationSans-Regular.ttf": "standard_fonts",
  "LiberationSans-Bold.ttf": "standard_fonts",
  "FoxitDingbats.pfb": "standard_fonts",
  "FoxitSymbol.pfb": "standard_fonts",
  "FoxitFixed.pfb": "standard_fonts",
  "FoxitFixedBold.pfb": "standard_fonts",
  "FoxitSerif.pfb": "standard_fonts",
  "FoxitSerifBold.pfb": "standard_fonts",
  "openjpeg.wasm": "wasm",
  "jbig2.wasm": "wasm",
  "qcms_bg.wasm": "wasm",
  "CGATS001Compat-v2-micro.icc": "iccs",
};

/** Slanted fonts are left out of the package: the upright ones have the same widths. */
const STAND_INS: Readonly<Record<string, string>> = {
  "LiberationSans-Italic.ttf": "LiberationSans-Regular.ttf",
  "LiberationSans-BoldItalic.ttf": "LiberationSans-Bold.ttf",
  "FoxitFixedItalic.pfb": "FoxitFixed.pfb",
  "FoxitFixedBoldItalic.pfb": "FoxitFixedBold.pfb",
  "FoxitSerifItalic.pfb": "FoxitSerif.pfb",
  "FoxitSerifBoldItalic.pfb": "FoxitSerifBold.pfb",
};

export async function pdfAsset(asked: string): Promise<Uint8Array | undefined> {
  if (asked.endsWith(".bcmap")) return characterMap(asked);
  const name = own(STAND_INS, asked) ?? asked;
  const source = own(SOURCES, name);
  return source === undefined ? undefined : readPublished(name, `${source}/${name}`);
}

export async function readPublished(name: string, path: string): Promise<Uint8Array> {
  return readFile(builtAsset(name) ?? createRequire(import.meta.url).resolve(`pdfjs-dist/${path}`));
}

function builtAsset(name: string): string | undefined {
  const path = fileURLToPath(new URL(`./${name}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

let packed: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

async function characterMap(name: string): Promise<Uint8Array | undefined> {
  if (!/^[\w-]+\.bcmap$/.test(name)) return undefined;
  const path = builtAsset("cmaps.br");
  if (path === undefined) return readPublished(name, `cmaps/${name}`).catch(() => undefined);
  packed ??= unpack(path);
  return (await packed).get(name);
}

async function unpack(path: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const bytes = await promisify(brotliDecompress)(await readFile(path));
  const end = bytes.indexOf("\n");
  const names = JSON.parse(bytes.subarray(0, end).toString()) as [string, number][];
  const maps = new Map<string, Uint8Array>();
  let at = end + 1;
  for (const [name, length] of names) {
    maps.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  return maps;
}

export class CharacterMaps {
  async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: true }> {
    const cMapData = await characterMap(`${name}.bcmap`);
    if (!cMapData) throw new Error(`no character map ${name}`);
    return { cMapData: new Uint8Array(cMapData), isCompressed: true };
  }
}
