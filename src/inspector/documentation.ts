/**
 * Serves the documentation site below /docs. `npm run site` packs it into one file, which the first request unpacks. Without that file, a
 * page shows how to build it.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { inPackage } from "../engine/core/package-root.ts";
import { decodeAddress } from "../engine/core/text.ts";

const BASE = "/docs/";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
};

const COMMON = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

let site: Promise<ReadonlyMap<string, Uint8Array>> | undefined;

function packedSite(): string | undefined {
  const path = fileURLToPath(inPackage("site/docs.br"));
  return existsSync(path) ? path : undefined;
}

function load(): Promise<ReadonlyMap<string, Uint8Array>> | undefined {
  const path = packedSite();
  if (path !== undefined) site ??= unpack(path);
  return site;
}

async function unpack(path: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const bytes = await promisify(brotliDecompress)(await readFile(path));
  const end = bytes.indexOf("\n");
  const names = JSON.parse(bytes.subarray(0, end).toString()) as [string, number][];
  const files = new Map<string, Uint8Array>();
  let at = end + 1;
  for (const [name, length] of names) {
    files.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  return files;
}

export async function sendDocumentation(url: string): Promise<Response | undefined> {
  const files = await load();
  if (files === undefined) return undefined;
  const { pathname, search } = new URL(url);
  if (pathname === "/docs") return new Response(null, { status: 302, headers: { ...COMMON, location: BASE } });
  const name = decodeAddress(pathname.slice(BASE.length));
  const found = [name, `${name}.html`, `${name}index.html`].find((one) => files.has(one));
  const meant = found === undefined ? meantBy(name, files) : undefined;
  if (meant !== undefined)
    return new Response(null, { status: 302, headers: { ...COMMON, location: `${BASE}${meant}${search}` } });
  const [file, status] = found === undefined ? ["404.html", 404] : [found, 200];
  const bytes = files.get(file) ?? new Uint8Array();
  return new Response(bytes as Uint8Array<ArrayBuffer>, { status, headers: headersOf(file, bytes) });
}

/** The page that an address means with a slash at its end, with the ending of its source, or without the slash of a folder. */
function meantBy(name: string, files: ReadonlyMap<string, Uint8Array>): string | undefined {
  const page = name.replace(/\/+$/, "").replace(/\.(?:md|html)$/i, "");
  const folder = page.replace(/(?<=^|\/)index$/, "");
  if (folder !== page || page === "") return files.has(`${folder}index.html`) ? folder : undefined;
  if (page !== name && files.has(`${page}.html`)) return page;
  return files.has(`${page}/index.html`) ? `${page}/` : undefined;
}

function headersOf(file: string, bytes: Uint8Array): Record<string, string> {
  const ending = file.slice(file.lastIndexOf(".") + 1);
  const type = { "content-type": TYPES[ending] ?? "application/octet-stream" };
  if (ending !== "html")
    return {
      ...COMMON,
      ...type,
      "cache-control": file.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    };
  return { ...COMMON, ...type, "cache-control": "no-cache", "content-security-policy": policyOf(bytes) };
}

/** Allows the page's own scripts and files. Colors of code are styles of single words. */
function policyOf(page: Uint8Array): string {
  const scripts = [...new TextDecoder().decode(page).matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = scripts.map(([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(" ")}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
