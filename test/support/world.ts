/**
 * Worlds of tests: a frozen clock, a fixed seed, frozen rows, and a schema check of each answer.
 * `call` runs an operation by its id through the whole HTTP pipeline, without a socket.
 */
import { afterAll, afterEach, beforeAll, onTestFinished } from "vitest";
import type { OperationId } from "../../src/service/nouns/index.ts";
import { findOperation } from "../../src/service/nouns/index.ts";
import type { Tenant } from "../../src/service/service.ts";
import { parseRoute } from "../../src/engine/core/operation.ts";
import { createSandbox, hostOf } from "../../src/library/sandbox.ts";
import type { Sandbox, SandboxOptions } from "../../src/library/types.ts";

export const KEY = "docdouble-key";
export const SANDBOX_KEY = "docdouble-sandbox-key";
export const NOW = "2026-03-02T09:00:00Z";

export interface CallOptions {
  params?: Record<string, string>;
  query?: Record<string, string | number | boolean | readonly string[]>;
  body?: unknown;
  /** Multipart parts: a text, an object sent as JSON, or a file. */
  parts?: Record<string, unknown>;
  key?: string | null;
  headers?: Record<string, string>;
  /** Returns a redirect instead of following it. */
  redirect?: "manual";
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
  body: any;
}

export interface TestWorld {
  readonly sandbox: Sandbox;
  readonly tenant: Tenant;
  /** Calls an operation of the service. */
  call(id: OperationId, options?: CallOptions): Promise<Answer>;
  /** Sends any request. `path` includes the query. */
  request(method: string, path: string, options?: Omit<CallOptions, "params" | "query">): Promise<Answer>;
  /** Calls a path below /__admin with the default key. */
  admin(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
  /** Moves the clock, and waits for the effects. */
  advance(by: string): Promise<Answer>;
}

function openSandbox(options: SandboxOptions, bugs: unknown[]): Promise<Sandbox> {
  return createSandbox({ seed: 7, clock: "frozen", now: NOW, strict: true, onBug: (error) => bugs.push(error), ...options });
}

function worldOf(sandbox: Sandbox): TestWorld {
  return { sandbox, tenant: hostOf(sandbox).defaultTenant, ...callsOver((path, init) => sandbox.fetch(path, init)) };
}

/** A sandbox that ends with its test. A bug in docdouble or an undeclared answer fails the test. */
export async function strictSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const bugs: unknown[] = [];
  const sandbox = await openSandbox(options, bugs);
  onTestFinished(async () => {
    await sandbox.close();
    if (bugs.length > 0) throw bugs[0];
  });
  return sandbox;
}

/** A world in a strict sandbox without a socket. */
export async function testWorld(options: SandboxOptions = {}): Promise<TestWorld> {
  return worldOf(await strictSandbox(options));
}

/** One world for a file. Each test begins with the state after seeding. */
export function useWorld(options: SandboxOptions = {}): TestWorld {
  const bugs: unknown[] = [];
  const shared = {} as TestWorld;
  let seeded: ReturnType<Tenant["snapshot"]>;
  beforeAll(async () => {
    Object.assign(shared, worldOf(await openSandbox(options, bugs)));
    seeded = shared.tenant.snapshot();
  });
  afterEach(() => {
    shared.tenant.restore(seeded);
    const [bug] = bugs.splice(0);
    if (bug !== undefined) throw bug;
  });
  afterAll(() => shared.sandbox.close());
  return shared;
}

/** The answer of a call, and whether the call wrote anything. */
export async function watched(world: TestWorld, call: () => Promise<Answer>): Promise<{ answer: Answer; wrote: boolean }> {
  let wrote = false;
  const stop = world.tenant.eventStream.watch(() => {
    wrote = true;
  });
  const answer = await call();
  stop();
  return { answer, wrote };
}

export type Calls = Pick<TestWorld, "call" | "request" | "admin" | "advance">;

/** The calls of a world over any transport. `carry` sends a request to its path. */
export function callsOver(carry: (path: string, init: RequestInit) => Promise<Response>): Calls {
  const calls: Calls = {
    async call(id, callOptions = {}) {
      const operation = findOperation(id);
      if (!operation) throw new Error(`no operation ${id}`);
      const { method, path, variant } = parseRoute(operation.route);
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(callOptions.params?.[name] ?? `missing-${name}`),
      );
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(callOptions.query ?? {}))
        for (const one of [value].flat()) query.append(name, String(one));
      const text = [variant, query.toString()].filter(Boolean).join("&");
      return calls.request(method, filled + (text ? `?${text}` : ""), callOptions);
    },
    async request(method, path, callOptions = {}) {
      const { key = KEY, body, parts, headers = {}, redirect } = callOptions;
      const init: RequestInit = { method, headers: { ...(key === null ? {} : { authorization: `API-Key ${key}` }), ...headers } };
      if (redirect) init.redirect = redirect;
      if (parts) init.body = toForm(parts);
      else if (body !== undefined) {
        init.body = typeof body === "string" ? body : JSON.stringify(body);
        (init.headers as Record<string, string>)["content-type"] ??= "application/json";
      }
      return toAnswer(await carry(path, init));
    },
    admin: (method, path, body, key) => calls.request(method, `/__admin${path}`, { body, key: key ?? KEY }),
    async advance(by) {
      const answer = await calls.admin("POST", "/clock/advance", { by });
      if (answer.status !== 200) throw new Error(`advance answered ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer;
    },
  };
  return calls;
}

export async function toAnswer(response: Response): Promise<Answer> {
  // A stream of events has no end to wait for.
  if (response.headers.get("content-type") === "text/event-stream") {
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, body: undefined };
  }
  const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
  const text = isJson ? await response.text() : "";
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : new Uint8Array(await response.arrayBuffer()),
  };
}

export function toForm(parts: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (part instanceof Blob) form.append(name, part, part instanceof File ? part.name : "file");
    else form.append(name, typeof part === "string" ? part : JSON.stringify(part));
  }
  return form;
}
