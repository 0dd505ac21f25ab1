import * as z from "zod";
import { ApiError } from "../core/errors.ts";
import { binary } from "../core/operation.ts";
import { iso } from "../core/clock.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { loadWorld, saveWorld } from "../runtime/tenants/saved-world.ts";
import { WORLD_BYTES_MAX, WorldFileError } from "../store/world-encoding.ts";
import { verb, verbGroup } from "./define.ts";
import { isoText } from "./inputs.ts";

export const WORLD_MEDIA = "application/json";

/** An error changes nothing. @param name the file, at the start of a sentence. @throws 400 */
export function putWorld(tenant: Tenant, bytes: Uint8Array, name = "The world"): Tenant {
  try {
    loadWorld(tenant, bytes);
    return tenant;
  } catch (error) {
    if (!(error instanceof WorldFileError)) throw error;
    const detail = `${name} ${error.message}.`;
    throw new ApiError("invalid", detail, { body: { type: "docdouble_invalid", detail } });
  }
}

export const worldVerbs = verbGroup("Admin: world", { tool: "save_world and load_world take the name of a file" }, [
  verb({
    name: "world.save",
    does: "Saves the tenant as JSON: rows, clock, jobs, journal, rules, readings and counters of ids. It waits for work that is due. The file holds keys and messages, so keep it private.",
    run: ({ tenant }) => saveWorld(tenant),
    admin: {
      id: "adminSaveWorld",
      route: "GET /__admin/world",
      answer: binary(WORLD_MEDIA),
      show: (bytes) => ({ bytes, media: WORLD_MEDIA }),
    },
  }),
  verb({
    name: "world.load",
    does: "Replaces the tenant by a saved world. `gzip` may have packed it. A file that is damaged, cut, foreign or newer is refused, and changes nothing. A reset returns to the fixtures of this server.",
    input: () =>
      z.strictObject({
        world: z.instanceof(Uint8Array).default(new Uint8Array()).describe("the bytes of a saved world"),
      }),
    run: async ({ tenant }, { world }) => putWorld(tenant, world),
    admin: {
      id: "adminLoadWorld",
      route: "PUT /__admin/world",
      body: "world",
      bodyKind: "bytes",
      bytesMax: WORLD_BYTES_MAX,
      errors: [409],
      answer: () => z.strictObject({ now: isoText(), calls: z.int(), jobs: z.int() }),
      example: { file: "world" },
      show: ({ clock, journal, scheduler }) => ({ now: iso(clock.now()), calls: journal.size, jobs: scheduler.waiting }),
    },
  }),
]);
