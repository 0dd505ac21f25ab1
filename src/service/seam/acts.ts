/** What recipients and approvers do, as the engine sees it. */
import { act, actingParticipant, toActResult } from "../domain/signing/act-table.ts";
import { type Participant as Person, participantsOf } from "../domain/recipients/recipients.ts";
import { actOf } from "../domain/signing/test-addresses.ts";
import type { DocumentRow } from "../model/documents/document.ts";
import { ACT_INPUT, type ActInput, actInput } from "../model/signing/inputs.ts";
import type { Happening, World } from "../model/world.ts";
import { ACTS, type Act } from "../model/signing/acts.ts";

export const acts = {
  names: ACTS,
  input: actInput,
  members: ACT_INPUT,
  perform: (world: World, subject: string, name: Act, input: ActInput): DocumentRow => act(world, subject, name, input),
  result: toActResult,
  participantsOf: (row: DocumentRow) => participantsOf(row).map((one) => toParticipant(one)),
  turnsOf: (event: Happening) => peopleOf(event).map((one) => toParticipant(one, emailOf(one)?.toLowerCase() ?? null)),
  asked,
  actingParticipant(row: DocumentRow, reference: unknown) {
    const found = actingParticipant(row, reference as string | undefined);
    return found && toParticipant(found);
  },
};

function peopleOf({ name, turns = [] }: Happening): Person[] {
  return name === "turns_began" ? participantsOf({ recipients: [...turns] }) : [];
}

function emailOf({ recipient, member }: Person): string | null {
  return (member ?? recipient).email;
}

function toParticipant(person: Person, email = emailOf(person)) {
  const { recipient, member } = person;
  return {
    id: (member ?? recipient).id,
    facts: { id: member ? [member.id, recipient.id] : [recipient.id], role: recipient.roles, email },
    label: recipient.roles[0] ?? recipient.email ?? "",
  };
}

/** Addresses such as `pat+sign@example.test` ask for acts. Payments follow the signatures, other acts the turn. */
function asked({ store }: World, event: Happening) {
  const isPayment = event.name === "document.waiting_pay";
  const document = isPayment ? store.documents.get(event.subject) : undefined;
  return (document ? participantsOf(document) : peopleOf(event)).flatMap((person) => {
    const email = emailOf(person);
    const wanted = actOf({ email });
    if (!wanted || (wanted.act === "pay") !== isPayment) return [];
    return [{ actor: email ?? "", participant: (person.member ?? person.recipient).id, ...wanted }];
  });
}
