/**
 * Saves a tenant as a world file and loads it. The file holds the state of a data file, all scenarios, and the options of the process
 * that shape answers. So a story gives the same answers in another process.
 */
import { systemClock } from "../../core/clock.ts";
import { ApiError, tooManyRequests } from "../../core/errors.ts";
import { plainCopy } from "../../core/lazy-list.ts";
import { messageOf } from "../../core/text.ts";
import { requireLimits } from "../../core/time-limits.ts";
import { atOnce, inTurns } from "../../core/turns.ts";
import type { JobRow } from "../../jobs/rows.ts";
import type { Write } from "../../store/history.ts";
import {
  DATA_FILE,
  decodeWorld,
  encodeWorld,
  type SavedWorld,
  unpacked,
  unpackedBeside,
  WORLD_BYTES_MAX,
  WorldFileError,
} from "../../store/world-encoding.ts";
import { type Change, foldChange, inPieces, restoreTenant, TenantPersistence, type WorldState } from "./tenant-persistence.ts";
import { TENANT_KEY } from "./tenant-registry.ts";
import type { Tenant } from "./tenant.ts";

/** Deliveries in progress get this much real time to end, because a file cannot hold them. */
const SETTLE_MS = 30_000;

/** Waits for the work that is due now, and saves the state of that instant. Calls are answered meanwhile, and the file lacks them. */
export async function saveWorld(tenant: Tenant): Promise<Buffer> {
  if (tenant.clock.isBusy) await settled(tenant);
  const { clock } = tenant;
  const rest = new TenantPersistence(tenant, () => ({ clock: { mode: clock.mode, speed: clock.speed }, scenarios: [] })).whole();
  const over = tenant.auto.works();
  try {
    return await inTurns(encodeWorld(tenant.id, tenant.store.snapshot(), withWorld(rest, tenant)));
  } finally {
    over();
  }
}

async function settled({ clock }: Tenant): Promise<void> {
  let cancel = () => {};
  const limit = new Promise<void>((resolve) => {
    cancel = systemClock.after(SETTLE_MS, resolve);
  });
  await Promise.race([clock.settle(), limit]);
  cancel();
}

/** @param changes the state of this instant. Its world and its past are of this instant too */
function withWorld(changes: Iterable<Change>, tenant: Tenant): Iterable<Change> {
  return worldParts(plainCopy(worldState(tenant)), [...tenant.store.past().writes], changes, tenant.origin);
}

function* worldParts(
  world: WorldState,
  writes: readonly Write[],
  changes: Iterable<Change>,
  origin: Tenant["origin"],
): Iterable<Change> {
  yield { world };
  for (const past of inPieces(writes)) yield { past };
  for (const change of changes) yield change.drawn ? { ...change, drawn: { ...change.drawn, origin } } : change;
}

function worldState({ readings, settings, auto, repeated, receivers, store }: Tenant): WorldState {
  const { webhookTimeout_ms, oauth } = settings;
  return {
    readings: readings.start,
    settings: { webhookTimeout_ms, oauth },
    auto: auto.state,
    repeated: repeated.take(),
    receivers: receivers.count,
    pastGone: store.past().gone,
  };
}

function putWorldState(tenant: Tenant, { readings, settings, auto, repeated, receivers }: WorldState): void {
  tenant.readings.start = readings;
  Object.assign(tenant.settings, settings);
  tenant.auto.state = auto;
  tenant.repeated.put(repeated, tenant.generation);
  tenant.receivers.count = receivers;
}

/**
 * Replaces everything of the tenant by a saved world: rows, clock, jobs, journal, rules, readings and counters. An error changes nothing.
 * Reading the file leaves calls in the old world, and the new one replaces it within one turn of the event loop. Loads end in the order
 * in which they begin, because a read file takes a multiple of its size.
 * @throws WorldFileError for a file that is foreign, newer, damaged or cut. 409 when the tenant ends meanwhile, and 429 when the files
 * that wait are too large together
 */
export async function loadWorld(tenant: Tenant, bytes: Uint8Array): Promise<void> {
  if (bytesWaiting > 0 && bytesWaiting + bytes.length > WORLD_BYTES_MAX)
    throw tooManyRequests(
      1,
      `the worlds that are being loaded together exceed ${WORLD_BYTES_MAX / 2 ** 20} MiB; repeat the call`,
    );
  bytesWaiting += bytes.length;
  const over = tenant.auto.works();
  const load = latestLoad.then(async () => {
    replaceBy(tenant, await inTurns(decodeWorld(await unpackedBeside(bytes), foldChange)));
  });
  latestLoad = load.catch(() => {});
  try {
    await load;
  } finally {
    bytesWaiting -= bytes.length;
    over();
  }
}

let latestLoad: Promise<void> = Promise.resolve();
let bytesWaiting = 0;

/** As `loadWorld`, for a tenant that nobody calls yet. */
export function loadWorldAtOnce(tenant: Tenant, bytes: Uint8Array): void {
  replaceBy(tenant, atOnce(decodeWorld(unpacked(bytes), foldChange)));
}

function replaceBy(tenant: Tenant, saved: SavedWorld): void {
  if (tenant.ended !== undefined) throw new ApiError("conflict", `The world is not loaded: ${tenant.ended}.`);
  requireKnown(saved, tenant);
  const before = tenant.snapshot();
  const [state, snapshots, past] = [worldState(tenant), [...tenant.snapshots], tenant.store.past()];
  try {
    tenant.replace(() => put(tenant, saved));
  } catch (error) {
    tenant.restore(before);
    putWorldState(tenant, state);
    tenant.store.putPast(past);
    tenant.snapshots.clear();
    for (const [name, one] of snapshots) tenant.snapshots.set(name, one);
    throw new WorldFileError(`cannot be loaded: ${messageOf(error)}`);
  }
}

/** @throws WorldFileError for what only a newer version knows */
function requireKnown({ rows, kept }: SavedWorld, tenant: Tenant): void {
  if ((kept as Change | undefined)?.world === undefined) throw new WorldFileError(DATA_FILE);
  const { store, scheduler } = tenant;
  const unknown =
    Object.keys(rows).find((name) => !Object.hasOwn(store, name)) ??
    Object.values((rows.jobs ?? {}) as Record<string, JobRow>).find(({ kind }) => !scheduler.knows(kind))?.id;
  if (unknown !== undefined)
    throw new WorldFileError(`was written by a newer docdouble: it holds ${unknown}, which this one does not know`);
}

function put(tenant: Tenant, saved: SavedWorld): void {
  const { clock, world, past = [], ...rest } = saved.kept as Change;
  if (clock?.mode === undefined || clock.speed === undefined || world === undefined) throw new Error("it has no clock");
  const pace = { mode: clock.mode, speed: clock.speed, now: clock.now };
  requireLimits(pace);
  tenant.clock.reset(pace);
  tenant.store.restore(saved.rows);
  if (saved.tenant !== tenant.id && TENANT_KEY.test(tenant.id))
    tenant.store.transaction(() => tenant.service.access.adopt(tenant.world, saved.tenant, tenant.id));
  tenant.snapshots.clear();
  restoreTenant(tenant, rest, { clock: pace, scenarios: [] });
  putWorldState(tenant, world);
  tenant.store.putPast({ writes: past, gone: world.pastGone });
}
