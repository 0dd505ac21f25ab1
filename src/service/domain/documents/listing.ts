/** assumed: documents.stable_order. */
import { invalid } from "../../../engine/core/errors.ts";
import { NOT_INTEGER } from "../../../engine/core/inputs.ts";
import type { Place } from "../../../engine/store/search.ts";
import { type DocumentIndex, metadataKey } from "../../model/documents/indexes.ts";
import { statusOf } from "../../model/documents/status-machine.ts";
import type { World } from "../../model/world.ts";
import type { DocumentRow } from "../../model/documents/document.ts";
import type { DocumentQuery, OrderField } from "../../model/documents/list-inputs.ts";

const RANGES = [
  ["date_created", "created_from", "created_to"],
  ["date_completed", "completed_from", "completed_to"],
  ["date_modified", "modified_from", "modified_to"],
] as const;

export function listDocuments(world: World, filter: DocumentQuery): DocumentRow[] {
  const scope = `${world.caller.workspace_id}:${filter.deleted ? "deleted" : "live"}`;
  const all: Place<DocumentIndex>[][] = [];
  const placeOf = (index: DocumentIndex, value: string): Place<DocumentIndex> => [index, `${scope}:${value}`];
  const add = (index: DocumentIndex, value: string | undefined) => {
    if (value !== undefined) all.push([placeOf(index, value)]);
  };
  const placesOf = (codes: readonly number[] | undefined) => (codes ?? []).map((code) => placeOf("status", statusOf(code) ?? ""));
  refuseSeveral(world, "status", filter.status);
  refuseSeveral(world, "status__ne", filter.status__ne);
  if (filter.status) all.push(placesOf(filter.status));
  add("template", filter.template_id);
  add("form", filter.form_id);
  add("folder", filter.folder_uuid);
  if (filter.membership_id) all.push(filter.membership_id.map((id) => placeOf("owner", id)));
  add("tag", filter.tag);
  if (filter.contact_id !== undefined) {
    // spec: a recipient's or an approver's contact. assumed: documents.approver_contact.
    const approvers = membersOfContact(world, filter.contact_id).map((id) => placeOf("approver", id));
    all.push([placeOf("contact", filter.contact_id), ...approvers]);
  }
  for (const pair of filter.metadata ?? []) add("metadata", metadataKey(...pair));
  return world.store.documents.page({
    within: ["life", scope],
    id: filter.id,
    all,
    none: placesOf(filter.status__ne),
    // spec: from is included, to is not.
    ranges: RANGES.filter(([, from, to]) => filter[from] !== undefined || filter[to] !== undefined).map(([order, from, to]) => ({
      order,
      from: filter[from] ?? Number.NEGATIVE_INFINITY,
      to: filter[to] ?? Number.POSITIVE_INFINITY,
    })),
    // assumed: documents.search_text.
    text: filter.q?.toLowerCase() ?? "",
    order: filter.order_by.replace("-", "") as OrderField,
    // assumed: documents.missing_values_last.
    isReverse: filter.order_by.startsWith("-"),
    first: (filter.page - 1) * filter.count,
    count: filter.count,
  });
}

function refuseSeveral(world: World, name: string, codes: readonly number[] | undefined): void {
  if (codes === undefined || codes.length < 2 || world.decide("list.repeated_status") === "any_of") return;
  throw invalid({ [name]: [NOT_INTEGER] }, `${name} is repeated; send one status`);
}

function membersOfContact(world: World, id: string): string[] {
  const contact = world.store.contacts.get(id);
  if (contact?.workspace_id !== world.caller.workspace_id || !contact.email) return [];
  const users = world.store.users.where("email", contact.email.toLowerCase());
  return users.flatMap((user) => world.store.members.where("user", user.id).map((member) => member.id));
}
