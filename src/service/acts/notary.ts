import * as z from "zod";
import { notFound } from "../../engine/core/errors.ts";
import { binary } from "../../engine/core/operation.ts";
import { tenantWith } from "../../engine/runtime/tenants/tenant-registry.ts";
import { verbGroup } from "../../engine/verbs/define.ts";
import { requireAct } from "../../engine/verbs/operation.ts";
import { notaryActInput } from "../nouns/notary/notary.ts";
import { NOTARY_ACTS } from "../nouns/notary/row.ts";
import { contentDisposition } from "../nouns/documents/downloads.ts";
import { openNotaryLink } from "../nouns/notary/files.ts";
import { actOnNotarization, createdRequestView } from "../nouns/notary/requests.ts";
import { verb } from "./operation.ts";

const ELSEWHERE = {
  tool: "agents act on documents",
};

export const notaryVerbs = verbGroup("Admin: notary", ELSEWHERE, [
  verb({
    name: "notary.simulate",
    does: "Plays the invitees and the notary: `join`, `accept`, `go_live`, `complete` (`recording: false` for a session without recording), `incomplete` (`reason`, `details`), `cancel`.",
    input: () =>
      notaryActInput().extend({
        id: z.string().describe("id of a notarization request"),
        act: z.string().describe(NOTARY_ACTS.join(", ")),
      }),
    run({ tenant }, { id, act, ...input }) {
      const known = requireAct(act, NOTARY_ACTS);
      return tenant.store.transaction(() => actOnNotarization(tenant.world, id, known, input));
    },
    admin: {
      id: "adminSimulateNotary",
      route: "POST /__admin/notary/{id}/simulate/{act}",
      answer: createdRequestView,
      errors: [404, 409],
      example: { path: "/__admin/notary/$notarization/simulate/accept" },
      show: (row, { tenant }) => createdRequestView.of(row, tenant.world),
    },
  }),
  verb({
    name: "notary.file",
    does: "Downloads a signed file or the recording of a completed notarization. `notarizationRequestDetails` returns the link. It works for an hour and needs no key.",
    input: () => z.strictObject({ token: z.string() }),
    // The link carries no key, so its token selects the tenant.
    run({ host }, { token }) {
      const tenant = tenantWith(host, "notary_links", token);
      const file = tenant && openNotaryLink(tenant.world, token);
      if (!file) throw notFound("the link is unknown or has expired; a link works for an hour");
      return file;
    },
    admin: {
      id: "notaryFile",
      route: "GET /notary/files/{token}",
      answer: binary("application/pdf", "video/webm"),
      errors: [404],
      security: "none",
      example: { path: "/notary/files/$recording" },
      show: ({ bytes, media, name }) => ({ bytes, media, headers: { "content-disposition": contentDisposition(name) } }),
    },
  }),
]);
