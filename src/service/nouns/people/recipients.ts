import type { ApiError } from "../../../engine/core/errors.ts";
import { invalid } from "../../../engine/core/errors.ts";
import type { World } from "../../kit/world.ts";
import type { ContactRow } from "../contacts.ts";
import { EMPTY_CONTACT } from "../contacts.ts";
import type { FieldRow } from "../content/row.ts";
import type {
  DeliveryMethods,
  GroupMember,
  PersonInput,
  RecipientInput,
  RecipientRow,
  Redirect,
  VerificationSettings,
} from "./inputs.ts";
import { remarkIdleValues, remarkIgnored } from "./remarks.ts";

const VERIFICATIONS = [
  "passcode_verification",
  "phone_verification",
  "kba_verification",
  "id_verification",
  "email_otp_verification",
] as const;

/** assumed: recipients.phone_format. */
export function isInternationalNumber(phone: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(phone.replace(/[\s().-]/g, ""));
}

/**
 * `usualDelivery` counts when the request names no delivery methods. Without it, those of the contact count.
 * assumed: recipients.default_delivery.
 */
export function addRecipient(
  world: World,
  input: RecipientInput,
  where: string,
  usualDelivery?: DeliveryMethods | null,
): RecipientRow {
  remarkIdleValues(world, input, { isGroup: input.type === "recipient_group", where });
  return newRecipient(world, input, where, usualDelivery);
}

/** As `addRecipient`, for values that the request itself need not have. */
export function newRecipient(
  world: World,
  input: RecipientInput,
  where: string,
  usualDelivery?: DeliveryMethods | null,
): RecipientRow {
  const id = world.ids.short();
  const verification_settings = toVerification(input.verification_settings, where);
  const link_token = world.ids.hex(40);
  const isGroup = input.type === "recipient_group";
  const members = isGroup
    ? (input.members ?? []).map((one, i) => addGroupMember(world, one, `${where}.members[${i}]`))
    : NO_MEMBERS;
  requireDistinctMembers(members, where);
  const person = isGroup ? NOBODY : findOrCreateContact(world, input, where);
  return {
    id,
    type: isGroup ? "recipient_group" : "recipient",
    name: isGroup ? (input.name ?? "") : null,
    members,
    email: person.email,
    phone: person.phone,
    first_name: person.first_name,
    last_name: person.last_name,
    contact_id: person.contact_id,
    role: input.role ?? "",
    roles: input.role ? [input.role] : [],
    signing_order: input.signing_order ?? null,
    recipient_type: "CC",
    has_completed: false,
    signature_date: null,
    avatar: null,
    delivery_methods: input.delivery_methods
      ? { ...BY_EMAIL, ...pickDelivery(input.delivery_methods) }
      : (usualDelivery ?? deliveryOf(world, person.contact_id) ?? BY_EMAIL),
    redirect: toRedirect(input.redirect),
    verification_settings,
    internal: { link_token, viewed_at: null, verified: false, notified_at: null },
  };
}

function deliveryOf(world: World, contactId: string): DeliveryMethods | undefined {
  return world.store.contacts.get(contactId)?.delivery_methods ?? undefined;
}

/** `where` names the group in errors; the empty text is the request itself. @throws 400 */
export function requireDistinctMembers(members: readonly GroupMember[], where: string): void {
  const emails = members.flatMap((member) => member.email?.toLowerCase() ?? []);
  if (new Set(emails).size < emails.length)
    throw invalid({ [where === "" ? "members" : `${where}.members`]: ["Members must be unique."] });
}

const NO_MEMBERS: GroupMember[] = [];

const BY_EMAIL: DeliveryMethods = { email: true, sms: false };

const NO_REDIRECT: Redirect = { is_enabled: false, url: null };

const NOBODY: ContactDetails = { email: null, phone: null, first_name: "", last_name: "", contact_id: "" };

export function addGroupMember(world: World, input: PersonInput, where: string): GroupMember {
  const { contact_id: _, ...person } = findOrCreateContact(world, input, where);
  return { id: world.ids.uuid(), ...person, link_token: world.ids.hex(40), signature_date: null, viewed_at: null };
}

export interface ContactDetails {
  email: string | null;
  phone: string | null;
  first_name: string;
  last_name: string;
  contact_id: string;
}

export function findOrCreateContact(world: World, input: PersonInput, where: string): ContactDetails {
  const { contacts } = world.store;
  const { workspace_id } = world.caller;
  const known = findContact(world, input, where);
  // assumed: recipients.contact_id.
  if (input.id && input.id !== known?.id)
    remarkIgnored(
      world,
      `${where}.id`,
      `The email address or phone number counts, and the contact "${input.id}" does not`,
      "Leave the id out.",
    );
  const details = {
    email: input.email ?? known?.email ?? null,
    phone: input.phone || known?.phone || null,
    // assumed: recipients.empty_name.
    first_name: input.first_name || known?.first_name || null,
    last_name: input.last_name || known?.last_name || null,
    company: input.company || known?.company || null,
  };
  const isSame =
    known?.email === details.email &&
    known.phone === details.phone &&
    known.first_name === details.first_name &&
    known.last_name === details.last_name &&
    known.company === details.company;
  const contact = isSame
    ? known
    : contacts.put({
        ...EMPTY_CONTACT,
        workspace_id,
        ...(known ?? { id: world.ids.short() }),
        ...details,
      });
  return {
    email: contact.email,
    phone: contact.phone,
    first_name: contact.first_name ?? "",
    last_name: contact.last_name ?? "",
    contact_id: contact.id,
  };
}

function findContact(world: World, input: PersonInput, where: string): ContactRow | undefined {
  const { contacts } = world.store;
  const { workspace_id } = world.caller;
  if (input.email) return contacts.where("email", `${workspace_id}:${input.email.toLowerCase()}`)[0];
  if (input.phone) return contacts.where("phone", `${workspace_id}:${input.phone}`)[0];
  if (!input.id) throw invalid({ [`${where}.email`]: ["Email or phone is required."] });
  const contact = contacts.get(input.id);
  if (contact?.workspace_id !== workspace_id)
    throw invalid({ [`${where}.id`]: ["Contact not found."] }, `no contact ${input.id} in this workspace`);
  if (contact.email || contact.phone) return contact;
  throw invalid(
    { [`${where}.email`]: ["Email or phone is required."] },
    `the contact ${contact.id} has neither an email address nor a phone number`,
  );
}

export function pickDelivery(input: Partial<DeliveryMethods> | null | undefined): Partial<DeliveryMethods> {
  const picked: Partial<DeliveryMethods> = {};
  if (input?.email !== undefined) picked.email = input.email;
  if (input?.sms !== undefined) picked.sms = input.sms;
  return picked;
}

export function toRedirect(input: RecipientInput["redirect"]): Redirect {
  return input ? { is_enabled: input.is_enabled ?? false, url: input.url ?? null } : NO_REDIRECT;
}

export function toVerification(input: RecipientInput["verification_settings"], where: string): VerificationSettings | null {
  if (!input) return null;
  const used = VERIFICATIONS.filter((kind) => input[kind]);
  if (used.length !== 1) {
    // assumed: recipients.verification_texts.
    const message = used.length === 0 ? "A verification method is required." : "Only one verification method can be used.";
    const named = used.length === 0 ? "none" : used.join(", ");
    throw invalid(
      { [where ? `${where}.verification_settings` : "verification_settings"]: [message] },
      `name exactly one of ${VERIFICATIONS.join(", ")}; the request names ${named}`,
    );
  }
  return {
    verification_place: input.verification_place,
    passcode_verification: input.passcode_verification ?? null,
    phone_verification: input.phone_verification ?? null,
    kba_verification: input.kba_verification ?? null,
    id_verification: input.id_verification ?? null,
    email_otp_verification: input.email_otp_verification ?? null,
  };
}

/** Adds a recipient, or merges it into the entry of the same person. assumed: recipients.same_email. */
export function mergeRecipient(
  world: World,
  recipients: readonly RecipientRow[],
  added: RecipientRow,
  path?: string,
): RecipientRow[] {
  const known = recipients.find((recipient) => isSamePerson(recipient, added));
  if (!known) return [...recipients, added];
  const reading = world.decide("recipients.same_email");
  if (reading === "separate") return [...recipients, added];
  if (reading === "refuse" && path !== undefined) throw alreadyListed(added, `${path}.email`);
  const joined: RecipientRow = {
    ...known,
    phone: known.phone ?? added.phone,
    first_name: known.first_name || added.first_name,
    last_name: known.last_name || added.last_name,
    role: known.role || added.role,
    roles: [...new Set([...known.roles, ...added.roles])],
    signing_order: earliestTurn(known, added),
    delivery_methods: {
      email: known.delivery_methods.email || added.delivery_methods.email,
      sms: known.delivery_methods.sms || added.delivery_methods.sms,
    },
    redirect: known.redirect.is_enabled ? known.redirect : added.redirect,
    verification_settings: known.verification_settings ?? added.verification_settings,
  };
  return recipients.map((recipient) => (recipient === known ? joined : recipient));
}

/** Source: the vendor's skill files quote the text. */
export function alreadyListed({ email, phone }: Pick<RecipientRow, "email" | "phone">, field: string): ApiError {
  const address = email ?? phone;
  return invalid(
    { [field]: [`${address} already in recipients list`] },
    `${address} is already a recipient; give one person one role, and assign the fields of the other role to that recipient`,
  );
}

/** A changed address may not be that of another recipient. Recipients without any address share none. @throws 400 */
export function refuseTakenAddress(
  world: World,
  recipients: readonly RecipientRow[],
  changed: RecipientRow,
  field: string,
): void {
  const isTaken = recipients.some((one) => one.id !== changed.id && addressOf(one) === addressOf(changed));
  if (isTaken && world.decide("recipients.same_email") === "refuse") throw alreadyListed(changed, field);
}

const addressOf = ({ id, email, phone }: RecipientRow) => email?.toLowerCase() ?? phone ?? id;

/** Each member of a group counts. assumed: recipients.limit. @throws 400 */
export function refuseManyRecipients(world: World, recipients: readonly RecipientRow[], field = "recipients"): void {
  const count = recipients.reduce((sum, one) => sum + Math.max(1, one.members.length), 0);
  if (count <= RECIPIENTS_MAX || world.decide("recipients.limit") === "none") return;
  throw invalid(
    { [field]: [`Ensure this field has no more than ${RECIPIENTS_MAX} elements.`] },
    `the document would have ${count} recipients; each member of a group counts`,
  );
}

const RECIPIENTS_MAX = 50;

export function earliestTurn(a: RecipientRow, b: RecipientRow): number | null {
  const orders = [a.signing_order, b.signing_order].filter((order) => order !== null);
  return orders.length > 0 ? Math.min(...orders) : null;
}

export function isSamePerson(a: RecipientRow, b: RecipientRow): boolean {
  if (a.type === "recipient_group" || b.type === "recipient_group") return false;
  return a.contact_id === b.contact_id || (a.email !== null && a.email.toLowerCase() === b.email?.toLowerCase());
}

/** The id of the first recipient with the role. */
export function recipientOfRole(recipients: readonly RecipientRow[], role: string | null): string | null {
  return recipients.find((recipient) => role !== null && recipient.roles.includes(role))?.id ?? null;
}

export function assignRecipientTypes(
  recipients: readonly RecipientRow[],
  fields: readonly Pick<FieldRow, "recipient_id">[],
): RecipientRow[] {
  return recipients.map((recipient) => {
    if (recipient.recipient_type === "approver") return recipient;
    const recipient_type = fields.some((field) => field.recipient_id === recipient.id) ? "signer" : "CC";
    return recipient_type === recipient.recipient_type ? recipient : { ...recipient, recipient_type };
  });
}

export interface Participant {
  recipient: RecipientRow;
  member: GroupMember | undefined;
}
