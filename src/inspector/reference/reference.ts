/**
 * The page at /reference: Swagger UI reads the served description, and sends calls with the key of the world. All its files come from
 * the package.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { inPackage } from "../../engine/core/package-root.ts";
import { type Html, hashSource, html, htmlPage } from "../../engine/http/html.ts";
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from "../assets.ts";

const TYPES: Readonly<Record<string, string>> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
};

const loaded = new Map<string, Promise<Uint8Array>>();

/** A file of Swagger UI. A clone has the package itself, and the build puts compressed copies into `dist`. */
export async function sendReaderFile(name: string): Promise<Response> {
  const type = TYPES[name];
  if (type === undefined) return new Response(null, { status: 404 });
  let bytes = loaded.get(name);
  if (!bytes) {
    bytes = loadReaderFile(name);
    loaded.set(name, bytes);
  }
  return new Response((await bytes) as Uint8Array<ArrayBuffer>, {
    headers: { "content-type": type, "cache-control": "no-cache", "x-content-type-options": "nosniff" },
  });
}

async function loadReaderFile(name: string): Promise<Uint8Array> {
  const plain = inPackage(`node_modules/swagger-ui-dist/${name}`);
  if (existsSync(plain)) return readFile(plain);
  return promisify(brotliDecompress)(await readFile(inPackage(`dist/${name}.br`)));
}

/** @param apiKey - undefined when an admin token guards the server */
export function referencePage(apiKey: string | undefined, version: string): Html {
  return htmlPage({
    title: "Reference – docdouble",
    style: REFERENCE_STYLE,
    script: REFERENCE_SCRIPT,
    data: { apiKey },
    body: html`<header class="bar"><a class="brand" href="/"><span aria-hidden="true">◧</span> docdouble</a>
<a class="tick" href="/reference">The API</a><a class="tick" href="/reference?api=admin">Admin API</a><a class="tick" href="/docs/">Docs</a><a class="tick" href="/__admin/">Inspector</a></header>
<main id="main">
<p class="note">Each refusal has a header <code>x-docdouble-why</code>, which says in a sentence what would pass. The admin API steers this double; the service does not have it.</p>
<noscript><p class="note">This page needs JavaScript. <a href="/openapi.json">openapi.json</a> is the same description.</p></noscript>
<div id="reader"></div>
</main>
<footer class="foot">docdouble ${version}, a test double; not affiliated with PandaDoc.</footer>
<link rel="stylesheet" href="/reference/swagger-ui.css">
<script src="/reference/swagger-ui-bundle.js"></script>`,
  });
}

/** Swagger UI shows small pictures from its own style. Nothing comes from another host. */
export function referenceHeaders(): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "content-security-policy": `default-src 'none'; style-src 'self' ${hashSource(REFERENCE_STYLE)}; script-src 'self' ${hashSource(REFERENCE_SCRIPT)}; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}
