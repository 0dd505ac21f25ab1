import { compareText } from "./text.ts";

/** Rows of one instant keep their order. Collections list rows in the order of creation. */
export function byCreation(a: { date_created: number }, b: { date_created: number }): number {
  return a.date_created - b.date_created;
}

/** Sorts by key, then by id. Null keys come last in both directions. */
export function sortBy<T extends { id: string }>(
  rows: readonly T[],
  keyOf: (row: T) => string | number | null,
  isDescending = false,
): T[] {
  return [...rows].sort((a, b) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    if (left === right) return compareText(a.id, b.id);
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right === isDescending ? 1 : -1;
  });
}

export function pageOf<T>(items: readonly T[], { page, count }: { page: number; count: number }): T[] {
  const start = (Math.max(page, 1) - 1) * count;
  return items.slice(start, start + count);
}
