import { notFound } from "../../engine/core/errors.ts";
import { binary, group } from "../../engine/core/operation.ts";
import { contentDisposition } from "../domain/documents/downloads.ts";
import { actOnNotarization, toCreatedNotarization } from "../domain/notary/requests.ts";
import { notaryActInput } from "../model/notary/inputs.ts";
import { openNotaryLink } from "../domain/notary/files.ts";
import { tenantWith } from "../../engine/runtime/tenants/tenant-registry.ts";
import { NOTARY_ACTS } from "../model/notary/rows.ts";
import { operation } from "./operation.ts";
import { requireAct } from "../../engine/verbs/operation.ts";

export const notaryGroup = group("Admin: notary", [
  operation({
    id: "adminSimulateNotary",
    route: "POST /__admin/notary/{id}/simulate/{act}",
    body: notaryActInput,
    bodyOptional: true,
    errors: [400, 404, 409],
    handle: ({ params, body }, { tenant }) => {
      const act = requireAct(params.act, NOTARY_ACTS);
      const row = tenant.store.transaction(() => actOnNotarization(tenant.world, params.id, act, body));
      return { status: 200, body: toCreatedNotarization(tenant.world, row) };
    },
  }),
  operation({
    id: "notaryFile",
    route: "GET /notary/files/{token}",
    responses: { 200: binary("application/pdf", "video/webm") },
    errors: [404],
    security: "none",
    dialect: "admin",
    // The link carries no key, so its token selects the tenant.
    handle: ({ params }, { host }) => {
      const tenant = tenantWith(host, "notary_links", params.token);
      const file = tenant && openNotaryLink(tenant.world, params.token);
      if (!file) throw notFound("the link is unknown or has expired; a link works for an hour");
      const headers = { "content-disposition": contentDisposition(file.name) };
      return { status: 200, bytes: file.bytes, media: file.media, headers };
    },
  }),
]);
