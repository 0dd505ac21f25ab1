import { pointerOf } from "../../../engine/core/text.ts";
import type { World } from "../../kit/world.ts";
import type { RecipientInput, RecipientRow } from "./inputs.ts";

/** Values of recipients that docdouble accepts without a source, or that do nothing. Client lint reports them. */

const OF_GROUPS: readonly string[] = ["name", "members"];
const OF_PEOPLE: readonly string[] = ["email", "phone", "first_name", "last_name", "company"];

/**
 * Values of the other kind of recipient do nothing, and a redirect needs an address.
 * The empty text of `where` is the request itself.
 */
export function remarkIdleValues(
  world: World,
  input: Pick<RecipientInput, "redirect">,
  { isGroup, where, ofPeople = OF_PEOPLE }: { isGroup: boolean; where: string; ofPeople?: readonly string[] },
): void {
  const placeOf = (name: string) => (where === "" ? name : `${where}.${name}`);
  // assumed: recipients.redirect_without_url.
  if (input.redirect?.is_enabled && !input.redirect.url)
    remarkIgnored(
      world,
      placeOf("redirect.url"),
      "The redirect has no address, so nobody is redirected",
      "Send the url with it.",
    );
  for (const name of isGroup ? ofPeople : OF_GROUPS) {
    const value = (input as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || value === null) continue;
    remarkIgnored(
      world,
      placeOf(name),
      isGroup
        ? `The recipient is a group, and a group has no ${name}`
        : `The recipient is not a group, and only a group has ${name}`,
      isGroup ? "Leave it out. The members of the group have their own." : "Leave it out, or send the type recipient_group.",
    );
  }
}

/** One address in several parts, where one of them is a group. assumed: recipients.group_overlap. */
export function remarkSharedAddresses(world: World, recipients: readonly RecipientRow[], field = "recipients"): void {
  if (!recipients.some((one) => one.members.length > 0)) return;
  const listed = new Set<string>();
  const emails = recipients.flatMap((one) => (one.members.length > 0 ? one.members.map(({ email }) => email) : [one.email]));
  for (const address of emails) {
    const email = address?.toLowerCase();
    if (email === undefined) continue;
    if (listed.has(email))
      remarkIgnored(
        world,
        field,
        `${email} is in a group and has another part in the document too`,
        "Name each person once: the service refuses an address in two roles.",
      );
    listed.add(email);
  }
}

/** assumed: recipients.phone_only. */
export function remarkUnreachable(world: World, recipients: readonly RecipientRow[]): void {
  for (const { email, phone, delivery_methods, members } of recipients) {
    if (!delivery_methods.email && !delivery_methods.sms)
      world.remark({
        kind: "doubtful_value",
        message: `Both delivery methods of the recipient ${email ?? phone ?? "group"} are off, so no message arrives`,
        fix: "Send delivery_methods with email or sms, or send the document silently.",
      });
    if (members.length > 0 || !delivery_methods.email || delivery_methods.sms || email !== null) continue;
    world.remark({
      kind: "doubtful_value",
      message: `The recipient with the number ${phone} gets emails only and has no email address, so no message arrives`,
      fix: "Send delivery_methods with sms, or give the recipient an email address.",
    });
  }
}

export function remarkIgnored(world: World, where: string, message: string, fix: string): void {
  world.remark({ kind: "doubtful_value", message, fix, pointer: pointerOf(where) });
}
