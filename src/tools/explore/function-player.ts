import { isRequest } from "../../engine/core/web-objects.ts";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { EventEmitter } from "node:events";
import { ClientTime, clientNote, clientTime, installClientTime } from "./client-time.ts";
import { systemClock } from "../../engine/core/clock.ts";
import { INTERCEPT, type Interceptable } from "../../library/kit/hosts.ts";
import { activeHosts, activeRedirections, endRedirectionsBeyond, redirect } from "../../library/kit/redirect.ts";
import { createSandbox, hostOf } from "../../library/sandbox.ts";
import { service } from "../../service/service.ts";
import type { BaseOptions } from "./base-world.ts";
import type { Sandbox } from "../../library/types.ts";
import { Driver, type Traffic } from "./driver.ts";
import type { Played, Player, RunPlan } from "./player.ts";
import { type CallNote, Recorder } from "./recording.ts";

/** Runs begin here unless the options say otherwise, so that reports do not depend on the day. */
const NOW = "2026-03-02T09:00:00Z";
/** A held answer outlasts timers of the client up to this length. */
const PATIENCE_MS_MAX = 600_000;
/** A found file plays the function as a command: in real time, and longer when a fault hits. */
const SLOWER_MAX = 2;
const LIMIT_MS_MIN = 60_000;
const LIMIT_MS_MAX = 600_000;

export interface FunctionSettings {
  sandbox: BaseOptions;
  timeout_ms: number;
}

interface Run {
  sandbox: Sandbox;
  time: ClientTime;
  traffic: Traffic;
}

const runs = new Map<ClientTime, Run>();

export class FunctionPlayer implements Player {
  readonly service = service;
  readonly time = "virtual";
  readonly #client: (sandbox: Sandbox) => unknown;
  readonly #settings: FunctionSettings;
  readonly #uninstall: readonly (() => void)[];
  #slowestClean_ms = 0;

  constructor(client: (sandbox: Sandbox) => unknown, settings: FunctionSettings) {
    this.#client = client;
    this.#settings = settings;
    this.#uninstall = [installClientTime(), installFetch(), watchRequests()];
  }

  limit_ms(held_ms: number): number {
    return Math.min(LIMIT_MS_MIN + SLOWER_MAX * this.#slowestClean_ms, LIMIT_MS_MAX) + held_ms;
  }

  /** The clock of a function does not depend on real time. */
  waitLonger(): void {}

  close(): void {
    for (const end of this.#uninstall) end();
  }

  async play(plan: RunPlan): Promise<Played> {
    const { sandbox: options, timeout_ms } = this.#settings;
    const sandbox = await createSandbox({
      ...options,
      now: options.now ?? NOW,
      scenario: plan.file === undefined ? [plan.scenario ?? [], options.scenario ?? []].flat() : [plan.file],
      seed: plan.seed,
      clock: "frozen",
      publicUrl: `http://run-${plan.run}.docdouble.test`,
    });
    const tenant = hostOf(sandbox).defaultTenant;
    const began = tenant.clock.now();
    const time = new ClientTime(() => tenant.clock.now(), plan.seed);
    const traffic: Traffic = { open: 0, held: 0, usesSockets: false };
    const recorder = new Recorder(tenant);
    recorder.callsMax = plan.callsMax;
    recorder.within = (cause, receive) => time.run(receive, { cause });
    const held = new Set<() => void>();
    // Answers after the client's own time limit.
    tenant.delayAnswer = (ms) =>
      new Promise((resolve) => {
        traffic.held++;
        const patience = Math.max(0, ...time.waits().filter((wait) => wait <= PATIENCE_MS_MAX));
        const release = () => {
          if (held.delete(release)) traffic.held--;
          resolve();
        };
        held.add(release);
        tenant.clock.at(tenant.clock.now() + Math.max(ms, patience + 1000), release);
      });
    runs.set(time, { sandbox, time, traffic });
    const redirections = activeRedirections();
    // Clients that open sockets reach the sandbox by its address. The redirection ends with the run.
    const { target } = (sandbox as unknown as Interceptable)[INTERCEPT];
    redirect({ hosts: [new URL(sandbox.url).hostname], target });
    const driver = new Driver({
      tenant,
      time,
      traffic,
      timeout_ms: timeout_ms * plan.patience,
      calls: () => recorder.calls,
      callsMax: plan.callsMax,
      patience: plan.patience,
      signal: plan.signal,
    });
    const handed = withClientTime(sandbox, time, traffic);
    const end = await time.run(() => driver.drive(() => this.#client(handed)));
    recorder.clientEnds();
    // Answers that the client did not await belong to the recording too.
    for (const release of held) release();
    tenant.holds.releaseAll();
    await systemClock.soon();
    if (plan.run <= 1) this.#slowestClean_ms = Math.max(this.#slowestClean_ms, tenant.clock.now() - began);
    return {
      sandbox,
      recorder,
      end,
      close: async () => {
        time.end();
        endRedirectionsBeyond(redirections);
        runs.delete(time);
        await sandbox.close();
      },
    };
  }
}

function withClientTime(sandbox: Sandbox, time: ClientTime, traffic: Traffic): Sandbox {
  const fetch: Sandbox["fetch"] = (input, init) => call({ sandbox, time, traffic }, input, init);
  return new Proxy(sandbox, {
    get(target, name) {
      if (name === "fetch") return fetch;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

async function call({ sandbox, time, traffic }: Run, input: string | URL | Request, init?: RequestInit): Promise<Response> {
  // An ended run answers nothing, so that a client that never ends does nothing more.
  if (time.isEnded) return new Promise(() => {});
  traffic.open++;
  time.activity++;
  const { cause } = (clientNote() ?? {}) as CallNote;
  try {
    return await time.run(() => sandbox.fetch(input, init), { cause, site: siteOfCall() });
  } finally {
    traffic.open--;
    time.activity++;
  }
}

const FRAMES_MAX = 30;
const OWN_FRAME = /node:internal|[\\/]explore[\\/]function-player|client-time|fake-time|processTicksAndRejections/;

/**
 * The place of a call in the client's code. Exploration only compares places, so they keep the lines of the running code. A test runner
 * would map each frame to its source, and that takes longer than the call.
 */
function siteOfCall(): string {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = FRAMES_MAX;
  Error.prepareStackTrace = (_, frames) =>
    frames.map((one) => `${one.getFunctionName()} ${one.getFileName()}:${one.getLineNumber()}`);
  const { stack } = new Error("site") as unknown as { stack: string[] };
  Object.assign(Error, { stackTraceLimit, prepareStackTrace });
  return stack.filter((frame) => !OWN_FRAME.test(frame)).join(" < ");
}

const REDIRECTS_MAX = 20;

/** Calls of `fetch` to the sandbox need no socket. */
function installFetch(): () => void {
  const real = globalThis.fetch;
  const patched: typeof fetch = async (input, init) => {
    const run = runs.get(clientTime() as ClientTime);
    const request = isRequest(input) ? input : undefined;
    let url = new URL(request?.url ?? String(input));
    if (!run || !belongs(run, url)) return clientTime()?.isEnded ? new Promise(() => {}) : real(input, init);
    const redirect = init?.redirect ?? request?.redirect ?? "follow";
    // A body can be read once only.
    let next = redirect === "follow" ? new Request(request?.clone() ?? url, init) : undefined;
    let response = await call(run, input as string | URL | Request, init);
    for (let hops = 0; hops < REDIRECTS_MAX; hops++) {
      const to = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
      if (to === null) break;
      if (redirect === "error") throw new TypeError("fetch failed", { cause: new Error("unexpected redirect") });
      if (!next) break;
      url = new URL(to, url);
      const sent = following(next, response.status, url);
      next = sent.clone();
      response = belongs(run, url) ? await call(run, sent) : await real(sent);
    }
    return response;
  };
  globalThis.fetch = patched;
  return () => {
    if (globalThis.fetch === patched) globalThis.fetch = real;
  };
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Source: Fetch standard, HTTP-redirect fetch. */
function following(request: Request, status: number, url: URL): Request {
  const { method } = request;
  const asGet = (status === 303 && method !== "HEAD") || (status < 303 && method === "POST");
  const headers = new Headers(request.headers);
  if (asGet) for (const name of ["content-type", "content-length", "content-encoding", "content-language"]) headers.delete(name);
  if (url.origin !== new URL(request.url).origin) for (const name of ["authorization", "cookie"]) headers.delete(name);
  const { body, signal } = request;
  return new Request(url, asGet ? { method: "GET", headers, signal } : { method, headers, signal, body, duplex: "half" });
}

function belongs({ sandbox }: Run, { origin, hostname }: URL): boolean {
  return origin === new URL(sandbox.url).origin || activeHosts().has(hostname);
}

/** Real milliseconds within which a body arrives. */
const BODY_MS = 250;

function watchRequests(): () => void {
  const open = new WeakMap<object, Run>();
  const begin = (message: unknown) => {
    const run = runs.get(clientTime() as ClientTime);
    const { request } = message as { request: object };
    if (!run || open.has(request)) return;
    open.set(request, run);
    run.traffic.open++;
    run.traffic.usesSockets = true;
    run.time.activity++;
    // Also after errors, which not every version of Node publishes.
    if (request instanceof EventEmitter) request.once("close", () => end({ request }));
  };
  const end = (message: unknown) => {
    const { request } = message as { request: object };
    const run = open.get(request);
    if (!run) return;
    open.delete(request);
    run.traffic.open--;
    run.time.activity++;
  };
  /** The head has arrived. A client may leave the body unread. */
  const begun = (message: unknown) => {
    if (open.has((message as { request: object }).request)) systemClock.after(BODY_MS, () => end(message));
  };
  const channels: [string, (message: unknown) => void][] = [
    ["http.client.request.start", begin],
    ["http.client.response.finish", begun],
    ["http.client.request.error", end],
    ["undici:request:create", begin],
    ["undici:request:trailers", end],
    ["undici:request:error", end],
  ];
  for (const [name, listener] of channels) subscribe(name, listener);
  return () => {
    for (const [name, listener] of channels) unsubscribe(name, listener);
  };
}
