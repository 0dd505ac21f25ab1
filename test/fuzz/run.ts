/** The length of fuzz tests: few runs in the suite, and minutes under `npm run fuzz`. `FUZZ_SECONDS` sets the time. */
import type fc from "fast-check";
import { law } from "../support/law.ts";

const { FUZZ_SECONDS } = process.env;

/** Whether this is `npm run fuzz`. */
export const isLong = FUZZ_SECONDS !== undefined;
const seconds = Number(FUZZ_SECONDS ?? 0);

export const TIMEOUT_MS = Math.max(60_000, seconds * 2000);

/** The number of random prices: some hundreds in the suite, ten thousand under `npm run fuzz`. */
export const PRICING_RUNS = isLong ? 10_000 : 300;
export const PRICING_TIMEOUT_MS = isLong ? 1_200_000 : 60_000;

const LONG = { numRuns: 1_000_000, markInterruptAsFailure: false, endOnFailure: false };

/** Checks a property with `few` runs in the suite, and for its `share` of the total time under `npm run fuzz`. */
export async function hold<T>(property: fc.IAsyncPropertyWithHooks<T>, few: number, share: number): Promise<void> {
  await law(property, isLong ? { ...LONG, interruptAfterTimeLimit: seconds * share * 1000 } : { numRuns: few });
}
