import { accessSync, constants, existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { TenantOptions } from "../engine/runtime/tenants/tenant-options.ts";
import { readInstant, systemClock } from "../engine/core/clock.ts";
import type { ClockMode } from "../engine/core/clock-settings.ts";
import { Ids } from "../engine/core/ids.ts";
import { messageOf } from "../engine/core/text.ts";
import { requireDuration } from "../engine/core/time-limits.ts";
import type { Settings } from "../engine/runtime/world.ts";
import { AUTO_DEFAULTS, type AutoSettings } from "../engine/jobs/auto-time.ts";
import { RECEIVER_TIMEOUT_MS } from "../engine/jobs/post-delivery.ts";
import { SettingsError } from "./errors.ts";
import { reporting } from "./kit/callbacks.ts";
import type { Scenario } from "../engine/scenario/load.ts";
import { withPlace } from "../engine/scenario/source-map.ts";
import { DataFile } from "../engine/store/data-file.ts";
import { Database } from "../engine/store/database.ts";
import type { SandboxOptions } from "./types.ts";
import { FixtureError } from "../engine/scenario/fixture-error.ts";

export const DEFAULT_TENANT = "default";
export const LOOPBACK = new Set(["127.0.0.1", "localhost", "::1"]);

/** A saved world would replace what the data file holds. @throws SettingsError */
export function requireFreshData({ world, data }: SandboxOptions): void {
  if (world === undefined || data === undefined || !existsSync(data)) return;
  throw new SettingsError(
    `The option world needs a new data file, and ${data} exists. Name a new file with the option data, or load the world with npx docdouble world load.`,
  );
}

export function seedOf(options: SandboxOptions, scenarios: readonly Scenario[]): string {
  const seed = options.seed ?? scenarios.find((one) => one.seed !== undefined)?.seed;
  return String(seed ?? new Ids(`${systemClock.now()}/${process.pid}`).next());
}

export function settingsOf(options: SandboxOptions, publicUrl: string, isLoopback: boolean): Settings {
  return {
    publicUrl,
    transitions: {},
    webhookTimeout_ms: options.webhookTimeout_ms ?? RECEIVER_TIMEOUT_MS,
    addressPolicy: isLoopback || options.allowPrivateTargets ? "all" : "public",
    oauth: options.oauth ?? "auto",
  };
}

/** Refuses a server that strangers could control, and links without an address. @throws SettingsError */
export function requireAddress(host: string, options: SandboxOptions): void {
  if (!LOOPBACK.has(host) && options.adminToken === undefined)
    throw new SettingsError(
      `Cannot listen on ${host} without the option adminToken: anybody could use the admin API. Set the option adminToken, or omit the option host.`,
    );
  if (options.publicUrl !== undefined && !isWebAddress(options.publicUrl))
    throw new SettingsError(
      `The option publicUrl, ${options.publicUrl}, is not a web address. Use one such as https://docs.example.com.`,
    );
}

/** @throws SettingsError */
export function openDatabase({ data, onNotice = console.error, onBug = console.error }: SandboxOptions): Database {
  if (data === undefined) return new Database();
  try {
    // Report a missing folder now, before the first write.
    accessSync(dirname(resolve(data)), constants.W_OK);
    return new Database(new DataFile(data, reporting(onNotice, onBug)));
  } catch (error) {
    throw new SettingsError(`cannot use the data file ${data}: ${messageOf(error)}`);
  }
}

/** A reference to a missing row becomes a SettingsError. Other errors stay unchanged. */
export function toSettingsError(error: unknown): unknown {
  const placed = withPlace(error);
  return placed instanceof FixtureError ? new SettingsError(placed.message) : placed;
}

export function listenError(error: unknown, host: string, port: number): SettingsError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE")
    return new SettingsError(
      `Cannot listen on ${host}:${port}: the port is in use. Set the option port to another number; 0 picks a free port.`,
    );
  return new SettingsError(`cannot listen on ${host}:${port}: ${code ?? String(error)}`);
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^/?#]+/i.test(text) && URL.canParse(text) && !/[?#\s\p{Cc}]/u.test(text);
}

export function trimmed(url: string | undefined): string | undefined {
  return url?.replace(/\/+$/, "");
}

function clockModeOf(clock: SandboxOptions["clock"]): ClockMode | undefined {
  return typeof clock === "object" ? clock.mode : clock;
}

export function autoSettings({ clock }: SandboxOptions): AutoSettings {
  if (typeof clock !== "object") return AUTO_DEFAULTS;
  return {
    idle_ms: clock.idle ?? AUTO_DEFAULTS.idle_ms,
    poll_ms: clock.poll === undefined ? AUTO_DEFAULTS.poll_ms : requireDuration(clock.poll),
  };
}

export function clockStart(options: SandboxOptions, scenarios: readonly Scenario[]): TenantOptions["clock"] {
  const clocks = scenarios.map((one) => one.clock).filter((one) => one !== undefined);
  const nowText = options.now ?? clocks.find((one) => one.now !== undefined)?.now;
  const read = nowText === undefined ? undefined : readInstant(nowText);
  if (read?.problem !== undefined) throw new SettingsError(`Cannot start the clock with the option now: ${read.problem}`);
  const mode = clockModeOf(options.clock) ?? clocks.find((one) => one.mode !== undefined)?.mode ?? "real";
  const now = read?.value ?? (mode !== "real" ? systemClock.now() : undefined);
  return {
    mode,
    speed: options.clockSpeed ?? clocks.find((one) => one.speed !== undefined)?.speed ?? 1,
    ...(now === undefined ? {} : { now, isUnset: read === undefined }),
  };
}
