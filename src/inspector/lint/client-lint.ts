/** Client lint. It reads the journal when somebody asks, and nothing during a call. */
import { hash } from "node:crypto";
import { getOrMake } from "../../engine/core/maps.ts";
import { FORGERIES, type Signing } from "../../engine/jobs/delivery-types.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { droppedNote } from "../../engine/runtime/dropped.ts";
import type { Tenant } from "../../service/service.ts";
import type { LintFinding, LintPlace } from "./finding.ts";
import { createdId, RULES } from "./many-calls.ts";
import { type Found, lintCall } from "./one-call.ts";
import { docsOf, FINDINGS } from "./records.ts";

const ENTRIES_MAX = 100;

/** A call never changes, so what its own rules find stays. */
const read = new WeakMap<JournalEntry, { found: Found[]; key: string }>();

export function lintClient(tenant: Tenant): LintFinding[] {
  const findings = new Map<string, LintFinding>();
  const add = ({ kind, key, message, fix = FINDINGS[kind].fix, before = [] }: Found, id: string, place: () => LintPlace) => {
    const known = getOrMake(findings, `${kind} ${key ?? message}`, () => ({
      ...{ kind, message, fix, docs: docsOf(kind), place: place(), times: 0, entries: [] },
    }));
    known.times++;
    known.message = message;
    if (known.entries.length < ENTRIES_MAX)
      known.entries = [...new Set([...known.entries, ...before.slice(-ENTRIES_MAX), id])].slice(0, ENTRIES_MAX);
  };
  const { journal, store } = tenant;
  const walls = journal.wallTimesSince(0);
  const rules = RULES.map((rule) => rule(tenant));
  const counts = new Map<string, number>();
  for (const [i, entry] of journal.all().entries()) {
    const { found, key } = getOrMake(read, entry, () => ({ found: lintCall(entry, tenant), key: keyOf(entry) }));
    const { operationId, page } = entry;
    const isCall = operationId !== undefined && !page;
    const nth = isCall ? (counts.get(operationId) ?? 0) + 1 : 0;
    if (isCall) counts.set(operationId, nth);
    const addAll = (all: readonly Found[]) => {
      for (const one of all) add(one, entry.id, () => placeOf(tenant, one, entry, nth));
    };
    addAll(found);
    if (isCall) for (const rule of rules) addAll(rule({ entry, key, wall: walls[i] as number }));
  }
  for (const row of store.deliveries.all())
    for (const one of receiverFindings(row)) add(one, row.id, () => ({ receiver: row.url, document_id: row.subject }));
  return [...findings.values()];
}

/** `unread` says why the list may lack findings. An empty list proves nothing then. */
export function lintReport(tenant: Tenant): { findings: LintFinding[]; unread: string | undefined } {
  return { findings: lintClient(tenant), unread: droppedNote(tenant, "requests") ?? droppedNote(tenant, "deliveries") };
}

const KEY_BODY_MAX = 1000;

/** A hash keeps keys of long bodies short. It costs more than a short body. */
function keyOf({ caller, operationId, url, body }: JournalEntry): string {
  return `${caller?.key} ${operationId} ${url} ${body.length > KEY_BODY_MAX ? hash("sha1", body, "base64") : body}`;
}

function placeOf({ store }: Tenant, found: Found, entry: JournalEntry, nth: number): LintPlace {
  const { operationId, method, path, subject } = entry;
  const document = store.documents.get(found.document_id ?? subject ?? createdId(entry) ?? "");
  return {
    ...(operationId === undefined ? {} : { operation: operationId, nth }),
    call: `${method} ${path}`,
    ...(document && { document_id: document.id, document: document.name }),
    ...(found.pointer === undefined ? {} : { pointer: found.pointer }),
  };
}

const SIGNED_WORDS: Partial<Record<Signing, string>> = { similar: "right in its first half alone", short: "cut off" };

function receiverFindings({ url, attempts }: DeliveryRow): Found[] {
  return attempts.flatMap(({ signed, status, reason, error, duration_ms }): Found[] => {
    const isForged = (FORGERIES as readonly Signing[]).includes(signed);
    const answered = `${url} answered ${status} to a delivery`;
    if (isForged && reason === null && status !== null && status < 400)
      return [{ kind: "forged_webhook_accepted", message: `${answered} whose signature was ${SIGNED_WORDS[signed] ?? signed}` }];
    if (signed === "valid" && reason === null && (status === 401 || status === 403))
      return [
        {
          kind: "genuine_webhook_refused",
          message: `${answered} with the right signature, which is in the query parameter signature`,
        },
      ];
    if (error === "TIMEOUT_ERROR" && duration_ms > 0)
      return [{ kind: "webhook_receiver_too_slow", message: `${url} did not answer in time` }];
    return [];
  });
}

/** Sends each receiver its latest delivery again with wrong signatures. Returns a finding for each copy that it accepts. */
export async function probeSignatures(tenant: Tenant): Promise<LintFinding[]> {
  const { store, outbox, clock } = tenant;
  const latest = new Map<string, DeliveryRow>();
  for (const row of store.deliveries.all())
    if (row.state === "delivered" && row.attempts.at(-1)?.signed === "valid") latest.set(row.subscriber, row);
  const copies = store.transaction(() =>
    [...latest.values()].flatMap((row) => FORGERIES.map((signed) => outbox.forge(row, signed))),
  );
  await clock.settle();
  const ids = new Set(copies.map((row) => row.id));
  return lintClient(tenant).filter((finding) => finding.entries.some((id) => ids.has(id)));
}
