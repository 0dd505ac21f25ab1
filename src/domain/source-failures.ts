/** What a file by URL may fail of, in the service's words. */
import { DownloadTooLarge, UnsupportedType } from "../engine/download.ts";
import { OutOfReach } from "../engine/reach.ts";
import { CreationFailure } from "./pdf-fields.ts";

export const FILE_TYPES = [
  "application/pdf",
  "application/zip",
  "application/msword",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/rtf",
] as const;

/** @param limit_mb what the download was bounded by */
export function sourceFailure(url: string, error: unknown, limit_mb: number): CreationFailure {
  if (error instanceof DownloadTooLarge)
    return new CreationFailure("source", `The maximum file size is exceeded, limit is ${limit_mb} MB`);
  if (error instanceof UnsupportedType)
    return new CreationFailure(
      "source",
      `Content type='${error.type}' is not supported, available types are ${FILE_TYPES.join(", ")}`,
    );
  const isTelling = error instanceof OutOfReach || (error instanceof Error && error.message.startsWith("status code"));
  const reason = isTelling ? ` (${error.message})` : "";
  return new CreationFailure("source", `Failed to download file from link ${url}.${reason}`);
}
