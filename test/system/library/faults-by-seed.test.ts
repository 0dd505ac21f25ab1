/** The official client under random faults. `npm run test:system` runs it, and `npm run faults` plays a thousand seeds. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { planOf } from "../../../bench/faults/plan.ts";
import { startReceiver, type WebhookReceiver } from "../../../bench/faults/receiver.ts";
import { run } from "../../../bench/faults/run.ts";
import { within } from "../../support/patience.ts";

const SEEDS = Array.from({ length: Number(process.env.FAULT_SEEDS ?? 20) }, (_, i) => i + 1);
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startReceiver();
});

afterAll(() => receiver.close());

test("client, receiver and server agree at the end for many seeds, or the contract report explains why not", {
  timeout: within(120_000),
}, async () => {
  const totals = { faults: 0, doubled: 0, met: 0 };
  for (const seed of SEEDS) {
    const { disagreements, faults, doubled, log } = await run(seed, receiver);
    expect(disagreements, `again with npm run faults -- --seed ${seed}\n${log.join("\n")}`).toEqual([]);
    totals.faults += faults;
    totals.doubled += doubled;
    if (faults > 0) totals.met++;
  }
  // Runs without a fault prove nothing.
  expect(totals.met).toBeGreaterThan(SEEDS.length / 2);
  expect(totals.faults).toBeGreaterThan(SEEDS.length * 1.6);
  expect(totals.doubled).toBeGreaterThan(0);
});

test("a seed always produces the same faults, and other seeds produce others", () => {
  expect(planOf(3)).toEqual(planOf(3));
  expect(
    new Set(SEEDS.map((seed) => JSON.stringify({ ...planOf(seed), seed: 0, scenario: { ...planOf(seed).scenario, name: "" } })))
      .size,
  ).toBeGreaterThan(SEEDS.length - 2);
});
