/** A polling client alternates between at most this many rows. */
export const FOLDED_MAX = 4;

/**
 * Joins each item with an equal item among the last few groups. An item that differs from itself stands alone, and closes all groups before
 * it. Groups and their items keep the order of `items`.
 */
export function foldRepeats<Item>(items: readonly Item[], isRepeat: (one: Item, other: Item) => boolean): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  let firstOpen = 0;
  for (const item of items) {
    const isFoldable = isRepeat(item, item);
    const open = isFoldable ? groups.slice(Math.max(firstOpen, groups.length - FOLDED_MAX)) : [];
    const same = open.find(([one]) => isRepeat(one, item));
    if (same) same.push(item);
    else groups.push([item]);
    if (!isFoldable) firstOpen = groups.length;
  }
  return groups;
}
