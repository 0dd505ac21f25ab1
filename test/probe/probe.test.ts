/** Every reading of every switch that the API reveals: a second double plays the real service with it, and `probe` names it. */
import { describe, expect, test } from "vitest";
import { ledger } from "../../src/assumptions/ledger.ts";
import { SWITCH_IDS, switchOf } from "../../src/assumptions/switches.ts";
import { storiesFor } from "../../src/probe/stories/index.ts";
import { probeOf, realSide } from "../support/probe.ts";
import { KEY, SANDBOX_KEY } from "../support/world.ts";

/** The limit of a sandbox key would hide the other readings; only a pace above the limits shows them. */
const OPTIONS: Record<string, object> = { "rate_limit.profile": { key: KEY, allowProductionKey: true, perMinute: 101 } };

const PROBED = SWITCH_IDS.filter((id) => storiesFor("").has(id));
const ALL = PROBED.flatMap((id) =>
  (switchOf(id).readings as readonly (string | number)[]).map((reading) => [id, reading] as const),
);

describe("probe", () => {
  test.each(ALL)("%s = %s at the real side is named, and nothing stays in the account", async (id, reading) => {
    const real = await realSide({ assume: { [id]: reading } as never });
    const before = real.holdings();
    const { report } = await probeOf(real, { only: [id], key: SANDBOX_KEY, ...OPTIONS[id] });
    const isDefault = reading === switchOf(id).default;
    expect(report.results).toMatchObject([
      {
        assumption: id,
        verdict: isDefault ? "confirmed" : "contradicted",
        seen: String(reading),
        default: String(switchOf(id).default),
      },
    ]);
    expect(report).not.toHaveProperty("stopped");
    expect(report).not.toHaveProperty("left_behind");
    expect(real.holdings()).toEqual(before);
  });

  test("every switch has a story, or the ledger says why not", async () => {
    const records = (await ledger()).filter((one) => one.switchable);
    const rows = records.map(({ id, probeable, readings }) => [
      id,
      PROBED.includes(id as never) ? `probed: ${readings.join(", ")}` : probeable === true ? "" : `undecided: ${probeable}`,
    ]);
    console.log(rows.map(([id, verdict]) => `${String(id).padEnd(28)} ${verdict}`).join("\n"));
    for (const [id, verdict] of rows) expect(verdict, id).not.toBe("");
    for (const { id, probeable } of records) expect(probeable === true, id).toBe(PROBED.includes(id as never));
  });
});
