import { contacts, type Fixtures, service, type Tenant, webhooks } from "../../service/service.ts";
import * as z from "zod";
import { lazy } from "../../engine/core/operation.ts";
import { readFixtures } from "../../engine/scenario/load.ts";
import { ScenarioError } from "../../engine/scenario/error.ts";
import { checked, named } from "./options.ts";
import type { NewContact, NewSubscription, NewTemplate, SandboxContact, SandboxSubscription, SandboxTemplate } from "./types.ts";
import { words } from "../../service/words.ts";

/** Sends no webhook. @throws SettingsError */
export function createTemplate(tenant: Tenant, template: NewTemplate): SandboxTemplate {
  const { store, ids } = tenant;
  const id = seed(tenant, "templates.create", "templates", { id: template?.id ?? ids.short(), ...template }).id ?? "";
  const row = store.templates.get(id);
  if (!row) throw new Error(`the template ${id} was not stored`);
  return {
    id,
    name: row.name,
    roles: row.roles.map(({ id, name, signing_order }) => ({ id, name, signing_order })),
    fields: row.fields.map(({ uuid, field_id, name, type, role }) => ({ uuid, field_id, name, type, role })),
  };
}

/** Updates a contact with the same email address. @throws SettingsError */
export function createContact(tenant: Tenant, contact: NewContact): SandboxContact {
  const { email } = seed(tenant, "contacts.create", "contacts", contact);
  const [row] = contacts.list(tenant.world, { email });
  if (!row) throw new Error(`the contact ${email} was not stored`);
  const { id, first_name, last_name, company, phone } = row;
  return { id, email: row.email, first_name, last_name, company, phone };
}

function seed<Name extends "templates" | "contacts">(
  tenant: Tenant,
  method: string,
  name: Name,
  value: unknown,
): NonNullable<Fixtures[Name]>[number] {
  return named(method, () => {
    const fixtures = withoutPrefix(`${name}.0`, () =>
      readFixtures(JSON.stringify({ [name]: [value] }), method, service.language),
    ) as Fixtures;
    tenant.store.transaction(() => service.seed.before(tenant.world, fixtures));
    return fixtures[name]?.[0] as NonNullable<Fixtures[Name]>[number];
  });
}

function withoutPrefix<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    const strip = (message: string) =>
      message.startsWith(prefix) ? message.slice(prefix.length).replace(/^(: |\.)/, "") : message;
    throw new ScenarioError(error.mistakes.map((one) => ({ ...one, message: strip(one.message) })));
  }
}

export const payloadKinds = lazy(() => z.array(z.enum(webhooks.payloadKinds)));
export const events = lazy(() => z.array(z.enum(words.events)).min(1));

const newSubscription = {
  name: "the subscription",
  is: 'is an object such as { url: "http://127.0.0.1:3000/hook" }',
  schema: lazy(() =>
    z.strictObject({
      url: z.string(),
      events: events().optional(),
      name: z.string().min(1).optional(),
      payload: payloadKinds().optional(),
      sharedKey: z.string().min(1).optional(),
    }),
  ),
};

/** @throws SettingsError */
export function subscribe(tenant: Tenant, wanted: NewSubscription, method = "webhooks.subscribe"): SandboxSubscription {
  const { url, events, name, payload, sharedKey } = checked(method, wanted, newSubscription);
  return named(method, () =>
    tenant.store.transaction(() => {
      const triggers = [...(events ?? words.events)];
      const row = webhooks.subscribe(tenant.world, {
        url,
        active: true,
        name: name ?? "docdouble test kit",
        triggers,
        payload: payload ?? [],
      });
      const { id, shared_key } = tenant.store.subscriptions.put({ ...row, shared_key: sharedKey ?? row.shared_key });
      return { id, name: row.name, url, events: triggers, payload: payload ?? [], sharedKey: shared_key };
    }),
  );
}
