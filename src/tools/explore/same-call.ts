/** Tells a repeat of a call from a call for other work. */
import type { JournalEntry } from "../../engine/journal/journal.ts";

/** Equal for two calls that want the same. The query counts too, and the order of members does not. */
export function sameWork({ method, url, body, parts }: Pick<JournalEntry, "method" | "url" | "body" | "parts">): string {
  return `${method} ${url} ${parts ? JSON.stringify(parts.map(({ name, sha256 }) => [name, sha256])) : plain(body)}`;
}

function plain(body: string): string {
  try {
    return JSON.stringify(ordered(JSON.parse(body)));
  } catch {
    return body;
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value === "object" && value !== null)
    return Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, ordered(member)]);
  return value;
}
