/** Serves the OpenAPI document, its page, and the page at `/`. */
import type { ApiError } from "../engine/core/errors.ts";
import { lazy } from "../engine/core/operation.ts";
import type { TenantRegistry } from "../engine/runtime/tenants/tenant-registry.ts";
import { type Host, openapi, service } from "../service/service.ts";
import { hashSource, pageBytes } from "../engine/http/html.ts";
import { agoOf } from "./views/lists.ts";
import { firstCreate } from "./views/code.ts";
import { LANDING_SCRIPT, LANDING_STYLE } from "./assets.ts";
import { landingPage, landingText, type Recent, refusalPage, unbuiltDocsPage } from "./landing.ts";
import { rowsNamedIn } from "./log/log-event.ts";
import { referenceHeaders, referencePage } from "./reference/reference.ts";

/** The description for each address as JSON. Building it needs every schema. */
const descriptions = new Map<string, Promise<string>>();

/** A process that starts many servers, such as a test runner, does not keep them all. */
const DESCRIPTIONS_MAX = 20;

export async function sendDescription({ defaultTenant, version }: TenantRegistry): Promise<Response> {
  const url = defaultTenant.settings.publicUrl;
  let json = descriptions.get(url);
  if (!json) {
    json = openapi.describe(url, version).then((document) => JSON.stringify(document));
    if (descriptions.size >= DESCRIPTIONS_MAX) descriptions.clear();
    descriptions.set(url, json);
  }
  return new Response(await json, { headers: { "content-type": "application/json" } });
}

const pageHeaders = lazy(() => ({
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "content-security-policy": `default-src 'none'; style-src ${hashSource(LANDING_STYLE)}; script-src ${hashSource(LANDING_SCRIPT)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
}));

export function sendUnbuiltDocs({ version }: Pick<TenantRegistry, "version">, path: string): Response {
  const status = /^\/docs\/?$/.test(path) ? 200 : 404;
  return new Response(pageBytes(unbuiltDocsPage(version)) as Uint8Array<ArrayBuffer>, { status, headers: pageHeaders() });
}

/** The page of a refusal. It keeps the status and the headers. */
export function sendRefusal({ version }: Pick<TenantRegistry, "version">, error: ApiError): Response {
  const page = refusalPage({ status: error.status, why: error.options.why ?? error.message, version });
  const headers = { ...pageHeaders(), ...error.options.headers };
  return new Response(pageBytes(page) as Uint8Array<ArrayBuffer>, { status: error.status, headers });
}

export function sendReference(host: Host): Response {
  const page = referencePage(shownKey(host), host.version);
  return new Response(pageBytes(page) as Uint8Array<ArrayBuffer>, { headers: referenceHeaders() });
}

/** The key of the default tenant. A page shows none when an admin token guards the server. */
function shownKey({ adminToken, defaultTenant }: Host): string | undefined {
  const keys = defaultTenant.store.api_keys.all();
  return adminToken === undefined ? keys.find((one) => one.environment === "production" && !one.revoked)?.id : undefined;
}

const RECENT = 8;
const RECENT_READ = 200;

export function sendLanding(host: Host, isPage = true): Response {
  const { defaultTenant, version, adminToken } = host;
  const { journal, settings } = defaultTenant;
  const apiKey = shownKey(host);
  if (!isPage)
    return new Response(landingText({ url: settings.publicUrl, apiKey, version }), {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  const recent = new Map<string, Recent>();
  for (const one of journal.latest(RECENT_READ)) {
    // Visits of signing pages are many, and no call of a client.
    if (one.operationId !== undefined && service.pageIds.includes(one.operationId)) continue;
    const what = one.operationId ?? `${one.method} ${one.path}`;
    const title = [what, rowsNamedIn(defaultTenant, one)[0]?.name].filter(Boolean).join(", ");
    const key = `${one.status} ${title}`;
    const known = recent.get(key);
    if (known) known.count++;
    else recent.set(key, { id: one.id, title, status: one.status, ago: agoOf(defaultTenant, one.at), count: 1 });
  }
  const page = landingPage({
    ...{ url: settings.publicUrl, apiKey, version, firstCreate: firstCreate(settings.publicUrl, apiKey) },
    recent: adminToken !== undefined ? undefined : [...recent.values()].slice(0, RECENT),
  });
  return new Response(pageBytes(page) as Uint8Array<ArrayBuffer>, { headers: pageHeaders() });
}
