/** The icon of a workspace: fetched by its address and looked at before the workspace is made. */
import { invalid } from "../../core/errors.ts";
import { download } from "../../engine/download.ts";
import { iconFacts } from "../../files/images.ts";
import { requireOrgAdmin } from "../members/permissions.ts";
import { sourceFailure } from "../content/source-failures.ts";
import type { World } from "../world.ts";

const MIB = 1024 * 1024;
/** Source: the official description. assumed: how long it may take. */
const LIMITS = { bytes: 5 * MIB, timeout_ms: 5000 };

/**
 * Source: the official description says what an icon must be. assumed: it is fetched while the call waits and a bad one is refused,
 * for nothing that the API shows later could tell of it; the words are those of other files, and of the description.
 * @throws 400 for an icon that cannot be had or is none
 */
export function checkIcon(world: World, url: string | undefined): undefined | Promise<void> {
  if (url === undefined) return undefined;
  requireOrgAdmin(world, "making a workspace");
  return download(url, world.settings.reach, LIMITS).then(
    (bytes) => {
      const facts = iconFacts(bytes);
      if (!facts)
        throw invalid({ icon_url: ["Supported formats: JPEG, PNG, GIF, WEBP."] }, `the bytes at ${url} are no such picture`);
      if (facts.width !== facts.height)
        throw invalid({ icon_url: ["Icon should have square proportions."] }, `it is ${facts.width} by ${facts.height} pixels`);
    },
    (error: unknown) => {
      const { message } = sourceFailure(url, error, LIMITS.bytes / MIB);
      throw invalid({ icon_url: [message] }, `the icon is fetched when the workspace is made: ${String(error)}`);
    },
  );
}
