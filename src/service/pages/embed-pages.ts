import type { Context } from "hono";
import { tenantWith } from "../../engine/runtime/tenants/tenant-registry.ts";
import { iso } from "../../engine/core/clock.ts";
import { findOpenEditingSession } from "../nouns/templates/editing-sessions.ts";
import { EMBED_SCRIPT, EMBED_STYLE } from "./assets.ts";
import { EDITOR_PAGE, SIGNING_PAGE } from "./embed/pages.ts";
import { hashSource, type Html, pageBytes } from "../../engine/http/html.ts";
import { hostOf } from "./host.ts";
import { runPage, type PageCall } from "./page-call.ts";

interface EmbedRoute {
  method: string;
  path: string;
  run(context: Context): Promise<Response>;
}

export function embedRoutes(): EmbedRoute[] {
  return [
    { method: "GET", path: "/pm", run: async () => send(SIGNING_PAGE) },
    { method: "GET", path: "/document-editor", run: async () => send(EDITOR_PAGE) },
    { method: "GET", path: "/document-editor/session", run: editorSession },
  ];
}

function send(page: Html): Response {
  const policy = [
    "default-src 'none'",
    `style-src ${hashSource(EMBED_STYLE)}`,
    `script-src ${hashSource(EMBED_SCRIPT)}`,
    "frame-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors *",
  ];
  return new Response(pageBytes(page) as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "content-security-policy": policy.join("; "),
    },
  });
}

/** The token arrives in a header, which the journal masks. */
async function editorSession(context: Context): Promise<Response> {
  const token = /^E-Token (\S+)$/.exec(context.req.header("authorization") ?? "")?.[1] ?? "";
  const tenant = tenantWith(hostOf(context), "editing_sessions", token) ?? hostOf(context).defaultTenant;
  return runPage(context, tenant, {
    id: "editorSession",
    subject: tenant.store.editing_sessions.where("token", token)[0]?.subject_id,
    bytesMax: 0,
    run: (call) => describeSession(call, token),
    failed: (_, status) => Response.json({ detail: "Failed" }, { status }),
  });
}

function describeSession({ tenant }: PageCall, token: string): Response {
  const found = findOpenEditingSession(tenant.world, token);
  const headers = { "cache-control": "no-store" };
  if (!found) return Response.json({ detail: "No open editing session has this E-Token." }, { status: 404, headers });
  const { session, subject } = found;
  const { kind, subject_id: id, email } = session;
  const { name, status } = subject;
  return Response.json({ kind, id, name, status, email, expires_at: iso(session.expires_at) }, { headers });
}
