/** Documents as the engine sees them: the subjects of calls, rules and actors. */
import { own } from "../../engine/core/maps.ts";
import type { RequestContext } from "../../engine/rules/rules.ts";
import { deleteUnchecked } from "../nouns/documents/update.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import { findDocument, requireDocument } from "../nouns/documents/row.ts";
import { NOT_PROCESSED, NOT_READY } from "../nouns/documents/transitions.ts";
import { documentLocked, wrongStatus } from "../kit/errors.ts";
import { STATUSES } from "../nouns/documents/status-machine.ts";
import type { World } from "../kit/world.ts";

const METADATA = "metadata.";
/** The member of a document's metadata that asks for faults. */
const FAULTS = "docdouble";

export const subjects = {
  find: ({ store }: World, id: string): DocumentRow | undefined => store.documents.get(id),
  live: (world: World, id: string): DocumentRow | undefined => findDocument(world, id),
  require: (world: World, id: string): DocumentRow => requireDocument(world, id),
  all: ({ store }: World): readonly DocumentRow[] => store.documents.all().filter((row) => row.internal.deleted_at === null),
  count: ({ store }: World): number => store.documents.size,
  every: ({ store }: World): readonly DocumentRow[] => [...store.documents.all()].sort((a, b) => a.date_created - b.date_created),
  describe: ({ name, template, metadata, internal }: DocumentRow) => ({
    name,
    path: internal.path,
    origin: template?.id ?? null,
    metadata,
    isDeleted: internal.deleted_at !== null,
  }),
  creators: ["createDocument", "createDocumentFromUpload", "createDocumentFromMarkdownUpload"],
  parameterOf: (path: string): string | undefined => /\/documents\/\{(id|document_id)\}/.exec(path)?.[1],
  attributes,
  attributesOfInput,
  remove: (world: World, row: DocumentRow): void => deleteUnchecked(world, row),
  delayProcessing({ jobs }: World, { id, status }: DocumentRow, wait_ms: number): boolean {
    if (status !== "document.uploaded") return false;
    jobs.cancelWhere("convert_document", { document: id });
    jobs.schedule("convert_document", wait_ms, { document: id });
    return true;
  },
  // The service's usual text is about an uploaded document, so the status matches it. Another text shows the true status.
  conflict(row: DocumentRow | undefined, { detail, operation }: { detail?: string; operation?: string }, why: string) {
    // assumed: send.not_ready.
    const isSendOfDraft = operation === "sendDocument" && row?.status === "document.draft";
    const message = detail ?? (isSendOfDraft ? NOT_READY : NOT_PROCESSED);
    const status = message === NOT_PROCESSED ? undefined : row?.status;
    return wrongStatus({ id: row?.id ?? "", status: status ?? "document.uploaded" }, message, why);
  },
  locked(
    { store, caller }: World,
    { by, expires_at, detail }: { by?: string; expires_at: number; detail?: string },
    why: string,
  ) {
    const locked_by_user_id = (by === undefined ? undefined : store.members.get(by)?.user_id) ?? by ?? caller.user_id;
    return documentLocked({ locked_by_user_id, lock_type: "wopi_editing", expires_at }, why, detail);
  },
  faults({ metadata, internal }: DocumentRow) {
    const wanted = metadata[FAULTS];
    if (wanted === undefined) return undefined;
    return { wanted, given: internal.faults_given, rule: METADATA + FAULTS, why: "asked for by the metadata" };
  },
  withFaultGiven({ store }: World, row: DocumentRow): void {
    store.documents.put({ ...row, internal: { ...row.internal, faults_given: row.internal.faults_given + 1 } });
  },
  isStatus: (name: string): boolean => (STATUSES as readonly string[]).includes(name) || name === "document.deleted",
  // The call that creates a document shows its first status.
  isFirstStatus: (status: string): boolean => status === "document.uploaded",
  otherWords: { expired: "document.voided", signed: "document.completed" },
  deadEnds: ["document.error", "document.declined", "document.voided"],
  notProcessed: NOT_PROCESSED,
};

function attributes(document: DocumentRow): RequestContext {
  return (name) => {
    if (name.startsWith(METADATA)) return own(document.metadata, name.slice(METADATA.length));
    switch (name) {
      case "as":
        return document.internal.alias ?? undefined;
      case "id":
        return document.id;
      case "name":
        return document.name;
      case "status":
        return document.status;
      case "tag":
        return document.tags;
      case "template":
        return document.template ? [document.template.id, document.template.name] : undefined;
      default:
        return undefined;
    }
  };
}

function attributesOfInput(input: {
  metadata?: unknown;
  name?: unknown;
  tags?: unknown;
  template_uuid?: unknown;
}): RequestContext {
  return (name) => {
    if (name.startsWith(METADATA))
      return (input.metadata as Record<string, unknown> | null | undefined)?.[name.slice(METADATA.length)];
    if (name === "name") return input.name;
    if (name === "tag") return input.tags;
    if (name === "template") return input.template_uuid;
    return undefined;
  };
}
