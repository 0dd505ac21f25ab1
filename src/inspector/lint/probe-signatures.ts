import { FORGERIES } from "../../engine/jobs/delivery-types.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import type { Tenant } from "../../service/service.ts";
import { lintClient } from "./client-lint.ts";
import type { LintFinding } from "./finding.ts";

export async function probeSignatures(tenant: Tenant): Promise<LintFinding[]> {
  const { store, outbox, clock } = tenant;
  const latest = new Map<string, DeliveryRow>();
  for (const row of store.deliveries.all())
    if (row.state === "delivered" && row.attempts.at(-1)?.signed === "valid") latest.set(row.subscriber, row);
  const copies = store.transaction(() =>
    [...latest.values()].flatMap((row) => FORGERIES.map((signed) => outbox.forge(row, signed))),
  );
  await clock.settle();
  const ids = new Set(copies.map((row) => row.id));
  return lintClient(tenant).filter((finding) => finding.entries.some((id) => ids.has(id)));
}
