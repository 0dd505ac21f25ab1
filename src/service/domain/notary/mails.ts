import { mail } from "../mails/mails.ts";
import type { World } from "../../model/world.ts";
import type { NotarizationRow } from "../../model/notary/rows.ts";
import { findDocument } from "../document-model/find.ts";
import { findPerson, fullName } from "../members/members.ts";

type Invitee = NotarizationRow["invitees"][number];

/** The session takes place on the service's own page. */
export function linkOfInvitee({ id }: NotarizationRow, invitee: Invitee): string {
  return `https://notarize.pandadoc.com/session-request#/?requestId=${id}&inviteeId=${invitee.id}`;
}

/** Source: the official description: invitees get an invitation, and the notary too. assumed: notary.mails. */
export function mailNotaryInvitations(world: World, row: NotarizationRow): void {
  mailInvitees(world, row, (invitee) => ({ message: row.message, link: linkOfInvitee(row, invitee) }));
  const notary = row.notary && world.store.notaries.get(row.notary.id);
  if (notary) send(world, row, { email: notary.email, name: notary.name ?? notary.email }, { message: row.notary?.message });
}

/** Source: the official description: invitees hear of a deletion, unless the request disabled their mails. */
export function mailNotaryDeletion(world: World, row: NotarizationRow): void {
  const subject = `The notarization of "${row.name}" was deleted`;
  mailInvitees(world, row, () => ({ subject, message: `${subject}.` }));
}

/** Source: the official description: the author gets a mail with a link to the notarized document. */
export function mailNotaryResult(world: World, row: NotarizationRow, link: string): void {
  const author = findPerson(world, row.created_by)?.user;
  const subject = `The notarization of "${row.name}" is completed`;
  if (author) send(world, row, { email: author.email, name: fullName(author) }, { subject, message: `${subject}.`, link });
}

interface Words {
  subject?: string;
  message?: string | null | undefined;
  link?: string;
}

function mailInvitees(world: World, row: NotarizationRow, words: (invitee: Invitee) => Words): void {
  if (row.disable_invitees_notifications) return;
  for (const invitee of row.invitees) send(world, row, { email: invitee.email, name: fullName(invitee) }, words(invitee));
}

function send(world: World, row: NotarizationRow, to: { email: string; name: string }, words: Words): void {
  const document = findDocument(world, row.document_id);
  mail(world, { kind: "notarization", to, ...(document && { document }), ...words });
}
