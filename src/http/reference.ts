/**
 * The OpenAPI document and the page that shows it, which want every schema there is and so are made once for an address; and what a
 * browser is shown at `/`.
 */
import type { Host } from "../control/host.ts";
import { exportOpenApi, loadExamples } from "../openapi/export.ts";
import { pageBytes } from "../web/html.ts";
import { landingPage } from "../web/landing.ts";
import { type Description, referencePage } from "../web/reference.ts";

interface Made {
  key: string;
  document: object;
  page?: Uint8Array;
}

let made: Made | undefined;

async function make(url: string, version: string): Promise<Made> {
  const key = `${version} ${url}`;
  if (made?.key !== key) made = { key, document: exportOpenApi(url, version, await loadExamples(url)) };
  return made;
}

/** What is served at `url`. */
export async function describe(url: string, version: string): Promise<object> {
  return (await make(url, version)).document;
}

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

export async function sendReference({ defaultTenant, version }: Host): Promise<Response> {
  const one = await make(defaultTenant.settings.publicUrl, version);
  one.page ??= pageBytes(referencePage(one.document as Description));
  return new Response(one.page as Uint8Array<ArrayBuffer>, { headers: HEADERS });
}

export function sendLanding({ defaultTenant, version, adminToken }: Host): Response {
  const keys = defaultTenant.store.api_keys.all();
  // Who is kept from steering is not told keys either.
  const apiKey = adminToken === undefined ? keys.find((one) => one.environment === "production")?.id : undefined;
  const page = landingPage({ url: defaultTenant.settings.publicUrl, apiKey: apiKey ?? "YOUR-KEY", version });
  return new Response(pageBytes(page) as Uint8Array<ArrayBuffer>, { headers: HEADERS });
}
