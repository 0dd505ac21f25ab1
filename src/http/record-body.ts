import { describeParts, partsByName } from "../engine/body-parts.ts";
import type { JournalEntry } from "../engine/journal.ts";
import { textOf } from "./bodies.ts";
import { type Part, readMultipart } from "./multipart.ts";

/** Stores the body in the journal entry: a text in full, a multipart body as a list of its parts. Returns the parts. */
export function recordBody(entry: JournalEntry, bytes: Uint8Array, contentType: string | undefined): Part[] | undefined {
  if (bytes.length === 0) return undefined;
  if (!isMultipart(contentType)) {
    entry.body = textOf(bytes);
    return undefined;
  }
  try {
    const parts = readMultipart(contentType as string, bytes);
    entry.parts = describeParts(parts);
    entry.body = JSON.stringify(partsByName(entry.parts));
    return parts;
  } catch {
    // The step that parses the body reports the fault.
    entry.body = `[${bytes.length} bytes of ${contentType}]`;
    return undefined;
  }
}

export function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && /^multipart\//i.test(contentType);
}
