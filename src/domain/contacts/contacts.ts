/** The people a workspace knows: recipients of its documents come from here and are added here. */
import { notFound } from "../../core/errors.ts";
import { compareText } from "../../core/text.ts";
import type { World } from "../world.ts";
import type { ContactInput, ContactPatch } from "./inputs.ts";
import type { ContactRow } from "./rows.ts";

const NOTHING_KNOWN = {
  email: null,
  first_name: null,
  last_name: null,
  company: null,
  job_title: null,
  phone: null,
  country: null,
  state: null,
  street_address: null,
  city: null,
  postal_code: null,
};

/** assumed: order is not stated; contacts come by e-mail address, those without one last. Case does not matter to the filter. */
export function listContacts(world: World, filter: { email?: string }): ContactRow[] {
  const { contacts } = world.store;
  const { workspace_id } = world.caller;
  const found = filter.email
    ? contacts.where("email", `${workspace_id}:${filter.email.toLowerCase()}`)
    : contacts.where("workspace", workspace_id);
  return found.sort((a, b) => Number(!a.email) - Number(!b.email) || compareText(nameOf(a), nameOf(b)));
}

function nameOf(row: ContactRow): string {
  return `${(row.email ?? "").toLowerCase()}:${row.id}`;
}

export function requireContact(world: World, id: string): ContactRow {
  const row = world.store.contacts.get(id);
  // assumed: the description declares no 404 for contacts; its usual body is answered.
  if (row?.workspace_id !== world.caller.workspace_id) throw notFound(`no contact ${id} in this workspace`);
  return row;
}

/** assumed: nothing is required, as the description says. */
export function createContact(world: World, input: ContactInput): ContactRow {
  const { workspace_id } = world.caller;
  const known = input.email ? contactToUpdate(world, input.email) : undefined;
  if (known) return world.store.contacts.put({ ...known, ...definedMembers(input) });
  return world.store.contacts.put({ ...NOTHING_KNOWN, ...definedMembers(input), id: world.ids.short(), workspace_id });
}

/**
 * The contact that a create request with its e-mail updates. Source: public connectors call createContact "create or update".
 * assumed: the answer stays 201, and letters' case does not matter.
 */
function contactToUpdate(world: World, email: string): ContactRow | undefined {
  return listContacts(world, { email })[0];
}

/** The e-mail address stays; documents keep the names that their recipients have. */
export function changeContact(world: World, id: string, input: ContactPatch): ContactRow {
  return world.store.contacts.put({ ...requireContact(world, id), ...definedMembers(input) });
}

/** assumed: documents keep their recipients, and the next document for the same address makes a new contact. */
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

/** The members that were sent. */
function definedMembers(input: ContactInput): Partial<Omit<ContactRow, "id" | "workspace_id">> {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}
