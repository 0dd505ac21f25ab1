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

export interface JournalEntry {
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
  subjectStatus?: string;
  /** Members of request and answer that the operation's record calls secret. */
  secret?: { request?: readonly string[]; response?: readonly string[] };
  caller: { user_id: string; email: string; workspace_id: string; environment: string; kind: string; key: string } | undefined;
  rule: string | undefined;
  /** The client did not get the operation's own answer, but a rule's or none. */
  injected: boolean;
  /** The status of the operation's own answer, whatever became of it; undefined where a rule stood in its place. */
  own: number | undefined;
  why: string | undefined;
  /** The network fault that kept the answer from its client. */
  spoilt?: string;
  /** Undefined where no answer was made. */
  status: number | undefined;
  responseHeaders: Record<string, string>;
  responseBody: string;
  /** Clock milliseconds between request and answer. */
  took_ms: number;
}

/** The journal drops its oldest exchanges beyond either bound. */
export const ENTRIES_MAX = 10_000;
export const ENTRY_BYTES_MAX = 48 * 1024 * 1024;
/** All journals of a process together. Beyond it the largest one drops its oldest exchanges. */
const JOURNALS_BYTES_MAX = 256 * 1024 * 1024;

/** What the journals of a process take together. */
export class JournalSpace {
  readonly #journals = new Set<Journal>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = JOURNALS_BYTES_MAX) {
    this.#most = most;
  }

  get bytes(): number {
    return this.#bytes;
  }

  join(journal: Journal): void {
    this.#journals.add(journal);
  }

  /** Counts what a journal gained or lost, and makes room. */
  count(journal: Journal, bytes: number): void {
    if (!this.#journals.has(journal)) return;
    this.#bytes += bytes;
    while (this.#bytes > this.#most) {
      let largest = journal;
      for (const one of this.#journals) if (one.bytes > largest.bytes) largest = one;
      if (largest.size <= 1) return;
      largest.dropOldest(Math.ceil(largest.size / 10));
    }
  }

  /** Forgets a journal that nobody writes any more. */
  leave(journal: Journal): void {
    if (this.#journals.delete(journal)) this.#bytes -= journal.bytes;
  }
}

export class Journal {
  #entries: JournalEntry[] = [];
  /** The bytes of each entry. */
  #sizes: number[] = [];
  #head = 0;
  #bytes = 0;
  readonly #byId = new Map<string, JournalEntry>();
  #sequence = 0;
  /** Exchanges are numbered as they come; this is the last one's number. */
  #total = 0;
  #loads = 0;
  #dropped = 0;
  readonly #watchers = new Set<(exchange: JournalEntry) => void>();
  readonly #space: JournalSpace | undefined;
  readonly #onError: (error: unknown) => void;

  /** `onError` hears of errors of watchers: they never reach the call whose exchange they watch. */
  constructor(options: { space?: JournalSpace; onError?: (error: unknown) => void } = {}) {
    this.#space = options.space;
    this.#space?.join(this);
    this.#onError = options.onError ?? (() => {});
  }

  /** A number that counts the calls of this tenant from 1. */
  nextSequence(): number {
    return ++this.#sequence;
  }

  add(exchange: JournalEntry): void {
    this.#total++;
    this.#entries.push(exchange);
    this.#byId.set(exchange.id, exchange);
    const bytes = sizeOf(exchange);
    this.#sizes.push(bytes);
    this.#count(bytes);
    this.#trim();
    for (const watch of this.#watchers) {
      try {
        watch(exchange);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    this.#space?.count(this, bytes);
  }

  /** Bytes that its exchanges take. */
  get bytes(): number {
    return this.#bytes;
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
  since(number: number): JournalEntry[] {
    return this.#entries.slice(Math.max(this.#head, this.#entries.length - (this.#total - number)));
  }

  get(id: string): JournalEntry | undefined {
    return this.#byId.get(id);
  }

  /** The oldest first. */
  all(): JournalEntry[] {
    return this.#entries.slice(this.#head);
  }

  /** At most `count`, the latest first. */
  latest(count: number): JournalEntry[] {
    return this.#entries.slice(Math.max(this.#head, this.#entries.length - count)).reverse();
  }

  /** Takes out what `match` finds and returns it. */
  remove(match: (exchange: JournalEntry) => boolean): JournalEntry[] {
    const removed: JournalEntry[] = [];
    const kept: JournalEntry[] = [];
    for (const exchange of this.all()) (match(exchange) ? removed : kept).push(exchange);
    this.load({ sequence: this.#sequence, entries: kept });
    return removed;
  }

  clear(): void {
    this.load({ sequence: this.#sequence, entries: [] });
  }

  /** Calls `watch` for each exchange as it is closed. Returns the function that ends it. */
  watch(watch: (exchange: JournalEntry) => void): () => void {
    this.#watchers.add(watch);
    return () => this.#watchers.delete(watch);
  }

  snapshot(): { sequence: number; entries: JournalEntry[] } {
    return { sequence: this.#sequence, entries: this.all() };
  }

  /** @param total the number of the last entry, where they had numbers before */
  load(snapshot: { sequence: number; entries: JournalEntry[] }, total = this.#total + snapshot.entries.length): void {
    this.#loads++;
    this.#total = total;
    this.#sequence = snapshot.sequence;
    this.#entries = [...snapshot.entries];
    this.#head = 0;
    this.#byId.clear();
    for (const exchange of this.#entries) this.#byId.set(exchange.id, exchange);
    this.#sizes = this.#entries.map(sizeOf);
    this.#count(this.#sizes.reduce((sum, one) => sum + one, 0) - this.#bytes);
    this.#trim();
  }

  /** Ends its part in the space of all journals. */
  close(): void {
    this.#space?.leave(this);
  }

  #trim(): void {
    while (this.size > ENTRIES_MAX || (this.#bytes > ENTRY_BYTES_MAX && this.size > 1)) this.#dropOldest();
  }

  dropOldest(count: number): void {
    for (let i = 0; i < count && this.size > 0; i++) this.#dropOldest();
  }

  /** How many it has let go, as it holds no more. */
  get dropped(): number {
    return this.#dropped;
  }

  #dropOldest(): void {
    this.#dropped++;
    const oldest = this.#entries[this.#head] as JournalEntry;
    (this.#entries as (JournalEntry | undefined)[])[this.#head] = undefined;
    this.#head++;
    this.#count(-(this.#sizes[this.#head - 1] as number));
    this.#byId.delete(oldest.id);
    if (this.#head > 1000 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#sizes = this.#sizes.slice(this.#head);
      this.#head = 0;
    }
  }
}

/** Names of a query, and headers, that one exchange keeps. Its `url` keeps the whole query. */
const NAMES_MAX = 200;
/** Values that all names of a query have together. */
const VALUES_MAX = 500;

/** The first names and values of a query. */
export function keptQuery(query: string): Record<string, string[]> {
  const kept = new Map<string, string[]>();
  let values = 0;
  for (const [name, value] of new URLSearchParams(query)) {
    const known = kept.get(name);
    if (known) known.push(value);
    else if (kept.size < NAMES_MAX) kept.set(name, [value]);
    if (++values === VALUES_MAX) break;
  }
  return Object.fromEntries(kept);
}

/** The first headers. */
export function keptHeaders(headers: Record<string, string>): Record<string, string> {
  const names = Object.keys(headers);
  return names.length <= NAMES_MAX ? headers : Object.fromEntries(Object.entries(headers).slice(0, NAMES_MAX));
}

/** Bytes of an exchange besides its texts, maps and lists. */
const EXCHANGE_BYTES = 1300;
/** Of a text, besides its letters; of one entry of a map, besides its name and value; of a list, besides its values. */
const TEXT_BYTES = 24;
const ENTRY_BYTES = 48;
const LIST_BYTES = 150;
const PART_BYTES = 250;

/** What an exchange takes in memory, in bytes; rather too many than too few. */
export function sizeOf(exchange: JournalEntry): number {
  const { url, path, query, headers, body, parts, subject = "", why = "", rule = "", responseHeaders, responseBody } = exchange;
  let size = EXCHANGE_BYTES + url.length + path.length + textSize(body) + textSize(responseBody);
  size += 2 * (subject.length + why.length + rule.length) + headersSize(headers) + headersSize(responseHeaders);
  // A name or value beyond Latin-1 is sent in percent escapes.
  const width = url.includes("%") ? 2 : 1;
  for (const name in query) {
    size += ENTRY_BYTES + LIST_BYTES + TEXT_BYTES + width * name.length;
    for (const value of query[name] as string[]) size += TEXT_BYTES + width * value.length;
  }
  for (const { name, filename = "", type, text = "" } of parts ?? [])
    size += PART_BYTES + textSize(name) + textSize(filename) + textSize(type) + textSize(text);
  return size;
}

/** Headers are Latin-1. */
function headersSize(headers: Record<string, string>): number {
  let size = 0;
  for (const name in headers) size += ENTRY_BYTES + 2 * TEXT_BYTES + name.length + (headers[name] as string).length;
  return size;
}

/** A letter beyond Latin-1 makes every letter of its text take two bytes. */
const WIDE = /[^\0-\xff]/;

function textSize(text: string): number {
  return TEXT_BYTES + (WIDE.test(text) ? 2 : 1) * text.length;
}
