import * as z from "zod";
import { notFound } from "../core/errors.ts";
import { group, lazy } from "../core/operation.ts";
import { harOf } from "../journal/har.ts";
import { isAbout } from "../journal/same-calls.ts";
import type { Service } from "../runtime/service.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { anything, operation } from "./operation.ts";

const harQuery = lazy(() => z.looseObject({}));

/** The calls of the journal as HAR, or those about one subject. @throws 404 for an unknown subject */
export function harOfTenant(tenant: Tenant, version: string, subject?: string) {
  const entries = tenant.journal.all();
  if (subject !== undefined) tenant.service.subjects.require(tenant.world, subject);
  const shown = subject === undefined ? entries : entries.filter((one) => isAbout(one, subject));
  return harOf(shown, tenant.settings.publicUrl, version);
}

/** The query names a subject by the noun of the service, and `tenant` for a browser, which sends no key. */
export const harGroup = ({ language }: Pick<Service, "language">) =>
  group("Admin: HAR", [
    operation({
      id: "adminHar",
      route: "GET /__admin/har",
      query: harQuery,
      responses: { 200: anything },
      errors: [404],
      handle: ({ query }, { host, tenant }) => {
        const { [language.words.subject]: subject, tenant: named } = query as Record<string, string | undefined>;
        const chosen = named === undefined ? tenant : host.find(named);
        if (!chosen) throw notFound(`no tenant ${named}`);
        const headers = { "content-disposition": 'attachment; filename="docdouble.har"', "cache-control": "no-store" };
        return { status: 200 as const, body: harOfTenant(chosen, host.version, subject), headers };
      },
    }),
  ]);
