import { encodeAddress } from "../../engine/core/text.ts";
import type { Context } from "hono";
import type { Host, Tenant } from "../kit/world.ts";
import { tenantOf, tenantWith } from "../../engine/runtime/tenants/tenant-registry.ts";
import { isAllowedIn } from "../nouns/documents/status-machine.ts";
import { contentDisposition, filesOf } from "../nouns/documents/downloads.ts";
import { pdfsOf } from "../nouns/documents/pages.ts";
import { enterSession, followLink, viewSession } from "../nouns/signing/sessions.ts";
import { currencyOf } from "../nouns/documents/view.ts";
import { applyChoices } from "../nouns/pricing/signer-choices.ts";
import { html } from "../../engine/http/html.ts";
import { liveParts } from "./signing/choices.ts";
import { readChoices } from "./signing/form.ts";
import { imageUrls } from "./signing/images.ts";
import { openingMessages, passedMessages } from "./signing/session-messages.ts";
import { failurePage, signingPage } from "./signing/page.ts";
import { runAuthorize } from "./authorize-route.ts";
import { FORM_BYTES_MAX, readBytes, UPLOAD_BYTES_MAX } from "../../engine/http/bodies.ts";
import { embedRoutes } from "./embed-pages.ts";
import { authorizationOf } from "../../engine/http/hono-context.ts";
import { hostOf } from "./host.ts";
import { sendFile } from "./keyless-files.ts";
import { page, redirect, ACT_NOTICES, statusOf, WHY_STOPPED } from "./page-answers.ts";
import { sendImage } from "./page-assets.ts";
import { type PageId, runPage, type PageCall } from "./page-call.ts";
import { failureMessages, isOpening, submit } from "./session-form.ts";
import type { FileRow } from "../nouns/content/row.ts";

export interface PageRoute {
  method: string;
  path: string;
  run(context: Context): Promise<Response>;
}

interface Owner {
  tenant: Tenant;
  subject?: string;
  bytesMax?: number;
}

export function pageRoutes(): PageRoute[] {
  const route = (
    method: string,
    path: string,
    id: PageId,
    ownerOf: (host: Host, parameter: string, context: Context) => Owner,
    run: (call: PageCall, parameter: string) => Response | Promise<Response>,
  ): PageRoute => {
    const name = /:(\w+)/.exec(path)?.[1] ?? "";
    return {
      method,
      path,
      run: (context) => {
        const parameter = context.req.param(name) ?? "";
        const { tenant, subject, bytesMax = 0 } = ownerOf(hostOf(context), parameter, context);
        const failed = (call: PageCall, status: number) => fail(call, id === "signingPage" ? parameter : undefined, status);
        return runPage(context, tenant, { id, subject, bytesMax, failed, run: (call) => run(call, parameter) });
      },
    };
  };
  return [
    route("GET", "/s/:session", "signingPage", ofSession, show),
    route("POST", "/s/:session", "signingPage", ofSession, submit),
    route("GET", "/s/:session/images/:index", "signingImage", ofSession, image),
    route("GET", "/s/:session/files/:id", "signingFile", ofSession, pdf),
    route("GET", "/s/:session/download", "signingFile", ofSession, finished),
    route("GET", "/document/:token", "sharedLink", ofLink, follow),
    route("GET", "/files/:id/:name", "fileDownload", ofFile, file),
    route("GET", "/files/:id", "fileDownload", ofDocx, ({ host }, id) => sendFile(host, id)),
    route("GET", "/oauth2/authorize", "authorizePage", ofKey, runAuthorize),
    route("POST", "/oauth2/authorize", "authorizePage", ofKey, runAuthorize),
    { method: "GET", path: "/s/:session/alive", run: async (context) => isAlive(context) },
    { method: "POST", path: "/s/:session/totals", run: totals },
    ...embedRoutes(),
  ];
}

function ofSession(host: Host, id: string): Owner {
  const tenant = tenantWith(host, "sessions", id);
  const session = tenant?.store.sessions.get(id);
  return tenant && session
    ? { tenant, subject: session.document_id, bytesMax: UPLOAD_BYTES_MAX }
    : { tenant: host.defaultTenant };
}

function ofLink(host: Host, token: string): Owner {
  const tenant = tenantWith(host, "documents", token) ?? host.defaultTenant;
  return { tenant, subject: tenant.store.documents.where("link", token)[0]?.id };
}

function ofFile(host: Host, id: string): Owner {
  return { tenant: tenantWith(host, "files", id) ?? host.defaultTenant };
}

function ofDocx(host: Host, id: string): Owner {
  return { tenant: tenantWith(host, "docx_files", id) ?? host.defaultTenant };
}

function ofKey(host: Host, _: string, context: Context): Owner {
  return { tenant: tenantOf(host, authorizationOf(context)), bytesMax: FORM_BYTES_MAX };
}

function show({ context, tenant, entry }: PageCall, id: string): Response {
  const enter = () => tenant.store.transaction(() => enterSession(tenant.world, id));
  const view = tenant.journal.during(entry.id, enter);
  const notice = context.req.query("notice") ?? "";
  const opened = notice === "opened" ? passedMessages(tenant.world, view) : {};
  const messages = isOpening(context) ? openingMessages(tenant.world, view) : opened;
  return page(
    signingPage(tenant.world, view, { notice: ACT_NOTICES[notice], messages }),
    statusOf(view),
    view.is === "stopped" ? WHY_STOPPED[view.why] : undefined,
  );
}

function follow({ tenant }: PageCall, token: string): Response {
  const found = tenant.store.transaction(() => followLink(tenant.world, token));
  if (!found) return unknown(tenant);
  if ("session" in found) return redirect(`/s/${found.session}/`);
  const messages = openingMessages(tenant.world, found);
  return page(signingPage(tenant.world, found, { messages }), statusOf(found), WHY_STOPPED[found.why]);
}

function pdf({ context, tenant }: PageCall, id: string): Response {
  const view = viewSession(tenant.world, id);
  const files = view.is === "open" ? pdfsOf(tenant.world, view.document) : [];
  const found = files.find((one) => one.id === context.req.param("id"));
  return found ? asFile({ ...found, type: "application/pdf" }) : unknown(tenant);
}

async function finished({ tenant }: PageCall, id: string): Promise<Response> {
  const view = viewSession(tenant.world, id);
  if (view.is !== "open" || !isAllowedIn(view.document.status, "download_protected")) return unknown(tenant);
  const { whole } = filesOf(tenant.world, view.document);
  return new Response((await whole.bytes()) as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": whole.media,
      "content-disposition": contentDisposition(whole.name),
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

function file({ tenant }: PageCall, id: string): Response {
  const found = tenant.store.files.get(id);
  return found ? asFile(found) : unknown(tenant);
}

function asFile({ name, type, base64 }: FileRow): Response {
  return new Response(Buffer.from(base64, "base64"), {
    headers: {
      "content-type": type || "application/octet-stream",
      // A user's file must not run as a page of this origin.
      "content-disposition": `attachment; filename*=UTF-8''${encodeAddress(name)}`,
      "x-content-type-options": "nosniff",
    },
  });
}

async function image({ context, tenant }: PageCall, id: string): Promise<Response> {
  const view = viewSession(tenant.world, id);
  const url = view.is === "open" ? imageUrls(view.document)[Number(context.req.param("index"))] : undefined;
  const found = url !== undefined && /^https?:/i.test(url) ? await sendImage(url, tenant.settings.addressPolicy) : undefined;
  return found ?? new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
}

function unknown({ world }: Tenant): Response {
  const view = { is: "stopped", why: "unknown" } as const;
  return page(signingPage(world, view, { messages: openingMessages(world, view) }), 404, WHY_STOPPED.unknown);
}

async function fail(call: PageCall, session: string | undefined, status: number): Promise<Response> {
  const messages = session === undefined ? undefined : await failureMessages(call, session);
  return page(failurePage(status, messages), status);
}

/** The open page polls this, so the journal leaves it out. */
function isAlive(context: Context): Response {
  const id = context.req.param("session") ?? "";
  const { tenant } = ofSession(hostOf(context), id);
  const view = viewSession(tenant.world, id);
  const status = view.is === "stopped" && view.why === "unknown" ? 404 : 204;
  return new Response(null, { status, headers: { "cache-control": "no-store" } });
}

/** This saves nothing, so the journal leaves it out. */
async function totals(context: Context): Promise<Response> {
  const id = context.req.param("session") ?? "";
  const { tenant } = ofSession(hostOf(context), id);
  const view = viewSession(tenant.world, id);
  if (view.is !== "open" || view.mode !== "fill") return unknown(tenant);
  try {
    const bytes = await readBytes(context.req.raw, FORM_BYTES_MAX);
    const form = await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { "content-type": context.req.header("content-type") ?? "" },
    }).formData();
    const document = applyChoices(view.document, readChoices(form, view.document));
    return page(liveParts(document, currencyOf(tenant.world, document)));
  } catch {
    return page(html``, 422);
  }
}
