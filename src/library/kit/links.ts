import { documents, type Tenant } from "../../service/service.ts";
import { SettingsError } from "../errors.ts";
import { named } from "./options.ts";

const METHOD = "documents.link";

/** @throws SettingsError */
export function linkOf({ world }: Tenant, id: string, recipient: string): string {
  const document = named(METHOD, () => documents.require(world, id));
  const link = documents.recipientLink(world, document, String(recipient));
  if (link !== undefined) return link;
  throw new SettingsError(
    `${METHOD}: the document has no recipient ${JSON.stringify(recipient)}; it has ${documents.recipientNames(document)}`,
  );
}
