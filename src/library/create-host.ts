/** Starts a host of any service. The service comes as a value. */
import { type Door, openDoor } from "../engine/http/serve-app.ts";
import type { Service } from "../engine/runtime/service.ts";
import type { Tenant } from "../engine/runtime/tenants/tenant.ts";
import { type Database, memoryDatabase } from "../engine/store/database.ts";
import { type HostOptions, type HostParts, type Prepared, ServiceHost } from "./host.ts";
import {
  listenError,
  openDatabaseFile,
  requireAddress,
  requireFreshData,
  requireStandby,
  seedOf,
  toSettingsError,
} from "./sandbox-settings.ts";
import { Sources } from "./scenario-sources.ts";

/** @throws SettingsError, or ScenarioError for mistakes in files */
export function createHost<T extends Tenant = Tenant>(parts: HostParts, options: HostOptions = {}): Promise<ServiceHost<T>> {
  return startHost(parts.service, options, (prepared) => new ServiceHost<T>(parts, options, prepared));
}

/** Opens the files of a host, makes the host, and listens. */
export async function startHost<H extends { listen(port: number, host: string, door?: Door): Promise<void> }>(
  service: Service,
  options: HostOptions,
  make: (prepared: Prepared) => H,
): Promise<H> {
  const host = options.host ?? "127.0.0.1";
  requireAddress(host, options);
  requireFreshData(options);
  requireStandby(options);
  const sources = new Sources(service, options);
  const seed = seedOf(options, sources.scenarios);
  const door = options.standby ? await openDoorAt(host, options) : undefined;
  const database = await databaseOf(options).catch(async (error: unknown) => {
    await door?.close(0);
    throw error;
  });
  try {
    const made = make({ host, sources, seed, database });
    if (options.port !== undefined) await made.listen(options.port, host, door);
    return made;
  } catch (error) {
    // Release the data file after a failed start.
    await database.close().catch(() => {});
    await door?.close(0);
    throw toSettingsError(error);
  }
}

async function databaseOf(options: HostOptions): Promise<Database> {
  return options.data === undefined ? memoryDatabase() : openDatabaseFile(options.data, options);
}

/** Listens before the data file is free, so that nobody is refused meanwhile. @throws SettingsError */
async function openDoorAt(host: string, { port = 0, data, onNotice = console.error }: HostOptions): Promise<Door> {
  const door = await openDoor({ port, host }).catch((error: unknown) => {
    throw listenError(error, host, port);
  });
  onNotice(`docdouble holds calls at port ${door.port} until it gets ${data}`);
  return door;
}
