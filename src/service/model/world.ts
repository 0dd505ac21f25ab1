import type { Reading, SwitchId } from "../assumptions/switches.ts";
import type { Caller as EngineCaller, EngineWorld, Happening as EngineHappening } from "../../engine/runtime/world.ts";
import type { Remark } from "../../engine/journal/journal.ts";
import type { Store } from "../../engine/store/store.ts";
import type { Files } from "../files/files.ts";
import type { DomainTables } from "./tables.ts";
import type { Environment } from "./workspaces/rows.ts";
import type { RecipientRow } from "./recipients/rows.ts";

export const MODELS = [
  "document.processing",
  "document.pdf",
  "template.processing",
  "content_library_item.processing",
  "document_section.processing",
] as const;
export type Model = (typeof MODELS)[number];

export interface Caller extends EngineCaller {
  kind: "api_key" | "oauth" | "system";
  user_id: string;
  email: string;
  workspace_id: string;
  membership_id: string;
  environment: Environment;
  role: string;
  scopes: readonly string[];
}

export interface World extends Omit<EngineWorld, "store" | "caller" | "reading" | "decide" | "remark" | "emitHappening"> {
  readonly store: Store<DomainTables>;
  readonly files: Pick<Files, "run" | "runSoon">;
  readonly caller: Caller;
  reading<Id extends SwitchId>(id: Id): Reading<Id>;
  /** The reading that decides the answer of this call. `x-docdouble-why` names the assumption. */
  decide<Id extends SwitchId>(id: Id): Reading<Id>;
  /** Notes input that this call accepts and ignores. Client lint reports it after a success. */
  remark(remark: DomainRemark): void;
  emitHappening(event: Happening): void;
}

export type RemarkKind =
  | "unknown_role"
  | "unknown_document_field"
  | "unknown_token"
  | "unknown_pricing_name"
  | "doubtful_pricing"
  | "doubtful_value"
  | "unknown_block"
  | "signer_without_fields"
  | "nobody_can_sign"
  | "deprecated_parameter";

export type DomainRemark = Remark & { kind: RemarkKind };

/** Turns carry their recipients: the document may not be stored yet, and timestamps cannot tell turns apart. */
export interface Happening extends EngineHappening {
  turns?: readonly RecipientRow[];
}

export function asCaller(world: World, caller: Caller): World {
  return { ...world, caller };
}
