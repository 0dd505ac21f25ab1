/**
 * Saves a tenant as a world file and loads it. The file holds the state of a data file, all scenarios, and the options of the process
 * that shape answers. So a story gives the same answers in another process.
 */
import type { Choice } from "../../assumptions/switches.ts";
import { systemClock } from "../../core/clock.ts";
import { ApiError } from "../../core/errors.ts";
import { messageOf } from "../../core/text.ts";
import { requireLimits } from "../../core/time-limits.ts";
import type { AutoState } from "../../jobs/auto-time.ts";
import type { JobRow } from "../../jobs/rows.ts";
import type { HistoryState } from "../../store/history.ts";
import { decodeWorld, encodeWorld, type SavedWorld, WorldFileError } from "../../store/world-encoding.ts";
import type { Settings } from "../world.ts";
import type { RepeatedState } from "./repeated-answers.ts";
import { type Kept, keptOf, restoreTenant, type SavedClock } from "./tenant-persistence.ts";
import { TENANT_KEY } from "./tenant-registry.ts";
import type { Tenant } from "./tenant.ts";

/** Deliveries in progress get this much real time to end, because a file cannot hold them. */
const SETTLE_MS = 30_000;

/** What a process takes from its options, and what a client in the middle of a wait depends on. A data file needs none of it. */
interface WorldState {
  readings: Choice;
  settings: Pick<Settings, "webhookTimeout_ms" | "oauth">;
  auto: AutoState;
  repeated: RepeatedState;
  receivers: number;
  past: HistoryState;
}

type World = SavedWorld<Kept & { world?: WorldState }>;

/** Waits for the work that is due now, and saves the state of that instant. */
export async function saveWorld(tenant: Tenant): Promise<Buffer> {
  if (tenant.clock.isBusy) await settled(tenant);
  const { mode, speed } = tenant.clock;
  const kept = keptOf(tenant, { clock: { mode, speed }, scenarios: [] });
  const drawn = { ...tenant.idSeed, origin: tenant.origin };
  const state = { ...kept.state, ids: { ...kept.state.ids, drawn } };
  return encodeWorld<World["kept"]>({
    tenant: tenant.id,
    rows: tenant.store.snapshot(),
    kept: { ...kept, state, world: worldState(tenant) },
  });
}

async function settled({ clock }: Tenant): Promise<void> {
  let cancel = () => {};
  const limit = new Promise<void>((resolve) => {
    cancel = systemClock.after(SETTLE_MS, resolve);
  });
  await Promise.race([clock.settle(), limit]);
  cancel();
}

function worldState({ readings, settings, auto, repeated, receivers, store }: Tenant): WorldState {
  const { webhookTimeout_ms, oauth } = settings;
  return {
    readings: readings.start,
    settings: { webhookTimeout_ms, oauth },
    auto: auto.state,
    repeated: repeated.take(),
    receivers: receivers.count,
    past: store.past(),
  };
}

function putWorldState(tenant: Tenant, { readings, settings, auto, repeated, receivers, past }: WorldState): void {
  tenant.readings.start = readings;
  Object.assign(tenant.settings, settings);
  tenant.auto.state = auto;
  tenant.repeated.put(repeated, tenant.generation);
  tenant.receivers.count = receivers;
  tenant.store.putPast(past);
}

/**
 * Replaces everything of the tenant by a saved world: rows, clock, jobs, journal, rules, readings and counters. An error changes nothing.
 * @throws WorldFileError for a file that is foreign, newer, damaged or cut
 */
export function loadWorld(tenant: Tenant, bytes: Uint8Array): void {
  const saved: World = decodeWorld(bytes);
  if (tenant.ended !== undefined) throw new ApiError("conflict", `The world is not loaded: ${tenant.ended}.`);
  requireKnown(saved, tenant);
  const { clock } = saved.kept.state ?? {};
  const { world } = saved.kept;
  if (clock === undefined || world === undefined) throw new WorldFileError("cannot be loaded: it has no clock");
  const before = tenant.snapshot();
  const [state, snapshots] = [worldState(tenant), [...tenant.snapshots]];
  try {
    tenant.replace(() => put(tenant, saved, clock, world));
  } catch (error) {
    tenant.restore(before);
    putWorldState(tenant, state);
    tenant.snapshots.clear();
    for (const [name, one] of snapshots) tenant.snapshots.set(name, one);
    throw new WorldFileError(`cannot be loaded: ${messageOf(error)}`);
  }
}

/** @throws WorldFileError for what only a newer version knows */
function requireKnown({ rows }: World, { store, scheduler }: Tenant): void {
  const unknown =
    Object.keys(rows).find((name) => !Object.hasOwn(store, name)) ??
    ((rows.jobs ?? []) as JobRow[]).find(({ kind }) => !scheduler.knows(kind))?.id;
  if (unknown !== undefined)
    throw new WorldFileError(`was written by a newer docdouble: it holds ${unknown}, which this one does not know`);
}

function put(tenant: Tenant, { tenant: from, rows, kept }: World, { mode, speed, now }: SavedClock, world: WorldState): void {
  const pace = { mode, speed, now };
  requireLimits(pace);
  tenant.clock.reset(pace);
  tenant.store.restore(rows);
  if (from !== tenant.id && TENANT_KEY.test(tenant.id))
    tenant.store.transaction(() => tenant.service.access.adopt(tenant.world, from, tenant.id));
  tenant.snapshots.clear();
  const { clock: _, ...state } = kept.state ?? {};
  restoreTenant(tenant, { ...kept, state }, { clock: pace, scenarios: [] });
  putWorldState(tenant, world);
}
