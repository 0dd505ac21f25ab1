import { reportUnmet } from "../../engine/runtime/scenario-runs/expectations.ts";
import type { Unmet } from "../../engine/runtime/scenario-runs/unmet.ts";
import type { Tenant } from "../../engine/runtime/tenants/tenant.ts";
import type { Scenario } from "../../engine/scenario/load.ts";
import { withPlace } from "../../engine/scenario/source-map.ts";
import { VerificationError } from "../errors.ts";
import { scenarioOf } from "../scenario-sources.ts";

/** @param source the name of a file, or its content as a value. @throws ScenarioError with the lines of the file */
export function loadScenario(tenant: Tenant, source: string | object): Scenario {
  try {
    const scenario = scenarioOf(source, tenant.service.language);
    tenant.load(scenario);
    return scenario;
  } catch (error) {
    throw withPlace(error);
  }
}

/** @throws VerificationError */
export function requireVerified({ unmet }: { unmet: Unmet[] }): void {
  if (unmet.length > 0) throw new VerificationError(unmet, reportUnmet(unmet));
}
