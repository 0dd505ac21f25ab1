import { type ApiError, invalid } from "../../../engine/core/errors.ts";
import { blankPng } from "../../files/stand-in.ts";
import { download } from "../../../engine/jobs/download.ts";
import { imageFacts } from "../../files/images.ts";
import { requireOrgAdmin } from "../members/permissions.ts";
import { sourceFailure } from "../content/source-failures.ts";
import type { World } from "../../model/world.ts";

const MIB = 1024 * 1024;
/** Source: the official description. assumed: workspaces.icon_timeout. */
const LIMITS = { bytes: 5 * MIB, timeout_ms: 5000, standIn: blankPng };

/** An image that a workspace shows. Only icons must be square. */
interface WantedImage {
  url: string | null | undefined;
  /** The member of the request, as errors name it. */
  member: string;
  isSquare: boolean;
}

/**
 * Source: the official description states the requirements of the images. assumed: workspaces.bad_icon.
 * @throws 403, 400
 */
export function checkImages(world: World, what: string, images: readonly WantedImage[]): undefined | Promise<void> {
  const wanted = images.flatMap((one) => (one.url ? [{ ...one, url: one.url }] : []));
  if (wanted.length === 0) return undefined;
  requireOrgAdmin(world, what);
  return Promise.all(wanted.map((one) => checkImage(world, one))).then((found) => {
    const [fault] = found.flatMap((one) => one ?? []);
    if (fault) throw fault;
  });
}

/** Returns the fault instead of throwing it, so that no other check stays without a handler. */
function checkImage(world: World, { url, member, isSquare }: WantedImage & { url: string }): Promise<ApiError | undefined> {
  return download(url, world.settings.addressPolicy, LIMITS).then(
    (bytes) => {
      const facts = imageFacts(bytes);
      if (!facts)
        return invalid(
          { [member]: ["Supported formats: JPEG, PNG, GIF, WEBP."] },
          `the file at ${url} is not a JPEG, PNG, GIF or WEBP image`,
        );
      if (!isSquare || facts.width === facts.height) return undefined;
      return invalid(
        { [member]: ["Icon should have square proportions."] },
        `the icon is ${facts.width} by ${facts.height} pixels; make both equal`,
      );
    },
    (error: unknown) => {
      const { message } = sourceFailure(url, error, LIMITS.bytes / MIB);
      return invalid({ [member]: [message] }, `the image at ${url} could not be fetched: ${String(error)}`);
    },
  );
}
