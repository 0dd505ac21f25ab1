import type { Reading, SwitchId } from "../assumptions/switches.ts";
import type { Clock } from "../../engine/core/tenant-clock.ts";
import type { Ids } from "../../engine/core/ids.ts";
import type { Journal, Remark } from "../../engine/journal/journal.ts";
import type { Files } from "../files/files.ts";
import type { Outbox } from "../../engine/jobs/outbox.ts";
import type { AddressPolicy } from "../../engine/jobs/address-policy.ts";
import type { Scheduler } from "../../engine/jobs/scheduler.ts";
import type { Store } from "../../engine/store/store.ts";
import type { DomainTables } from "./tables.ts";
import type { Environment } from "./workspaces/rows.ts";
import type { RecipientRow } from "./recipients/rows.ts";

export type Progression =
  | { progression: "time"; seconds?: number }
  | { progression: "immediate" }
  | { progression: "polls"; times: number }
  | { progression: "manual" }
  | { progression: "fail"; seconds?: number; detail?: string };

export const MODELS = [
  "document.processing",
  "document.pdf",
  "template.processing",
  "content_library_item.processing",
  "document_section.processing",
] as const;
export type Model = (typeof MODELS)[number];

export interface Settings {
  /** Without a trailing slash. */
  publicUrl: string;
  transitions: Partial<Record<Model, Progression>>;
  webhookTimeout_ms: number;
  addressPolicy: AddressPolicy;
  oauth: "auto" | "interactive";
}

export interface Caller {
  kind: "api_key" | "oauth" | "system";
  membership_id: string;
  user_id: string;
  email: string;
  workspace_id: string;
  environment: Environment;
  role: string;
  scopes: readonly string[];
  credential: string;
}

export interface World {
  readonly clock: Pick<Clock, "mode" | "now" | "after" | "before">;
  readonly ids: Ids;
  readonly store: Store<DomainTables>;
  readonly jobs: Pick<Scheduler<World>, "schedule" | "cancel" | "cancelWhere">;
  readonly outbox: Pick<Outbox, "enqueue" | "hasReceived">;
  readonly journal: Pick<Journal, "all" | "current" | "total">;
  readonly settings: Settings;
  readonly files: Pick<Files, "run" | "runSoon">;
  readonly caller: Caller;
  reading<Id extends SwitchId>(id: Id): Reading<Id>;
  /** The reading that decides the answer of this call. `x-docdouble-why` names the assumption. */
  decide<Id extends SwitchId>(id: Id): Reading<Id>;
  /** Notes input that this call accepts and ignores. Client lint reports it after a success. */
  remark(remark: DomainRemark): void;
  emitHappening(event: Happening): void;
}

/** `by` is an email address, empty when unknown. A number is a code of the audit trail. */
export interface PersonAct {
  action: number | "comment";
  by: string;
  reason: string | null;
}

export type RemarkKind =
  | "unknown_role"
  | "unknown_document_field"
  | "unknown_token"
  | "unknown_pricing_name"
  | "doubtful_pricing"
  | "unknown_block"
  | "signer_without_fields"
  | "nobody_can_sign";

export type DomainRemark = Remark & { kind: RemarkKind };

/** `name` is an event name, or a status such as `document.sent`. */
export interface Happening {
  name: string;
  document_id: string;
  recipient_id?: string;
  act?: PersonAct;
  /** The event carries them: the document may not be stored yet, and timestamps cannot tell turns apart. */
  turns?: readonly RecipientRow[];
}

export function asCaller(world: World, caller: Caller): World {
  return { ...world, caller };
}
