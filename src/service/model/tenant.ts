/** The engine's tenant and host, with the tables and the world of this service. */
import type { Control as EngineControl, TenantRegistry } from "../../engine/runtime/tenants/tenant-registry.ts";
import type { Tenant as EngineTenant } from "../../engine/runtime/tenants/tenant.ts";
import type { Store } from "../../engine/store/store.ts";
import type { DomainTables } from "./tables.ts";
import type { World } from "./world.ts";

export type Tenant = EngineTenant & { readonly store: Store<DomainTables>; readonly world: World };
export type Host = TenantRegistry<Tenant>;
export type Control = EngineControl<Tenant>;
