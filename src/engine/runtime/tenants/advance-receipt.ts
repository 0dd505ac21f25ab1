/** What one advance of the clock did. */
import { DELIVER_JOB } from "../../jobs/outbox.ts";
import type { DeliveryRow } from "../../jobs/rows.ts";
import type { JobRun } from "../../jobs/scheduler.ts";
import type { TenantEvent } from "./event-stream.ts";
import { countBy } from "../../core/maps.ts";

export interface Fired extends JobRun {
  refused?: string;
}

export class AdvanceReceipt {
  /** In the order in which the jobs began. */
  readonly fired: Fired[] = [];
  readonly #attempted = new Set<string>();

  /** A job may have posted the delivery before the advance. */
  note(event: TenantEvent): void {
    if (event.type === "delivery") this.#attempted.add(event.delivery.id);
    if (event.type !== "job") return;
    const last = this.fired.at(-1);
    if (event.refused === undefined) this.fired.push(event.run);
    else if (last) last.refused = event.refused;
  }

  /** The attempted deliveries that still exist, oldest first. Looking through all deliveries would take longer with each one. */
  deliveries(rows: { get(id: string): DeliveryRow | undefined }): DeliveryRow[] {
    const turns = new Map<string, number>();
    for (const [turn, { kind, payload }] of this.fired.entries()) {
      if (kind !== DELIVER_JOB) continue;
      for (const id of [payload.delivery, payload.batch ?? []].flat() as string[]) if (!turns.has(id)) turns.set(id, turn);
    }
    const turnOf = ({ id }: DeliveryRow) => turns.get(id) ?? -1;
    const attempted = [...this.#attempted].flatMap((id) => rows.get(id) ?? []);
    return attempted.sort((a, b) => a.created - b.created || turnOf(a) - turnOf(b));
  }

  describeMostFrequent(): string {
    const counts = countBy(this.fired, ({ kind, payload }) =>
      [kind, payload.name ?? payload.actor].filter((part) => part !== undefined).join(" "),
    );
    const [name, count] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? ["nothing", 0];
    return `most of them, ${count}, were ${name}`;
  }
}
