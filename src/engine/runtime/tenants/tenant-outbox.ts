import { Outbox } from "../../jobs/outbox.ts";
import type { DeliveryRow } from "../../jobs/rows.ts";
import type { Scheduler } from "../../jobs/scheduler.ts";
import type { Clock } from "../../core/tenant-clock.ts";
import type { Readings } from "../../assumptions/readings.ts";
import type { ScenarioRunner } from "../scenario-runs/scenario-runner.ts";
import type { Service } from "../service.ts";
import type { EngineWorld, Settings, Tables } from "../world.ts";
import type { Store } from "../../store/store.ts";
import type { LocalReceivers } from "./local-receivers.ts";

/** What deliveries need of a tenant. */
interface OutboxOwner {
  readonly service: Service;
  readonly world: EngineWorld;
  readonly clock: Clock;
  readonly store: Store<Tables>;
  readonly scheduler: Scheduler<EngineWorld>;
  readonly readings: Readings;
  readonly settings: Settings;
  readonly receivers: LocalReceivers;
  readonly scenarioRunner: ScenarioRunner;
}

/** The outbox of a tenant: subscriptions come from the service, and faults of deliveries from the scenarios. */
export function outboxOf(tenant: OutboxOwner, attempted: (delivery: DeliveryRow) => void): Outbox {
  const { service, clock, store, scheduler, receivers, scenarioRunner } = tenant;
  const { deliveries } = service;
  return new Outbox({
    clock,
    store,
    scheduler,
    settings: () => ({
      retries_ms: tenant.readings.of(deliveries.retries) as readonly number[],
      timeout_ms: tenant.settings.webhookTimeout_ms,
      addressPolicy: tenant.settings.addressPolicy,
      headers: deliveries.headers,
      eventIdHeader: deliveries.idHeader,
    }),
    post: (request) => receivers.post(request),
    origin: () => ({ call: tenant.world.journal.current ?? null, calls: tenant.world.journal.total }),
    hooks: {
      subscriber: (id) => deliveries.subscriber(tenant.world, id),
      attempted: (delivery) => {
        deliveries.attempted(tenant.world, delivery);
        store.afterCommit(() => attempted(delivery));
      },
      plan: (delivery) => scenarioRunner.deliveryEffect("plan", delivery, 0),
      perform: (delivery, attempt) => scenarioRunner.deliveryEffect("perform", delivery, attempt),
    },
  });
}
