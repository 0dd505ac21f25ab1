/** Sets each reading of each switch at the real side only. `compare` must report the difference and name the assumption. */
import { describe, expect, test } from "vitest";
import { records } from "../../../src/service/assumptions/ledger.ts";
import { SWITCH_IDS } from "../../../src/service/assumptions/switches.ts";
import { ASSUMPTIONS_WITH_CLUES } from "../../../src/tools/compare/assumption-of.ts";
import { CASES } from "../../support/switch-stories.ts";
import { twoSides } from "../../support/two-sides.ts";
import type { TestWorld } from "../../support/world.ts";

/** `compare` stands between a client and the API. It does not see the MCP server. */
const COMPARED = SWITCH_IDS.filter((id) => !id.startsWith("mcp."));
const READINGS = COMPARED.flatMap((id) => CASES[id].expected.map(([reading]) => [id, reading] as const));

/** The sum of a document follows its prices, so a difference of prices shows there too. */
const SUM = "details.grand_total";

describe("compare: switches", () => {
  test.each(READINGS)(
    "%s = %j at the real side shows differences with this assumption, unless it is the default",
    async (id, reading) => {
      const sides = await twoSides({ real: { assume: { [id]: reading } as never }, seesWebhooks: true });
      await CASES[id].observe(sides as unknown as TestWorld);
      await sides.comparison.finish(0);
      const { differences } = sides.comparison.report();
      const isDefault = reading === CASES[id].expected[0]?.[0];
      // `named` has the expected assumption in each difference, so that a failure shows the difference that lacks it.
      const expected = (pointer: string) => (id.startsWith("pricing.") && pointer.startsWith("/grand_total/") ? SUM : id);
      const named = differences.map((one) => ({ ...one, assumption: isDefault ? "none expected" : expected(one.pointer) }));
      expect(differences).toEqual(named);
      expect(differences.length > 0).toBe(!isDefault);
    },
  );
});

test("every assumption that a difference may name is in the ledger", async () => {
  const known = new Set(records.map((one) => one.id));
  expect(ASSUMPTIONS_WITH_CLUES.filter((id) => !known.has(id))).toEqual([]);
});
