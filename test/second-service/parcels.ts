/** A double of a small API, built on the engine alone. Carriers pick a parcel up an hour after its creation, and deliver it a day later. */
import * as z from "zod";
import { iso } from "../../src/engine/core/clock.ts";
import { operationsFor } from "../../src/engine/core/define-operation.ts";
import { ApiError, notFound } from "../../src/engine/core/errors.ts";
import { group, lazy } from "../../src/engine/core/operation.ts";
import { announce, type SmallWorld, smallService } from "../../src/engine/runtime/small-service.ts";
import { table } from "../../src/engine/store/collection.ts";
import type { Row } from "../../src/engine/store/row.ts";

// #region rows
const STATUSES = ["created", "in_transit", "delivered", "canceled"] as const;
type Status = (typeof STATUSES)[number];

export interface ParcelRow extends Row {
  to: string;
  weight_g: number;
  status: Status;
  /** All statuses so far, in order. */
  path: readonly Status[];
  /** Epoch ms. */
  created_at: number;
}

const tables = { parcels: table<ParcelRow>()({ indexes: { status: (row) => row.status } }) };
export type World = SmallWorld<typeof tables>;
// #endregion

// #region rules
const HOUR_MS = 3_600_000;

function create(world: World, { to, weight_g }: { to: string; weight_g: number }): ParcelRow {
  const created_at = world.clock.now();
  const row: ParcelRow = { id: world.ids.uuid(), to, weight_g, status: "created", path: ["created"], created_at };
  world.jobs.schedule("pick_up", HOUR_MS, { parcel: row.id });
  return changed(world, row);
}

function move(world: World, id: string, status: Status): void {
  const row = world.store.parcels.get(id);
  if (!row || row.status === "canceled") return;
  changed(world, { ...row, status, path: [...row.path, status] });
  if (status === "in_transit") world.jobs.schedule("hand_over", 24 * HOUR_MS, { parcel: id });
}

function cancel(world: World, id: string): ParcelRow {
  const row = find(world, id);
  if (row.status !== "created")
    throw new ApiError("conflict", `The parcel is ${row.status}.`, {
      why: "only a parcel that nobody has picked up can be canceled",
      members: { status: row.status },
    });
  world.jobs.cancelWhere("pick_up", { parcel: id });
  return changed(world, { ...row, status: "canceled", path: [...row.path, "canceled"] });
}

function find(world: World, id: string): ParcelRow {
  const row = world.store.parcels.get(id);
  if (!row) throw notFound(`no parcel ${id}`);
  return row;
}

/** Stores the parcel, and tells every subscriber. */
function changed(world: World, row: ParcelRow): ParcelRow {
  world.store.parcels.put(row);
  announce(world, `parcel_${row.status}`, row, toParcel(row));
  return row;
}
// #endregion

// #region jobs
const jobs = {
  pick_up: { run: ({ parcel }: { parcel: string }, world: World) => move(world, parcel, "in_transit"), outcome: "is picked up" },
  hand_over: { run: ({ parcel }: { parcel: string }, world: World) => move(world, parcel, "delivered"), outcome: "is delivered" },
};
// #endregion

// #region shapes
const input = lazy(() => z.object({ to: z.string().min(1), weight_g: z.number().int().min(1).max(30_000) }));

const filter = lazy(() => z.object({ status: z.enum(STATUSES).optional() }));
const subscription = lazy(() => z.object({ url: z.url() }));

const answer = lazy(() =>
  z.strictObject({
    id: z.string(),
    to: z.string(),
    weight_g: z.number(),
    status: z.enum(STATUSES),
    created_at: z.string(),
  }),
);

const list = lazy(() => z.strictObject({ parcels: z.array(answer()) }));
const subscribed = lazy(() => z.strictObject({ id: z.string(), url: z.string(), key: z.string() }));

function toParcel({ id, to, weight_g, status, created_at }: ParcelRow) {
  return { id, to, weight_g, status, created_at: iso(created_at) };
}
// #endregion

// #region operations
const operation = operationsFor<World>();

const parcels = group("Parcels", [
  operation({
    id: "createParcel",
    route: "POST /v1/parcels",
    body: input,
    responses: { 201: answer },
    errors: [],
    handle: ({ body }, world) => ({ status: 201, body: toParcel(create(world, body)) }),
  }),
  operation({
    id: "listParcels",
    route: "GET /v1/parcels",
    query: filter,
    responses: { 200: list },
    errors: [],
    handle({ query: { status } }, { store }) {
      const rows = store.parcels.all().filter((row) => status === undefined || row.status === status);
      return { status: 200, body: { parcels: rows.map(toParcel) } };
    },
  }),
  operation({
    id: "getParcel",
    route: "GET /v1/parcels/{id}",
    responses: { 200: answer },
    errors: [],
    handle: ({ params }, world) => ({ status: 200, body: toParcel(find(world, params.id)) }),
  }),
  operation({
    id: "cancelParcel",
    route: "POST /v1/parcels/{id}/cancel",
    responses: { 200: answer },
    errors: [409, 423],
    handle: ({ params }, world) => ({ status: 200, body: toParcel(cancel(world, params.id)) }),
  }),
]);

const webhooks = group("Webhooks", [
  operation({
    id: "createWebhook",
    route: "POST /v1/webhooks",
    body: subscription,
    responses: { 201: subscribed },
    errors: [],
    secret: { response: ["key"] },
    handle({ body: { url } }, { ids, store }) {
      const row = store.subscriptions.put({ id: ids.uuid(), name: url, url, key: ids.short(), active: true });
      return { status: 201, body: { id: row.id, url, key: row.key } };
    },
  }),
]);
// #endregion

// #region service
export const service = smallService({
  name: "Parcels",
  prefix: "/v1",
  subject: {
    noun: "parcel",
    statuses: STATUSES,
    creators: ["createParcel"],
    label: "to",
    facts: ["id", "status", "to", "weight_g"],
    deadEnds: ["canceled"],
  },
  events: STATUSES.map((status) => `parcel_${status}`),
  tables,
  groups: [parcels, webhooks],
  jobs,
  fixture: { shape: input, add: (world: World, one: { to: string; weight_g: number }) => create(world, one) },
});
// #endregion
