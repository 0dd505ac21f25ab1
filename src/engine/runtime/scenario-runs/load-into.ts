import { Ids } from "../../core/ids.ts";
import type { Clock } from "../../core/tenant-clock.ts";
import type { ClockStart, IdSeed } from "../tenants/snapshot.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Scenario } from "../../scenario/load.ts";
import { setClockFor } from "./apply-clock.ts";

/** What loading changes of a tenant. */
interface Loading {
  readonly clock: Clock;
  readonly journal: Journal;
  readonly ids: Ids;
  readonly store: { timeless<Result>(change: () => Result): Result };
  readonly scheduler: { rearm(): void };
  readonly scenarioRunner: { load(scenario: Scenario): void };
  readonly parts: Record<string, () => void>;
  readonly state: { readonly clock: { take(): ClockStart } };
  readonly origin: { readonly tenant: string };
  idSeed: IdSeed;
}

/** An error leaves everything unchanged. @throws ClockError, ScenarioError or a refusal */
export function loadInto(tenant: Loading, scenario: Scenario): void {
  const before = { ...tenant.state.clock.take(), ids: tenant.ids.state };
  const { idSeed } = tenant;
  const isBack = setClockFor(scenario, tenant.clock, tenant.journal);
  if (scenario.seed !== undefined) {
    const seeds = idSeed.seeds + 1;
    tenant.idSeed = { ...idSeed, from: `${scenario.seed}/${tenant.origin.tenant}/${seeds}`, seeds };
    tenant.ids.state = new Ids(tenant.idSeed.from).state;
  }
  if (isBack) tenant.parts.state?.();
  try {
    tenant.store.timeless(() => tenant.scenarioRunner.load(scenario));
  } catch (error) {
    tenant.clock.reset(before);
    tenant.idSeed = idSeed;
    if (isBack) tenant.parts.state?.();
    else tenant.scheduler.rearm();
    tenant.ids.state = before.ids;
    throw error;
  }
}
