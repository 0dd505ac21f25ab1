export interface CountLimits {
  times?: number;
  atLeast?: number;
  atMost?: number;
}

export function withDefaultLimit(limits: CountLimits): CountLimits {
  const { times, atLeast, atMost } = limits;
  return times === undefined && atLeast === undefined && atMost === undefined ? { atLeast: 1 } : limits;
}

export function isWithin(count: number, { times, atLeast, atMost }: CountLimits): boolean {
  return (times === undefined || count === times) && count >= (atLeast ?? count) && count <= (atMost ?? count);
}

export function limitWords({ times, atLeast, atMost }: CountLimits): string {
  const words = [
    times === undefined ? "" : `exactly ${times}`,
    atLeast === undefined ? "" : `at least ${atLeast}`,
    atMost === undefined ? "" : `at most ${atMost}`,
  ];
  return words.filter((word) => word !== "").join(" and ");
}
