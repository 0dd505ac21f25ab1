/** Sets each reading of each switch at the real side only. `compare` must report the difference and name the assumption. */
import { describe, expect, test } from "vitest";
import { SWITCH_IDS } from "../../../src/service/assumptions/switches.ts";
import { CASES } from "../../support/switch-stories.ts";
import { twoSides } from "../../support/two-sides.ts";
import type { TestWorld } from "../../support/world.ts";

/** `compare` stands between a client and the API. It does not see the MCP server. */
const COMPARED = SWITCH_IDS.filter((id) => !id.startsWith("mcp."));
const READINGS = COMPARED.flatMap((id) => CASES[id].expected.map(([reading]) => [id, reading] as const));

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
      const named = differences.map((one) => ({ ...one, assumption: isDefault ? "none expected" : id }));
      expect(differences).toEqual(named);
      expect(differences.length > 0).toBe(!isDefault);
    },
  );
});
