import type { Tenant } from "../../service/service.ts";
import { requireDocument } from "../../service/domain/document-model/find.ts";
import { sharedLink } from "../../service/domain/document-model/view.ts";
import { findParticipant, participantNames } from "../../service/domain/recipients/recipients.ts";
import { SettingsError } from "../errors.ts";
import { named } from "./options.ts";

const METHOD = "documents.link";

/** @throws SettingsError */
export function linkOf({ world }: Tenant, id: string, recipient: string): string {
  const document = named(METHOD, () => requireDocument(world, id));
  const found = findParticipant(document, String(recipient));
  if (found) return sharedLink(world, found.member?.link_token ?? found.recipient.internal.link_token);
  const roles = document.recipients.flatMap((one) => one.roles);
  throw new SettingsError(
    `${METHOD}: the document has no recipient ${JSON.stringify(recipient)}; it has ${[...roles, participantNames(document)].join(", ")}`,
  );
}
