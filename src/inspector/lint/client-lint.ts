import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { droppedNote } from "../../engine/runtime/dropped.ts";
import type { Tenant } from "../../service/service.ts";
import { createdId, DuplicateCreates } from "./duplicate-creates.ts";
import type { FindingKind, LintFinding, LintPlace } from "./finding.ts";
import type { Found } from "./found.ts";
import { FORGERIES, type Signing } from "../../engine/jobs/delivery-types.ts";
import { docsOf, FINDINGS } from "./records.ts";
import { keyOf, RepeatedCalls } from "./repeated-calls.ts";
import { singleCall } from "./single-calls.ts";
import { UploadedNames } from "./uploaded-names.ts";
import { getOrMake } from "../../engine/core/maps.ts";

const ENTRIES_MAX = 100;
const FINDINGS_MAX = 1000;

export class ClientLint {
  readonly #tenant: Tenant;
  readonly #findings = new Map<string, LintFinding>();
  readonly #calls = new Map<string, number>();
  #read = 0;
  #loads: number;
  #repeated: RepeatedCalls;
  #duplicates: DuplicateCreates;
  #uploads: UploadedNames;
  #isFull = false;

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
    this.#loads = tenant.journal.loads;
    this.#repeated = new RepeatedCalls(tenant);
    this.#duplicates = new DuplicateCreates(tenant);
    this.#uploads = new UploadedNames(tenant);
  }

  all(): LintFinding[] {
    this.catchUp();
    this.#finishUploads();
    const receivers = new Map<string, LintFinding>();
    for (const row of this.#tenant.store.deliveries.all()) collect(receivers, row);
    return [...this.#findings.values(), ...receivers.values()];
  }

  /** Why the list may lack findings. Undefined when it is complete. */
  get unread(): string | undefined {
    if (this.#isFull) return `it keeps ${FINDINGS_MAX} findings: correct these first`;
    return droppedNote(this.#tenant, "requests") ?? droppedNote(this.#tenant, "deliveries");
  }

  catchUp(): void {
    const { journal } = this.#tenant;
    if (journal.loads !== this.#loads) this.#restart();
    const entries = journal.since(this.#read);
    const walls = journal.wallTimesSince(this.#read);
    this.#read = journal.total;
    for (const [i, entry] of entries.entries()) {
      const { operationId } = entry;
      const nth = operationId === undefined || entry.page ? 0 : (this.#calls.get(operationId) ?? 0) + 1;
      if (operationId !== undefined && nth > 0) this.#calls.set(operationId, nth);
      const key = operationId === undefined ? "" : keyOf(entry);
      for (const one of singleCall(entry, this.#tenant)) this.#add(one, entry, nth);
      for (const one of this.#repeated.see(entry, key, walls[i] as number)) this.#add(one, entry, nth);
      for (const one of this.#duplicates.see(entry, key)) this.#add(one, entry, nth);
      this.#uploads.see(entry, nth);
      if (this.#uploads.isFull) this.#finishUploads();
    }
  }

  #finishUploads(): void {
    for (const { found, entry, nth } of this.#uploads.finished()) this.#add(found, entry, nth);
  }

  #restart(): void {
    this.#loads = this.#tenant.journal.loads;
    this.#read = 0;
    this.#isFull = false;
    this.#findings.clear();
    this.#calls.clear();
    this.#repeated = new RepeatedCalls(this.#tenant);
    this.#duplicates = new DuplicateCreates(this.#tenant);
    this.#uploads = new UploadedNames(this.#tenant);
  }

  #add(found: Found, entry: JournalEntry, nth: number): void {
    const key = `${found.kind} ${found.key ?? found.message}`;
    const known = this.#findings.get(key);
    const entries = [...(found.before ?? []), entry.id];
    if (known) {
      Object.assign(known, repeated(known, entries), { message: found.message });
      return;
    }
    if (this.#findings.size >= FINDINGS_MAX) {
      this.#isFull = true;
      return;
    }
    const finding = toFinding(found.kind, found.message, found.fix, placeOf(this.#tenant, found, entry, nth), entries);
    this.#findings.set(key, finding);
  }
}

function repeated({ times, entries }: LintFinding, more: readonly string[]): Pick<LintFinding, "times" | "entries"> {
  const known = entries.length >= ENTRIES_MAX ? entries : [...new Set([...entries, ...more])].slice(0, ENTRIES_MAX);
  return { times: times + 1, entries: known };
}

function collect(findings: Map<string, LintFinding>, row: DeliveryRow): void {
  for (const one of receiverFindings(row)) {
    const known = findings.get(one.message);
    if (!known) findings.set(one.message, one);
    else Object.assign(known, repeated(known, one.entries));
  }
}

const lints = new WeakMap<Tenant, ClientLint>();

function lintOf(tenant: Tenant): ClientLint {
  return getOrMake(lints, tenant, () => new ClientLint(tenant));
}

export function lintClient(tenant: Tenant): LintFinding[] {
  return lintReport(tenant).findings;
}

/** `unread` says why the list may lack findings. An empty list proves nothing then. */
export function lintReport(tenant: Tenant): { findings: LintFinding[]; unread: string | undefined } {
  const lint = lintOf(tenant);
  return { findings: structuredClone(lint.all()), unread: lint.unread };
}

function placeOf(tenant: Tenant, found: Found, entry: JournalEntry, nth: number): LintPlace {
  const { operationId, method, path, subject } = entry;
  const id = found.document_id ?? subject ?? createdId(entry);
  const document = id === undefined ? undefined : tenant.store.documents.get(id);
  return {
    ...(operationId === undefined ? {} : { operation: operationId, nth }),
    call: `${method} ${path}`,
    ...(document === undefined ? {} : { document_id: document.id, document: document.name }),
    ...(found.pointer === undefined ? {} : { pointer: found.pointer }),
  };
}

function toFinding(
  kind: FindingKind,
  message: string,
  fix: string | undefined,
  place: LintPlace,
  entries: readonly string[],
): LintFinding {
  return { kind, message, fix: fix ?? FINDINGS[kind].fix, docs: docsOf(kind), place, times: 1, entries: [...entries] };
}

const SIGNED_WORDS: Partial<Record<Signing, string>> = { similar: "right in its first half alone", short: "cut off" };

function receiverFindings(row: DeliveryRow): LintFinding[] {
  return row.attempts.flatMap((attempt): LintFinding[] => {
    const place = { receiver: row.url, document_id: row.subject };
    const finding = (kind: FindingKind, message: string) => [toFinding(kind, message, undefined, place, [row.id])];
    const isForged = (FORGERIES as readonly Signing[]).includes(attempt.signed);
    if (isForged && attempt.reason === null && attempt.status !== null && attempt.status < 400)
      return finding(
        "forged_webhook_accepted",
        `${row.url} answered ${attempt.status} to a delivery whose signature was ${SIGNED_WORDS[attempt.signed] ?? attempt.signed}`,
      );
    if (attempt.signed === "valid" && attempt.reason === null && (attempt.status === 401 || attempt.status === 403))
      return finding(
        "genuine_webhook_refused",
        `${row.url} answered ${attempt.status} to a delivery with the right signature, which is in the query parameter signature`,
      );
    if (attempt.error === "TIMEOUT_ERROR" && attempt.duration_ms > 0)
      return finding("webhook_receiver_too_slow", `${row.url} did not answer in time`);
    return [];
  });
}
