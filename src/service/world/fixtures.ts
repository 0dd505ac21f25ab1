import { defined } from "../../engine/core/defined.ts";
import { hint } from "../../engine/core/text.ts";
import { parseDuration } from "../../engine/core/time-limits.ts";
import { EMPTY_CONTACT } from "../nouns/contacts.ts";
import { putSmsOptOut, setEmailOptOut } from "../nouns/opt-outs.ts";
import { seedCatalogItem } from "../nouns/catalog/items.ts";
import { newWorkspaceSettings } from "../nouns/workspaces/workspaces.ts";
import type { World } from "../kit/world.ts";
import { asCaller } from "../kit/world.ts";
import type { Fixture, Fixtures } from "./inputs.ts";
import { memberOf, seedEach, toLibraryItem, toTemplate } from "./templates.ts";
import { FixtureError } from "../../engine/scenario/fixture-error.ts";

/** Replaces rows with the same id. Fires no webhooks. @throws FixtureError */
export function seedFixtures(world: World, fixtures: Fixtures): void {
  const now = world.clock.now();
  const { store, ids } = world;
  const home = () => world.caller.workspace_id || (store.workspaces.first()?.id ?? "");
  seedEach(fixtures.workspaces, (one) => {
    store.workspaces.put({
      id: one.id ?? ids.short(),
      name: one.name,
      active: one.active ?? true,
      owner_user_id: null,
      date_created: now,
      settings: { ...newWorkspaceSettings(), ...one.settings },
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
      one.member === undefined ? store.members.first() : memberOf(world, one.member, `OAuth client ${one.client_id}`);
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
      throw new FixtureError(
        `folder ${one.name}: no folder ${one.parent} before it${hint(
          one.parent,
          store.folders.all().map(({ id }) => id),
        )}`,
      );
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
      ...EMPTY_CONTACT,
      ...defined(one),
      id: one.id ?? existing?.id ?? ids.short(),
      workspace_id: home(),
    });
  });
  seedEach(fixtures.contact_groups, (one) => seedContactGroup(world, one, home()));
  // Lists show the oldest row first, so the first template and library item of the file must be the oldest.
  const { templates = [], content_library_items = [] } = fixtures;
  seedEach(templates, (one, i) => {
    const date_created = now - (templates.length - 1 - i);
    store.templates.put({ ...toTemplate(world, one, home(), now), date_created });
  });
  seedEach(content_library_items, (one, i) => {
    const date_created = now - (content_library_items.length - 1 - i);
    store.library_items.put({ ...toLibraryItem(world, one, home(), now), date_created });
  });
  seedEach(fixtures.forms, (one) => seedForm(world, one, home()));
  seedEach(fixtures.sms_opt_outs, (one) => {
    const { id, phone_number, status = "opt-out", changed_ago } = one;
    putSmsOptOut(world, { id, workspace_id: home(), phone_number, status, changed_at: before(world, changed_ago) });
  });
  seedEach(fixtures.email_opt_outs, (one) => setEmailOptOut(world, one, true));
  const catalogWorld = asCaller(world, { ...world.caller, workspace_id: home(), user_id: store.members.first()?.user_id ?? "" });
  seedEach(fixtures.catalog_items, (one) => seedCatalogItem(catalogWorld, one));
  seedEach(fixtures.notaries, (one) => {
    store.notaries.put({
      id: one.id ?? ids.short(),
      workspace_id: home(),
      email: one.email,
      name: one.name ?? null,
      status: one.status ?? "ACTIVE",
      commission_state: one.commission_state ?? null,
    });
  });
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

function seedMember(world: World, one: Fixture<"members">, now: number): void {
  const { store, ids } = world;
  const workspace_id = one.workspace_id ?? store.workspaces.first()?.id;
  if (workspace_id === undefined || !store.workspaces.get(workspace_id))
    throw new FixtureError(
      `member ${one.email}: no workspace ${workspace_id ?? "at all"}${hint(
        workspace_id ?? "",
        store.workspaces.all().map((row) => row.id),
      )}`,
    );
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

function seedContactGroup(world: World, { id, name, members }: Fixture<"contact_groups">, workspace_id: string): void {
  const ids = members.map((email) => {
    const contact = world.store.contacts.where("email", `${workspace_id}:${email.toLowerCase()}`)[0];
    if (!contact)
      throw new FixtureError(
        `contact group ${name}: no contact ${email}${hint(
          email,
          world.store.contacts.all().map((row) => row.email ?? ""),
        )}`,
      );
    return contact.id;
  });
  world.store.contact_groups.put({ id: id ?? world.ids.short(), workspace_id, name, members: ids });
}

function seedForm(world: World, one: Fixture<"forms">, workspace_id: string): void {
  const template = world.store.templates
    .all()
    .find((row) => row.workspace_id === workspace_id && [row.id, row.name].includes(one.template ?? ""));
  if (one.template !== undefined && !template)
    throw new FixtureError(
      `form ${one.name}: no template "${one.template}"${hint(
        one.template,
        world.store.templates.all().map((row) => row.name),
      )}`,
    );
  const roles = [...(template?.roles ?? [])].sort((a, b) => (a.signing_order ?? 0) - (b.signing_order ?? 0));
  const role = one.role === undefined ? roles[0] : roles.find((each) => each.name === one.role);
  if (one.role !== undefined && !role)
    throw new FixtureError(
      `form ${one.name}: no role ${one.role} in its template${hint(
        one.role,
        roles.map((each) => each.name),
      )}`,
    );
  world.store.forms.put({
    id: one.id ?? world.ids.uuid(),
    workspace_id,
    name: one.name,
    status: one.status ?? "draft",
    responses: one.responses ?? 0,
    template_id: template?.id ?? null,
    role: role?.name ?? null,
    date_created: before(world, one.created_ago),
    date_modified: before(world, one.modified_ago ?? one.created_ago),
  });
}

function before(world: World, ago = "0s"): number {
  return world.clock.before(parseDuration(ago) ?? 0);
}
