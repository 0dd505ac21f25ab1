/** Gives the client the real answer at once, and asks the double afterwards. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { systemClock } from "../../engine/core/clock.ts";
import { unguessable } from "../../engine/core/ids.ts";
import { messageOf } from "../../engine/core/text.ts";
import { SettingsError } from "../../library/errors.ts";
import { isSameText } from "../../engine/core/constant-time.ts";
import type { CassetteWriter } from "./cassette-writer.ts";
import type { Comparison } from "./comparison.ts";
import type { DoubleSide } from "./double-side.ts";
import { entryRefusal } from "./entrance.ts";
import { type CallAnswer, type CallRequest, isJson } from "./exchange.ts";
import { Forwarder, flat, readAll } from "./forward.ts";
import { RealKey } from "./real-key.ts";
import { OWN_PATHS, WebhookDetour } from "./webhook-detour.ts";

export interface ProxyOptions {
  realUrl: string;
  realKey: string;
  double: DoubleSide;
  comparison: Comparison;
  /** The proxy's address as the real service reaches it. Default: the local address. */
  webhookUrl?: string;
  port?: number;
  onError: (error: unknown) => void;
}

/** How long `close` waits for webhooks. */
const EVENTS_GRACE_MS = 2000;
const EVENTS_CHECK_MS = 20;

export class CompareProxy {
  readonly #options: ProxyOptions;
  readonly #real: Forwarder;
  readonly #realOrigin: string;
  readonly #server: Server;
  /** The client's key. A caller without it never uses the real key. */
  readonly apiKey: string = unguessable();
  readonly #secret: RealKey;
  /** Begins when the proxy listens, so that a port in use leaves an older cassette as it was. */
  recorder: CassetteWriter | undefined;
  #detour: WebhookDetour | undefined;
  #url = "";
  #queue: Promise<unknown> = Promise.resolve();
  #startedAt = systemClock.elapsed();

  private constructor(options: ProxyOptions) {
    this.#options = options;
    const base = new URL(options.realUrl);
    this.#real = new Forwarder(base);
    this.#secret = new RealKey(options.realKey, this.apiKey);
    this.#realOrigin = options.realUrl.replace(/\/+$/, "");
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error) => {
        options.onError(error);
        if (!response.headersSent) response.writeHead(500).end();
      });
    });
    this.#server.keepAliveTimeout = 65_000;
  }

  static async start(options: ProxyOptions): Promise<CompareProxy> {
    const proxy = new CompareProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once("error", reject);
      proxy.#server.listen(options.port ?? 0, "127.0.0.1", resolve);
    }).catch((error: NodeJS.ErrnoException) => {
      throw new SettingsError(`Cannot listen on port ${options.port}: ${error.code}. Choose another with --port.`);
    });
    proxy.#url = `http://127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    const isNear = /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(options.realUrl).hostname);
    const reachable = options.webhookUrl ?? (isNear ? proxy.#url : undefined);
    if (reachable !== undefined) proxy.#detour = new WebhookDetour(reachable);
    return proxy;
  }

  get url(): string {
    return this.#url;
  }

  /** The variables of this process that must not reach the command, because they hold the real key. */
  get hiddenVariables(): NodeJS.ProcessEnv {
    return this.#secret.variables(process.env);
  }

  /** Waits for open comparisons and webhooks, then stops. */
  async close(): Promise<void> {
    const { comparison } = this.#options;
    await this.#drained();
    const until = systemClock.elapsed() + EVENTS_GRACE_MS;
    while (this.#detour?.isUsed && comparison.isWaitingForEvents && systemClock.elapsed() < until) {
      await systemClock.sleep(EVENTS_CHECK_MS);
      await this.#drained();
    }
    await this.#enqueue(() => comparison.finish(this.#at()));
    this.#real.close();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #at(): number {
    return systemClock.elapsed() - this.#startedAt;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch((error) => this.#options.onError(error));
    return done;
  }

  async #drained(): Promise<void> {
    let last: unknown;
    while (last !== this.#queue) {
      last = this.#queue;
      await last;
    }
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET", url = "" } = incoming;
    const hook = this.#detour?.targetOf(url);
    const refusal = entryRefusal(incoming, hook !== undefined) ?? this.#unknownOwnPath(url, hook);
    if (refusal !== undefined) {
      incoming.resume();
      response.writeHead(403, { "content-type": "application/json", connection: "close" });
      response.end(JSON.stringify({ type: "docdouble_compare_error", detail: `docdouble compare: ${refusal}.` }));
      return;
    }
    const request: CallRequest = { method, target: url, headers: flat(incoming.headers), body: await readAll(incoming) };
    if (hook !== undefined) return this.#passWebhook(request, hook, response);
    if (request.target.startsWith("/__admin")) return this.#callBoth(request, response);
    const sent = this.#withRealKey(this.#detour?.redirect(request) ?? request);
    const answered = this.#secret.hideInAnswer(await this.#real.send(sent));
    const answer = this.#detour?.restore(answered) ?? answered;
    const at_ms = this.#at();
    const compared = this.#withKeyOfDouble(request);
    void this.#enqueue(async () => {
      await this.recorder?.call(compared, answer, at_ms, this.#options.double.apiKey);
      await this.#options.comparison.call(compared, answer, at_ms);
    }).catch(() => {});
    this.#answer(response, answer, method === "HEAD");
  }

  #unknownOwnPath(url: string, hook: string | undefined): string | undefined {
    return hook === undefined && OWN_PATHS.test(url) ? "no webhook subscription has this address" : undefined;
  }

  #withRealKey(request: CallRequest): CallRequest {
    return this.#withKey(request, this.apiKey, this.#options.realKey);
  }

  /** For the double, the client's key becomes the double's own key, and any other key stays wrong. */
  #withKeyOfDouble(request: CallRequest): CallRequest {
    const { apiKey } = this.#options.double;
    const own = this.#withKey(request, this.apiKey, apiKey);
    return own === request ? this.#withKey(request, apiKey, "unknown") : own;
  }

  #withKey(request: CallRequest, from: string, to: string): CallRequest {
    const [, scheme, token = ""] = /^(\S+\s+)(\S+)\s*$/.exec(request.headers.authorization ?? "") ?? [];
    if (scheme === undefined || !isSameText(from, token)) return request;
    return { ...request, headers: { ...request.headers, authorization: scheme + to } };
  }

  async #callBoth(request: CallRequest, response: ServerResponse): Promise<void> {
    this.#options.comparison.isSteered = true;
    const answer = await this.#enqueue(async () => {
      const answered = this.#secret.hideInAnswer(await this.#real.send(request));
      await this.#options.comparison.steer(request, answered, this.#at());
      return answered;
    });
    this.#answer(response, answer);
  }

  async #passWebhook(received: CallRequest, target: string, response: ServerResponse): Promise<void> {
    const request = this.#secret.hideInWebhook(received);
    if (request === undefined) {
      this.#options.onError(new Error("a webhook contains the real key in a form that cannot be replaced, so it was withheld"));
      response.writeHead(403).end();
      return;
    }
    const at_ms = this.#at();
    const eventId = request.headers["x-pandadoc-webhook-event-id"];
    void this.#enqueue(async () => {
      await this.recorder?.event(request.body, at_ms, eventId);
      await this.#options.comparison.event(request.body, at_ms, eventId);
    }).catch(() => {});
    const url = new URL(target);
    const forwarder = new Forwarder(new URL(url.origin));
    const answer = await forwarder.send({ ...request, target: url.pathname + url.search });
    forwarder.close();
    this.#answer(response, answer);
  }

  #answer(response: ServerResponse, answer: CallAnswer, isHead = false): void {
    const { status, headers, body, failure } = answer;
    if (status === 0 && isCut(failure)) {
      // The real service cut the connection.
      response.destroy();
      return;
    }
    if (status === 0) {
      const detail = `docdouble compare: ${this.#realOrigin} gave no answer (${failure}). Check --real and the network.`;
      response.writeHead(failure?.startsWith("no answer") ? 504 : 502, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "docdouble_compare_error", detail }));
      return;
    }
    const isEmpty = isHead || status === 204 || status === 304;
    const own = isHead
      ? /^(?:connection|keep-alive|transfer-encoding)$/
      : /^(?:connection|keep-alive|transfer-encoding|content-length)$/;
    const kept = Object.entries(headers).filter(([name]) => !own.test(name));
    const here = (text: string) => text.replaceAll(this.#realOrigin, this.#url);
    // Links to the real service would bypass the proxy, which alone knows the key.
    const bytes = isJson(headers) && body.includes(this.#realOrigin) ? Buffer.from(here(body.toString("utf8"))) : body;
    const shown = Object.fromEntries(kept.map(([name, value]) => [name, name === "location" ? here(value) : value]));
    try {
      response.writeHead(status, { ...shown, ...(isEmpty ? {} : { "content-length": bytes.length }) });
      response.end(isEmpty ? undefined : bytes);
    } catch (error) {
      this.#options.onError(new Error(`cannot pass on the real answer: ${messageOf(error)}`));
      response.destroy();
    }
  }
}

function isCut(failure: string | undefined): boolean {
  return failure === "ECONNRESET" || failure === "EPIPE" || failure === "aborted";
}
