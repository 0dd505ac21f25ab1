/**
 * Serves the OpenAPI document, its page, and the page at `/`. Building needs every schema, so the result is cached per address.
 */
import type { TenantRegistry } from "../admin/tenants/tenant-registry.ts";
import { exportOpenApi, loadExamples } from "../openapi/export.ts";
import { hashSource, type Html, pageBytes } from "../web/html.ts";
import { STYLE } from "../web/inspector/assets.ts";
import { landingPage } from "../web/landing.ts";
import { REFERENCE_SCRIPT, REFERENCE_STYLE } from "../web/reference/assets.ts";
import { type Description, referencePage } from "../web/reference/reference.ts";

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

export async function describe(url: string, version: string): Promise<object> {
  return (await make(url, version)).document;
}

function headersFor(style: Html, script?: Html): Record<string, string> {
  const scripts = script ? `script-src ${hashSource(script)}; ` : "";
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "content-security-policy": `default-src 'none'; style-src ${hashSource(style)}; ${scripts}base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

const REFERENCE_HEADERS = headersFor(REFERENCE_STYLE, REFERENCE_SCRIPT);
const LANDING_HEADERS = headersFor(STYLE);

export async function sendReference({ defaultTenant, version }: TenantRegistry): Promise<Response> {
  const one = await make(defaultTenant.settings.publicUrl, version);
  one.page ??= pageBytes(referencePage(one.document as Description));
  return new Response(one.page as Uint8Array<ArrayBuffer>, { headers: REFERENCE_HEADERS });
}

export function sendLanding({ defaultTenant, version, adminToken }: TenantRegistry): Response {
  const keys = defaultTenant.store.api_keys.all();
  // Without admin access the page shows no keys.
  const apiKey = adminToken === undefined ? keys.find((one) => one.environment === "production")?.id : undefined;
  const page = landingPage({ url: defaultTenant.settings.publicUrl, apiKey: apiKey ?? "YOUR-KEY", version });
  return new Response(pageBytes(page) as Uint8Array<ArrayBuffer>, { headers: LANDING_HEADERS });
}
