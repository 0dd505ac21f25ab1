/** How often something must happen, as files and bodies write it: at least once by default. */
export interface CountLimits {
  readonly times?: number | undefined;
  readonly at_least?: number | undefined;
  readonly at_most?: number | undefined;
  readonly never?: true | undefined;
}

export function boundsOf({ times, at_least, at_most, never }: CountLimits): { least: number; most: number } {
  const exact = never ? 0 : times;
  const least = exact ?? at_least ?? (at_most === undefined ? 1 : 0);
  return { least, most: exact ?? at_most ?? Number.POSITIVE_INFINITY };
}

/**
 * `unproven`: docdouble dropped some of what is counted, so the count may be too low for this verdict.
 *
 * @param isWhole whether nothing was dropped
 */
export function judgeCount(count: number, limits: CountLimits, isWhole: boolean): "met" | "unmet" | "unproven" {
  const { least, most } = boundsOf(limits);
  if (count > most) return "unmet";
  if (!isWhole && (count < least || most < Number.POSITIVE_INFINITY)) return "unproven";
  return count < least ? "unmet" : "met";
}

export function limitWords(limits: CountLimits): string {
  const { least, most } = boundsOf(limits);
  if (least === most) return `exactly ${least}`;
  const words = [
    limits.at_most === undefined || limits.at_least !== undefined ? `at least ${least}` : "",
    most === Number.POSITIVE_INFINITY ? "" : `at most ${most}`,
  ];
  return words.filter((word) => word !== "").join(" and ");
}
