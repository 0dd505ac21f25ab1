/**
 * The length and the seed of fuzz tests. The suite uses a fixed seed and few runs. `npm run fuzz` uses a new seed and takes minutes.
 * `FUZZ_SECONDS` and `FUZZ_SEED` override both. A failure prints the seed and the smallest input that fails.
 */
import fc from "fast-check";

const { FUZZ_SECONDS, FUZZ_SEED } = process.env;

/** Whether this is `npm run fuzz`. */
export const isLong = FUZZ_SECONDS !== undefined;
const seconds = Number(FUZZ_SECONDS ?? 0);
export const seed = FUZZ_SEED === undefined ? (isLong ? Date.now() % 2 ** 31 : 20260302) : Number(FUZZ_SEED);
if (isLong) console.log(`fuzzing for ${seconds} s with FUZZ_SEED=${seed}`);

export const TIMEOUT_MS = Math.max(60_000, seconds * 2000);

/** The number of random prices: some hundreds in the suite, ten thousand under `npm run fuzz`. */
export const PRICING_RUNS = isLong ? 10_000 : 300;
export const PRICING_TIMEOUT_MS = isLong ? 1_200_000 : 60_000;

/** Checks a property with `few` runs in the suite, and for its `share` of the total time under `npm run fuzz`. */
export async function hold<T>(property: fc.IAsyncPropertyWithHooks<T>, few: number, share: number): Promise<void> {
  await fc.assert(
    property,
    isLong
      ? {
          seed,
          numRuns: 1_000_000,
          interruptAfterTimeLimit: seconds * share * 1000,
          markInterruptAsFailure: false,
          endOnFailure: false,
        }
      : { seed, numRuns: few },
  );
}
