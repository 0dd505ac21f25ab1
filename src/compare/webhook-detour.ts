/**
 * Leads webhooks of the real service through the proxy: a subscription names an address of the proxy, which keeps a copy and
 * passes each delivery on to the client's own address.
 */
import type { CallAnswer, CallRequest } from "./exchange.ts";
import { isObject, jsonOf } from "./exchange.ts";

const PATH = "/__compare/webhooks/";
const SUBSCRIBES = /^\/public\/v1\/webhook-subscriptions(?:\/[^/?]+)?\/?(?:\?|$)/;

export class WebhookDetour {
  readonly #base: string;
  /** The client's addresses, by the number in the proxy's address. */
  readonly #targets: string[] = [];

  /** @param base the address at which the real service reaches the proxy */
  constructor(base: string) {
    this.#base = base.replace(/\/+$/, "");
  }

  get isUsed(): boolean {
    return this.#targets.length > 0;
  }

  /** The request for the real service, whose webhooks then come to the proxy. */
  redirect(request: CallRequest): CallRequest {
    if ((request.method !== "POST" && request.method !== "PATCH") || !SUBSCRIBES.test(request.target)) return request;
    const body = jsonOf(request);
    if (!isObject(body) || typeof body.url !== "string" || !URL.canParse(body.url)) return request;
    // A detour must not turn a refused address into an accepted one, or the other way round.
    if (new URL(body.url).protocol !== new URL(this.#base).protocol) return request;
    const url = this.#addressOf(body.url);
    return {
      ...request,
      body: Buffer.from(request.body.toString("utf8").replace(JSON.stringify(body.url), () => JSON.stringify(url))),
    };
  }

  #addressOf(target: string): string {
    let index = this.#targets.indexOf(target);
    if (index < 0) index = this.#targets.push(target) - 1;
    return `${this.#base}${PATH}${index}`;
  }

  /** The answer as if there were no detour. */
  restore(answer: CallAnswer): CallAnswer {
    if (!this.isUsed || !answer.body.includes(PATH)) return answer;
    let text = answer.body.toString("utf8");
    for (const [index, target] of [...this.#targets.entries()].reverse())
      text = text.replaceAll(`${this.#base}${PATH}${index}"`, () => `${target}"`);
    return { ...answer, body: Buffer.from(text) };
  }

  /** The client's address for a delivery to the proxy, with the signature; undefined for any other path. */
  targetOf(path: string): string | undefined {
    const [, index, query] = new RegExp(`${PATH}(\\d+)(?:\\?(.*))?$`).exec(path) ?? [];
    const target = index === undefined ? undefined : this.#targets[Number(index)];
    if (target === undefined || query === undefined) return target;
    return `${target}${target.includes("?") ? "&" : "?"}${query}`;
  }
}
