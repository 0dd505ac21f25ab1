import * as z from "zod";
import { iso } from "../core/clock.ts";
import { ApiError, notFound } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import { lengthOf } from "../journal/journal.ts";
import type { TenantSnapshot } from "../runtime/tenants/snapshot.ts";
import type { TenantRegistry } from "../runtime/tenants/tenant-registry.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { verb, verbGroup } from "./define.ts";
import { isoText } from "./inputs.ts";
import { namesOrNone } from "./operation.ts";
import { getOrMake } from "../core/maps.ts";

const nameBody = lazy(() => z.strictObject({ name: z.string().regex(/^[\w.-]{1,100}$/) }));

const SNAPSHOTS_MAX = 50;
export const SNAPSHOT_JOURNALS_LENGTH_MAX = 256 * 1024 * 1024;

const lengths = new WeakMap<TenantSnapshot, number>();

/** Of the journal in a snapshot, in characters. */
function journalLength(snapshot: TenantSnapshot): number {
  return getOrMake(lengths, snapshot, () => snapshot.journal.entries.reduce((sum, entry) => sum + lengthOf(entry), 0));
}

/**
 * A snapshot replaces the earlier one of its name, which therefore does not count. @throws 409 when the journals in snapshots would exceed
 * their limit
 */
function requireSpace(host: TenantRegistry, tenant: Tenant, name: string): void {
  let length = tenant.journal.length;
  for (const other of host.tenants())
    for (const [one, snapshot] of other.snapshots) if (other !== tenant || one !== name) length += journalLength(snapshot);
  if (length <= SNAPSHOT_JOURNALS_LENGTH_MAX) return;
  const mib = (count: number) => Math.ceil(count / 1024 / 1024);
  throw new ApiError(
    "conflict",
    `Cannot take the snapshot ${name}: the journals in the snapshots of this server would take ${mib(length)} MiB, and the limit is ${mib(SNAPSHOT_JOURNALS_LENGTH_MAX)} MiB. Delete a snapshot with DELETE /__admin/snapshots/{name}, or empty the journal with DELETE /__admin/requests.`,
  );
}

function requireSnapshot(tenant: Tenant, name: string) {
  const snapshot = tenant.snapshots.get(name);
  if (!snapshot) throw notFound(`no snapshot ${name}; known: ${namesOrNone(tenant.snapshots.keys())}`);
  return snapshot;
}

function toSnapshot(tenant: Tenant, name: string) {
  const { clock, store } = requireSnapshot(tenant, name);
  const subjects = `documents`;
  return {
    name,
    now: iso(clock.now ?? 0),
    [subjects]: store[subjects]?.length ?? 0,
    jobs: store.jobs?.length ?? 0,
  };
}

const snapshotView = lazy(() => z.object({ name: z.string(), now: isoText(), jobs: z.int() }).catchall(z.int()));
const nameInput = lazy(() => z.strictObject({ name: z.string() }));
const ELSEWHERE = {
  tool: "agents reset, and seed a scenario",
};

export const snapshotVerbs = verbGroup("Admin: snapshots", ELSEWHERE, [
  verb({
    name: "snapshots.list",
    does: "Lists the snapshots.",
    run: ({ tenant }) => [...tenant.snapshots.keys()].map((name) => toSnapshot(tenant, name)),
    admin: {
      id: "adminListSnapshots",
      route: "GET /__admin/snapshots",
      answer: () => z.strictObject({ snapshots: z.array(snapshotView()) }),
      show: (snapshots) => ({ snapshots: snapshots as never }),
    },
  }),
  verb({
    name: "snapshots.take",
    does: "Stores the whole tenant under a name: rows, jobs, clock, journal, rules and readings.",
    input: nameBody,
    run({ host, tenant }, { name }) {
      requireSpace(host, tenant, name);
      tenant.snapshots.delete(name);
      tenant.snapshots.set(name, tenant.snapshot());
      const [oldest] = tenant.snapshots.keys();
      if (tenant.snapshots.size > SNAPSHOTS_MAX && oldest !== undefined) tenant.snapshots.delete(oldest);
      return toSnapshot(tenant, name);
    },
    admin: {
      id: "adminTakeSnapshot",
      route: "POST /__admin/snapshots",
      status: 201,
      answer: snapshotView,
      errors: [409],
      example: { body: { name: "signed" } },
    },
  }),
  verb({
    name: "snapshots.restore",
    does: "Restores a snapshot.",
    input: nameInput,
    run({ tenant }, { name }) {
      tenant.restore(requireSnapshot(tenant, name));
      return toSnapshot(tenant, name);
    },
    admin: {
      id: "adminRestoreSnapshot",
      route: "POST /__admin/snapshots/{name}/restore",
      answer: snapshotView,
      errors: [404],
      example: { path: "/__admin/snapshots/signed/restore" },
    },
  }),
  verb({
    name: "snapshots.delete",
    does: "Deletes a snapshot.",
    input: nameInput,
    run({ tenant }, { name }) {
      requireSnapshot(tenant, name);
      tenant.snapshots.delete(name);
    },
    admin: {
      id: "adminDeleteSnapshot",
      route: "DELETE /__admin/snapshots/{name}",
      answer: null,
      errors: [404],
      example: { path: "/__admin/snapshots/signed" },
    },
  }),
]);
