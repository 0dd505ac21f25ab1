import { ApiError } from "../core/errors.ts";
import { binary, group } from "../core/operation.ts";
import { iso } from "../core/clock.ts";
import { loadWorld, saveWorld } from "../runtime/tenants/tenant-world.ts";
import { WORLD_BYTES_MAX, WorldFileError } from "../store/world-file.ts";
import { operation } from "./operation.ts";

/** Lines of JSON. */
export const WORLD_MEDIA = "application/x-ndjson";

export const worldGroup = group("Admin: world", [
  operation({
    id: "adminSaveWorld",
    route: "GET /__admin/world",
    responses: { 200: binary(WORLD_MEDIA) },
    errors: [],
    handle: async (_, { tenant }) => ({ status: 200 as const, bytes: await saveWorld(tenant), media: WORLD_MEDIA }),
  }),
  operation({
    id: "adminLoadWorld",
    route: "PUT /__admin/world",
    bodyKind: "bytes",
    bytesMax: WORLD_BYTES_MAX,
    errors: [400],
    handle: ({ body }, { tenant }) => {
      try {
        loadWorld(tenant, body as unknown as Uint8Array);
      } catch (error) {
        if (!(error instanceof WorldFileError)) throw error;
        const detail = `The world ${error.message}.`;
        throw new ApiError("invalid", detail, { body: { type: "docdouble_invalid", detail } });
      }
      return { status: 200, body: { now: iso(tenant.clock.now()), calls: tenant.journal.size, jobs: tenant.scheduler.waiting } };
    },
  }),
]);
