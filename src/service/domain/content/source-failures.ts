import { DownloadTooLarge, UNSTATED_TYPES, UnsupportedType } from "../../../engine/jobs/download.ts";
import { AddressRefused } from "../../../engine/jobs/address-policy.ts";
import { CreationFailure } from "./pdf-fields.ts";

export const FILE_TYPES = [
  "application/pdf",
  "application/zip",
  "application/msword",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/rtf",
] as const;

function unsupported(type: string): CreationFailure {
  return new CreationFailure("source", `Content type='${type}' is not supported, available types are ${FILE_TYPES.join(", ")}`);
}

export const BROKEN = "PDF content hasn't been processed: document is broken or locked";

/** assumed: content.given_up_text. */
export const GIVEN_UP = "The file was not processed: the server ended twice while it processed the file";

export function uploadFailure(type: string): CreationFailure | undefined {
  const bare = type.split(";")[0]?.trim().toLowerCase() ?? "";
  const isUnstated = bare === "" || UNSTATED_TYPES.includes(bare);
  return isUnstated || (FILE_TYPES as readonly string[]).includes(bare) ? undefined : unsupported(bare);
}

const UNFETCHED = "Failed to download file from link";

/** For people: why processing failed, and what helps. */
export function failureWords({ detail }: { detail: string }): string {
  if (!detail.startsWith(UNFETCHED)) return detail;
  return `${detail} docdouble fetched nothing. Serve the file on this machine, such as at http://127.0.0.1:8000/offer.pdf`;
}

export function sourceFailure(url: string, error: unknown, limit_mb: number): CreationFailure {
  if (error instanceof DownloadTooLarge)
    return new CreationFailure("source", `The maximum file size is exceeded, limit is ${limit_mb} MB`);
  if (error instanceof UnsupportedType) return unsupported(error.type);
  const isPublic = error instanceof AddressRefused || (error instanceof Error && error.message.startsWith("status code"));
  const reason = isPublic ? ` (${error.message})` : "";
  return new CreationFailure("source", `${UNFETCHED} ${url}.${reason}`);
}
