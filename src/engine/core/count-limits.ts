export interface CountLimits {
  times?: number;
  atLeast?: number;
  atMost?: number;
}

/** A count between two bounds. They differ when some of the counted things are gone. */
export interface CountRange {
  min: number;
  max: number;
}

export function withDefaultLimit(limits: CountLimits): CountLimits {
  const { times, atLeast, atMost } = limits;
  return times === undefined && atLeast === undefined && atMost === undefined ? { atLeast: 1 } : limits;
}

/** `unproven`: some counts of the range are within the limits, and others are not. */
export function judgeRange({ min, max }: CountRange, limits: CountLimits): "met" | "unmet" | "unproven" {
  const { times, atLeast = 0, atMost = Number.POSITIVE_INFINITY } = limits;
  const least = Math.max(atLeast, times ?? 0);
  const most = Math.min(atMost, times ?? Number.POSITIVE_INFINITY);
  if (min >= least && max <= most) return "met";
  return Math.max(min, least) <= Math.min(max, most) ? "unproven" : "unmet";
}

export function limitWords({ times, atLeast, atMost }: CountLimits): string {
  const words = [
    times === undefined ? "" : `exactly ${times}`,
    atLeast === undefined ? "" : `at least ${atLeast}`,
    atMost === undefined ? "" : `at most ${atMost}`,
  ];
  return words.filter((word) => word !== "").join(" and ");
}
