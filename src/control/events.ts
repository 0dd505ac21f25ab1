/** `GET /__admin/events`: what happens in a tenant as it happens, as server-sent events. */
import * as z from "zod";
import { iso, wall } from "../core/clock.ts";
import { group, lazy, operationsFor } from "../core/operation.ts";
import type { Control } from "./host.ts";
import { toServeEvent } from "./journal-view.ts";
import type { TenantEvent } from "./audience.ts";
import type { Tenant } from "./tenant.ts";
import { toDelivery } from "./views.ts";

const operation = operationsFor<Control>();
const anything = lazy(() => z.unknown());

const HEADERS = { "content-type": "text/event-stream", "cache-control": "no-store" };

/** A reader that falls so far behind, in bytes, is cut off. */
const BEHIND_MAX = 8 * 1024 * 1024;

/** So often a quiet stream says that it is there: a connection that says nothing for minutes is cut. */
const BEAT_MS = 20_000;

function dataOf(tenant: Tenant, event: TenantEvent): unknown {
  switch (event.type) {
    case "exchange":
      return toServeEvent(event.exchange, tenant.settings.publicUrl, tenant.id);
    case "delivery":
      return toDelivery(event.delivery);
    case "clock":
      return { now: iso(event.clock.now()), mode: event.clock.mode, speed: event.clock.speed };
  }
}

/** A stream that begins with a comment, so that a reader knows that it is connected. */
function eventStream(tenant: Tenant): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let leave = (): void => {};
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(`: events of ${tenant.id}\n\n`));
        let cancel = (): void => {};
        const beat = () => {
          cancel = wall.after(BEAT_MS, () => {
            controller.enqueue(encoder.encode(":\n\n"));
            beat();
          });
        };
        beat();
        const stop = tenant.audience.listen((event) => {
          if (event === undefined || (controller.desiredSize ?? 0) < -BEHIND_MAX) {
            leave();
            controller.close();
            return;
          }
          controller.enqueue(encoder.encode(`event: ${event.type}\ndata: ${JSON.stringify(dataOf(tenant, event))}\n\n`));
        });
        leave = () => {
          cancel();
          stop();
        };
      },
      cancel: () => leave(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}

export const eventsGroup = group("Admin: events", [
  operation({
    id: "adminEvents",
    route: "GET /__admin/events",
    responses: { 200: anything },
    errors: [],
    handle: (_, { tenant }) => ({ status: 200, body: eventStream(tenant), headers: HEADERS }),
  }),
]);
