/** Starts a host. */
import { existsSync, rmSync } from "node:fs";
import type { Service } from "../engine/runtime/service.ts";
import type { HostOptions, Prepared } from "./host.ts";
import { openDatabase, requireAddress, requireFreshData, seedOf, toSettingsError } from "./sandbox-settings.ts";
import { Sources } from "./scenario-sources.ts";

/** Opens the files of a host, makes the host, and listens. */
export async function startHost<H extends { listen(port: number, host: string): Promise<void>; close(): Promise<void> }>(
  service: Service,
  options: HostOptions,
  make: (prepared: Prepared) => H,
): Promise<H> {
  const host = options.host ?? "127.0.0.1";
  requireAddress(host, options);
  requireFreshData(options);
  const sources = new Sources(service, options);
  const seed = seedOf(options, sources.scenarios);
  const { data } = options;
  const isNew = data !== undefined && !existsSync(data);
  const database = openDatabase(options);
  let made: H | undefined;
  try {
    made = make({ host, sources, seed, database });
    if (options.port !== undefined) await made.listen(options.port, host);
    return made;
  } catch (error) {
    // Ends the timers of a failed start, and releases the data file.
    if (made) await made.close().catch(() => {});
    else database.close();
    if (isNew) rmSync(data, { force: true });
    throw toSettingsError(error);
  }
}
