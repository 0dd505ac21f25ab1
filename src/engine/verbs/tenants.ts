/** The verbs of tenants. */
import * as z from "zod";
import { iso } from "../core/clock.ts";
import { badRequest, notFound } from "../core/errors.ts";
import { verb, verbGroup } from "./define.ts";
import { isoText } from "./inputs.ts";

const ELSEWHERE = { tool: "attach takes the key of a tenant" };

export function tenantVerbs() {
  const subjects = `documents`;
  return verbGroup("Admin: tenants", ELSEWHERE, [
    verb({
      name: "tenants.list",
      does: "Lists the tenants.",
      run: ({ host }) => [...host.tenants()],
      admin: {
        id: "adminListTenants",
        route: "GET /__admin/tenants",
        answer: () =>
          z.strictObject({
            tenants: z.array(z.object({ id: z.string(), requests: z.int(), now: isoText() }).catchall(z.int())),
          }),
        show: (tenants) => ({
          tenants: tenants.map((tenant) => ({
            id: tenant.id,
            [subjects]: tenant.service.subjects.count(tenant.world),
            requests: tenant.journal.size,
            now: iso(tenant.clock.now()),
          })) as never,
        }),
      },
    }),
    verb({
      name: "tenants.create",
      does: "Creates a tenant. Use its `api_key`. The first call with any key `test-…` creates a tenant too.",
      input: () =>
        z.strictObject({
          id: z
            .string()
            .regex(/^test-[\w.-]{1,100}$/, {
              error: "must begin with test-, and have at most 100 letters, digits, dots and dashes after it",
            })
            .optional(),
        }),
      run({ host, tenant }, { id }) {
        const opened = host.open(id ?? `test-${tenant.requestIds.short()}`);
        return { id: opened.id, api_key: opened.id, url: opened.settings.publicUrl };
      },
      admin: {
        id: "adminCreateTenant",
        route: "POST /__admin/tenants",
        status: 201,
        answer: () => z.strictObject({ id: z.string(), api_key: z.string(), url: z.string() }),
        example: { body: { id: "test-invoices" } },
      },
    }),
    verb({
      name: "tenants.delete",
      does: "Deletes a tenant.",
      input: () => z.strictObject({ id: z.string() }),
      run({ host }, { id }) {
        if (id === host.defaultTenant.id) throw badRequest("The default tenant cannot be deleted; reset it.");
        if (!host.drop(id)) throw notFound(`no tenant ${id}`);
      },
      admin: {
        id: "adminDeleteTenant",
        route: "DELETE /__admin/tenants/{id}",
        answer: null,
        errors: [404],
        example: { path: "/__admin/tenants/test-invoices" },
      },
    }),
  ]);
}
