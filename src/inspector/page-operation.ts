import * as z from "zod";
import { binary, group, lazy } from "../engine/core/operation.ts";
import { pageBytes } from "../engine/http/html.ts";
import { inspectorPage } from "./views/inspector.ts";
import { headingOf } from "./views/heading.ts";
import { pageHeaders } from "./views/shell.ts";
import { VIEWS } from "./views/parts.ts";
import { documents, operation, service } from "../service/service.ts";

const pageQuery = lazy(() =>
  z.object({
    view: z.enum(VIEWS).default("documents"),
    id: z.string().optional(),
    q: z.string().optional(),
    is: z.string().optional(),
    from: z.string().optional(),
    nth: z.string().optional(),
    open: z.string().optional(),
    as: z.enum(["mail", "text", "raw"]).optional(),
    sort: z.string().optional(),
    with: z.string().optional(),
    tenant: z.string().optional(),
  }),
);

export const inspectorGroup = group("Admin: inspector", [
  operation({
    id: "adminInspector",
    route: "GET /__admin",
    query: pageQuery,
    responses: { 200: binary("text/html"), 404: binary("text/html") },
    errors: [400],
    handle: async ({ query }, { host, tenant }) => {
      // A link selects a tenant that exists. It never creates one.
      const found = query.tenant === undefined ? tenant : host.find(query.tenant);
      const shown = found ?? tenant;
      const look = {
        ...query,
        host,
        tenant: shown,
        isDefault: shown === host.defaultTenant,
        unknown: found ? undefined : query.tenant,
        assumptions: query.view === "assumptions" ? await service.ledger() : [],
        // Only the list of documents reads them.
        documents: query.view === "documents" && query.id === undefined ? documents.search(shown, query.q) : [],
      };
      // A script must not take the page of a removed document for the document.
      const status = headingOf(look).isFound ? (200 as const) : (404 as const);
      return { status, bytes: pageBytes(inspectorPage(look)), media: "text/html; charset=utf-8", headers: pageHeaders() };
    },
  }),
]);
