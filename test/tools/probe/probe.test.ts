import { describe, expect, test } from "vitest";
import { records } from "../../../src/service/assumptions/ledger.ts";
import { SWITCH_IDS, type SwitchId, switchOf } from "../../../src/service/assumptions/switches.ts";
import { scriptsFor } from "../../../src/tools/probe/scripts/index.ts";
import { probeOf, realSide } from "../../support/probe.ts";
import { CASES } from "../../support/switch-stories.ts";
import { KEY, SANDBOX_KEY } from "../../support/world.ts";

/** The rate limit of a sandbox key would hide the other readings. Only a faster pace than the limit shows them. */
const OPTIONS: Record<string, object> = { "rate_limit.profile": { key: KEY, allowProductionKey: true, perMinute: 201 } };

const PROBED = SWITCH_IDS.filter((id) => scriptsFor("").has(id));
const ALL = PROBED.flatMap((id) =>
  (switchOf(id).readings as readonly (string | number)[]).map((reading) => [id, reading] as const),
);

describe("probe", () => {
  test.each(ALL)("%s = %s of the service is reported, and nothing stays in the account", async (id, reading) => {
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

  test("compare and probe detect each reading of each switch, or the ledger states the reason", async () => {
    const switchable = records.filter((one) => one.switchable);
    const rows = switchable.map(({ id, probeable, not_probeable_because, readings }) => ({
      id,
      // test/tools/compare/switches.test.ts runs each of these readings on the real side.
      compare: CASES[id as SwitchId].expected.slice(1).map(([reading]) => JSON.stringify(reading)),
      probe: PROBED.includes(id as never) ? readings.join(", ") : probeable ? "" : `undecided: ${not_probeable_because}`,
    }));
    const line = (cells: string[]) => `${cells[0]?.padEnd(28)} | ${cells[1]?.padEnd(30)} | ${cells[2]}`;
    console.log(
      [["switch", "compare", "probe"], ...rows.map((row) => [row.id, row.compare.join(", "), row.probe])].map(line).join("\n"),
    );
    for (const { id, compare, probe } of rows) {
      expect(compare, id).not.toEqual([]);
      expect(probe, id).not.toBe("");
    }
  });

  test("a record is probeable exactly when it has a story", async () => {
    const probeable = records.filter((one) => one.probeable).map((one) => one.id);
    expect(probeable).toEqual([...scriptsFor("").keys()].sort());
  });
});
