export interface CountLimits {
  times?: number;
  atLeast?: number;
  atMost?: number;
}

export function withDefaultLimit(limits: CountLimits): CountLimits {
  const { times, atLeast, atMost } = limits;
  return times === undefined && atLeast === undefined && atMost === undefined ? { atLeast: 1 } : limits;
}

/** The limits as files and bodies write them. */
export function limitsOf(written: { times?: number; at_least?: number; at_most?: number; never?: true }): CountLimits {
  if (written.never) return { times: 0 };
  return withDefaultLimit({ times: written.times, atLeast: written.at_least, atMost: written.at_most });
}

/**
 * `unproven`: docdouble dropped some of what is counted, so the count may be too low for this verdict.
 *
 * @param isWhole whether nothing was dropped
 */
export function judgeCount(count: number, limits: CountLimits, isWhole: boolean): "met" | "unmet" | "unproven" {
  const { times, atLeast = 0, atMost = Number.POSITIVE_INFINITY } = limits;
  const least = Math.max(atLeast, times ?? 0);
  const most = Math.min(atMost, times ?? Number.POSITIVE_INFINITY);
  if (count > most) return "unmet";
  if (!isWhole && (count < least || most < Number.POSITIVE_INFINITY)) return "unproven";
  return count < least ? "unmet" : "met";
}

export function limitWords({ times, atLeast, atMost }: CountLimits): string {
  const words = [
    times === undefined ? "" : `exactly ${times}`,
    atLeast === undefined ? "" : `at least ${atLeast}`,
    atMost === undefined ? "" : `at most ${atMost}`,
  ];
  return words.filter((word) => word !== "").join(" and ");
}
