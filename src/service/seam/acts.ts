/** What recipients and approvers do, as the engine sees it. */
import { act, actingParticipant, toActResult } from "../domain/signing/act-table.ts";
import { type Participant as Person, participantsOf } from "../domain/recipients/recipients.ts";
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
  participantsOf: (row: DocumentRow) => participantsOf(row).map(toParticipant),
  turnsOf: ({ name, turns = [] }: Happening) =>
    name === "turns_began" ? participantsOf({ recipients: [...turns] }).map(toParticipant) : [],
  actingParticipant(row: DocumentRow, reference: unknown) {
    const found = actingParticipant(row, reference as string | undefined);
    return found && toParticipant(found);
  },
  isPaymentDue: (event: string): boolean => event === "document.waiting_pay",
};

function toParticipant({ recipient, member }: Person) {
  return {
    id: (member ?? recipient).id,
    ids: member ? [member.id, recipient.id] : [recipient.id],
    roles: recipient.roles,
    email: (member ?? recipient).email,
    label: recipient.roles[0] ?? recipient.email ?? "",
  };
}
