/** Rows that a test adds without a call. They send no webhook. */
import * as z from "zod";
import { ApiError, badRequest, reasonOf } from "../../engine/core/errors.ts";
import { lazy } from "../../engine/core/operation.ts";
import { ScenarioError } from "../../engine/scenario/error.ts";
import { FixtureError } from "../../engine/scenario/fixture-error.ts";
import { readFixtures } from "../../engine/scenario/load.ts";
import { listContacts } from "../nouns/contacts.ts";
import { subscribe } from "../nouns/webhooks/subscriptions.ts";
import { EVENTS } from "../nouns/documents/status-machine.ts";
import type { Tenant } from "../kit/world.ts";
import { PAYLOAD_KINDS } from "../nouns/webhooks/row.ts";
import type { Fixtures } from "../world/inputs.ts";
import { seedFixtures } from "../world/fixtures.ts";

/** @throws 400 in the words of a fixtures file */
function seed<Name extends "templates" | "contacts">(
  tenant: Tenant,
  name: Name,
  value: object,
): NonNullable<Fixtures[Name]>[number] {
  try {
    const fixtures = readFixtures(JSON.stringify({ [name]: [value] }), "fixtures", tenant.service.language) as Fixtures;
    tenant.store.transaction(() => seedFixtures(tenant.world, fixtures));
    return fixtures[name]?.[0] as NonNullable<Fixtures[Name]>[number];
  } catch (error) {
    if (error instanceof FixtureError) throw badRequest(error.message);
    if (!(error instanceof ScenarioError)) throw error;
    // The row is the first of its list, which the caller does not know.
    const prefix = `${name}.0`;
    const messages = error.mistakes.map(({ message }) =>
      message.startsWith(prefix) ? message.slice(prefix.length).replace(/^(: |\.)/, "") : message,
    );
    throw badRequest(messages.join("; "));
  }
}

export const subscriptionWish = lazy(() =>
  z.strictObject({
    url: z.string(),
    events: z.array(z.enum(EVENTS)).min(1).optional().describe("Default: all events"),
    name: z.string().min(1).optional(),
    payload: z.array(z.enum(PAYLOAD_KINDS)).optional(),
    sharedKey: z.string().min(1).optional().describe("signs deliveries. Default: a key that the service makes"),
  }),
);

/** The text of the service, such as "Enter a valid URL.", says less than the reason. @throws 400 */
function inOwnWords<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof ApiError ? badRequest(reasonOf(error)) : error;
  }
}

export function subscribeTo(tenant: Tenant, wish: z.output<ReturnType<typeof subscriptionWish>>) {
  const { url, events = EVENTS, name = "docdouble test kit", payload = [], sharedKey } = wish;
  return tenant.store.transaction(() => {
    const row = inOwnWords(() => subscribe(tenant.world, { url, active: true, name, triggers: [...events], payload }));
    const { id, shared_key } = tenant.store.subscriptions.put({ ...row, shared_key: sharedKey ?? row.shared_key });
    return { id, name: row.name, url, events: [...events], payload, sharedKey: shared_key };
  });
}

/** Adds a processed template, written as in a fixtures file. */
export function addTemplate(tenant: Tenant, template: object) {
  const { store, ids } = tenant;
  const { id = "" } = seed(tenant, "templates", { id: (template as { id?: string }).id ?? ids.short(), ...template });
  const row = store.templates.get(id);
  if (!row) throw new Error(`the template ${id} was not stored`);
  return {
    id,
    name: row.name,
    roles: row.roles.map(({ id, name, signing_order }) => ({ id, name, signing_order })),
    fields: row.fields.map(({ uuid, field_id, name, type, role }) => ({ uuid, field_id, name, type, role })),
  };
}

/** Adds a contact, or changes the contact with the same email address. */
export function addContact(tenant: Tenant, contact: object) {
  const { email } = seed(tenant, "contacts", contact);
  const [row] = listContacts(tenant.world, { email });
  if (!row) throw new Error(`the contact ${email} was not stored`);
  const { id, first_name, last_name, company, phone } = row;
  return { id, email: row.email, first_name, last_name, company, phone };
}
