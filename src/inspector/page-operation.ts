import * as z from "zod";
import { binary, group, lazy } from "../engine/core/operation.ts";
import { pageBytes } from "../engine/http/html.ts";
import { inspectorPage } from "./views/inspector.ts";
import { pageHeaders } from "./views/shell.ts";
import { VIEWS } from "./views/parts.ts";
import { operation } from "../service/service.ts";

export const pageQuery = lazy(() =>
  z.object({
    view: z.enum(VIEWS).default("documents"),
    tenant: z.string().optional(),
    id: z.string().optional(),
    q: z.string().optional().describe("the words of the search box"),
    is: z.string().optional().describe("the kind of the rows"),
    from: z.string().optional().describe("the id of the first row on the page"),
    open: z.string().optional().describe("the ids of rows with details, with commas between them"),
    as: z.enum(["raw"]).optional().describe("how a mail appears"),
    sort: z.string().optional().describe("the id of a column, with - before it for the opposite order"),
    with: z.string().optional().describe("the id of the call beside the shown one"),
  }),
);

export const inspectorGroup = group("Admin: inspector", [
  operation({
    id: "adminInspector",
    route: "GET /__admin",
    query: pageQuery,
    responses: { 200: binary("text/html"), 404: binary("text/html") },
    errors: [400],
    handle: async ({ query: { view, tenant: named, ...asked } }, { host, tenant }) => {
      // A link selects a tenant that exists. It never creates one.
      const found = named === undefined ? tenant : host.find(named);
      const shown = found ?? tenant;
      const isDefault = shown === host.defaultTenant;
      const look = { view, asked, ...asked, host, tenant: shown, isDefault, unknown: found ? undefined : named };
      const { page, isMissing } = await inspectorPage(look);
      // A script must not take the page of a removed document for the document.
      const status = isMissing ? (404 as const) : (200 as const);
      return { status, bytes: pageBytes(page), media: "text/html; charset=utf-8", headers: pageHeaders() };
    },
  }),
]);
