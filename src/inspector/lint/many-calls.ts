/** Rules of client lint that compare calls, and the ones that wait for a file. They read the whole journal, oldest call first. */
import { getOrMake } from "../../engine/core/maps.ts";
import { escapePointer } from "../../engine/core/text.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { checks, type DocumentRow, type Environment, type FieldRow, type Tenant } from "../../service/service.ts";
import type { Found } from "./one-call.ts";

export interface Heard {
  entry: JournalEntry;
  /** Equal calls have equal keys. */
  key: string;
  /** The wall clock's time at which the call ended, epoch ms. NaN for a restored call. */
  wall: number;
}

/** Makes a rule, which gets one call after the other. */
type Rule = (tenant: Tenant) => (call: Heard) => Found[];

/** A waiting client that reads again within these milliseconds is too eager. assumed: lint.poll_interval. */
const POLL_MS_MIN = 500;
const HASTY_MIN = 3;
/** A timer of Node counts from the beginning of its turn. So a client that waits as long as the answer asks can be some milliseconds early. */
const EARLY_MS_MAX = 100;
/** More reads than this at one instant of the clock count as an endless loop. */
const POLLS_AT_ONCE_MAX = 20;
/** An event and the calls of its handler. */
const HANDLING_MS = 1000;
const MINUTE_MS = 60_000;

const WAITING: Readonly<Record<string, RegExp>> = {
  statusDocument: /"document\.uploaded"/,
  statusTemplate: /"template\.UPLOADED"/,
  sectionDetails: /"document_sections_upload\.UPLOADED"/,
};

/** The answer says that the service still works. */
function isWaiting({ operationId = "", status, responseBody }: JournalEntry): boolean {
  return status === 202 || (status === 200 && (WAITING[operationId]?.test(responseBody) ?? false));
}

/** The longer time of the two clocks. Undefined when the wall clock is unknown and the other one stands. */
function between(one: Heard, next: Heard): number | undefined {
  const onClock = next.entry.at - one.entry.at;
  const onWall = next.wall - one.wall;
  if (Number.isNaN(onWall)) return onClock > 0 ? onClock : undefined;
  return Math.max(onClock, onWall);
}

const ignoredWaits: Rule = (tenant) => {
  const latest = new Map<string, Heard>();
  return (call) => {
    const one = latest.get(call.key);
    latest.set(call.key, call);
    if (!one) return [];
    const { at, took_ms, id, networkFault, responseHeaders } = one.entry;
    const wait_s = Number(responseHeaders["retry-after"] ?? 0);
    // A client that lost the answer, or repeated before the answer, could not know the delay.
    if (networkFault !== undefined || !(wait_s > 0) || call.entry.at < at + took_ms) return [];
    const passed = between(one, call);
    if (passed === undefined || passed + EARLY_MS_MAX >= wait_s * 1000 || mayBeTwoHandlers(tenant, at, call.entry.at)) return [];
    return [
      {
        kind: "retry_after_ignored",
        message: `${call.entry.operationId} was repeated ${call.entry.at - at} ms after an answer that asked for ${wait_s} s`,
        fix: `Wait ${wait_s} s before you repeat the call.`,
        before: [id],
        key: id,
      },
    ];
  };
};

/** An event that comes twice has two handlers, and the second one does not know the answer of the first. */
function mayBeTwoHandlers({ store }: Tenant, from: number, to: number): boolean {
  const times = new Map<string, number>();
  for (const { event_id, attempts } of store.deliveries.all()) {
    const near = attempts.filter(({ at }) => at >= from - HANDLING_MS && at <= to).length;
    times.set(event_id, (times.get(event_id) ?? 0) + near);
  }
  return [...times.values()].some((count) => count > 1);
}

const hastyPolls: Rule = ({ clock }) => {
  const groups = new Map<string, { last: Heard; hasty: string[]; standing: string[] }>();
  return (call) => {
    const { entry, key } = call;
    if (entry.method !== "GET") return [];
    const { last, hasty, standing } = getOrMake(groups, key, () => ({ last: call, hasty: [], standing: [] }));
    groups.set(key, { last: call, hasty, standing });
    if (last === call || !isWaiting(entry) || !isWaiting(last.entry)) return [];
    const passed = between(last, call);
    if (passed === undefined || passed >= POLL_MS_MIN) return [];
    const isStanding = entry.at === last.entry.at || clock.mode === "auto";
    (isStanding ? standing : hasty).push(entry.id);
    const found = (ids: string[], name: string, how: string): Found[] => [
      {
        kind: "polling_too_fast",
        message: `${entry.operationId} was polled ${ids.length} times ${how}; a sandbox key allows ten calls a minute`,
        key: `${name} ${entry.caller?.key} ${entry.url}`,
        before: ids,
      },
    ];
    if (hasty.length >= HASTY_MIN) return found(hasty, "hasty", `less than ${POLL_MS_MIN} ms apart`);
    return standing.length > POLLS_AT_ONCE_MAX ? found(standing, "standing", "while the clock did not move") : [];
  };
};

const tooManyReads: Rule = () => {
  const groups = new Map<string, number[]>();
  return ({ entry, key }) => {
    const { at, caller, operationId = "", method, status, url } = entry;
    const environment = caller?.environment as Environment | undefined;
    if (method !== "GET" || environment === undefined || status === 429) return [];
    const minute = getOrMake(groups, key, () => []);
    while (minute.length > 0 && (minute[0] as number) <= at - MINUTE_MS) minute.shift();
    if (minute.at(-1) !== at) minute.push(at);
    const { limit } = checks.rateLimitOf("production", environment, operationId, () => false) ?? {};
    if (limit === undefined || minute.length <= limit) return [];
    return [
      {
        kind: "polling_too_fast",
        message: `${operationId} read the same thing more than ${limit} times in a minute; a ${environment} key allows ${limit}`,
        fix: "Wait longer between reads, or subscribe to webhooks.",
        key: `limit ${caller?.key} ${url}`,
      },
    ];
  };
};

const NOUNS = {
  documents: "documents",
  templates: "templates",
  library_items: "content library items",
  attachments: "attachments",
} as const;
const CREATES: Readonly<Record<string, keyof typeof NOUNS>> = {
  createDocument: "documents",
  createDocumentFromUpload: "documents",
  createDocumentFromMarkdownUpload: "documents",
  createTemplate: "templates",
  createTemplateWithUpload: "templates",
  createContentLibraryItem: "library_items",
  createContentLibraryItemFromUpload: "library_items",
  createDocumentAttachment: "attachments",
  createDocumentAttachmentFromFileUpload: "attachments",
};
const SAME_CREATE_MS = 600_000;

const duplicateCreates: Rule = (tenant) => {
  const alike = new Map<string, JournalEntry[]>();
  return ({ entry, key }) => {
    const table = CREATES[entry.operationId ?? ""];
    if (table === undefined || (entry.own !== 201 && entry.own !== 200)) return [];
    const before = getOrMake(alike, key, () => []);
    const counts = (other: JournalEntry) => entry.at - other.at < SAME_CREATE_MS && !isGone(tenant, table, other, entry.at);
    // A deleted or failed one never counts again.
    while (before[0] && !counts(before[0])) before.shift();
    const [first] = before;
    before.push(entry);
    if (!first) return [];
    const lost = first.injected ? ", after the first answer was lost or replaced" : "";
    const message = `the same ${entry.operationId} took effect twice: two ${NOUNS[table]} exist${lost}`;
    return [{ kind: "duplicate_create", message, before: [first.id], key: first.id }];
  };
};

function isGone({ store }: Tenant, table: keyof typeof NOUNS, create: JournalEntry, instant: number): boolean {
  const id = create.injected ? undefined : createdId(create);
  if (id === undefined) return false;
  const row = store[table].get(id);
  if (!row) return true;
  // An attachment's row exists only until its removal.
  if (!("internal" in row)) return false;
  const { deleted_at } = row.internal;
  return (
    (/[.](?:error|ERROR)$/.test(row.status) && row.date_modified <= instant) || (deleted_at !== null && deleted_at <= instant)
  );
}

export function createdId({ responseBody }: JournalEntry): string | undefined {
  return /"(?:uu)?id":"([^"]+)"/.exec(responseBody)?.[1];
}

/** The answer came before the file was read, so nothing refused its names and values. */
const uploads: Rule = ({ store }) => {
  return ({ entry }) => {
    if (entry.own !== 201 || entry.injected || !/^createDocument(?:FromUpload)?$/.test(entry.operationId ?? "")) return [];
    const row = store.documents.get(createdId(entry) ?? "");
    const isRead = row && row.status !== "document.uploaded" && row.status !== "document.error";
    if (!isRead || row.internal.source.kind === "template") return [];
    return [...unknownNames(row), ...strangeValues(row), ...droppedTags(row)].map((found) => ({ ...found, document_id: row.id }));
  };
};

function declaredIn({ internal: { source } }: DocumentRow): Readonly<Record<string, { value?: FieldRow["value"] }>> {
  return "fields" in source ? source.fields : {};
}

function unknownNames(row: DocumentRow): Found[] {
  const ids = row.fields.map((field) => field.field_id);
  const dropped = row.internal.dropped_tags.map(({ id }) => id);
  const known = [...ids, ...dropped, ...row.fields.flatMap((field) => [field.name, field.merge_field])];
  return Object.keys(declaredIn(row))
    .filter((name) => !known.includes(name))
    .map((name) => ({
      kind: "unknown_document_field",
      message: `The file of "${row.name}" has no field "${name}", so the service ignored it`,
      fix: checks.fixOf("field", name, ids),
      pointer: `/fields/${escapePointer(name)}`,
    }));
}

function strangeValues(row: DocumentRow): Found[] {
  const declared = declaredIn(row);
  return row.fields.flatMap((field): Found[] => {
    const { field_id, type } = field;
    const value = Object.hasOwn(declared, field_id) ? declared[field_id]?.value : undefined;
    if (value === undefined || value === null || value === "" || checks.takesValue(field, value)) return [];
    return [
      {
        kind: "doubtful_value",
        message: `The field "${field_id}" of "${row.name}" has the type ${type}, which does not take the value ${JSON.stringify(value)}`,
        fix: `Leave the value out, or send one that a field of the type ${type} takes.`,
        pointer: `/fields/${escapePointer(field_id)}/value`,
      },
    ];
  });
}

/** The service drops these tags without an error. */
function droppedTags(row: DocumentRow): Found[] {
  const roles = row.recipients.flatMap((recipient) => recipient.roles);
  return row.internal.dropped_tags.map(({ id, type, role, cause }): Found => {
    const tag = `The file of "${row.name}" has a field tag "${type}"${id === "" ? "" : ` with the id "${id}"`}`;
    const end = "so the service dropped it";
    if (cause === "undeclared") {
      const message = `${tag}, which fields does not declare, ${end}`;
      return { kind: "unknown_document_field", message, fix: `Declare "${id}" in fields, or remove the tag.` };
    }
    const kind = "unknown_role";
    if (cause === "no_role")
      return { kind, message: `${tag} and no role, ${end}`, fix: "Write the role of a recipient into the tag." };
    return {
      kind,
      message: `${tag} and the role "${role}", which no recipient has, ${end}`,
      fix: checks.fixOf("role", role, roles),
    };
  });
}

export const RULES: readonly Rule[] = [ignoredWaits, hastyPolls, tooManyReads, duplicateCreates, uploads];
