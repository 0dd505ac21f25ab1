import { reportUnmet, unmetExpectations } from "../../engine/runtime/scenario-runs/expectations.ts";
import type { Tenant } from "../../service/service.ts";
import { VerificationError } from "../errors.ts";
import { withPlace } from "../../engine/scenario/source-map.ts";
import { scenarioOf } from "../scenario-sources.ts";
import type { Scenarios } from "./types.ts";

export function scenariosOf(tenant: Tenant): Scenarios {
  return {
    async load(source) {
      try {
        const scenario = scenarioOf(source, tenant.service.language);
        tenant.load(scenario);
        return { name: scenario.name };
      } catch (error) {
        throw withPlace(error);
      }
    },
    unload(name) {
      return tenant.scenarioRunner.unload(name);
    },
    names: () => [...tenant.scenarios.keys()],
    verify: () => verify(tenant),
  };
}

/** @throws VerificationError */
export async function verify(tenant: Tenant): Promise<void> {
  await tenant.clock.settle();
  const unmet = [...tenant.scenarios.values()].flatMap((scenario) =>
    scenario.expect ? unmetExpectations(tenant, scenario.expect) : [],
  );
  if (unmet.length > 0) throw new VerificationError(unmet, reportUnmet(unmet));
}
