/** What the engine knows of a tenant's world. A service adds its own tables and members. */
import type { ReadingValue } from "../assumptions/switches.ts";
import type { Clock } from "../core/tenant-clock.ts";
import type { Ids } from "../core/ids.ts";
import type { AddressPolicy } from "../jobs/address-policy.ts";
import type { Outbox } from "../jobs/outbox.ts";
import type { engineTables } from "../jobs/rows.ts";
import type { Scheduler } from "../jobs/scheduler.ts";
import type { Journal, Remark } from "../journal/journal.ts";
import type { Progression } from "../scenario/progression.ts";
import type { Store } from "../store/store.ts";

export interface Settings {
  /** Without a trailing slash. */
  publicUrl: string;
  /** How the asynchronous steps of the service advance, by the name of the step. */
  transitions: Partial<Record<string, Progression>>;
  webhookTimeout_ms: number;
  addressPolicy: AddressPolicy;
  oauth: "auto" | "interactive";
}

/** Who calls. The service adds what its rules need. */
export interface Caller {
  kind: string;
  /** The key or token of the call. */
  credential: string;
}

/** Tables of the service stand beside those of the engine. */
export type Tables = typeof engineTables;

export interface EngineWorld {
  readonly clock: Pick<Clock, "mode" | "now" | "after" | "before">;
  readonly ids: Ids;
  readonly store: Store<Tables>;
  readonly jobs: Pick<Scheduler<EngineWorld>, "schedule" | "cancel" | "cancelWhere">;
  readonly outbox: Pick<Outbox, "enqueue" | "hasReceived">;
  readonly journal: Pick<Journal, "all" | "current" | "total">;
  readonly settings: Settings;
  readonly caller: Caller;
  reading(id: string): ReadingValue;
  /** The reading that decides the answer of this call. `x-docdouble-why` names the assumption. */
  decide(id: string): ReadingValue;
  /** Notes input that this call accepts and ignores. Client lint reports it after a success. */
  remark(remark: Remark): void;
  emitHappening(event: Happening): void;
}

/** `by` names a person, empty when unknown. A number is a code of the service. */
export interface PersonAct {
  action: number | "comment";
  by: string;
  reason: string | null;
}

/** Something that actors of scenarios react to. `name` is an event or a status. */
export interface Happening {
  name: string;
  /** The id of the row that it is about. */
  subject: string;
  act?: PersonAct;
  /** The people whose turn begins. The event carries them, because the row may not be stored yet. */
  turns?: readonly unknown[];
}
