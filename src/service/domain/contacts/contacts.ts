import { defined } from "../../../engine/core/defined.ts";
import { invalid, notFound } from "../../../engine/core/errors.ts";
import { compareText } from "../../../engine/core/text.ts";
import type { World } from "../../model/world.ts";
import type { ContactInput, ContactPatch } from "../../model/contacts/inputs.ts";
import { type ContactRow, EMPTY_CONTACT } from "../../model/contacts/rows.ts";

/** assumed: contacts.order. */
export function listContacts(world: World, filter: { email?: string }): ContactRow[] {
  const { contacts } = world.store;
  const { workspace_id } = world.caller;
  const found = filter.email
    ? contacts.where("email", `${workspace_id}:${filter.email.toLowerCase()}`)
    : contacts.where("workspace", workspace_id);
  return found.sort((a, b) => Number(!a.email) - Number(!b.email) || compareText(sortKeyOf(a), sortKeyOf(b)));
}

function sortKeyOf(row: ContactRow): string {
  return `${(row.email ?? "").toLowerCase()}:${row.id}`;
}

export function requireContact(world: World, id: string): ContactRow {
  const row = world.store.contacts.get(id);
  // assumed: contacts.not_found.
  if (row?.workspace_id !== world.caller.workspace_id) throw notFound(`no contact ${id} in this workspace`);
  return row;
}

/** assumed: contacts.nothing_required. */
export function createContact(world: World, input: ContactInput): ContactRow {
  const { workspace_id } = world.caller;
  // Source: public connectors call createContact "create or update". assumed: contacts.known_email.
  const existing = input.email ? listContacts(world, { email: input.email })[0] : undefined;
  const reading = existing && world.decide("contacts.known_email");
  if (reading === "refuse")
    throw invalid(
      { email: ["Contact with this email already exists."] },
      `the contact ${existing?.id} has the address ${input.email} already`,
    );
  if (existing && reading === "update") return world.store.contacts.put({ ...existing, ...defined(input) });
  return world.store.contacts.put({ ...EMPTY_CONTACT, ...defined(input), id: world.ids.short(), workspace_id });
}

export function changeContact(world: World, id: string, input: ContactPatch): ContactRow {
  return world.store.contacts.put({ ...requireContact(world, id), ...defined(input) });
}

/** assumed: contacts.delete_keeps_recipients. */
export function removeContact(world: World, id: string): void {
  world.store.contacts.delete(requireContact(world, id).id);
}

export function toContact(row: ContactRow) {
  return {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    company: row.company,
    job_title: row.job_title,
    phone: row.phone,
    country: row.country,
    state: row.state,
    street_address: row.street_address,
    city: row.city,
    postal_code: row.postal_code,
  };
}
