/** Serves the OpenAPI document, its page, and the page at `/`. */
import type { ApiError } from "../engine/core/errors.ts";
import { lazy } from "../engine/core/operation.ts";
import type { TenantRegistry } from "../engine/runtime/tenants/tenant-registry.ts";
import { type Host, openapi, service, type Tenant } from "../service/service.ts";
import { type Asset, hashSource, pageBytes } from "../engine/http/html.ts";
import { counted } from "./views/lists.ts";
import { firstCreate } from "./views/documents.ts";
import { LANDING_SCRIPT, LANDING_STYLE } from "./assets.ts";
import { type Fact, landingPage, landingText, type Recent } from "./landing.ts";
import { refusalPage } from "./refusal-page.ts";
import { unbuiltDocsPage } from "./unbuilt-docs.ts";
import { rowsNamedIn } from "./log/log-event.ts";
import { iso } from "../engine/core/clock.ts";
import { hasDocumentation } from "./documentation.ts";
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

function headersFor(style: Asset, script?: Asset): Record<string, string> {
  const scripts = script ? `script-src ${hashSource(script)}; ` : "";
  return {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
    "content-security-policy": `default-src 'none'; style-src ${hashSource(style)}; ${scripts}connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  };
}

const landingHeaders = lazy(() => headersFor(LANDING_STYLE, LANDING_SCRIPT));
const plainPageHeaders = lazy(() => headersFor(LANDING_STYLE));

export function sendUnbuiltDocs({ version }: Pick<TenantRegistry, "version">, path: string): Response {
  const status = /^\/docs\/?$/.test(path) ? 200 : 404;
  return new Response(pageBytes(unbuiltDocsPage(version)) as Uint8Array<ArrayBuffer>, { status, headers: plainPageHeaders() });
}

/** The page of a refusal. It keeps the status and the headers. */
export function sendRefusal({ version }: Pick<TenantRegistry, "version">, error: ApiError): Response {
  const page = refusalPage({ status: error.status, why: error.options.why ?? error.message, version });
  const headers = { ...plainPageHeaders(), ...error.options.headers };
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

const timeOf = (at: number) => iso(at).slice(0, 19).replace("T", " ");

function glanceOf({ clock, store, journal }: Tenant): Fact[] {
  const attempts = store.deliveries.all().flatMap((one) => one.attempts);
  const failed = attempts.filter((one) => one.status === null || one.status >= 300).length;
  const page = (view: string) => `/__admin/?view=${view}`;
  return [
    { text: `clock ${clock.mode}, ${timeOf(clock.now())}`, href: page("clock") },
    { text: counted(store.documents.size, "document"), href: page("documents") },
    { text: counted(journal.size, "call"), href: page("journal") },
    { text: counted(store.deliveries.size, "webhook"), href: page("deliveries") },
    ...(failed > 0 ? [{ text: counted(failed, "failed attempt"), href: page("deliveries"), isWrong: true }] : []),
    { text: counted(store.emails.size, "mail"), href: page("mails") },
  ];
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
    else recent.set(key, { id: one.id, title, status: one.status, at: timeOf(one.at), count: 1 });
  }
  const page = landingPage({
    ...{ url: settings.publicUrl, apiKey, version, firstCreate: firstCreate(settings.publicUrl, apiKey) },
    hasGuides: hasDocumentation(),
    recent: adminToken !== undefined ? undefined : [...recent.values()].slice(0, RECENT),
    glance: adminToken !== undefined ? undefined : glanceOf(defaultTenant),
  });
  return new Response(pageBytes(page) as Uint8Array<ArrayBuffer>, { headers: landingHeaders() });
}
