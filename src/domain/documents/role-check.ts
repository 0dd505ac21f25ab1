/** Roles in requests against the roles of the template. */
import type { World } from "../world.ts";
import type { TemplateRow } from "../templates/rows.ts";
import type { RecipientInput } from "../recipients/inputs.ts";
import type { PlaceholderInput } from "../library/inputs.ts";
import { requireLibraryItem } from "../library/items.ts";
import { invalid } from "../../core/errors.ts";

/**
 * Every role in the request must belong to the template or to the library items in its placeholders.
 * @throws 400 that names the unknown roles
 */
export function refuseUnknownRoles(
  world: World,
  template: TemplateRow,
  recipients: readonly RecipientInput[],
  places: readonly PlaceholderInput[] = [],
): void {
  const items = places
    .filter((place) => template.content_placeholders.some((one) => one.block_id === place.block_id))
    .flatMap((place) => place.content_library_items ?? []);
  const sources = [template, ...items.map(({ id }) => requireLibraryItem(world, id))];
  const knownRoles = new Set(
    sources.flatMap(({ roles, fields }) => [...roles.map(({ name }) => name), ...fields.map(({ role }) => role)]),
  );
  const requestedRoles = [...recipients, ...items.flatMap((item) => item.recipients ?? [])].flatMap(({ role }) => role || []);
  const unknown = [...new Set(requestedRoles)].filter((role) => !knownRoles.has(role));
  if (unknown.length === 0 || world.decide("create.unknown_role") === "cc") return;
  throw invalid(
    { non_field_errors: unknown.map((role) => `Role '${role}' does not exist`) },
    `the template has the roles ${[...knownRoles].filter(Boolean).join(", ") || "none"}; upper and lower case count`,
  );
}
