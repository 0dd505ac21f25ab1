/** A small client over fetch that careful users might write: it retries, honors Retry-After, and checks before it creates again. */
import { type Place, sleep } from "./place.ts";

// biome-ignore lint/suspicious/noExplicitAny: JSON of every shape
type Json = any;

export interface Answer {
  status: number;
  headers: Headers;
  body: Json;
  bytes: Uint8Array;
}

export class Refused extends Error {
  readonly status: number;
  /** The milliseconds of Retry-After. */
  readonly asked: number;
  constructor(what: string, answer: Answer) {
    super(`${what} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    this.status = answer.status;
    this.asked = askedBy(answer);
  }
}

const PATIENCE_MS = 10_000;
/** After so many reads of a document it asks only once a day. */
const OFTEN = 100;
const DAY_MS = 86_400_000;

interface ApiOptions {
  /** The omission of a careless version of the client. */
  gap?: string | undefined;
  /** The maximum number of tries of a call. */
  tries?: number;
  authorization?: () => string;
  /** Gets new credentials when the service refuses the old ones. */
  renew?: (() => Promise<void>) | undefined;
}

const KNOWN = new Set(
  ["uploaded", "draft", "sent", "viewed", "completed", "declined", "voided", "error"].map((one) => `document.${one}`),
);

export class Api {
  readonly #place: Pick<Place, "url" | "fetch">;
  readonly #authorization: () => string;
  readonly #renew: (() => Promise<void>) | undefined;
  readonly #gap: string | undefined;
  readonly #tries: number;

  constructor(place: Place, { gap, tries = 8, authorization, renew }: ApiOptions = {}) {
    this.#place = place;
    this.#gap = gap;
    this.#tries = tries;
    this.#authorization = authorization ?? (() => `API-Key ${place.apiKey}`);
    this.#renew = renew;
  }

  /** Repeats the call while that helps. `known` checks whether an earlier try worked although its answer was lost. */
  async call(method: string, path: string, body?: unknown, known?: () => Promise<Json | undefined>): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const answer = await this.#attempt(method, path, body);
      if (answer instanceof Error) {
        if (this.#gap === "retries" || tries === this.#tries) throw answer;
        await sleep(this.#gap === "pause" ? 0 : 1000 * tries);
        const found = await known?.();
        if (found !== undefined) return { status: 200, headers: new Headers(), body: found, bytes: new Uint8Array() };
        continue;
      }
      if (answer.status < 300) return answer;
      if (answer.status === 401 && this.#renew && tries < this.#tries) {
        await this.#renew();
        continue;
      }
      const wait = this.#waitAfter(answer, tries);
      if (wait === undefined || tries === this.#tries) throw new Refused(`${method} ${path}`, answer);
      await sleep(wait, this.#gap === "retry_after" ? 0 : askedBy(answer));
      // A gateway error does not say whether the service carried out the call.
      const found = answer.status >= 500 ? await known?.() : undefined;
      if (found !== undefined) return { ...answer, status: 200, body: found };
    }
  }

  /** An error means a call whose answer did not arrive. */
  async #attempt(method: string, path: string, body: unknown): Promise<Answer | Error> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    let status = 0;
    try {
      const response = await this.#place.fetch(`${this.#place.url}/public/v1${path}`, {
        method,
        signal: patience.signal,
        headers: { authorization: this.#authorization(), "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      status = response.status;
      const bytes = new Uint8Array(await response.arrayBuffer());
      const type = response.headers.get("content-type") ?? "";
      const isJson = type.includes("json") || (this.#gap === "gateway" && !type.includes("pdf"));
      const text = new TextDecoder().decode(bytes);
      return { status, headers: response.headers, bytes, body: isJson && text !== "" ? JSON.parse(text) : undefined };
    } catch (error) {
      if (this.#gap === "gateway" && status >= 500) throw error;
      if (this.#gap === "truncated" && status > 0) throw error;
      return error as Error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Undefined when another try would not help. */
  #waitAfter({ status, body }: Answer, tries: number): number | undefined {
    const backoff = this.#gap === "pause" ? 0 : 1000 * 2 ** tries;
    if (status === 429) return this.#gap === "retry_after" ? 200 : 1000;
    if (status === 409) return this.#gap === "conflict" ? undefined : backoff;
    if (status === 423) return this.#gap === "locked" ? undefined : Math.max(lockLeft(body), backoff);
    return status >= 500 ? backoff : undefined;
  }

  async find(order: string): Promise<{ id: string } | undefined> {
    return (await this.call("GET", `/documents?metadata=metadata_order=${order}`)).body.results[0];
  }

  /** Creates a document once: its order number in the metadata finds it again. Returns its id. */
  async create(document: { metadata: { order: string } }): Promise<string> {
    const find = () => this.find(document.metadata.order);
    const { body } = await this.call("POST", "/documents", document, this.#gap === "look_before_create" ? undefined : find);
    return body.id;
  }

  async status(id: string): Promise<string> {
    return (await this.call("GET", `/documents/${id}`)).body.status;
  }

  async send(id: string): Promise<void> {
    const isSent = async () => ((await this.status(id)) === "document.draft" ? undefined : {});
    await this.call("POST", `/documents/${id}/send`, { silent: false }, this.#gap === "look_before_send" ? undefined : isSent);
  }

  /** Polls every few seconds, later once a day, until the document has one of the statuses, at most `looks` times. Returns the last status. */
  async until(id: string, wanted: readonly string[], looks: number): Promise<string> {
    for (let look = 1; ; look++) {
      const status = await this.status(id);
      if (this.#gap === "known_statuses" && !KNOWN.has(status)) throw new Error(`there is no status ${status}`);
      if (wanted.includes(status) || look === looks) return status;
      await sleep(look < OFTEN ? 3000 : DAY_MS);
    }
  }
}

/** Milliseconds. */
export function askedBy({ headers }: Pick<Answer, "headers">): number {
  return Number(headers.get("retry-after") ?? 0) * 1000;
}

function lockLeft(body: Json): number {
  const left = Date.parse(body?.expires_at ?? "") - Date.now();
  return Number.isFinite(left) ? Math.min(Math.max(left, 1000), 60_000) : 5000;
}
