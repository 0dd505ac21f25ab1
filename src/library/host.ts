/** A running service. This file knows the engine, and takes the service as a value. */
import { setMaxListeners } from "node:events";
import { abortOf } from "../engine/core/abort.ts";
import { systemClock } from "../engine/core/clock.ts";
import { unguessable } from "../engine/core/ids.ts";
import { isRequest } from "../engine/core/web-objects.ts";
import { appOf } from "../engine/http/app.ts";
import { toRequest } from "../engine/http/library-request.ts";
import type { Listening } from "../engine/http/serve.ts";
import { serveApp } from "../engine/http/serve-app.ts";
import type { Inspection } from "../engine/runtime/inspection.ts";
import type { Service } from "../engine/runtime/service.ts";
import type { Kept } from "../engine/runtime/tenants/tenant-persistence.ts";
import type { TenantOptions } from "../engine/runtime/tenants/tenant-options.ts";
import type { Surfaces, TenantRegistry } from "../engine/runtime/tenants/tenant-registry.ts";
import { Tenant } from "../engine/runtime/tenants/tenant.ts";
import type { Settings } from "../engine/runtime/world.ts";
import type { Database } from "../engine/store/database.ts";
import type { DataHealth } from "../engine/store/data-file.ts";
import { ClosedError } from "./errors.ts";
import { reporting } from "./kit/callbacks.ts";
import { INTERCEPT, type Interceptable } from "./kit/hosts.ts";
import { beginWorld } from "./kit/world.ts";
import {
  autoSettings,
  clockStart,
  DEFAULT_TENANT,
  listenError,
  LOOPBACK,
  settingsOf,
  toSettingsError,
  trimmed,
} from "./sandbox-settings.ts";
import type { Read, Sources } from "./scenario-sources.ts";
import type { SandboxOptions } from "./types.ts";
import { VERSION } from "./version.ts";

export const CLOSED = "this sandbox is closed";

const TENANTS_MAX = 5000;
const CLOSE_GRACE_MS = 5000;

/** What a host brings together. */
export interface HostParts {
  service: Service;
  surfaces: Surfaces;
  inspection: Inspection;
}

/** As of a sandbox, with the fixtures of any service. */
export type HostOptions = Omit<SandboxOptions, "fixtures"> & { fixtures?: string | object | undefined };

export interface Prepared {
  host: string;
  sources: Sources;
  seed: string;
  database: Database;
}

/** A service with its tenants, in this process, and on a port if one is asked for. */
export class ServiceHost<T extends Tenant = Tenant> implements TenantRegistry<T>, Interceptable {
  readonly seed: string;
  readonly apiKey: string;
  readonly version = VERSION;
  readonly adminToken: string | undefined;
  readonly isLoopback: boolean;
  readonly checkReplies: boolean;
  readonly onBug: (error: unknown) => void;
  readonly defaultTenant: T;
  /** Real milliseconds of `systemClock.elapsed`. */
  readonly startedAt: number;
  #pageToken: string | undefined;
  readonly #parts: HostParts;
  readonly #options: HostOptions;
  readonly #prepared: Prepared;
  readonly #tenants = new Map<string, T>();
  readonly #onOpen: ((tenant: T) => void)[] = [];
  #uses = 0;
  readonly #clock: TenantOptions["clock"];
  /** Each hanging call listens to its signal. */
  readonly #closer = withManyListeners(new AbortController());
  #url: string;
  #origin: string | undefined;
  #listening: Listening | undefined;
  #intercepting: Promise<Listening> | undefined;
  /** Addresses that links name while calls are intercepted, latest first. */
  #advertised: readonly { url: string }[] = [];

  constructor(parts: HostParts, options: HostOptions, prepared: Prepared) {
    this.#parts = parts;
    this.#options = options;
    this.#prepared = prepared;
    this.seed = prepared.seed;
    this.adminToken = options.adminToken;
    this.isLoopback = LOOPBACK.has(prepared.host);
    this.checkReplies = options.strict ?? false;
    this.onBug = reporting(options.onBug ?? ((error) => console.error(error)), (error) => console.error(error));
    this.#url = trimmed(options.publicUrl) ?? "http://docdouble.test";
    this.#clock = clockStart(options, prepared.sources.scenarios);
    const { access, seed } = parts.service;
    try {
      for (const id of prepared.database.tenants()) this.open(id);
      this.defaultTenant = this.open(DEFAULT_TENANT);
      if (options.world !== undefined) beginWorld(this.defaultTenant, options.world);
    } catch (error) {
      for (const tenant of this.#tenants.values()) tenant.stop(CLOSED);
      throw error;
    }
    this.apiKey = options.world === undefined ? seed.keyOf(prepared.sources.fixtures) : access.keyIn(this.defaultTenant.world);
    this.startedAt = systemClock.elapsed();
  }

  get service(): Service {
    return this.#parts.service;
  }

  get surfaces(): Surfaces {
    return this.#parts.surfaces;
  }

  get pageToken(): string {
    this.#pageToken ??= unguessable();
    return this.#pageToken;
  }

  get url(): string {
    return this.#url;
  }

  get closing(): AbortSignal {
    return this.#closer.signal;
  }

  get data(): DataHealth | undefined {
    return this.#prepared.database.health;
  }

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = toRequest(input, init, { url: this.#url, origin: this.#ownOrigin });
    const answer = () => appOf(this).fetch(request, { host: this });
    // Reading `request.signal` creates a signal, which takes longer than finding a document.
    const signal = init?.signal ?? (isRequest(input) ? input.signal : undefined);
    if (!signal) return await answer();
    signal.throwIfAborted();
    const aborted = abortOf(signal);
    try {
      return await Promise.race([answer(), aborted.promise]);
    } finally {
      aborted.forget();
    }
  }

  get #ownOrigin(): string {
    this.#origin ??= new URL(this.#url).origin;
    return this.#origin;
  }

  async listen(port: number, host: string): Promise<void> {
    try {
      this.#listening = await serveApp(this, { port, host });
    } catch (error) {
      throw listenError(error, host, port);
    }
    this.#origin = undefined;
    this.#url = `http://${host.includes(":") ? `[${host}]` : host}:${this.#listening.port}`;
    this.#advertise();
  }

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
      if (this.closing.aborted) throw new ClosedError("intercept", CLOSED);
      const loopback = "127.0.0.1";
      if (this.#listening) {
        const { host } = this.#prepared;
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

  tenants(): Iterable<T> {
    return this.#tenants.values();
  }

  find(id: string): T | undefined {
    return this.#tenants.get(id);
  }

  open(id: string): T {
    const known = this.#tenants.get(id);
    if (known) {
      known.lastUse = ++this.#uses;
      return known;
    }
    const { database, seed, sources } = this.#prepared;
    const { scenarios, fixtures, assume } = sources;
    const tenant = this.#newTenant({
      id,
      seed,
      data: database.rows(id),
      kept: database.kept(id) as Kept,
      log: database.log(id),
      settings: this.#settings(),
      assume,
      clock: this.#clock,
      auto: autoSettings(this.#options),
      fixtures: this.#fixturesFor(id, fixtures),
      scenarios,
      freeze: this.#options.strict ?? false,
      onChange: () => database.changed(id),
      onError: this.onBug,
      journalMax: this.#options.journalMax,
    });
    database.attach(id, tenant.saver());
    const { onCall } = this.#options;
    if (onCall) {
      const tell = reporting(onCall, this.onBug);
      tenant.journal.watch((entry) => tell(entry, id));
    }
    tenant.lastUse = ++this.#uses;
    this.#tenants.set(id, tenant);
    for (const run of this.#onOpen) run(tenant);
    this.#evict(tenant);
    return tenant;
  }

  #newTenant(options: Omit<TenantOptions, "service" | "inspection">): T {
    const { service, inspection } = this.#parts;
    return new Tenant({ ...options, service, inspection }) as T;
  }

  #fixturesFor(id: string, fixtures: object): object {
    return id === DEFAULT_TENANT ? fixtures : this.service.seed.withKey(fixtures, id);
  }

  eachTenant(run: (tenant: T) => void): void {
    const safe = reporting(run, this.onBug);
    for (const tenant of this.#tenants.values()) safe(tenant);
    this.#onOpen.push(safe);
  }

  drop(id: string, why = `the tenant ${id} was deleted`): boolean {
    const tenant = this.#tenants.get(id);
    if (!tenant) return false;
    tenant.stop(why);
    this.#tenants.delete(id);
    this.#prepared.database.drop(id);
    return true;
  }

  /** Drops the tenants beyond the maximum that were not used for longest. The default tenant and a new one stay. */
  #evict(fresh: T): void {
    const max = this.#options.tenantsMax ?? TENANTS_MAX;
    while (this.#tenants.size > max) {
      const others = [...this.#tenants.values()].filter((one) => one.id !== DEFAULT_TENANT && one !== fresh);
      const [first, ...rest] = others;
      if (first === undefined) return;
      const { id } = rest.reduce((oldest, one) => (one.lastUse < oldest.lastUse ? one : oldest), first);
      this.drop(id, `the tenant ${id} is gone: the server holds ${max} tenants, and others were used later`);
    }
  }

  #settings(): Settings {
    return settingsOf(this.#options, this.#publicUrl, this.isLoopback);
  }

  reload(): void {
    const { sources } = this.#prepared;
    const read = sources.read();
    this.#seedTrial(read);
    sources.take(read);
    const { scenarios, fixtures, assume } = sources;
    for (const tenant of this.#tenants.values()) tenant.reload(scenarios, this.#fixturesFor(tenant.id, fixtures), assume);
  }

  /** Finds mistakes that no schema finds. @throws SettingsError */
  #seedTrial({ scenarios, fixtures }: Read): void {
    const what = { id: DEFAULT_TENANT, seed: this.seed, data: new Map(), settings: this.#settings(), clock: this.#clock };
    try {
      this.#newTenant({ ...what, scenarios, fixtures, onError: this.onBug }).stop("it was a trial");
    } catch (error) {
      throw toSettingsError(error);
    }
  }

  files(): string[] {
    return this.#prepared.sources.files();
  }

  async reset(): Promise<void> {
    for (const tenant of [...this.#tenants.values()]) {
      if (tenant === this.defaultTenant || tenant.hasHandles) tenant.reset();
      else this.drop(tenant.id);
    }
  }

  async close(): Promise<void> {
    this.#closer.abort();
    // Open event streams would delay the close.
    for (const tenant of this.#tenants.values()) tenant.eventStream.end();
    const servers = [this.#listening, await this.#intercepting?.catch(() => undefined)];
    await Promise.all(servers.map((server) => server?.close(CLOSE_GRACE_MS)));
    for (const tenant of this.#tenants.values()) tenant.stop(CLOSED);
    // Save the clock, which moves without a written row.
    for (const tenant of this.#tenants.values()) tenant.touch();
    this.#prepared.database.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

function withManyListeners(controller: AbortController): AbortController {
  setMaxListeners(0, controller.signal);
  return controller;
}
