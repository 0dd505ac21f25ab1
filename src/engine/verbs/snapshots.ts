import * as z from "zod";
import { iso } from "../core/clock.ts";
import { ApiError, notFound } from "../core/errors.ts";
import { group, lazy } from "../core/operation.ts";
import { sizeOf } from "../journal/journal.ts";
import type { TenantSnapshot } from "../runtime/tenants/snapshot.ts";
import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { anything, namesOrNone, operation } from "./operation.ts";
import { getOrMake } from "../core/maps.ts";

const nameBody = lazy(() => z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/) }));

const SNAPSHOTS_MAX = 50;
export const SNAPSHOT_JOURNALS_BYTES_MAX = 256 * 1024 * 1024;

const journalBytes = new WeakMap<TenantSnapshot, number>();

function bytesOf(snapshot: TenantSnapshot): number {
  return getOrMake(journalBytes, snapshot, () => snapshot.journal.entries.reduce((sum, entry) => sum + sizeOf(entry), 0));
}

/**
 * A snapshot replaces the earlier one of its name, which therefore does not count. @throws 409 when the journals in snapshots would exceed
 * their limit
 */
function requireSpace(host: TenantRegistry, tenant: Tenant, name: string): void {
  let bytes = tenant.journal.bytes;
  for (const other of host.tenants())
    for (const [one, snapshot] of other.snapshots) if (other !== tenant || one !== name) bytes += bytesOf(snapshot);
  if (bytes <= SNAPSHOT_JOURNALS_BYTES_MAX) return;
  const mib = (count: number) => Math.ceil(count / 1024 / 1024);
  throw new ApiError(
    "conflict",
    `Cannot take the snapshot ${name}: the journals in the snapshots of this server would take ${mib(bytes)} MiB, and the limit is ${mib(SNAPSHOT_JOURNALS_BYTES_MAX)} MiB. Delete a snapshot with DELETE /__admin/snapshots/{name}, or empty the journal with DELETE /__admin/requests.`,
  );
}

function requireSnapshot(tenant: Tenant, name: string) {
  const snapshot = tenant.snapshots.get(name);
  if (!snapshot) throw notFound(`no snapshot ${name}; known: ${namesOrNone(tenant.snapshots.keys())}`);
  return snapshot;
}

function toSnapshot(tenant: Tenant, name: string) {
  const { clock, store } = requireSnapshot(tenant, name);
  const subjects = `${tenant.service.language.words.subject}s`;
  return {
    name,
    now: iso(clock.now ?? 0),
    [subjects]: Object.keys(store[subjects] ?? {}).length,
    jobs: Object.keys(store.jobs ?? {}).length,
  };
}

export const snapshotsGroup = group("Admin: snapshots", [
  operation({
    id: "adminListSnapshots",
    route: "GET /__admin/snapshots",
    handle: (_, { tenant }) => ({
      status: 200,
      body: { snapshots: [...tenant.snapshots.keys()].map((name) => toSnapshot(tenant, name)) },
    }),
  }),
  operation({
    id: "adminTakeSnapshot",
    route: "POST /__admin/snapshots",
    body: nameBody,
    responses: { 201: anything },
    errors: [400, 409],
    handle: ({ body }, { host, tenant }) => {
      requireSpace(host, tenant, body.name);
      tenant.snapshots.delete(body.name);
      tenant.snapshots.set(body.name, tenant.snapshot());
      const [oldest] = tenant.snapshots.keys();
      if (tenant.snapshots.size > SNAPSHOTS_MAX && oldest !== undefined) tenant.snapshots.delete(oldest);
      return { status: 201, body: toSnapshot(tenant, body.name) };
    },
  }),
  operation({
    id: "adminRestoreSnapshot",
    route: "POST /__admin/snapshots/{name}/restore",
    errors: [404],
    handle: ({ params }, { tenant }) => {
      tenant.restore(requireSnapshot(tenant, params.name));
      return { status: 200, body: toSnapshot(tenant, params.name) };
    },
  }),
  operation({
    id: "adminDeleteSnapshot",
    route: "DELETE /__admin/snapshots/{name}",
    responses: { 204: null },
    errors: [404],
    handle: ({ params }, { tenant }) => {
      requireSnapshot(tenant, params.name);
      tenant.snapshots.delete(params.name);
    },
  }),
]);
