import { group, lazy } from "../../engine/core/operation.ts";
import {
  changeContact,
  createContact,
  listContacts,
  removeContact,
  requireContact,
  toContact,
} from "../domain/contacts/contacts.ts";
import { created, ok, operation } from "./operation.ts";
import * as inputs from "../model/contacts/inputs.ts";
import * as z from "zod";

const shown = () => z.string().nullable();

const contact = lazy(() =>
  z.strictObject({
    id: z.string(),
    email: shown(),
    first_name: shown(),
    last_name: shown(),
    company: shown(),
    job_title: shown(),
    phone: shown(),
    country: shown(),
    state: shown(),
    street_address: shown(),
    city: shown(),
    postal_code: shown(),
  }),
);

const contactList = lazy(() => z.strictObject({ results: z.array(contact()) }));

export const contactsGroup = group("Contacts", [
  operation({
    id: "listContacts",
    route: "GET /public/v1/contacts",
    query: inputs.contactsQuery,
    responses: { 200: contactList },
    errors: [400, 401, 403, 429],
    handle: ({ query }, world) => ok({ results: listContacts(world, query).map(toContact) }),
  }),
  operation({
    id: "createContact",
    route: "POST /public/v1/contacts",
    body: inputs.contactInput,
    responses: { 201: contact },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ body }, world) => created(toContact(createContact(world, body))),
  }),
  operation({
    id: "detailsContact",
    route: "GET /public/v1/contacts/{id}",
    responses: { 200: contact },
    errors: [400, 401, 403, 429],
    handle: ({ params }, world) => ok(toContact(requireContact(world, params.id))),
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
    body: inputs.contactPatch,
    responses: { 200: contact },
    errors: [400, 401, 429],
    invalidType: "validation_error",
    handle: ({ params, body }, world) => ok(toContact(changeContact(world, params.id, body))),
  }),
]);
