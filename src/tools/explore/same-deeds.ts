/**
 * Whether two runs without a fault do the same, although their steps differ. Threads make calls in another order, and random pauses lead to
 * more or fewer polls. Neither is a reason to refuse a client.
 */
import { answerOf } from "./story.ts";
import type { Item, Recording } from "./recording.ts";
import type { IsSteady } from "./steady.ts";

export function doSame(first: Recording, second: Recording, isSteady: IsSteady): boolean {
  const [a, b] = [first, second].map((one) => deedsOf(one, isSteady).join("\n"));
  return first.end.kind === second.end.kind && a === b;
}

/** What the client did, in the order of the alphabet. Each read and each act counts once. */
function deedsOf({ items, documents }: Recording, isSteady: IsSteady): string[] {
  const names = new Map(documents.map((row) => [row.id, isSteady(row.name) ? row.name : (row.origin ?? "")]));
  const about = (id: string | undefined) => (id === undefined ? "" : (names.get(id) ?? ""));
  const deeds: string[] = [];
  const once = new Set<string>();
  for (const item of items) {
    const text = `${item.kind} ${textOf(item)} ${about(item.document)}`;
    if (item.kind === "call" && item.entry.method !== "GET") deeds.push(text);
    else once.add(text);
  }
  return [...deeds, ...once].sort();
}

function textOf(item: Item): string {
  if (item.kind === "call") return `${item.operation} ${answerOf(item)}`;
  return item.kind === "post" ? `${item.event} ${item.status} ${item.result?.status}` : `${item.asked} ${item.role}`;
}
