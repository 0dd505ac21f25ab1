/**
 * The journal: what was asked and answered, in a ring. Every exchange carries the operation id, the rule that hit and,
 * for a refusal, why. Credentials are redacted when an exchange is shown, not when it is matched.
 */

/** What is kept of a part of a multipart body. */
export interface BodyPart {
  name: string;
  /** Only files have one. */
  filename?: string;
  type: string;
  bytes: number;
  sha256: string;
  /** Of a field, unless it is no text or too long. */
  text?: string;
}

export interface Exchange {
  id: string;
  /** What the service's own log calls it: 20 characters. */
  log_id: string;
  /** Epoch ms on the tenant's clock. */
  at: number;
  method: string;
  /** Path and query as sent. */
  url: string;
  path: string;
  query: Record<string, string[]>;
  headers: Record<string, string>;
  /** Text of the body; of a multipart body its parts by name as JSON, or a note of its size where it cannot be read. */
  body: string;
  /** What is kept of the parts of a multipart body. */
  parts?: BodyPart[];
  /** Undefined when the path is none of ours. */
  operationId: string | undefined;
  /** It is a page that a browser is sent to, and `operationId` its name; no operation of the API. */
  page?: true;
  /** What the call was about, where its path names one. */
  subject: string | undefined;
  /** The status that it had when the call came. */
  subjectStatus?: string | undefined;
  /** Members of request and answer that the operation's record calls secret. */
  secret?: { request?: readonly string[]; response?: readonly string[] } | undefined;
  caller: { user_id: string; email: string; workspace_id: string; environment: string; kind: string; key: string } | undefined;
  rule: string | undefined;
  /** The client did not get the operation's own answer, but a rule's or none. */
  injected: boolean;
  /** The status of the operation's own answer, whatever became of it; undefined where a rule stood in its place. */
  own: number | undefined;
  why: string | undefined;
  /** The network fault that kept the answer from its client. */
  spoilt?: string | undefined;
  /** Undefined where no answer was made. */
  status: number | undefined;
  responseHeaders: Record<string, string>;
  responseBody: string;
  /** Clock milliseconds between request and answer. */
  took_ms: number;
}

/** The journal drops its oldest exchanges beyond either bound. */
export const EXCHANGES_MAX = 10_000;
export const EXCHANGE_BYTES_MAX = 32 * 1024 * 1024;

export class Journal {
  #entries: Exchange[] = [];
  #head = 0;
  #bytes = 0;
  readonly #byId = new Map<string, Exchange>();
  #sequence = 0;
  /** Exchanges are numbered as they come; this is the last one's number. */
  #total = 0;
  #loads = 0;
  #dropped = 0;
  readonly #watchers = new Set<(exchange: Exchange) => void>();

  /** A number that counts the calls of this tenant from 1. */
  nextSequence(): number {
    return ++this.#sequence;
  }

  add(exchange: Exchange): void {
    this.#total++;
    this.#entries.push(exchange);
    this.#byId.set(exchange.id, exchange);
    this.#bytes += sizeOf(exchange);
    this.#trim();
    for (const watch of this.#watchers) watch(exchange);
  }

  get size(): number {
    return this.#entries.length - this.#head;
  }

  /** What `nextSequence` gave last. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The number of the latest exchange, which counts up also over those that are gone. */
  get total(): number {
    return this.#total;
  }

  /** How often all of it was replaced: what was seen of it before counts no more. */
  get loads(): number {
    return this.#loads;
  }

  /** Those that came after the exchange of this number and are still there. */
  since(number: number): Exchange[] {
    return this.#entries.slice(Math.max(this.#head, this.#entries.length - (this.#total - number)));
  }

  get(id: string): Exchange | undefined {
    return this.#byId.get(id);
  }

  /** The oldest first. */
  all(): Exchange[] {
    return this.#entries.slice(this.#head);
  }

  /** Takes out what `match` finds and returns it. */
  remove(match: (exchange: Exchange) => boolean): Exchange[] {
    const removed: Exchange[] = [];
    const kept: Exchange[] = [];
    for (const exchange of this.all()) (match(exchange) ? removed : kept).push(exchange);
    this.load({ sequence: this.#sequence, entries: kept });
    return removed;
  }

  clear(): void {
    this.load({ sequence: this.#sequence, entries: [] });
  }

  /** Calls `watch` for each exchange as it is closed. Returns the function that ends it. */
  watch(watch: (exchange: Exchange) => void): () => void {
    this.#watchers.add(watch);
    return () => this.#watchers.delete(watch);
  }

  snapshot(): { sequence: number; entries: Exchange[] } {
    return { sequence: this.#sequence, entries: this.all() };
  }

  /** @param total the number of the last entry, where they had numbers before */
  load(snapshot: { sequence: number; entries: Exchange[] }, total = this.#total + snapshot.entries.length): void {
    this.#loads++;
    this.#total = total;
    this.#sequence = snapshot.sequence;
    this.#entries = [...snapshot.entries];
    this.#head = 0;
    this.#bytes = 0;
    this.#byId.clear();
    for (const exchange of this.#entries) {
      this.#byId.set(exchange.id, exchange);
      this.#bytes += sizeOf(exchange);
    }
    this.#trim();
  }

  #trim(): void {
    while (this.size > EXCHANGES_MAX || (this.#bytes > EXCHANGE_BYTES_MAX && this.size > 1)) this.#dropOldest();
  }

  /** How many it has let go, as it holds no more. */
  get dropped(): number {
    return this.#dropped;
  }

  #dropOldest(): void {
    this.#dropped++;
    const oldest = this.#entries[this.#head] as Exchange;
    (this.#entries as (Exchange | undefined)[])[this.#head] = undefined;
    this.#head++;
    this.#bytes -= sizeOf(oldest);
    this.#byId.delete(oldest.id);
    if (this.#head > 1000 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }
}

function sizeOf(exchange: Exchange): number {
  const parts = exchange.parts ? exchange.body.length + exchange.parts.length * 200 : 0;
  return 500 + exchange.body.length + parts + exchange.responseBody.length + exchange.url.length;
}
