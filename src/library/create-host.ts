/** Starts a host of any service. The service comes as a value. */
import type { Service } from "../engine/runtime/service.ts";
import type { Tenant } from "../engine/runtime/tenants/tenant.ts";
import { type Database, memoryDatabase } from "../engine/store/database.ts";
import { type HostOptions, type HostParts, type Prepared, ServiceHost } from "./host.ts";
import { openDatabaseFile, requireAddress, requireFreshData, seedOf, toSettingsError } from "./sandbox-settings.ts";
import { Sources } from "./scenario-sources.ts";

/** @throws SettingsError, or ScenarioError for mistakes in files */
export function createHost<T extends Tenant = Tenant>(parts: HostParts, options: HostOptions = {}): Promise<ServiceHost<T>> {
  return startHost(parts.service, options, (prepared) => new ServiceHost<T>(parts, options, prepared));
}

/** Opens the files of a host, makes the host, and listens. */
export async function startHost<H extends { listen(port: number, host: string): Promise<void> }>(
  service: Service,
  options: HostOptions,
  make: (prepared: Prepared) => H,
): Promise<H> {
  const host = options.host ?? "127.0.0.1";
  requireAddress(host, options);
  requireFreshData(options);
  const sources = new Sources(service, options);
  const seed = seedOf(options, sources.scenarios);
  const database = await databaseOf(options);
  try {
    const made = make({ host, sources, seed, database });
    if (options.port !== undefined) await made.listen(options.port, host);
    return made;
  } catch (error) {
    // Release the data file after a failed start.
    await database.close().catch(() => {});
    throw toSettingsError(error);
  }
}

async function databaseOf(options: HostOptions): Promise<Database> {
  return options.data === undefined ? memoryDatabase() : openDatabaseFile(options.data, options);
}
