import { badRequest, forbidden, invalid, notFound } from "../../../engine/core/errors.ts";
import type { UploadedFile } from "../../../engine/core/operation.ts";
import { pointerOf } from "../../../engine/core/text.ts";
import type { World } from "../../kit/world.ts";
import { copyContent, emptyContent, metadataOf } from "../content/content.ts";
import type { ConversionKind } from "../content/file-conversion.ts";
import { newConversion, sourceOf, startConversion, withFileContent } from "../content/file-conversion.ts";
import type { Token } from "../content/row.ts";
import type { EventName } from "../documents/status-machine.ts";
import { requireFolderField } from "../folders.ts";
import { requireAbility, requireMember } from "../members/members.ts";
import { emitData } from "../webhooks/subscriptions.ts";
import { endEditingSessions } from "./editing-sessions.ts";
import type { TemplateInput, TemplateRole, TemplateRow, TemplateSettingsInput, TemplateUpdate } from "./row.ts";
import { requireOwnTemplate, requireTemplate, templateEvent } from "./templates.ts";

type TemplateEvent = Extract<EventName, `template_${string}`>;

function announce(world: World, event: TemplateEvent, row: TemplateRow): void {
  emitData(world, event, row, () => templateEvent.of(row, world));
}

export const templateConversion: ConversionKind<TemplateRow> = {
  model: "template.processing",
  job: "convert_template",
  titleOf: (row) => row.name,
  pending(world, id) {
    const row = world.store.templates.get(id);
    return row?.status === "template.UPLOADED" && row.internal.deleted_at === null ? row : undefined;
  },
  state: (row) => row.internal.conversion,
  withState: (row, conversion) => ({ ...row, internal: { ...row.internal, conversion } }),
  put: (world, row) => world.store.templates.put(row),
  finish(world, row, file) {
    const processed = world.store.templates.put({ ...withFileContent(world, row, file), status: "template.PROCESSED" });
    // assumed: templates.processing_event.
    announce(world, "template_created", processed);
  },
  // The service has no event for a failed template.
  fail: (world, row) => {
    world.store.templates.put({ ...row, status: "template.ERROR", date_modified: world.clock.now() });
  },
};

/** As in the service, field tags and form fields of the file are ignored. */
export function createTemplate(world: World, input: TemplateInput, file?: UploadedFile): TemplateRow {
  const folder =
    input.folder_uuid === undefined ? undefined : requireFolderField(world, "template", "folder_uuid", input.folder_uuid);
  const owner =
    input.owner && Object.keys(input.owner).length > 0
      ? requireMember(world, "owner", input.owner).member.id
      : world.caller.membership_id;
  const source = sourceOf(world, input.url, file);
  const row = addTemplate(world, {
    ...emptyContent(),
    // assumed: templates.default_name.
    name: input.name ?? file?.name.replace(/\.[^.]+$/, "") ?? "Untitled",
    status: "template.UPLOADED",
    folder_uuid: folder?.id ?? null,
    owner,
    metadata: metadataOf(world, input.metadata),
    tags: [],
    roles: [],
    tokens: input.tokens ?? [],
    content_placeholders: [],
    internal: {
      deleted_at: null,
      shared: false,
      shared_with: [],
      gallery: false,
      language: "en-US",
      approval: null,
      payment: null,
      file_id: null,
      conversion: newConversion(source),
    },
  });
  startConversion(world, templateConversion, row.id);
  return row;
}

type NewTemplate = Omit<
  TemplateRow,
  "id" | "workspace_id" | "version" | "date_created" | "date_modified" | "content_date_modified" | "created_by"
>;

function addTemplate(world: World, template: NewTemplate): TemplateRow {
  const now = world.clock.now();
  return world.store.templates.put({
    ...template,
    id: world.ids.short(),
    workspace_id: world.caller.workspace_id,
    version: "2",
    date_created: now,
    date_modified: now,
    content_date_modified: now,
    created_by: world.caller.membership_id,
  });
}

/** assumed: templates.unprocessed. */
export function requireProcessed(template: TemplateRow, what: string): void {
  if (template.status === "template.PROCESSED") return;
  throw badRequest(`Template should be in template.PROCESSED status to be ${what}`, {
    type: "request_error",
    why: `the template is in ${template.status}; wait until it is template.PROCESSED`,
    assumption: "templates.unprocessed",
  });
}

const NAME_MAX = 255;

/** Copies a template under a new id. assumed: templates.duplicate. */
export function duplicateTemplate(
  world: World,
  id: string,
  name: string | undefined,
): { copy: TemplateRow; source: TemplateRow } {
  const source = requireTemplate(world, id);
  requireAbility(world, "duplicate_templates", source);
  requireProcessed(source, "duplicated");
  const { id: _, ...rest } = source;
  const copy = addTemplate(world, {
    ...rest,
    ...copyContent(world, source),
    name: (name || `Copy of ${source.name}`).slice(0, NAME_MAX),
    owner: world.caller.membership_id,
    folder_uuid: source.workspace_id === world.caller.workspace_id ? source.folder_uuid : null,
    roles: source.roles.map((role) => ({ ...role, id: world.ids.short() })),
    content_placeholders: source.content_placeholders.map((place) => ({ ...place, uuid: world.ids.uuid() })),
    internal: { ...source.internal, shared_with: [], gallery: false, conversion: newConversion(null) },
  });
  announce(world, "template_created", copy);
  return { copy, source };
}

/** A tombstone stays: a second delete is 403, as in the service. */
export function deleteTemplate(world: World, id: string): void {
  const row = world.store.templates.get(id);
  if (row && (row.workspace_id !== world.caller.workspace_id || row.internal.gallery)) requireOwnTemplate(world, id);
  if (row?.workspace_id !== world.caller.workspace_id) throw notFound(`no template "${id}" in this workspace`);
  if (row.internal.deleted_at !== null) throw forbidden(`template ${id} is deleted already`);
  const now = world.clock.now();
  const deleted = world.store.templates.put({ ...row, date_modified: now, internal: { ...row.internal, deleted_at: now } });
  endEditingSessions(world, { kind: "template", id });
  announce(world, "template_deleted", deleted);
}

export function updateTemplate(world: World, id: string, input: TemplateUpdate): void {
  const template = requireOwnTemplate(world, id);
  requireProcessed(template, "updated");
  // assumed: templates.empty_update.
  if (!input.roles && !input.tokens) return;
  const roles = input.roles ? replaceRoles(world, template.roles, input.roles) : template.roles;
  const names = new Map(template.roles.map((role) => [role.name, roles.find((one) => one.id === role.id)?.name ?? null]));
  const now = world.clock.now();
  const row = world.store.templates.put({
    ...template,
    roles,
    // assumed: templates.removed_role.
    fields: template.fields.map((field) => (field.role === null ? field : { ...field, role: names.get(field.role) ?? null })),
    tokens: input.tokens ? setTokens(world, template.tokens, input.tokens, roles) : template.tokens,
    date_modified: now,
    // Source: date_modified follows changes of roles, content_date_modified those of content.
    // assumed: templates.variables_are_content.
    content_date_modified: input.tokens ? now : template.content_date_modified,
  });
  announce(world, "template_updated", row);
}

function replaceRoles(
  world: World,
  before: readonly TemplateRole[],
  input: NonNullable<TemplateUpdate["roles"]>,
): TemplateRole[] {
  const usedIds = new Set<string>();
  const names = new Set<string>();
  const roles = input.map((one, i) => {
    const existing = one.id === undefined ? undefined : before.find((role) => role.id === one.id);
    if (one.id !== undefined && (!existing || usedIds.has(one.id)))
      throw invalid({ [`roles[${i}].id`]: ["Role not found."] }, `the template has no other role ${one.id}`);
    if (names.has(one.name)) throw invalid({ [`roles[${i}].name`]: ["Role name should be unique within the template."] });
    if (one.id !== undefined) usedIds.add(one.id);
    names.add(one.name);
    return {
      id: existing?.id ?? world.ids.short(),
      name: one.name,
      // assumed: templates.role_order.
      signing_order: one.signing_order === undefined ? (existing?.signing_order ?? null) : one.signing_order,
      preassigned_person: existing?.preassigned_person ?? null,
    };
  });
  checkOrder(roles);
  return roles;
}

/** Orders are all null, or run from 1 without gaps. assumed: templates.order_text. */
function checkOrder(roles: readonly TemplateRole[]): void {
  const orders = [...new Set(roles.map((role) => role.signing_order))];
  if (orders.length === 0 || (orders.length === 1 && orders[0] === null)) return;
  if (!orders.includes(null) && Math.max(...(orders as number[])) === orders.length) return;
  throw invalid(
    { roles: ["Signing order should be a contiguous sequence starting from 1 on every role, or null on every role."] },
    `the roles would have the signing orders ${roles.map((role) => role.signing_order).join(", ")}`,
  );
}

const CONTACT_VARIABLES = [
  "FirstName",
  "LastName",
  "Email",
  "Phone",
  "Title",
  "StreetAddress",
  "City",
  "State",
  "PostalCode",
  "Country",
];

/** assumed: templates.service_variables. */
function setTokens(world: World, before: readonly Token[], input: readonly Token[], roles: readonly TemplateRole[]): Token[] {
  const tokens = new Map(before.map((token) => [token.name, token.value]));
  for (const [i, { name, value }] of input.entries()) {
    const isBuiltIn =
      /^(Document|Sender)\./.test(name) ||
      roles.some((role) => CONTACT_VARIABLES.some((variable) => name === `${role.name}.${variable}`));
    if (!isBuiltIn) {
      tokens.set(name, value);
      continue;
    }
    world.remark({
      kind: "unknown_token",
      message: `The service itself fills "${name}", so it ignored the value`,
      fix: "Leave the token out, or use a name of your own.",
      pointer: pointerOf(`tokens[${i}]`),
    });
  }
  return [...tokens].map(([name, value]) => ({ name, value }));
}

export function changeTemplateSettings(world: World, id: string, input: TemplateSettingsInput): TemplateRow {
  const template = requireOwnTemplate(world, id);
  const { internal } = template;
  return world.store.templates.put({
    ...template,
    date_modified: world.clock.now(),
    internal: { ...internal, language: input.language ?? internal.language },
  });
}
