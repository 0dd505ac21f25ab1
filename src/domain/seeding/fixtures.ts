/** Converts fixtures to rows. Omitted members have defaults; ids may be given. */
import type { DocumentFixture } from "./documents.ts";
import { seedCatalogItem } from "../product-catalog/items.ts";
import { type ContactGroupFixture, seedContactGroup } from "../contacts/contact-groups.ts";
import type { EventName } from "../document-model/status-machine.ts";
import { setEmailOptOut } from "../communication-preferences/email-opt-outs.ts";
import { type FormFixture, seedForm } from "../forms/forms.ts";
import { seedSmsOptOut, type SmsOptOutFixture } from "../communication-preferences/sms-opt-outs.ts";
import { type NotaryFixture, seedNotary } from "../notary/requests.ts";
import { newWorkspaceSettings } from "../workspaces/workspaces.ts";
import {
  FixtureError,
  type LibraryItemFixture,
  memberOf,
  seedEach,
  type TemplateFixture,
  toLibraryItem,
  toTemplate,
} from "./templates.ts";
import { asCaller, type World } from "../world.ts";
import type { ApiKeyRow, UserRow, WorkspaceRow } from "../workspaces/rows.ts";
import type { FolderRow } from "../folders/rows.ts";
import type { ContactRow } from "../contacts/rows.ts";
import type { PayloadKind } from "../webhooks/rows.ts";
import type { CatalogItemFixture } from "../product-catalog/inputs.ts";

type Optional<T> = { [K in keyof T]?: T[K] | undefined };

export interface Fixtures {
  workspaces?: (Optional<Omit<WorkspaceRow, "settings" | "date_created">> & {
    name: string;
    settings?: Optional<WorkspaceRow["settings"]>;
  })[];
  members?: {
    id?: string;
    user_id?: string;
    workspace_id?: string;
    email: string;
    first_name?: string;
    last_name?: string;
    phone_number?: string | null;
    role?: string;
    license?: UserRow["license"];
    is_organization_owner?: boolean;
    is_organization_admin?: boolean;
    is_active?: boolean;
  }[];
  api_keys?: { key: string; member: string; kind?: ApiKeyRow["environment"] }[];
  oauth_clients?: {
    client_id: string;
    client_secret: string;
    name?: string;
    redirect_uris?: string[];
    member?: string;
  }[];
  folders?: { id?: string; kind?: FolderRow["kind"]; name: string; parent?: string }[];
  contact_groups?: ContactGroupFixture[];
  contacts?: (Optional<Omit<ContactRow, "workspace_id">> & { email: string })[];
  templates?: TemplateFixture[];
  forms?: FormFixture[];
  sms_opt_outs?: SmsOptOutFixture[];
  email_opt_outs?: string[];
  catalog_items?: CatalogItemFixture[];
  notaries?: NotaryFixture[];
  content_library_items?: LibraryItemFixture[];
  documents?: DocumentFixture[];
  webhook_subscriptions?: {
    id?: string;
    name?: string;
    url: string;
    triggers: EventName[];
    payload?: PayloadKind[];
    active?: boolean;
    shared_key?: string;
  }[];
}

/** Adds fixtures to the world. Rows with the same id are replaced. Fires no webhooks. @throws FixtureError */
export function seedFixtures(world: World, fixtures: Fixtures): void {
  const now = world.clock.now();
  const { store, ids } = world;
  const home = () => world.caller.workspace_id || (store.workspaces.all()[0]?.id ?? "");
  seedEach(fixtures.workspaces, (one) => {
    store.workspaces.put({
      id: one.id ?? ids.short(),
      name: one.name,
      active: one.active ?? true,
      owner_user_id: one.owner_user_id ?? null,
      date_created: now,
      settings: { ...newWorkspaceSettings(), ...withoutUndefined(one.settings ?? {}) },
    });
  });
  seedEach(fixtures.members, (one) => seedMember(world, one, now));
  seedEach(fixtures.api_keys, (one) => {
    const member = memberOf(world, one.member, `api key ${one.key}`);
    store.api_keys.put({
      id: one.key,
      membership_id: member.id,
      workspace_id: member.workspace_id,
      environment: one.kind ?? "production",
      revoked: false,
    });
  });
  seedEach(fixtures.oauth_clients, (one) => {
    const member =
      one.member === undefined ? store.members.all()[0] : memberOf(world, one.member, `OAuth client ${one.client_id}`);
    store.oauth_clients.put({
      id: one.client_id,
      client_secret: one.client_secret,
      name: one.name ?? one.client_id,
      redirect_uris: one.redirect_uris ?? ["loopback"],
      membership_id: member?.id ?? "",
    });
  });
  seedEach(fixtures.folders, (one) => {
    if (one.parent !== undefined && !store.folders.get(one.parent))
      throw new FixtureError(`folder ${one.name}: no folder ${one.parent} before it`);
    store.folders.put({
      id: one.id ?? ids.short(),
      workspace_id: home(),
      kind: one.kind ?? "document",
      name: one.name,
      parent_uuid: one.parent ?? null,
      date_created: now,
    });
  });
  seedEach(fixtures.contacts, (one) => {
    const existing = store.contacts.where("email", `${home()}:${one.email.toLowerCase()}`)[0];
    store.contacts.put({
      id: one.id ?? existing?.id ?? ids.short(),
      workspace_id: home(),
      email: one.email,
      first_name: one.first_name ?? null,
      last_name: one.last_name ?? null,
      company: one.company ?? null,
      job_title: one.job_title ?? null,
      phone: one.phone ?? null,
      country: one.country ?? null,
      state: one.state ?? null,
      street_address: one.street_address ?? null,
      city: one.city ?? null,
      postal_code: one.postal_code ?? null,
    });
  });
  seedEach(fixtures.contact_groups, (one) => {
    const stranger = seedContactGroup(world, one, home());
    if (stranger !== undefined) throw new FixtureError(`contact group ${one.name}: no contact ${stranger}`);
  });
  seedEach(fixtures.templates, (one) => store.templates.put(toTemplate(world, one, home(), now)));
  seedEach(fixtures.forms, (one) => {
    const missing = seedForm(world, one, home());
    if (missing !== undefined) throw new FixtureError(`form ${one.name}: no ${missing}`);
  });
  seedEach(fixtures.sms_opt_outs, (one) => seedSmsOptOut(world, one, home()));
  seedEach(fixtures.email_opt_outs, (one) => setEmailOptOut(world, one, true));
  const catalogWorld = asCaller(world, { ...world.caller, workspace_id: home(), user_id: store.members.all()[0]?.user_id ?? "" });
  seedEach(fixtures.catalog_items, (one) => seedCatalogItem(catalogWorld, one));
  seedEach(fixtures.notaries, (one) => seedNotary(world, one, home()));
  seedEach(fixtures.content_library_items, (one) => store.library_items.put(toLibraryItem(world, one, home(), now)));
  seedEach(fixtures.webhook_subscriptions, (one) => {
    store.subscriptions.put({
      id: one.id ?? ids.uuid(),
      name: one.name ?? one.url,
      url: one.url,
      active: one.active ?? true,
      deactivated: false,
      payload: one.payload ?? null,
      triggers: one.triggers,
      workspace_id: home(),
      shared_key: one.shared_key ?? ids.short(),
      old_key: null,
      date_created: now,
      internal: { failing_since: null },
    });
  });
}

function seedMember(world: World, one: NonNullable<Fixtures["members"]>[number], now: number): void {
  const { store, ids } = world;
  const workspace_id = one.workspace_id ?? store.workspaces.all()[0]?.id;
  if (workspace_id === undefined || !store.workspaces.get(workspace_id))
    throw new FixtureError(`member ${one.email}: no workspace ${workspace_id ?? "at all"}`);
  const existing = store.users.where("email", one.email.toLowerCase())[0];
  const user = store.users.put({
    id: one.user_id ?? existing?.id ?? ids.short(),
    email: one.email,
    // A second seat of the same user may omit the user's data.
    first_name: one.first_name ?? existing?.first_name ?? "",
    last_name: one.last_name ?? existing?.last_name ?? "",
    phone_number: one.phone_number ?? existing?.phone_number ?? null,
    avatar: null,
    license: one.license ?? existing?.license ?? "Full",
    is_organization_owner: one.is_organization_owner ?? existing?.is_organization_owner ?? false,
    is_organization_admin: one.is_organization_admin ?? existing?.is_organization_admin ?? false,
    removed: false,
    date_created: now,
  });
  store.members.put({
    id: one.id ?? ids.short(),
    user_id: user.id,
    workspace_id,
    role: one.role ?? "Member",
    is_active: one.is_active ?? true,
    removed: false,
    date_created: now,
    date_modified: now,
  });
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
