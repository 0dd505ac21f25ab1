/** Groups of contacts. No operation makes one: they come from fixtures, as the service makes them in its pages. */
import { invalid } from "../../core/errors.ts";
import { addRecipient } from "../recipients/recipients.ts";
import type { ContactInput } from "../recipients/inputs.ts";
import type { World } from "../world.ts";
import type { RecipientRow } from "../recipients/rows.ts";
import type { ContactGroupRow, ContactRow } from "./rows.ts";

/** Who can be put on a document: a contact, or a group of them. */
export interface Party {
  id: string;
  /** How refusals name it. */
  label: string;
  /** A recipient in the place of `like`: with that one's role, order and delivery, but not its identity checks. */
  toRecipient(like: Partial<RecipientRow>): RecipientRow;
}

/** @throws 400. assumed: not 404, which speaks of the document and the recipient in the path */
export function requireParty(world: World, input: ContactInput): Party {
  const isOwn = (row: { workspace_id: string } | undefined) => row?.workspace_id === world.caller.workspace_id;
  if (input.kind === "contact") {
    const contact = world.store.contacts.get(input.id);
    if (contact && isOwn(contact))
      return { id: contact.id, label: contact.email ?? contact.id, toRecipient: (like) => put(world, { id: contact.id }, like) };
    throw invalid({ id: ["Contact not found."] }, `no contact ${input.id} in this workspace`);
  }
  const group = world.store.contact_groups.get(input.id);
  const members = group && isOwn(group) ? membersOf(world, group) : [];
  if (!group || members.length === 0)
    throw invalid(
      { id: ["Contact group not found."] },
      `no contact group ${input.id} with anybody in it; fixtures make them: contact_groups`,
    );
  const asGroup = { type: "recipient_group" as const, name: group.name, members };
  return {
    id: group.id,
    label: group.name,
    // Found again by the group it came from, as a person is by their contact.
    toRecipient: (like) => ({ ...put(world, asGroup, like), contact_id: group.id }),
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

function put(world: World, who: Parameters<typeof addRecipient>[1], like: Partial<RecipientRow>): RecipientRow {
  const { role = "", roles = [], signing_order = null, delivery_methods = null, redirect = null } = like;
  return { ...addRecipient(world, { ...who, signing_order, delivery_methods, redirect, role: null }, "id"), role, roles };
}
