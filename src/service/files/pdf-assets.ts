/**
 * The font and the character maps of pdfjs-dist. The built package holds copies beside its code, with the character maps in one
 * compressed file. In the repository they come from node_modules.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

const FONT = "LiberationSans-Regular.ttf";

export function fontBytes(): Promise<Uint8Array> {
  return readPublished(FONT, `standard_fonts/${FONT}`);
}

async function readPublished(name: string, path: string): Promise<Uint8Array> {
  return readFile(builtAsset(name) ?? createRequire(import.meta.url).resolve(`pdfjs-dist/${path}`));
}

function builtAsset(name: string): string | undefined {
  const path = fileURLToPath(new URL(`./${name}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

let packed: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

async function characterMap(name: string): Promise<Uint8Array | undefined> {
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
