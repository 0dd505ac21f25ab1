import type { JournalEntry } from "./entry.ts";

const ENTRY_BYTES_MIN = 1300;
const TEXT_BYTES = 24;
const ENTRY_BYTES = 48;
const LIST_BYTES = 150;
const PART_BYTES = 250;

/** About how many bytes of memory the entry takes. */
export function sizeOf(entry: JournalEntry): number {
  const { url, path, query, headers, body, parts, subject = "", why = "", rule = "", responseHeaders, responseBody } = entry;
  let size = ENTRY_BYTES_MIN + url.length + path.length + textSize(body) + textSize(responseBody);
  size += 2 * (subject.length + why.length + rule.length) + headersSize(headers) + headersSize(responseHeaders);
  // Characters beyond Latin-1 arrive in percent escapes.
  const width = url.includes("%") ? 2 : 1;
  for (const name in query) {
    size += ENTRY_BYTES + LIST_BYTES + TEXT_BYTES + width * name.length;
    for (const value of query[name] as string[]) size += TEXT_BYTES + width * value.length;
  }
  for (const { name, filename = "", type, text = "" } of parts ?? [])
    size += PART_BYTES + textSize(name) + textSize(filename) + textSize(type) + textSize(text);
  for (const { message, fix, pointer = "" } of entry.remarks ?? [])
    size += PART_BYTES + textSize(message) + textSize(fix) + textSize(pointer);
  return size;
}

function headersSize(headers: Record<string, string>): number {
  let size = 0;
  for (const name in headers) size += ENTRY_BYTES + 2 * TEXT_BYTES + name.length + (headers[name] as string).length;
  return size;
}

/** A character beyond Latin-1 makes the whole text take two bytes per character. For speed, this treats all texts beyond ASCII alike. */
function textSize(text: string): number {
  if (text === "") return TEXT_BYTES;
  return TEXT_BYTES + (Buffer.byteLength(text) === text.length ? 1 : 2) * text.length;
}
