import type { JournalEntry } from "../../engine/journal/journal.ts";
import { type DocumentRow, type Tenant, checks } from "../../service/service.ts";
import { createdId } from "./duplicate-creates.ts";
import type { Found } from "./found.ts";
import { makeRoom } from "../../engine/core/maps.ts";
import { escapePointer } from "../../engine/core/text.ts";

const WAITING_MAX = 1000;

interface Upload {
  entry: JournalEntry;
  nth: number;
}

export class UploadedNames {
  readonly #tenant: Tenant;
  readonly #waiting = new Map<string, Upload>();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  see(entry: JournalEntry, nth: number): void {
    if (entry.own !== 201 || entry.injected) return;
    if (entry.operationId !== "createDocument" && entry.operationId !== "createDocumentFromUpload") return;
    const id = createdId(entry);
    const row = id === undefined ? undefined : this.#tenant.store.documents.get(id);
    if (!row || row.internal.source.kind === "template") return;
    makeRoom(this.#waiting, WAITING_MAX);
    this.#waiting.set(row.id, { entry, nth });
  }

  /** A full list first needs `finished`. */
  get isFull(): boolean {
    return this.#waiting.size >= WAITING_MAX;
  }

  finished(): (Upload & { found: Found })[] {
    return [...this.#waiting].flatMap(([id, upload]) => {
      const row = this.#tenant.store.documents.get(id);
      if (row?.status === "document.uploaded") return [];
      this.#waiting.delete(id);
      if (!row || row.status === "document.error") return [];
      return [...unknownNames(row), ...strangeValues(row), ...droppedTags(row)].map((found) => ({ ...upload, found }));
    });
  }
}

function declaredOf({ internal: { source } }: DocumentRow): object {
  return "fields" in source ? source.fields : {};
}

function unknownNames(row: DocumentRow): Found[] {
  const dropped = row.internal.dropped_tags.map(({ id }) => id);
  const known = [...dropped, ...row.fields.flatMap((field) => [field.field_id, field.name, field.merge_field])];
  return Object.keys(declaredOf(row))
    .filter((name) => !known.includes(name))
    .map((name) => ({
      kind: "unknown_document_field",
      message: `The file of "${row.name}" has no field "${name}", so the service ignored it`,
      fix: checks.fixOf(
        "field",
        name,
        row.fields.map((field) => field.field_id),
      ),
      document_id: row.id,
      pointer: `/fields/${escapePointer(name)}`,
    }));
}

/** The answer came before the file was read, so nothing refused these values. */
function strangeValues(row: DocumentRow): Found[] {
  const declared = new Map(Object.entries(declaredOf(row)));
  return row.fields.flatMap((field): Found[] => {
    const value = declared.get(field.field_id)?.value;
    if (value === undefined || value === null || value === "" || checks.takesValue(field, value)) return [];
    return [
      {
        kind: "doubtful_value",
        message: `The field "${field.field_id}" of "${row.name}" has the type ${field.type}, which does not take the value ${JSON.stringify(value)}`,
        fix: `Leave the value out, or send one that a field of the type ${field.type} takes.`,
        document_id: row.id,
        pointer: `/fields/${escapePointer(field.field_id)}/value`,
      },
    ];
  });
}

/** The service drops these tags without an error. */
function droppedTags(row: DocumentRow): Found[] {
  const roles = row.recipients.flatMap((recipient) => recipient.roles);
  return row.internal.dropped_tags.map(({ id, type, role, cause }) => {
    const tag = `The file of "${row.name}" has a field tag "${type}"${id === "" ? "" : ` with the id "${id}"`}`;
    const place = { document_id: row.id };
    if (cause === "undeclared")
      return {
        kind: "unknown_document_field",
        message: `${tag}, which fields does not declare, so the service dropped it`,
        fix: `Declare "${id}" in fields, or remove the tag.`,
        ...place,
      };
    if (cause === "no_role")
      return {
        kind: "unknown_role",
        message: `${tag} and no role, so the service dropped it`,
        fix: "Write the role of a recipient into the tag.",
        ...place,
      };
    return {
      kind: "unknown_role",
      message: `${tag} and the role "${role}", which no recipient has, so the service dropped it`,
      fix: checks.fixOf("role", role, roles),
      ...place,
    };
  });
}
