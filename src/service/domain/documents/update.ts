import { invalid } from "../../../engine/core/errors.ts";
import { addTokens, applyContent, refuseUnknownFields, metadataOf } from "../content/content.ts";
import { remarkUnknownNames } from "../content/unknown-names.ts";
import { planImages } from "../content/images.ts";
import { putContent, putDocument } from "../lifecycle/transitions.ts";
import {
  addRecipient,
  assignRecipientTypes,
  mergeRecipient,
  newRecipient,
  refuseManyRecipients,
  refuseTakenAddress,
} from "../recipients/recipients.ts";
import { remarkIdleValues, remarkSharedAddresses } from "../recipients/remarks.ts";
import { requireAbility } from "../members/permissions.ts";
import type { World } from "../../model/world.ts";
import type { GroupMember, RecipientRow } from "../../model/recipients/rows.ts";
import type { UpdateInput } from "../../model/documents/inputs.ts";
import { requireDocument, requireDraft } from "../document-model/find.ts";
import { requireUnlocked } from "../document-model/editing-lock.ts";

export function update(world: World, id: string, input: UpdateInput): void {
  const document = requireDocument(world, id);
  requireAbility(world, "edit_document", document);
  requireUnlocked(world, document);
  requireDraft(world, document);
  refuseUnknownFields(world, document.fields, input.fields);
  const recipients = assignRecipientTypes(changeRecipients(world, document.recipients, input.recipients ?? []), document.fields);
  if (input.recipients) {
    refuseManyRecipients(world, recipients);
    remarkSharedAddresses(world, recipients);
  }
  const { name, fields, tokens, texts, images, tables, pricing_tables } = input;
  // assumed: update.empty.
  if (Object.values(input).every((part) => part === undefined)) return;
  const isContent = [name, fields, tokens, texts, images, tables, pricing_tables].some((part) => part !== undefined);
  // spec: recipients change only date_modified. assumed: update.content_date.
  const put = isContent ? putContent : putDocument;
  const changed = put(world, {
    ...applyContent(world, document, input),
    tokens: addTokens(document.tokens, tokens ?? []),
    name: name ?? document.name,
    // assumed: update.tags_and_metadata.
    tags: input.tags ?? document.tags,
    metadata: { ...document.metadata, ...metadataOf(world, input.metadata) },
    recipients,
  });
  planImages(world, changed);
  // An update adds unknown tokens.
  remarkUnknownNames(world, document, { ...input, tokens: [] });
}

/** Addresses are compared at the end of the request, so two recipients may swap theirs. */
function changeRecipients(
  world: World,
  recipients: readonly RecipientRow[],
  input: NonNullable<UpdateInput["recipients"]>,
): RecipientRow[] {
  const pathOf = (i: number) => `recipients[${i}]`;
  let changed = [...recipients];
  for (const [i, one] of input.entries()) {
    if (one.id === undefined) continue;
    const index = changed.findIndex((recipient) => recipient.id === one.id);
    const before = changed[index];
    if (!before) throw invalid({ [`${pathOf(i)}.id`]: ["Recipient not found."] }, `the document has no recipient ${one.id}`);
    changed[index] = changeRecipient(world, before, one, pathOf(i));
  }
  const waiting = new Set(input.map(({ id }) => id));
  for (const [i, { id }] of input.entries()) {
    waiting.delete(id);
    const after = changed.find((recipient) => recipient.id === id);
    const settled = changed.filter((recipient) => !waiting.has(recipient.id));
    if (after?.type === "recipient")
      refuseTakenAddress(world, settled, after, `${pathOf(i)}.${after.email === null ? "phone" : "email"}`);
  }
  for (const [i, one] of input.entries()) {
    if (one.id !== undefined) continue;
    changed = mergeRecipient(world, changed, addRecipient(world, { ...one, role: null }, pathOf(i)), pathOf(i));
  }
  return changed;
}

function changeRecipient(
  world: World,
  before: RecipientRow,
  one: NonNullable<UpdateInput["recipients"]>[number],
  path: string,
): RecipientRow {
  remarkIdleValues(world, one, { isGroup: before.type === "recipient_group", where: path });
  const person = {
    type: before.type,
    name: one.name ?? before.name ?? "",
    members:
      one.members ?? before.members.map(({ email, phone, first_name, last_name }) => ({ email, phone, first_name, last_name })),
    email: one.email ?? before.email,
    phone: one.phone ?? before.phone,
    first_name: one.first_name ?? before.first_name,
    last_name: one.last_name ?? before.last_name,
    signing_order: one.signing_order === undefined ? before.signing_order : one.signing_order,
    delivery_methods: { ...before.delivery_methods, ...one.delivery_methods },
    redirect: one.redirect ?? before.redirect,
    verification_settings: before.verification_settings,
  };
  const after = newRecipient(world, person, path);
  return {
    ...after,
    id: before.id,
    role: before.role,
    roles: before.roles,
    recipient_type: before.recipient_type,
    // The contact keeps a phone number that the update removes.
    phone: one.phone === null ? null : after.phone,
    members: after.members.map((member) => ({ ...member, ...identityOf(before.members, member) })),
    internal: before.internal,
  };
}

function identityOf(members: readonly GroupMember[], member: GroupMember): Partial<GroupMember> {
  const existing = members.find((one) =>
    one.email === null ? one.phone === member.phone : one.email.toLowerCase() === member.email?.toLowerCase(),
  );
  return existing ? { id: existing.id, link_token: existing.link_token, signature_date: existing.signature_date } : {};
}
