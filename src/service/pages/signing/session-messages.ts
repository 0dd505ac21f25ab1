/** The messages that a session's page posts to the embedding page. Source: the types and the readme of `pandadoc-signing`. */
import type { SessionView } from "../../nouns/signing/sessions.ts";
import type { World } from "../../kit/world.ts";
import type { DocumentRow } from "../../nouns/documents/row.ts";
import type { GroupMember, RecipientRow } from "../../nouns/people/inputs.ts";

export type MessageName =
  | "loading"
  | "loading.error"
  | "not.found"
  | "protected"
  | "attempts.limit.exceeded"
  | "loaded"
  | "rendered"
  | "completed"
  | "exception";

export interface Message {
  type: `session_view.document.${MessageName}`;
  payload: object;
}

/** `now` is posted on load, `rendered` when the page has loaded, and `ended` when the session ends meanwhile. */
export interface Messages {
  now?: Message[];
  rendered?: Message;
  ended?: Message;
}

export interface About {
  document?: DocumentRow;
  recipient?: RecipientRow;
  member?: GroupMember;
}

export function message(world: World, name: MessageName, about: About): Message {
  return { type: `session_view.document.${name}`, payload: payloadOf(world, about) };
}

/** assumed: signing.message_members. */
function payloadOf(world: World, { document, recipient, member }: About): object {
  if (!document || !recipient) return {};
  const person = member ?? recipient;
  return {
    uuid: document.id,
    recipient: {
      id: person.id,
      email: person.email ?? "",
      company: companyOf(world, document, person.email),
      // assumed: signing.null_names.
      firstName: person.first_name || null,
      lastName: person.last_name || null,
    },
  };
}

function companyOf({ store }: World, { workspace_id }: DocumentRow, email: string | null): string {
  const contact = email === null ? undefined : store.contacts.where("email", `${workspace_id}:${email.toLowerCase()}`)[0];
  return contact?.company ?? "";
}

/** The messages when a page opens. assumed: signing.opening_messages. */
export function openingMessages(world: World, sight: SessionView): Messages {
  const post = (...names: MessageName[]) => names.map((name) => message(world, name, sight));
  if (sight.is === "stopped") return { now: post("loading", sight.why === "unknown" ? "not.found" : "loading.error") };
  if (sight.is === "open") return { now: post("loading", "loaded"), rendered: message(world, "rendered", sight) };
  // The readme has these messages only for text messages, so other checks post just `loading`.
  if (sight.kind !== "phone") return { now: post("loading") };
  return { now: post("loading", sight.locked ? "attempts.limit.exceeded" : "protected") };
}

/** The check before opening has already posted `loading`. */
export function passedMessages(world: World, sight: SessionView): Messages {
  if (sight.is !== "open") return {};
  return { now: [message(world, "loaded", sight)], rendered: message(world, "rendered", sight) };
}
