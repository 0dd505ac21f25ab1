/** What recipients and approvers do, as the engine sees it. */
import type { ActInput } from "../nouns/signing/acts.ts";
import { ACT_INPUT, act, actInput, actingParticipant, toActResult } from "../nouns/signing/acts.ts";
import type { Participant as Person } from "../nouns/people/recipients.ts";
import { participantName, participantsOf } from "../nouns/people/participants.ts";
import { actOf } from "../nouns/signing/test-addresses.ts";
import type { DocumentRow } from "../nouns/documents/row.ts";
import type { PersonAct } from "../../engine/runtime/world.ts";
import type { Happening, World } from "../kit/world.ts";
import type { Act } from "../kit/names.ts";
import { ACTS } from "../kit/names.ts";

export const acts = {
  does: 'Lets a recipient, an approver or the service act, such as `view`, `sign`, `approve`, `pay`, `expire` or `fail`. `docdouble schema scenario` lists all acts. `recipient` is the id, email or role of a recipient or group member. By default the next recipient acts. `fill` and `sign` take `fields` by name, and `pricing` for optional rows and quantities: `{"Toy": {"selected": true, "qty": 3}}`. For a `collect_file` field, send a file name. `forward` takes `to`, and with `to.reassign: true` the receiver also gets the fields. `schedule` sends the document later: `{"at": "2h"}`, or an instant. docdouble refuses unknown inputs.',
  names: ACTS,
  input: actInput,
  members: ACT_INPUT,
  perform: (world: World, subject: string, name: Act, input: ActInput): DocumentRow => act(world, subject, name, input),
  result: toActResult,
  participantsOf: (row: DocumentRow) => participantsOf(row).map((one) => toParticipant(one)),
  told,
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

const ACT_WORDS: Readonly<Record<string, string>> = {
  4: "approved",
  5: "rejected",
  8: "viewed",
  9: "signed",
  11: "paid",
  12: "forwarded",
  17: "failed to pay",
  20: "paid",
  23: "reassigned",
  29: "suggested changes to",
  43: "declined",
  comment: "commented on",
};
const PASSED: readonly number[] = [47, 48, 49, 50, 69];
const FAILED: readonly number[] = [51, 52, 53, 54, 70];

/** Numbers are codes of the audit trail. */
function actWord(action: number | "comment"): string | undefined {
  if (typeof action === "number" && PASSED.includes(action)) return "passed the identity check of";
  if (typeof action === "number" && FAILED.includes(action)) return "failed the identity check of";
  return ACT_WORDS[action];
}

function told(document: DocumentRow | undefined, { action, by }: PersonAct): { by: string; did: string } | undefined {
  const did = actWord(action);
  if (did === undefined) return undefined;
  const person = document && participantsOf(document).find((one) => emailOf(one) === by);
  return { by: person ? participantName(person) : by || "somebody", did };
}
