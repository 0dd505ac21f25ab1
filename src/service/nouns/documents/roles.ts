import { invalid } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import { fixOf } from "../content/unknown-names.ts";
import { requireLibraryItem } from "../library/items.ts";
import { checkPlaceholders } from "../library/placement.ts";
import type { RecipientInput, RecipientRow } from "../people/inputs.ts";
import { addRecipient, isSamePerson, mergeRecipient } from "../people/recipients.ts";
import type { TemplateRow } from "../templates/row.ts";
import type { CreateInput } from "./inputs.ts";

export type People = Pick<CreateInput, "recipients" | "content_placeholders">;

/**
 * The people of the request. The reading `drop` leaves those with an unknown role out. assumed: create.unknown_role.
 * @throws 400 for a role that neither the template nor a library item of its placeholders has
 */
export function withKnownRoles(world: World, template: TemplateRow, people: People): People {
  const { recipients = [], content_placeholders: places = [] } = people;
  // Most calls name only roles of the template.
  if (places.length === 0 && recipients.every(({ role }) => !role || hasRole(role, template.roles, template.fields)))
    return people;
  checkPlaceholders(world, template, places);
  const items = places
    .filter((place) => template.content_placeholders.some((one) => one.block_id === place.block_id))
    .flatMap((place) => place.content_library_items ?? []);
  const sources = [template, ...items.map(({ id }) => requireLibraryItem(world, id))];
  const isKnown = (role: string) => sources.some(({ roles, fields }) => hasRole(role, roles, fields));
  const requestedRoles = [...recipients, ...items.flatMap((item) => item.recipients ?? [])].flatMap(({ role }) => role || []);
  const unknown = requestedRoles.filter((role, at) => !isKnown(role) && requestedRoles.indexOf(role) === at);
  if (unknown.length === 0) return people;
  const knownRoles = new Set(
    sources.flatMap(({ roles, fields }) => [...roles.map(({ name }) => name), ...fields.map(({ role }) => role)]),
  );
  const reading = world.decide("create.unknown_role");
  if (reading !== "refuse") {
    const outcome = reading === "cc" ? "the recipient became a CC and cannot sign" : "the service dropped the recipient";
    remarkUnknownRoles(world, template, recipients, unknown, knownRoles, outcome);
    if (reading === "cc") return people;
    // The service makes a contact of each person in the request.
    for (const [i, one] of recipients.entries())
      if (one.role && unknown.includes(one.role)) addRecipient(world, one, `recipients[${i}]`);
    return withoutRoles(people, unknown);
  }
  throw invalid(
    { non_field_errors: unknown.map((role) => `Role '${role}' does not exist`) },
    `the template has the roles ${[...knownRoles].filter(Boolean).join(", ") || "none"}; upper and lower case count`,
  );
}

/** The people of the request, then the people that the roles of the template name. */
export function recipientsOf(world: World, input: readonly RecipientInput[] = [], template?: TemplateRow): RecipientRow[] {
  const roles = template?.roles ?? [];
  const requested = input.map((one, i) => addRecipient(world, one, `recipients[${i}]`, usualDelivery(one, roles)));
  const isTaken = (role: string) => requested.some((recipient) => recipient.roles.includes(role));
  const preassigned = roles.flatMap(({ name, preassigned_person: person, delivery_methods }) =>
    person?.email && !isTaken(name)
      ? addRecipient(world, { ...person, type: "recipient", role: name }, name, delivery_methods)
      : [],
  );
  return [...requested, ...preassigned]
    .map((recipient) => {
      if (recipient.signing_order !== null) return recipient;
      const order = roles.find((one) => recipient.roles.includes(one.name))?.signing_order ?? null;
      return order === null ? recipient : { ...recipient, signing_order: order };
    })
    .reduce<RecipientRow[]>((all, one, i) => {
      // A preassigned person stands after the requested people, so the error names the entry with the same address.
      const at = i < requested.length ? i : all.findIndex((other) => isSamePerson(other, one));
      return mergeRecipient(world, all, one, `recipients[${at}]`);
    }, []);
}

function usualDelivery({ role }: RecipientInput, roles: TemplateRow["roles"]) {
  return roles.find(({ name }) => name === role)?.delivery_methods;
}

function withoutRoles({ recipients, content_placeholders }: People, unknown: readonly string[]): People {
  const isKept = ({ role }: RecipientInput) => !role || !unknown.includes(role);
  return {
    ...(recipients && { recipients: recipients.filter(isKept) }),
    ...(content_placeholders && {
      content_placeholders: content_placeholders.map((place) => ({
        ...place,
        ...(place.content_library_items && {
          content_library_items: place.content_library_items.map((item) => ({
            ...item,
            ...(item.recipients && { recipients: item.recipients.filter(isKept) }),
          })),
        }),
      })),
    }),
  };
}

function remarkUnknownRoles(
  world: World,
  template: TemplateRow,
  recipients: readonly RecipientInput[],
  unknown: readonly string[],
  knownRoles: ReadonlySet<string | null>,
  outcome: string,
): void {
  const known = [...knownRoles].flatMap((role) => role ?? []);
  for (const role of unknown) {
    const at = recipients.findIndex((one) => one.role === role);
    world.remark({
      kind: "unknown_role",
      message: `"${template.name}" has no role "${role}", so ${outcome}`,
      fix: fixOf("role", role, known),
      pointer: at < 0 ? "/content_placeholders" : `/recipients/${at}/role`,
    });
  }
}

function hasRole(wanted: string, roles: TemplateRow["roles"], fields: readonly { role: string | null }[]): boolean {
  return roles.some(({ name }) => name === wanted) || fields.some(({ role }) => role === wanted);
}
