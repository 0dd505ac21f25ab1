import { sharedLink } from "../nouns/documents/view.ts";
import { findParticipant, participantNames } from "../nouns/people/participants.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import type { World } from "../kit/world.ts";

/** The address of a recipient's signing page. `reference` is a role, an address or an id. Undefined for an unknown recipient. */
export function recipientLink(world: World, document: DocumentRow, reference: string): string | undefined {
  const found = findParticipant(document, reference);
  return found && sharedLink(world, found.member?.link_token ?? found.recipient.internal.link_token);
}

/** How a reference may name the recipients of the document. */
export function recipientNames(document: DocumentRow): string {
  return [...document.recipients.flatMap((one) => one.roles), participantNames(document)].join(", ");
}
