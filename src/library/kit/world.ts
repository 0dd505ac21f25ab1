/** A world as a file, for the library and the command line. */
import { readRegularBytes } from "../../engine/core/regular-file.ts";
import { ApiError } from "../../engine/core/errors.ts";
import { putWorld } from "../../engine/verbs/world.ts";
import type { Tenant } from "../../engine/runtime/tenants/tenant.ts";
import { SettingsError } from "../errors.ts";

/** The name of a file, or its content. */
export type WorldSource = string | Uint8Array;

/** Begins with a saved world. Readings that the options choose stay. @throws SettingsError */
export function beginWorld(tenant: Tenant, world: WorldSource): void {
  const { start } = tenant.readings;
  const { name, bytes } = readWorld(world);
  try {
    putWorld(tenant, bytes, name);
  } catch (error) {
    throw error instanceof ApiError ? new SettingsError(error.message) : error;
  }
  const saved = tenant.readings.start;
  tenant.readings.start = { ...saved, ...start, assume: { ...saved.assume, ...start.assume } };
}

/** An error changes nothing. @throws SettingsError, or a refusal of `putWorld` */
export async function loadSource(tenant: Tenant, source: WorldSource): Promise<Tenant> {
  const { name, bytes } = readWorld(source);
  return putWorld(tenant, bytes, name);
}

/** @throws SettingsError */
function readWorld(source: WorldSource): { name: string; bytes: Uint8Array } {
  if (typeof source !== "string") return { name: "the world", bytes: source };
  if (source.trimStart().startsWith("{")) return { name: "the world", bytes: Buffer.from(source) };
  try {
    return { name: source, bytes: readRegularBytes(source) };
  } catch (error) {
    throw new SettingsError(`cannot read the world ${source}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
}
