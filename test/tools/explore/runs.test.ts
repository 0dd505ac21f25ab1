/** How many calls a run may make. */
import { expect, test } from "vitest";
import type { Sandbox } from "../../../src/library/types.ts";
import type { Player, RunPlan } from "../../../src/tools/explore/player.ts";
import { Runs } from "../../../src/tools/explore/runs.ts";

/** Runs whose clean runs make so many calls. `limits` lists the calls that each run may make. */
function runsOf(calls: number[], time: "virtual" | "wall" = "virtual") {
  const limits: number[] = [];
  const player = {
    time,
    waitLonger() {},
    async play({ callsMax }: RunPlan) {
      limits.push(callsMax);
      const items = [...Array(calls.shift() ?? 0).fill({ kind: "call" }), { kind: "act" }];
      return { end: { kind: "returned" }, sandbox: {} as Sandbox, recorder: { finish: () => ({ items }) }, async close() {} };
    },
  } as unknown as Player;
  const { signal } = new AbortController();
  const runs = new Runs({ player, seed: "1", transitions: {}, budget_ms: 1e9, runsMax: 100, jobs: 1, signal });
  return { runs, limits };
}

test.each([
  ["virtual", 4000, 4000],
  ["wall", 1000, 4000],
] as const)(
  "in %s time, a run may make %d calls more than the longest clean run, and a patient one %d",
  async (time, more, patient) => {
    const { runs, limits } = runsOf([7, 3], time);
    await runs.clean();
    await runs.clean();
    await runs.play([]);
    runs.isPatient = true;
    await runs.play([]);
    expect(limits).toEqual([more, 7 + more, 7 + more, 7 + patient]);
  },
);

test("after a new start, the clean runs before it count for nothing", async () => {
  const { runs, limits } = runsOf([7, 3]);
  await runs.clean();
  runs.startAgain();
  await runs.clean();
  await runs.play([]);
  expect(limits).toEqual([4000, 4000, 4003]);
});
