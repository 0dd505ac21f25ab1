/** A short form of `npm run soak`: clients of every kind, tenants that come and go. */
import { expect, test } from "vitest";
import { keylessSoak } from "../../bench/soak/keyless.ts";
import { soak } from "../../bench/soak/load.ts";

test("many kinds of clients and tenants that come and go leave nothing unanswered and nothing behind", async () => {
  const { tally, rounds, growth_mib } = await soak({ rounds: 3, connections: 12, tenants: 12 });
  expect(tally).toMatchObject({ unanswered: 0, answered: tally.asked });
  expect(tally.asked).toBeGreaterThan(300);
  expect(Object.keys(tally.statuses).map(Number).sort()).toEqual([200, 201, 204, 404]);
  // Twice as many tenants as come in a round, and the default one; none is watched once its watchers are gone.
  expect(rounds.map((one) => one.tenants)).toEqual([13, 25, 25]);
  expect(rounds.at(-1)?.listeners).toBe(0);
  // A tenant that were kept would be a tenth of it.
  expect(growth_mib).toBeLessThan(10);
});

test("the worst calls without a key are answered, and the heap stays far below 2 GiB", async () => {
  const { rounds, answered } = await keylessSoak({ rounds: 3, calls: 15, open: 10 });
  expect(answered).toBe(3 * 15 * 6);
  for (const { heap } of rounds) expect(heap).toBeLessThan(512 * 2 ** 20);
});
