/** A short form of `npm run soak` with many kinds of clients and temporary tenants. */
import { expect, test } from "vitest";
import { keylessSoak } from "../../../bench/soak/keyless.ts";
import { soak } from "../../../bench/soak/load.ts";

test("calls of many clients and temporary tenants are all answered, and memory stays flat", async () => {
  const { tally, rounds, growth_mib } = await soak({ rounds: 3, connections: 12, tenants: 12 });
  expect(tally).toMatchObject({ unanswered: 0, answered: tally.asked });
  expect(tally.asked).toBeGreaterThan(300);
  expect(Object.keys(tally.statuses).map(Number).sort()).toEqual([200, 201, 204, 404]);
  // The default tenant, and the tenants of two rounds. Nothing listens after the watchers have left.
  expect(rounds.map((one) => one.tenants)).toEqual([13, 25, 25]);
  expect(rounds.at(-1)?.listeners).toBe(0);
  // Ten kept tenants would need this much memory.
  expect(growth_mib).toBeLessThan(10);
});

test("the most expensive calls without a key are answered, and the heap stays below 512 MiB", async () => {
  const { rounds, answered } = await keylessSoak({ rounds: 3, calls: 15, open: 10 });
  expect(answered).toBe(3 * 15 * 6);
  for (const { heap } of rounds) expect(heap).toBeLessThan(512 * 2 ** 20);
});
