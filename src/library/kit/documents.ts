import { type DocumentRow, documents, type Tenant } from "../../service/service.ts";
import { plainCopy } from "../../engine/core/lazy-list.ts";
import { checked, named } from "./options.ts";
import type { NewDocument } from "./types.ts";

const METHOD = "documents.create";
const DOCUMENT = { name: "the document", is: 'is an object such as { status: "document.sent" }', schema: documents.wish };

/** @throws SettingsError */
export async function createDocument(tenant: Tenant, input: NewDocument): Promise<string> {
  const wish = checked(METHOD, input, DOCUMENT);
  try {
    return await documents.create(tenant, wish);
  } catch (error) {
    return named(METHOD, () => {
      throw error;
    });
  }
}

/** A copy, because documents share parts with each other, and printing a lazy list would show no items. */
export function toSandboxDocument(row: DocumentRow): DocumentRow {
  return plainCopy(row);
}
