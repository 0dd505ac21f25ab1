/** Puts an address of the proxy into webhook subscriptions, so that the proxy sees each delivery and passes it on. */
import type { CallAnswer, CallRequest } from "./exchange.ts";
import { isObject, jsonOf } from "./exchange.ts";

const PATH = "/__compare/webhooks/";
/** Paths that the proxy answers itself, also in spellings that the real service may resolve. */
export const OWN_PATHS: RegExp = /^(?:\/|%2f)+(?:_|%5f){2}compare(?:[/?#]|%2f|$)/i;
/** The service appends its signature as a query. */
const TARGET = /^(\d{1,9})(?:\?(.*))?$/;
const SUBSCRIBES = /^\/public\/v1\/webhook-subscriptions(?:\/[^/?]+)?\/?(?:\?|$)/;

export class WebhookDetour {
  readonly #base: string;
  readonly #targets: string[] = [];

  constructor(base: string) {
    this.#base = base.replace(/\/+$/, "");
  }

  get isUsed(): boolean {
    return this.#targets.length > 0;
  }

  redirect(request: CallRequest): CallRequest {
    if ((request.method !== "POST" && request.method !== "PATCH") || !SUBSCRIBES.test(request.target)) return request;
    const body = jsonOf(request);
    if (!isObject(body) || typeof body.url !== "string" || !URL.canParse(body.url)) return request;
    // A detour must not turn a refused address into an accepted address, or the reverse.
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

  restore(answer: CallAnswer): CallAnswer {
    if (!this.isUsed || !answer.body.includes(PATH)) return answer;
    let text = answer.body.toString("utf8");
    for (const [index, target] of [...this.#targets.entries()].reverse())
      text = text.replaceAll(`${this.#base}${PATH}${index}"`, () => `${target}"`);
    return { ...answer, body: Buffer.from(text) };
  }

  /** The client's address with the signature; undefined for other paths. */
  targetOf(path: string): string | undefined {
    // A tunnel may keep or remove the path of its address.
    const start = [PATH, new URL(this.#base).pathname.replace(/\/+$/, "") + PATH].find((one) => path.startsWith(one));
    const [, index, query] = start === undefined ? [] : (TARGET.exec(path.slice(start.length)) ?? []);
    const target = index === undefined ? undefined : this.#targets[Number(index)];
    if (target === undefined || query === undefined) return target;
    return `${target}${target.includes("?") ? "&" : "?"}${query}`;
  }
}
