/** Reads the settings of a sandbox from options, scenarios and fixtures. */
import { accessSync, constants } from "node:fs";
import { dirname, resolve } from "node:path";
import { foldChange } from "./admin/tenants/tenant-persistence.ts";
import type { TenantOptions } from "./admin/tenants/tenant.ts";
import { readInstant, systemClock } from "./core/clock.ts";
import { messageOf } from "./core/text.ts";
import type { Fixtures } from "./domain/seeding/inputs.ts";
import { FixtureError } from "./domain/seeding/templates.ts";
import { SettingsError } from "./errors.ts";
import type { Scenario } from "./scenario/load.ts";
import { withPlace } from "./scenario/source-map.ts";
import { type Database, openDatabase } from "./store/database.ts";
import type { SandboxOptions } from "./types.ts";

export const DEFAULT_TENANT = "default";
export const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

/** All tenants have the same fixtures. A separate tenant also has its name as a key. */
export function fixturesFor(id: string, fixtures: Fixtures): Fixtures {
  if (id === DEFAULT_TENANT) return fixtures;
  return { ...fixtures, api_keys: [...(fixtures.api_keys ?? []), { key: id, member: fixtures.api_keys?.[0]?.member ?? "" }] };
}

export async function openDatabaseFile(file: string, { onNotice }: SandboxOptions): Promise<Database> {
  try {
    // Report a missing folder now, not at the first write.
    accessSync(dirname(resolve(file)), constants.W_OK);
    return await openDatabase(file, { fold: foldChange, ...(onNotice ? { onNotice } : {}) });
  } catch (error) {
    throw new SettingsError(`cannot use the data file ${file}: ${messageOf(error)}`);
  }
}

/** Turns a reference to a missing row into a SettingsError. Returns other errors unchanged. */
export function toSettingsError(error: unknown): unknown {
  const placed = withPlace(error);
  return placed instanceof FixtureError ? new SettingsError(placed.message) : placed;
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^/?#]+/i.test(text) && URL.canParse(text) && !/[?#]/.test(text);
}

export function trimmed(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, "");
}

/** Options override the scenarios. */
export function clockStart(options: SandboxOptions, scenarios: readonly Scenario[]): TenantOptions["clock"] {
  const clocks = scenarios.map((one) => one.clock).filter((one) => one !== undefined);
  const nowText = options.now ?? clocks.find((one) => one.now !== undefined)?.now;
  const read = nowText === undefined ? undefined : readInstant(nowText);
  if (read?.problem !== undefined) throw new SettingsError(`Cannot start the clock with --now: ${read.problem}`);
  const mode = options.clock ?? clocks.find((one) => one.mode !== undefined)?.mode ?? "real";
  const now = read?.value ?? (mode === "frozen" ? systemClock.now() : undefined);
  return {
    mode,
    speed: options.clockSpeed ?? clocks.find((one) => one.speed !== undefined)?.speed ?? 1,
    ...(now === undefined ? {} : { now }),
  };
}
