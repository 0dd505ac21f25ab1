/** The verbs of the clock. */
import * as z from "zod";
import { iso, isoOrNull, systemClock } from "../core/clock.ts";
import type { Goal } from "../core/clock-settings.ts";
import { ApiError, badRequest } from "../core/errors.ts";
import { lazy } from "../core/operation.ts";
import { CLOCK_MODES } from "../core/time-limits.ts";
import type { Fired } from "../runtime/tenants/advance-receipt.ts";
import type { Tenant } from "../runtime/tenants/tenant.ts";
import { clockSpeed } from "../scenario/matchers-schema.ts";
import { deliveryView, toDelivery } from "./admin-views.ts";
import { verb, verbGroup } from "./define.ts";
import { instant, isoText, moment, readInstantOf, readMomentOf, readSpan, span } from "./inputs.ts";

const clockView = lazy(() =>
  z.strictObject({
    now: isoText(),
    mode: z.enum(CLOCK_MODES),
    speed: z.number(),
    pending: z.int().describe("the number of jobs that wait"),
    next: isoText().nullable().describe("when the next job is due"),
    stop_at: isoText().nullable().optional().describe("where automatic time stops; only in the mode auto"),
  }),
);

function toClock(tenant: Tenant) {
  const next = tenant.clock.next();
  return {
    now: iso(tenant.clock.now()),
    mode: tenant.clock.mode,
    speed: tenant.clock.speed,
    pending: tenant.scheduler.waiting,
    next: next === undefined ? null : iso(next),
    ...(tenant.clock.mode === "auto" ? { stop_at: isoOrNull(tenant.auto.stopAt ?? null) } : {}),
  };
}

const setInput = lazy(() =>
  z.strictObject({
    mode: z.enum(CLOCK_MODES).optional(),
    now: instant().optional(),
    speed: clockSpeed().optional(),
    stopAt: moment().nullable().optional().describe("where automatic time stops: an instant, a duration from now, or null"),
  }),
);

const advanceInput = lazy(() =>
  z.strictObject({
    by: span().optional(),
    to: instant().optional(),
    until: z.enum(["next", "idle"]).optional().describe("next: the next job; idle: until only deadlines wait"),
  }),
);

const sleepInput = lazy(() =>
  z.strictObject({
    by: span().optional(),
    alone: z
      .boolean()
      .optional()
      .describe("whether all threads of the program wait: an automatic clock moves at once for true, and later for false"),
  }),
);

const sleptView = lazy(() => z.strictObject({ from: isoText(), to: isoText() }));

const receiptView = lazy(() =>
  z.strictObject({
    from: isoText(),
    to: isoText(),
    fired: z
      .array(z.looseObject({ at: isoText(), kind: z.string(), refused: z.string().optional() }))
      .describe("the jobs that ran, in order, with their data"),
    deliveries: z.array(deliveryView()).describe("the deliveries that were tried meanwhile"),
  }),
);

const toFired = ({ at, kind, payload, refused }: Fired) => ({
  at: iso(at),
  kind,
  ...payload,
  ...(refused === undefined ? {} : { refused }),
});

function goalOf({ by, to, until }: z.output<ReturnType<typeof advanceInput>>): Goal {
  if ([by, to, until].filter((one) => one !== undefined).length !== 1)
    throw badRequest('Give one of by, to and until, such as {"by": "3d"}, {"to": "2026-03-01T00:00:00Z"} or {"until": "idle"}.');
  if (until !== undefined) return { until };
  return to !== undefined ? { to: readInstantOf(to) } : { by: readSpan(by as string | number) };
}

const UNMOVED_MS = 30_000;

/** `refused` rejects once nothing has moved a frozen clock for so long in real time, because the caller would wait for ever. */
function whileUnmoved({ clock }: Tenant): { refused: Promise<never>; stop: () => void } {
  let cancel = () => {};
  const refused = new Promise<never>((_, refuse) => {
    const look = (before: number) => {
      cancel = systemClock.after(UNMOVED_MS, () => {
        const now = clock.now();
        if (clock.mode !== "frozen" || now !== before) return look(now);
        const next = 'Move it with POST /__admin/clock/advance, or let it run: PUT /__admin/clock {"mode":"auto"}.';
        const detail = `The clock is frozen at ${iso(now)}, and nothing has moved it for ${UNMOVED_MS / 1000} s. ${next}`;
        refuse(new ApiError("conflict", detail, { body: { type: "docdouble_conflict", detail } }));
      });
    };
    look(clock.now());
  });
  return { refused, stop: () => cancel() };
}

export const clockVerbs = () =>
  verbGroup("Admin: clock", {}, [
    verb({
      name: "clock.show",
      does: "Returns the clock's time, mode and speed, and the next job.",
      run: (control) => control.tenant,
      admin: { id: "adminClock", route: "GET /__admin/clock", answer: clockView, show: toClock },
      without: { tool: "advance_clock with 0s tells the time" },
    }),
    verb({
      name: "clock.set",
      does: "Freezes the clock, runs it (`real`, with a `speed`), or sets it to a later time. `auto` moves it while the client waits.",
      input: setInput,
      run({ tenant }, { now, stopAt, ...rest }) {
        tenant.setClock({
          ...rest,
          ...(now === undefined ? {} : { now: readInstantOf(now) }),
          ...(stopAt === undefined ? {} : { stopAt: stopAt === null ? null : readMomentOf(stopAt, tenant.clock.now()) }),
        });
        return tenant;
      },
      admin: {
        id: "adminSetClock",
        route: "PUT /__admin/clock",
        answer: clockView,
        errors: [409],
        example: { body: { mode: "frozen" } },
        show: toClock,
      },
      without: { tool: "start takes the mode and the instant" },
    }),
    verb({
      name: "clock.advance",
      does: "Advances the clock `by` a duration, `to` an instant, or `until` `next` (one job) or `idle` (only deadlines left). docdouble runs the due jobs in order, waits for their webhooks, and returns a list of them.",
      input: advanceInput,
      async run({ tenant }, input) {
        const goal = goalOf(input);
        const from = tenant.clock.now();
        // `next` does not wait for deliveries that are due at this instant, but the receipt includes them.
        const receipt = await tenant.advance(goal);
        const deliveries = receipt.deliveries(tenant.store.deliveries);
        return { from, to: tenant.clock.now(), fired: receipt.fired, deliveries };
      },
      admin: {
        id: "adminAdvanceClock",
        route: "POST /__admin/clock/advance",
        answer: receiptView,
        errors: [409],
        example: { body: { by: "3d" } },
        show: ({ from, to, fired, deliveries }) => ({
          from: iso(from),
          to: iso(to),
          fired: fired.map(toFired),
          deliveries: deliveries.map((row) => toDelivery(row)),
        }),
      },
      tool: { name: "advance_clock" },
    }),
    verb({
      name: "clock.sleep",
      does: "Answers when the clock has moved `by` that duration. A client that sleeps this way counts as waiting, so an `auto` clock moves for it in milliseconds. On a `real` clock, the answer takes as long as the sleep. On a `frozen` clock that nobody moves for 30 s, the call is refused. Without `by`, the call waits for an event, and never answers. To end a sleep early, close the connection.",
      input: sleepInput,
      async run({ tenant, signal }, { by, alone }) {
        const from = tenant.clock.now();
        const { over, cancel } = tenant.auto.sleepers.sleep({ by: by === undefined ? undefined : readSpan(by), alone });
        // Without a duration, the call waits for an event and not for the clock.
        const unmoved = by === undefined ? undefined : whileUnmoved(tenant);
        const end = () => {
          cancel();
          unmoved?.stop();
        };
        signal?.addEventListener("abort", end, { once: true });
        await Promise.race(unmoved ? [over, unmoved.refused] : [over]).finally(end);
        return { from, to: tenant.clock.now() };
      },
      admin: {
        id: "adminSleepClock",
        route: "POST /__admin/clock/sleep",
        answer: sleptView,
        errors: [409],
        example: { body: { by: "0s" } },
        show: ({ from, to }) => ({ from: iso(from), to: iso(to) }),
      },
      without: {
        tool: "an agent moves the clock with advance_clock",
      },
    }),
  ]);
