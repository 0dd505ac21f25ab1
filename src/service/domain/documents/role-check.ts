import type { World } from "../../model/world.ts";
import type { TemplateRow } from "../../model/templates/rows.ts";
import type { RecipientInput } from "../../model/recipients/inputs.ts";
import type { PlaceholderInput } from "../../model/library/inputs.ts";
import { requireLibraryItem } from "../library/items.ts";
import { invalid } from "../../../engine/core/errors.ts";
import { fixOf } from "../content/unknown-names.ts";

/** @throws 400 for a role that neither the template nor a library item of its placeholders has */
export function refuseUnknownRoles(
  world: World,
  template: TemplateRow,
  recipients: readonly RecipientInput[],
  places: readonly PlaceholderInput[] = [],
): void {
  // Most calls name only roles of the template.
  if (places.length === 0 && recipients.every(({ role }) => !role || hasRole(role, template.roles, template.fields))) return;
  const items = places
    .filter((place) => template.content_placeholders.some((one) => one.block_id === place.block_id))
    .flatMap((place) => place.content_library_items ?? []);
  const sources = [template, ...items.map(({ id }) => requireLibraryItem(world, id))];
  const isKnown = (role: string) => sources.some(({ roles, fields }) => hasRole(role, roles, fields));
  const requestedRoles = [...recipients, ...items.flatMap((item) => item.recipients ?? [])].flatMap(({ role }) => role || []);
  const unknown = requestedRoles.filter((role, at) => !isKnown(role) && requestedRoles.indexOf(role) === at);
  if (unknown.length === 0) return;
  const knownRoles = new Set(
    sources.flatMap(({ roles, fields }) => [...roles.map(({ name }) => name), ...fields.map(({ role }) => role)]),
  );
  if (world.decide("create.unknown_role") === "cc") {
    remarkUnknownRoles(world, template, recipients, unknown, knownRoles);
    return;
  }
  throw invalid(
    { non_field_errors: unknown.map((role) => `Role '${role}' does not exist`) },
    `the template has the roles ${[...knownRoles].filter(Boolean).join(", ") || "none"}; upper and lower case count`,
  );
}

function remarkUnknownRoles(
  world: World,
  template: TemplateRow,
  recipients: readonly RecipientInput[],
  unknown: readonly string[],
  knownRoles: ReadonlySet<string | null>,
): void {
  const known = [...knownRoles].flatMap((role) => role ?? []);
  for (const role of unknown) {
    const at = recipients.findIndex((one) => one.role === role);
    world.remark({
      kind: "unknown_role",
      message: `"${template.name}" has no role "${role}", so the recipient became a CC and cannot sign`,
      fix: fixOf("role", role, known),
      pointer: at < 0 ? "/content_placeholders" : `/recipients/${at}/role`,
    });
  }
}

function hasRole(wanted: string, roles: TemplateRow["roles"], fields: readonly { role: string | null }[]): boolean {
  return roles.some(({ name }) => name === wanted) || fields.some(({ role }) => role === wanted);
}
