/** The verbs of tenants. */
import * as z from "zod";
import { iso } from "../core/clock.ts";
import { badRequest, notFound } from "../core/errors.ts";
import { unguessable } from "../core/ids.ts";
import { lazy } from "../core/operation.ts";
import type { Service } from "../runtime/service.ts";
import type { Quota } from "../runtime/tenants/quota.ts";
import { verb, verbGroup } from "./define.ts";
import { isoText } from "./inputs.ts";

const ELSEWHERE = { methods: "sandbox.tenant opens a tenant", tool: "attach takes the key of a tenant" };

/** A header carries the token, also as the password of a browser, so it has no space and only ASCII. */
const token = lazy(() =>
  z
    .string()
    .regex(/^[!-~]{8,200}$/, { error: "must have 8 to 200 visible ASCII characters and no space" })
    .describe("the admin token of this tenant; a listed tenant without one gets a random one, which only this answer shows"),
);
const least = (what: string) => z.int().min(1).max(1_000_000_000).optional().describe(what);

export function tenantVerbs({ language }: Pick<Service, "language">) {
  const subjects = `${language.words.subject}s`;
  const quotaInput = lazy(() =>
    z.strictObject({
      [subjects]: least(`the most ${subjects}, deleted ones too`),
      journal: least("the most calls that the journal keeps"),
      calls: least("the most calls of the service in 60 seconds of real time"),
    }),
  );
  const toQuota = ({ [subjects]: most, ...others }: Record<string, number | undefined>): Quota => ({
    ...others,
    ...(most === undefined ? {} : { subjects: most }),
  });
  const shownQuota = ({ subjects: most, journal, calls }: Quota) => {
    const set = Object.entries({ [subjects]: most, journal, calls }).filter(([, limit]) => limit !== undefined);
    return set.length === 0 ? {} : { quota: Object.fromEntries(set) };
  };
  return verbGroup("Admin: tenants", ELSEWHERE, [
    verb({
      name: "tenants.list",
      does: "Lists the tenants. Also lists evicted tenants, with the reason.",
      run: ({ host }) => host,
      admin: {
        id: "adminListTenants",
        route: "GET /__admin/tenants",
        answer: () =>
          z.strictObject({
            tenants: z.array(
              z
                .object({
                  id: z.string(),
                  requests: z.int(),
                  now: isoText(),
                  kept: z.boolean(),
                  has_token: z.literal(true).optional(),
                  quota: quotaInput().optional(),
                })
                .catchall(z.int()),
            ),
            given_back: z.array(z.strictObject({ id: z.string(), why: z.string(), at: isoText() })),
          }),
        show: (host) => ({
          tenants: [...host.tenants()].map((tenant) => ({
            id: tenant.id,
            [subjects]: tenant.service.subjects.count(tenant.world),
            requests: tenant.journal.size,
            now: iso(tenant.clock.now()),
            kept: tenant.isExemptFromEviction,
            ...(tenant.share.grant.token === undefined ? {} : { has_token: true }),
            ...shownQuota(tenant.share.quota.limits),
          })) as never,
          given_back: host.evictedTenants().map((one) => ({ ...one, at: iso(one.at) })),
        }),
      },
    }),
    verb({
      name: "tenants.create",
      does: "Creates a tenant, or changes the token or the limits of one. Use its `api_key`. Without `--tenants listed`, the first call with any key `test-…` creates a tenant too. docdouble never evicts a tenant with `keep: true`, with a token or with limits.",
      input: () =>
        z.strictObject({
          id: z
            .string()
            .regex(/^test-[\w.-]{1,100}$/, {
              error: "must begin with test-, and have at most 100 letters, digits, dots and dashes after it",
            })
            .optional(),
          keep: z.boolean().optional(),
          admin_token: token().optional(),
          quota: quotaInput().optional(),
        }),
      run({ host, tenant }, { id, keep, admin_token, quota }) {
        const { grants } = host;
        // The key of a listed tenant keeps others out, so nobody may guess it.
        const name = id ?? `test-${grants.isClosed ? unguessable().slice(0, 32) : tenant.requestIds.short()}`;
        const asked = { keep, token: admin_token, ...(quota === undefined ? {} : { quota: toQuota(quota) }) };
        grants.require(name, asked);
        const opened = host.open(name);
        const given = grants.give(opened, asked);
        return {
          id: opened.id,
          api_key: opened.id,
          url: opened.settings.publicUrl,
          ...(given === undefined ? {} : { admin_token: given }),
        };
      },
      admin: {
        id: "adminCreateTenant",
        route: "POST /__admin/tenants",
        status: 201,
        answer: () =>
          z.strictObject({ id: z.string(), api_key: z.string(), url: z.string(), admin_token: z.string().optional() }),
        errors: [409],
        example: { body: { id: "test-invoices" } },
      },
    }),
    verb({
      name: "tenants.delete",
      does: "Deletes a tenant, with its token and its limits.",
      input: () => z.strictObject({ id: z.string() }),
      run({ host }, { id }) {
        if (id === host.whole.defaultTenant.id) throw badRequest("The default tenant cannot be deleted; reset it.");
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
