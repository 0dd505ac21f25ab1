import { invalid } from "../../../engine/core/errors.ts";
import { download } from "../../../engine/jobs/download.ts";
import { imageFacts } from "../../files/images.ts";
import { requireOrgAdmin } from "../members/permissions.ts";
import { sourceFailure } from "../content/source-failures.ts";
import type { World } from "../../model/world.ts";

const MIB = 1024 * 1024;
/** Source: the official description. assumed: workspaces.icon_timeout. */
const LIMITS = { bytes: 5 * MIB, timeout_ms: 5000, isImage: true };

/**
 * Source: the official description states the requirements of an icon. assumed: workspaces.bad_icon.
 * @throws 403, 400
 */
export function checkIcon(world: World, url: string | undefined): undefined | Promise<void> {
  if (url === undefined) return undefined;
  requireOrgAdmin(world, "making a workspace");
  return download(url, world.settings.addressPolicy, LIMITS).then(
    (bytes) => {
      const facts = imageFacts(bytes);
      if (!facts)
        throw invalid(
          { icon_url: ["Supported formats: JPEG, PNG, GIF, WEBP."] },
          `the file at ${url} is not a JPEG, PNG, GIF or WEBP image`,
        );
      if (facts.width !== facts.height)
        throw invalid(
          { icon_url: ["Icon should have square proportions."] },
          `the icon is ${facts.width} by ${facts.height} pixels; make both equal`,
        );
    },
    (error: unknown) => {
      const { message } = sourceFailure(url, error, LIMITS.bytes / MIB);
      throw invalid({ icon_url: [message] }, `the icon could not be fetched: ${String(error)}`);
    },
  );
}
