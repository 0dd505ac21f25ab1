import type { Readings } from "../../assumptions/readings.ts";
import type { EngineWorld } from "../world.ts";

/** The caller before the service says who calls. */
const NOBODY: EngineWorld["caller"] = { kind: "system", credential: "" };

/** What the engine puts into the world of a tenant. */
interface Owner extends Pick<EngineWorld, "clock" | "ids" | "store" | "outbox" | "journal" | "settings"> {
  readonly scheduler: EngineWorld["jobs"];
  readonly readings: Readings;
}

/** The world of a tenant before the service adds its own members. */
export function engineWorldOf(tenant: Owner, emitHappening: EngineWorld["emitHappening"]): EngineWorld {
  const { clock, ids, store, scheduler, outbox, journal, settings, readings } = tenant;
  return {
    clock,
    ids,
    store,
    jobs: scheduler,
    outbox,
    journal,
    settings,
    reading: (id) => readings.of(id),
    decide: (id) => readings.of(id),
    remark: () => {},
    caller: NOBODY,
    emitHappening,
  };
}
