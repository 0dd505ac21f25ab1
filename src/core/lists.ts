/** Order and pages of lists. */
import { compareText } from "./text.ts";

/** Oldest first. The id decides between equal dates. */
export function byCreation(a: { id: string; date_created: number }, b: { id: string; date_created: number }): number {
  return a.date_created - b.date_created || compareText(a.id, b.id);
}

/** One page of a list. Pages count from 1. */
export function pageOf<T>(items: readonly T[], { page, count }: { page: number; count: number }): T[] {
  return items.slice((page - 1) * count, page * count);
}
