import type { Operation } from "../../engine/core/operation.ts";
import { parseRoute } from "../../engine/core/operation.ts";
import type { Remark } from "../../engine/journal/journal.ts";
import type { Control as EngineControl, TenantRegistry } from "../../engine/runtime/tenants/tenant-registry.ts";
import type { Tenant as EngineTenant } from "../../engine/runtime/tenants/tenant.ts";
import type { Caller as EngineCaller, Happening as EngineHappening, EngineWorld } from "../../engine/runtime/world.ts";
import type { Store } from "../../engine/store/store.ts";
import type { Reading, SwitchId } from "../assumptions/switches.ts";
import type { Files } from "../files/files.ts";
import type { RecipientRow } from "../nouns/people/inputs.ts";
import type { DomainTables } from "../nouns/tables.ts";
import type { Environment } from "../nouns/workspaces/row.ts";

/** The forms of errors. */

export type Dialect = "v1" | "v2" | "oauth" | "admin";

export function dialectOf(operation: Pick<Operation, "route" | "dialect">): Dialect {
  return (operation.dialect as Dialect | undefined) ?? dialectAt(parseRoute(operation.route).path);
}

/** The form at a path, also at one that belongs to no operation. */
export function dialectAt(path: string): Dialect {
  return /^\/public\/(v2|beta)(\/|$)/.test(path) ? "v2" : "v1";
}

/** The engine's tenant and host, with the tables and the world of this service. */

export type Tenant = EngineTenant & { readonly store: Store<DomainTables>; readonly world: World };
export type Host = TenantRegistry<Tenant>;
export type Control = EngineControl<Tenant>;

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
