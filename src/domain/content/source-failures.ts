/** What a file by URL may fail of, in the service's words. */
import { DownloadTooLarge, UNTOLD_TYPES, UnsupportedType } from "../../engine/download.ts";
import { AddressRefused } from "../../engine/address-policy.ts";
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

/** assumed: what is told when the server ended twice while it processed a file. */
export const GIVEN_UP = "The file was not processed: the server ended twice while it processed the file";

/** A file that came along and cannot be read: what is told of it when it never said to be one that could. */
export function uploadFailure(type: string): CreationFailure | undefined {
  const bare = type.split(";")[0]?.trim().toLowerCase() ?? "";
  const isUntold = bare === "" || UNTOLD_TYPES.includes(bare);
  return isUntold || (FILE_TYPES as readonly string[]).includes(bare) ? undefined : unsupported(bare);
}

/** @param limit_mb what the download was bounded by */
export function sourceFailure(url: string, error: unknown, limit_mb: number): CreationFailure {
  if (error instanceof DownloadTooLarge)
    return new CreationFailure("source", `The maximum file size is exceeded, limit is ${limit_mb} MB`);
  if (error instanceof UnsupportedType) return unsupported(error.type);
  const isTelling = error instanceof AddressRefused || (error instanceof Error && error.message.startsWith("status code"));
  const reason = isTelling ? ` (${error.message})` : "";
  return new CreationFailure("source", `Failed to download file from link ${url}.${reason}`);
}
