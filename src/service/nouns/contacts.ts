import * as z from "zod";
import { defined } from "../../engine/core/defined.ts";
import { invalid, notFound } from "../../engine/core/errors.ts";
import { group, lazy } from "../../engine/core/operation.ts";
import { compareText } from "../../engine/core/text.ts";
import { table } from "../../engine/store/collection.ts";
import type { Row } from "../../engine/store/row.ts";
import { optionalEmail } from "../kit/inputs.ts";
import { created, ok, operation } from "../kit/operation.ts";
import { maybe, text, view } from "../kit/view.ts";
import type { World } from "../kit/world.ts";

export interface ContactGroupRow extends Row {
  workspace_id: string;
  name: string;
  members: string[];
}

export const EMPTY_CONTACT = {
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

export type ContactRow = Row & { workspace_id: string } & { [Detail in keyof typeof EMPTY_CONTACT]: string | null } & {
  /** How recipients with this contact are reached by default. Only fixtures set it. */
  delivery_methods?: { email: boolean; sms: boolean };
};

export const contactTables = {
  contact_groups: table<ContactGroupRow>()(),
  contacts: table<ContactRow>()({
    indexes: {
      workspace: (row) => row.workspace_id,
      email: (row) => row.email && `${row.workspace_id}:${row.email.toLowerCase()}`,
      phone: (row) => row.phone && `${row.workspace_id}:${row.phone}`,
    },
  }),
};

const optionalText = () => z.string().nullish();

/** The official example sends an empty address, so it means no filter. */
export const contactsQuery = lazy(() => z.object({ email: z.string().optional() }));

/** The official example of the update has `country`; the schema omits it. */
export const contactPatch = lazy(() =>
  z.object({
    first_name: optionalText(),
    last_name: optionalText(),
    company: optionalText(),
    job_title: optionalText(),
    phone: optionalText(),
    country: optionalText(),
    state: optionalText(),
    street_address: optionalText(),
    city: optionalText(),
    postal_code: optionalText(),
  }),
);
export type ContactPatch = z.infer<ReturnType<typeof contactPatch>>;

export const contactInput = lazy(() => contactPatch().extend({ email: optionalEmail() }));
export type ContactInput = z.infer<ReturnType<typeof contactInput>>;

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

const shown = maybe(text);

const contact = view<ContactRow>()({
  id: text,
  email: shown,
  first_name: shown,
  last_name: shown,
  company: shown,
  job_title: shown,
  phone: shown,
  country: shown,
  state: shown,
  street_address: shown,
  city: shown,
  postal_code: shown,
});

export const contactsGroup = group("Contacts", [
  operation({
    id: "listContacts",
    route: "GET /public/v1/contacts",
    query: contactsQuery,
    responses: { 200: contact.results },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok({ results: listContacts(world, query).map(contact.of) }),
  }),
  operation({
    id: "createContact",
    route: "POST /public/v1/contacts",
    body: contactInput,
    responses: { 201: contact },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) => created(contact.of(createContact(world, body))),
  }),
  operation({
    id: "detailsContact",
    route: "GET /public/v1/contacts/{id}",
    responses: { 200: contact },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => ok(contact.of(requireContact(world, params.id))),
  }),
  operation({
    id: "deleteContact",
    route: "DELETE /public/v1/contacts/{id}",
    responses: { 204: null },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => removeContact(world, params.id),
  }),
  operation({
    id: "updateContact",
    route: "PATCH /public/v1/contacts/{id}",
    body: contactPatch,
    responses: { 200: contact },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => ok(contact.of(changeContact(world, params.id, body))),
  }),
]);
