/** The journal of the inspector, for a service that has no other page. */
import * as z from "zod";
import { operationsFor } from "../engine/core/define-operation.ts";
import { binary, group, lazy } from "../engine/core/operation.ts";
import { html, pageBytes } from "../engine/http/html.ts";
import type { Control } from "../engine/runtime/tenants/tenant-registry.ts";
import { journalSection } from "./views/journal.ts";
import { type Look, link } from "./views/parts.ts";
import { pageHeaders, pageShell } from "./views/shell.ts";

const operation = operationsFor<Control>();

const query = lazy(() =>
  z.object({
    view: z.literal("journal").default("journal"),
    id: z.string().optional(),
    q: z.string().optional(),
    is: z.string().optional(),
    from: z.string().optional(),
    nth: z.string().optional(),
    open: z.string().optional(),
    sort: z.string().optional(),
    with: z.string().optional(),
    tenant: z.string().optional(),
  }),
);

export const journalPages = group("Admin: inspector", [
  operation({
    id: "adminInspector",
    route: "GET /__admin",
    query,
    responses: { 200: binary("text/html") },
    errors: [400],
    handle({ query: asked }, { host, tenant }) {
      const found = asked.tenant === undefined ? tenant : host.find(asked.tenant);
      const shown = found ?? tenant;
      const unknown = found ? undefined : asked.tenant;
      const isDefault = shown === host.defaultTenant;
      // The journal reads rows of the service only through its seam.
      const look = { ...asked, unknown, host, tenant: shown, isDefault, assumptions: [], documents: [] } as unknown as Look;
      const page = pageShell(look, {
        title: "Journal",
        nav: html`<nav class="nav" id="nav" aria-label="Sections" data-scroll><ul><li><a href="${link(look, "journal")}" aria-current="page">Journal <span class="count">${shown.journal.size}</span></a></li></ul></nav>`,
        bar: null,
        content: journalSection(look),
      });
      return { status: 200 as const, bytes: pageBytes(page), media: "text/html; charset=utf-8", headers: pageHeaders() };
    },
  }),
]);
