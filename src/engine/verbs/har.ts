import * as z from "zod";
import { lazy } from "../core/operation.ts";
import { type Har, harOf } from "../journal/har.ts";
import { isAbout } from "../journal/same-calls.ts";
import { verb, verbGroup } from "./define.ts";
import { isoText, namedTenant, tenantName } from "./inputs.ts";

const ELSEWHERE = { tool: "save_har writes it into a file, because it is long" };

const harView = lazy(() =>
  z.strictObject({
    log: z.strictObject({
      version: z.literal("1.2"),
      creator: z.strictObject({ name: z.string(), version: z.string() }),
      entries: z
        .array(
          z.looseObject({
            startedDateTime: isoText(),
            time: z.number(),
            request: z.looseObject({}),
            response: z.looseObject({}),
          }),
        )
        .describe("entries of HAR, with _operation, _tool, _rule and _why"),
    }),
  }),
);

export function harVerbs() {
  const input = lazy(() =>
    z.strictObject({
      document: z.string().optional().describe("only the calls about the document with this id"),
      tenant: tenantName(),
    }),
  );
  return verbGroup("Admin: HAR", ELSEWHERE, [
    verb({
      name: "har",
      does: "Returns the journal as HAR 1.2, oldest call first. A call whose connection broke has the status 0. Secrets are hidden.",
      input,
      run(control, { document, tenant: named }): Har {
        const tenant = namedTenant(control, named);
        const entries = tenant.journal.all();
        if (document !== undefined) tenant.service.subjects.require(tenant.world, document);
        const shown = document === undefined ? entries : entries.filter((one) => isAbout(one, document));
        return harOf(shown, tenant.settings.publicUrl, control.host.version);
      },
      admin: {
        id: "adminHar",
        route: "GET /__admin/har",
        answer: harView,
        errors: [404],
        example: { path: "/__admin/har?document=$document" },
        headers: { "content-disposition": 'attachment; filename="docdouble.har"', "cache-control": "no-store" },
        show: ({ log }) => ({ log: { ...log, entries: log.entries as never } }),
      },
    }),
  ]);
}
