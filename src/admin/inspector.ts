/** Serves the inspector. */
import * as z from "zod";
import { binary, group, lazy, operationsFor } from "../core/operation.ts";
import { ledger } from "../assumptions/ledger.ts";
import { hashSource, pageBytes } from "../web/html.ts";
import { SCRIPT, STYLE } from "../web/inspector/assets.ts";
import { inspectorPage } from "../web/inspector/inspector.ts";
import { findDocuments } from "./acts/documents.ts";
import type { Control } from "./tenants/tenant-registry.ts";
import { VIEWS } from "../web/inspector/parts.ts";

const operation = operationsFor<Control>();

const pageQuery = lazy(() =>
  z.object({
    view: z.enum(VIEWS).default("documents"),
    id: z.string().optional(),
    q: z.string().optional(),
    is: z.string().optional(),
    tenant: z.string().optional(),
  }),
);

/** The policy: only the inspector's script runs, it calls only this server, and no page embeds it. */
const HEADERS = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "content-security-policy": `default-src 'none'; style-src ${hashSource(STYLE)}; script-src ${hashSource(SCRIPT)}; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

export const inspectorGroup = group("Admin: inspector", [
  operation({
    id: "adminInspector",
    route: "GET /__admin",
    query: pageQuery,
    responses: { 200: binary("text/html") },
    errors: [400],
    handle: async ({ query }, { host, tenant }) => {
      // A link selects an existing tenant and never creates one.
      const shown = query.tenant === undefined ? tenant : (host.find(query.tenant) ?? tenant);
      const page = inspectorPage({
        ...query,
        host,
        tenant: shown,
        isDefault: shown === host.defaultTenant,
        assumptions: query.view === "assumptions" ? await ledger() : [],
        documents: findDocuments(shown, query.view === "documents" ? query.q : undefined),
      });
      return { status: 200 as const, bytes: pageBytes(page), media: "text/html; charset=utf-8", headers: HEADERS };
    },
  }),
]);
