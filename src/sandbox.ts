/** The composition root: builds tenants, app and server from settings. */
import { readFileSync } from "node:fs";
import { systemClock } from "./core/clock.ts";
import { Ids, unguessable } from "./core/ids.ts";
import {
  TenantEviction,
  type EvictedTenant,
  type EvictionHold,
  TENANT_IDLE_MS,
  TENANTS_MAX,
} from "./admin/tenants/tenant-eviction.ts";
import { type TenantRegistry, TENANT_KEY } from "./admin/tenants/tenant-registry.ts";
import { Tenant, type TenantOptions } from "./admin/tenants/tenant.ts";
import { TenantIndex } from "./admin/tenants/tenant-index.ts";
import { JournalSpace } from "./engine/journal.ts";
import type { Settings } from "./domain/world.ts";
import { ClosedError, SettingsError } from "./errors.ts";
import { handlesOf } from "./handles.ts";
import { theApp } from "./http/app.ts";
import type { Listening } from "./http/serve.ts";
import { serveApp } from "./http/serve-app.ts";
import { INTERCEPT, type Interceptable } from "./kit/hosts.ts";
import { checkOptions } from "./options-check.ts";
import {
  clockStart,
  DEFAULT_TENANT,
  fixturesFor,
  isWebAddress,
  LOOPBACK,
  toSettingsError,
  openDatabaseFile,
  trimmed,
} from "./sandbox-settings.ts";
import { type Read, Sources } from "./scenario-sources.ts";
import { type Database, memoryDatabase } from "./store/database.ts";
import type { Handles, Sandbox, SandboxOptions } from "./types.ts";

export { SettingsError };
export type { Sandbox, SandboxOptions };

/** Checks for idle tenants per idle time. */
const SWEEPS = 10;
/** spec: Limits, Webhook receiver timeout. */
const WEBHOOK_TIMEOUT_MS = 20_000;
const CLOSE_GRACE_MS = 5000;
export const DEFAULT_KEY = "docdouble-key";
const CLOSED = "this sandbox is closed";

export const VERSION: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;

const hosts = new WeakMap<Sandbox, TenantRegistry>();

/** Internals of a sandbox. @internal */
export function hostOf(sandbox: Sandbox): TenantRegistry {
  const host = hosts.get(sandbox);
  if (!host) throw new Error("not a sandbox of this process");
  return host;
}

/** Starts a test double. @throws SettingsError, or ScenarioError for mistakes in files */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
  const host = options.host ?? "127.0.0.1";
  if (!LOOPBACK.has(host) && options.adminToken === undefined)
    throw new SettingsError(
      `Cannot listen on ${host} without --admin-token: anybody could use the admin API. Set --admin-token or omit --host.`,
    );
  if (options.publicUrl !== undefined && !isWebAddress(options.publicUrl))
    throw new SettingsError(`--public-url ${options.publicUrl} is not a web address. Use one such as https://docs.example.com.`);
  const sources = new Sources(options);
  const seed = String(
    options.seed ??
      sources.scenarios.find((one) => one.seed !== undefined)?.seed ??
      new Ids(`${systemClock.now()}/${process.pid}`).next(),
  );
  const database = options.data === undefined ? memoryDatabase() : await openDatabaseFile(options.data, options);
  try {
    const runtime = new Runtime(options, { host, sources, seed, database });
    if (options.port !== undefined) await runtime.listen(options.port, host);
    return runtime;
  } catch (error) {
    // Release the data file after a failed start.
    await database.close().catch(() => {});
    throw toSettingsError(error);
  }
}

interface Prepared {
  host: string;
  sources: Sources;
  seed: string;
  database: Database;
}

class Runtime implements Sandbox, TenantRegistry, Interceptable {
  declare readonly clock: Handles["clock"];
  declare readonly rules: Handles["rules"];
  declare readonly journal: Handles["journal"];
  declare readonly webhooks: Handles["webhooks"];
  declare readonly documents: Handles["documents"];
  declare readonly emails: Handles["emails"];
  declare readonly templates: Handles["templates"];
  declare readonly contacts: Handles["contacts"];
  declare readonly faults: Handles["faults"];
  declare readonly scenarios: Handles["scenarios"];
  declare readonly snapshot: Handles["snapshot"];
  declare readonly verify: Handles["verify"];
  readonly seed: string;
  readonly apiKey: string;
  readonly version = VERSION;
  readonly adminToken: string | undefined;
  readonly pageToken = unguessable();
  readonly isLoopback: boolean;
  readonly checkReplies: boolean;
  readonly onBug: (error: unknown) => void;
  readonly defaultTenant: Tenant;
  readonly startedAt: number;
  readonly #options: SandboxOptions;
  readonly #prepared: Prepared;
  readonly #tenants = new Map<string, Tenant>();
  readonly #journals = new JournalSpace();
  readonly #index = new TenantIndex((id) => this.#tenants.get(id));
  readonly #eviction: TenantEviction;
  #stopSweeping: (() => void) | undefined;
  readonly #clock: TenantOptions["clock"];
  readonly #closer = new AbortController();
  #url: string;
  #listening: Listening | undefined;
  /** Serves intercepted calls of a sandbox without a port. */
  #intercepting: Promise<Listening> | undefined;
  /** Addresses that links name while calls are intercepted. The latest comes first. */
  #advertised: readonly { url: string }[] = [];

  constructor(options: SandboxOptions, prepared: Prepared) {
    hosts.set(this, this);
    // Users pass `fetch` without its object.
    this.fetch = this.fetch.bind(this);
    this.#options = options;
    this.#prepared = prepared;
    this.seed = prepared.seed;
    this.apiKey =
      prepared.sources.fixtures.api_keys?.find((one) => one.kind !== "sandbox")?.key ??
      prepared.sources.fixtures.api_keys?.[0]?.key ??
      DEFAULT_KEY;
    this.adminToken = options.adminToken;
    this.isLoopback = LOOPBACK.has(prepared.host);
    this.checkReplies = options.strict ?? false;
    this.onBug = options.onBug ?? ((error) => console.error(error));
    this.#url = trimmed(options.publicUrl) ?? "http://docdouble.test";
    this.#clock = clockStart(options, prepared.sources.scenarios);
    // Tenants in a data file are never evicted for idleness.
    const idle_ms = options.data === undefined ? (options.tenantIdle_ms ?? TENANT_IDLE_MS) : Number.POSITIVE_INFINITY;
    this.#eviction = new TenantEviction(options.tenantsMax ?? TENANTS_MAX, idle_ms);
    for (const id of prepared.database.tenants()) this.open(id);
    this.defaultTenant = this.open(DEFAULT_TENANT);
    this.startedAt = this.defaultTenant.clock.now();
    Object.assign(this, handlesOf(this.defaultTenant));
  }

  get url(): string {
    return this.#url;
  }

  get closing(): AbortSignal {
    return this.#closer.signal;
  }

  get data(): TenantRegistry["data"] {
    return this.#prepared.database.health();
  }

  tenant(key: string): Handles {
    this.#requireOpen();
    if (!TENANT_KEY.test(key)) throw new SettingsError(`${key} is not the key of a tenant. Use a key that begins with test-.`);
    const tenant = this.open(key);
    tenant.isExemptFromEviction = true;
    return handlesOf(tenant);
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    this.#requireOpen();
    const request =
      input instanceof Request ? new Request(input, init) : new Request(new URL(String(input), `${this.#url}/`), init);
    request.signal.throwIfAborted();
    const aborted = abortOf(request.signal);
    try {
      return await Promise.race([theApp().fetch(request, { host: this }), aborted.promise]);
    } finally {
      aborted.forget();
    }
  }

  async listen(port: number, host: string): Promise<void> {
    try {
      this.#listening = await serveApp(this, { port, host });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE")
        throw new SettingsError(
          `Cannot listen on ${host}:${port}: the port is in use. Set another --port; --port 0 picks a free one.`,
        );
      throw new SettingsError(`cannot listen on ${host}:${port}: ${code ?? String(error)}`);
    }
    this.#url = `http://${host.includes(":") ? `[${host}]` : host}:${this.#listening.port}`;
    this.#advertise();
  }

  /** For `docdouble/intercept`. */
  readonly [INTERCEPT]: Interceptable[typeof INTERCEPT] = {
    advertise: (url) => {
      const entry = { url };
      this.#advertised = [entry, ...this.#advertised];
      this.#advertise();
      return () => {
        this.#advertised = this.#advertised.filter((one) => one !== entry);
        this.#advertise();
      };
    },
    target: async () => {
      this.#requireOpen();
      const loopback = "127.0.0.1";
      if (this.#listening) {
        const { host } = this.#prepared;
        // A server on all addresses is reached by loopback.
        return { host: LOOPBACK.has(host) ? host : loopback, port: this.#listening.port };
      }
      this.#intercepting ??= serveApp(this, { port: 0, host: loopback });
      return { host: loopback, port: (await this.#intercepting).port };
    },
  };

  get #publicUrl(): string {
    return this.#advertised[0]?.url ?? trimmed(this.#options.publicUrl) ?? this.#url;
  }

  #advertise(): void {
    for (const tenant of this.#tenants.values()) tenant.settings.publicUrl = this.#publicUrl;
  }

  tenants(): Iterable<Tenant> {
    return this.#tenants.values();
  }

  find(id: string): Tenant | undefined {
    return this.#tenants.get(id);
  }

  open(id: string): Tenant {
    const note = this.#eviction.use(id);
    const known = this.#tenants.get(id);
    if (known) return known;
    const { database, seed, sources } = this.#prepared;
    const { scenarios, fixtures, assume } = sources;
    const tenant = new Tenant({
      id,
      seed,
      data: database.part(id),
      savedState: database.takeSavedState(id),
      log: this.#index.log(id, database.log(id)),
      settings: this.#settings(),
      assume,
      clock: this.#clock,
      fixtures: fixturesFor(id, fixtures),
      scenarios,
      freeze: this.#options.strict ?? false,
      onChange: () => database.changed(id),
      onError: this.onBug,
      journals: this.#journals,
    });
    database.attachLog(id, tenant.persistence());
    const { onExchange } = this.#options;
    if (onExchange) tenant.journal.watch((entry) => this.#runCallback(() => onExchange(entry, id)));
    tenant.note = note;
    this.#tenants.set(id, tenant);
    this.#evict();
    return tenant;
  }

  ownerOf(...key: Parameters<TenantIndex["find"]>): string | undefined {
    return this.#index.find(...key);
  }

  drop(id: string, why = `the tenant ${id} was deleted`): boolean {
    const tenant = this.#tenants.get(id);
    if (!tenant) return false;
    tenant.stop(why);
    this.#tenants.delete(id);
    this.#index.drop(id);
    this.#eviction.forget(id);
    this.#prepared.database.drop(id);
    return true;
  }

  /** Passes errors of a user's callback to `onBug`. */
  #runCallback(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.onBug(error);
    }
  }

  #requireOpen(): void {
    if (this.closing.aborted) throw new ClosedError(CLOSED);
  }

  evictedTenants(): EvictedTenant[] {
    return this.#eviction.evicted();
  }

  #evict(look?: number): void {
    const holdOf = (id: string) => this.#holdOf(id);
    for (const { id, why } of [...this.#eviction.evictIdle(holdOf, look), ...this.#eviction.evictExcess(holdOf)]) {
      this.drop(id, `the tenant ${id} was evicted: ${why}`);
      this.#runCallback(() => this.#options.onGiveBack?.(id, why));
    }
    this.#sweepLater();
  }

  /** Repeats while there are separate tenants. */
  #sweepLater(): void {
    const { idle_ms } = this.#eviction;
    if (this.#stopSweeping || this.#tenants.size <= 1 || idle_ms === Number.POSITIVE_INFINITY || this.closing.aborted) return;
    this.#stopSweeping = systemClock.after(idle_ms / SWEEPS, () => {
      this.#stopSweeping = undefined;
      this.#evict(Number.POSITIVE_INFINITY);
    });
  }

  #holdOf(id: string): EvictionHold {
    const tenant = this.#tenants.get(id);
    if (!tenant || id === DEFAULT_TENANT || tenant.isExemptFromEviction) return "always";
    return tenant.eventStream.isListening || tenant.clock.hasPendingWork ? "while" : undefined;
  }

  #settings(): Settings {
    return {
      publicUrl: this.#publicUrl,
      transitions: {},
      webhookTimeout_ms: this.#options.webhookTimeout_ms ?? WEBHOOK_TIMEOUT_MS,
      addressPolicy: this.isLoopback || this.#options.allowPrivateTargets ? "all" : "public",
      oauth: this.#options.oauth ?? "auto",
    };
  }

  reload(): void {
    this.#requireOpen();
    const { sources } = this.#prepared;
    const read = sources.read();
    this.#seedTrial(read);
    sources.take(read);
    const { scenarios, fixtures, assume } = sources;
    for (const tenant of this.#tenants.values()) tenant.reload(scenarios, fixturesFor(tenant.id, fixtures), assume);
  }

  /** Finds mistakes that no schema finds. @throws SettingsError */
  #seedTrial({ scenarios, fixtures }: Read): void {
    const what = { id: DEFAULT_TENANT, seed: this.seed, data: {}, settings: this.#settings(), clock: this.#clock };
    try {
      new Tenant({ ...what, scenarios, fixtures, onError: this.onBug }).stop("it was a trial");
    } catch (error) {
      throw toSettingsError(error);
    }
  }

  files(): string[] {
    return this.#prepared.sources.files();
  }

  async reset(): Promise<void> {
    this.#requireOpen();
    for (const tenant of [...this.#tenants.values()]) {
      // A tenant with a handle stays, so that the handle keeps working.
      if (tenant === this.defaultTenant || tenant.isExemptFromEviction) tenant.reset();
      else this.drop(tenant.id);
    }
  }

  async close(): Promise<void> {
    this.#closer.abort();
    this.#stopSweeping?.();
    // Open event streams would delay the close.
    for (const tenant of this.#tenants.values()) tenant.eventStream.end();
    const servers = [this.#listening, await this.#intercepting?.catch(() => undefined)];
    await Promise.all(servers.map((server) => server?.close(CLOSE_GRACE_MS)));
    for (const tenant of this.#tenants.values()) tenant.stop(CLOSED);
    // Save the clock, which moves without a written row.
    for (const tenant of this.#tenants.values()) tenant.touch();
    await this.#prepared.database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Rejects when the signal aborts, as fetch does. The call itself continues. */
function abortOf(signal: AbortSignal): { promise: Promise<never>; forget(): void } {
  let forget = () => {};
  const promise = new Promise<never>((_, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    forget = () => signal.removeEventListener("abort", abort);
  });
  return { promise, forget };
}
