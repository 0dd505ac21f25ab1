/** All that a handler may touch. A handler reads and writes through it and through nothing else. */
import type { Reading, SwitchId } from "../assumptions/switches.ts";
import type { Clock } from "../core/clock.ts";
import type { Ids } from "../core/ids.ts";
import type { Journal } from "../engine/journal.ts";
import type { Files } from "../files/files.ts";
import type { Outbox } from "../engine/outbox.ts";
import type { AddressPolicy } from "../engine/address-policy.ts";
import type { Scheduler } from "../engine/scheduler.ts";
import type { Store } from "../store/store.ts";
import type { DomainTables } from "./tables.ts";
import type { Environment } from "./workspaces/rows.ts";
import type { RecipientRow } from "./recipients/rows.ts";

/** How an asynchronous step goes on. Set per model by a scenario or by the admin API. */
export type Progression =
  | { progression: "time"; seconds?: number }
  | { progression: "immediate" }
  | { progression: "polls"; times: number }
  | { progression: "manual" }
  | { progression: "fail"; seconds?: number; detail?: string };

/** The steps that take time: what `POST /__admin/transitions` calls models. */
export const MODELS = [
  "document.processing",
  "document.pdf",
  "template.processing",
  "content_library_item.processing",
  "document_section.processing",
] as const;
export type Model = (typeof MODELS)[number];

export interface Settings {
  /** What links, sessions and downloads advertise, without a trailing slash. */
  publicUrl: string;
  transitions: Partial<Record<Model, Progression>>;
  /** Wall ms a webhook receiver has. */
  webhookTimeout_ms: number;
  /** Where webhooks and files by URL may lead. */
  addressPolicy: AddressPolicy;
  /** The authorize page agrees at once, or asks. */
  oauth: "auto" | "interactive";
}

/** Who calls. */
export interface Caller {
  kind: "api_key" | "oauth" | "system";
  membership_id: string;
  user_id: string;
  email: string;
  workspace_id: string;
  environment: Environment;
  role: string;
  scopes: readonly string[];
  /** The key or token itself, for the journal's redaction. */
  credential: string;
}

export interface World {
  readonly clock: Pick<Clock, "mode" | "now" | "after" | "before">;
  readonly ids: Ids;
  readonly store: Store<DomainTables>;
  readonly jobs: Pick<Scheduler<World>, "schedule" | "cancel" | "cancelWhere">;
  readonly outbox: Pick<Outbox, "enqueue">;
  /** What was asked and answered before. */
  readonly journal: Pick<Journal, "all">;
  readonly settings: Settings;
  /** Reads and writes files, in another process. */
  readonly files: Pick<Files, "run" | "runSoon">;
  readonly caller: Caller;
  /** The reading of a switchable assumption. */
  reading<Id extends SwitchId>(id: Id): Reading<Id>;
  /** The reading that decides the answer of this call. `x-docdouble-why` names the assumption. */
  decide<Id extends SwitchId>(id: Id): Reading<Id>;
  /** Called for each event that happens, subscribed to or not: how actors hear of it. */
  emitHappening(event: Happening): void;
}

/** Something that happened to a document, in the words that actors and conditions use. */
export interface Happening {
  /** An event name, or a status such as `document.sent`. */
  name: string;
  document_id: string;
  recipient_id?: string;
  /** Recipients whose turn begins. They come with the event because the document may not be stored yet. */
  turns?: readonly RecipientRow[];
}

/** The same world as another caller sees it. */
export function asCaller(world: World, caller: Caller): World {
  return { ...world, caller };
}
