/** Contact groups come from fixtures: the service creates them in its own pages. */
import { invalid } from "../../../engine/core/errors.ts";
import { addRecipient } from "../recipients/recipients.ts";
import type { ContactInput } from "../../model/recipients/inputs.ts";
import type { World } from "../../model/world.ts";
import type { RecipientRow } from "../../model/recipients/rows.ts";
import type { ContactGroupRow, ContactRow } from "../../model/contacts/rows.ts";

export interface Party {
  id: string;
  label: string;
  /** Takes over role, order and delivery of `previous`. Identity checks start anew. */
  toRecipient(previous: Partial<RecipientRow>): RecipientRow;
}

/** @throws 400. assumed: contacts.unknown_in_body. */
export function requireParty(world: World, input: ContactInput): Party {
  const isOwn = (row: { workspace_id: string } | undefined) => row?.workspace_id === world.caller.workspace_id;
  if (input.kind === "contact") {
    const contact = world.store.contacts.get(input.id);
    if (contact && isOwn(contact))
      return {
        id: contact.id,
        label: contact.email ?? contact.id,
        toRecipient: (previous) => newRecipient(world, { id: contact.id }, previous),
      };
    throw invalid({ id: ["Contact not found."] }, `no contact ${input.id} in this workspace`);
  }
  const group = world.store.contact_groups.get(input.id);
  const members = group && isOwn(group) ? membersOf(world, group) : [];
  if (!group || members.length === 0)
    throw invalid(
      { id: ["Contact group not found."] },
      `no contact group ${input.id} with members; add it to contact_groups of the fixtures`,
    );
  const asGroup = { type: "recipient_group" as const, name: group.name, members };
  return {
    id: group.id,
    label: group.name,
    // Later calls find the recipient by its group.
    toRecipient: (previous) => ({ ...newRecipient(world, asGroup, previous), contact_id: group.id }),
  };
}

function membersOf(world: World, group: ContactGroupRow): Pick<ContactRow, "email" | "phone" | "first_name" | "last_name">[] {
  return group.members.flatMap((id) => {
    const contact = world.store.contacts.get(id);
    if (!contact) return [];
    const { email, phone, first_name, last_name } = contact;
    return [{ email, phone, first_name, last_name }];
  });
}

function newRecipient(world: World, person: Parameters<typeof addRecipient>[1], previous: Partial<RecipientRow>): RecipientRow {
  const { role = "", roles = [], signing_order = null, delivery_methods = null, redirect = null } = previous;
  return { ...addRecipient(world, { ...person, signing_order, delivery_methods, redirect, role: null }, "id"), role, roles };
}
