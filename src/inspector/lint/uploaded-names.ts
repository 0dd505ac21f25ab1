import { escapePointer, fixOf } from "../../service/domain/content/unknown-names.ts";
import type { DocumentRow } from "../../service/model/documents/document.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import type { Tenant } from "../../service/service.ts";
import { createdId } from "./duplicate-creates.ts";
import type { Found } from "./found.ts";
import { makeRoom } from "../../engine/core/maps.ts";

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
    if (!row || Object.keys(declaredOf(row)).length === 0) return;
    makeRoom(this.#waiting, WAITING_MAX);
    this.#waiting.set(row.id, { entry, nth });
  }

  finished(): (Upload & { found: Found })[] {
    return [...this.#waiting].flatMap(([id, upload]) => {
      const row = this.#tenant.store.documents.get(id);
      if (row?.status === "document.uploaded") return [];
      this.#waiting.delete(id);
      if (!row || row.status === "document.error") return [];
      return unknownNames(row).map((found) => ({ ...upload, found }));
    });
  }
}

function declaredOf({ internal: { source } }: DocumentRow): object {
  return "fields" in source ? source.fields : {};
}

function unknownNames(row: DocumentRow): Found[] {
  const known = row.fields.flatMap((field) => [field.field_id, field.name, field.merge_field]);
  return Object.keys(declaredOf(row))
    .filter((name) => !known.includes(name))
    .map((name) => ({
      kind: "unknown_document_field",
      message: `The file of "${row.name}" has no field "${name}", so the service ignored it`,
      fix: fixOf(
        "field",
        name,
        row.fields.map((field) => field.field_id),
      ),
      document_id: row.id,
      pointer: `/fields/${escapePointer(name)}`,
    }));
}
