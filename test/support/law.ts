/**
 * The only way to check a property with random input. `npm test` always uses the same seed, so a run repeats exactly. `LAW_SEED=random`
 * draws a new seed and prints it, and `LAW_SEED=17` repeats that run. A failure prints the smallest input that fails.
 */
import fc from "fast-check";

const { LAW_SEED } = process.env;

export const seed = LAW_SEED === "random" ? Date.now() % 2 ** 31 : Number(LAW_SEED ?? 20260302);
if (LAW_SEED !== undefined) console.log(`laws with LAW_SEED=${seed}`);

type Options = Omit<fc.Parameters<unknown>, "seed">;

export function law<T>(property: fc.IAsyncPropertyWithHooks<T>, options?: Options): Promise<void>;
export function law<T>(property: fc.IPropertyWithHooks<T>, options?: Options): void;
export function law<T>(property: fc.IRawProperty<T>, options: Options = {}): void | Promise<void> {
  return fc.assert(property, { ...options, seed } as fc.Parameters<T>);
}
