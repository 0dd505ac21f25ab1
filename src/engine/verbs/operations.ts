/** The verbs of the admin API that every service has. */
import { lifeVerbs } from "./life.ts";
import { clockVerbs } from "./clock.ts";
import { eventVerbs } from "./events.ts";
import { verificationVerbs } from "./verification/verification.ts";
import { requestVerbs } from "./journal/requests.ts";
import { ruleVerbs } from "./rules.ts";
import { scenarioVerbs } from "./scenarios.ts";
import { snapshotVerbs } from "./snapshots.ts";
import { harVerbs } from "./har.ts";
import { webhookVerbs } from "./webhooks.ts";
import { worldVerbs } from "./world.ts";
import { actVerbs } from "./acts.ts";
import { tenantVerbs } from "./tenants.ts";
import type { Service } from "../runtime/service.ts";
import { assumptionVerbs } from "./assumptions.ts";

/** By name, so that a double can put its own groups between them. */
export const engineVerbs = (service: Service) => ({
  life: lifeVerbs(service),
  clock: clockVerbs(),
  requests: requestVerbs,
  rules: ruleVerbs,
  scenarios: scenarioVerbs,
  verification: verificationVerbs,
  snapshots: snapshotVerbs,
  world: worldVerbs,
  har: harVerbs(),
  simulate: actVerbs(service),
  assumptions: assumptionVerbs,
  webhooks: webhookVerbs(service),
  events: eventVerbs,
  tenants: tenantVerbs(),
});
