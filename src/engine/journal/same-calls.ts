/** What calls have in common: the row that they are about, or question and answer. */
import { parseLeniently } from "../core/text.ts";
import type { JournalEntry } from "./journal.ts";

export function isAbout(entry: JournalEntry, id: string): boolean {
  if (entry.subject === id) return true;
  if (entry.method !== "POST" || entry.own !== 201 || !entry.responseBody.includes(id)) return false;
  return idIn(entry.responseBody) === id;
}

export function idIn(body: string): string | undefined {
  const { id, uuid } = (parseLeniently(body) ?? {}) as { id?: unknown; uuid?: unknown };
  return [id, uuid].find((one) => typeof one === "string");
}

export function isSameRead(a: JournalEntry, b: JournalEntry): boolean {
  return (
    a.method === "GET" &&
    b.method === "GET" &&
    a.url === b.url &&
    a.status === b.status &&
    a.rule === b.rule &&
    a.responseBody === b.responseBody
  );
}
