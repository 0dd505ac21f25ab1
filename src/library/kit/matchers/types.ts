/** What the matchers take. These public types import nothing from the implementation. */
import type { FindingKind } from "../../../inspector/lint/finding.ts";
import type { DocumentStatus, EventName, Matcher, OperationId, PageName } from "../../file-types.ts";
import type { CallConditions, DeliveryState, FieldValue, SandboxRecipient } from "../../types.ts";

export type { FindingKind };

/** An asymmetric matcher of a test runner, such as `expect.any(String)`. */
export interface Asymmetric {
  /** Returns true for a matching value. */
  asymmetricMatch(actual: unknown): boolean;
}

/** A value, a regular expression for a text, a function that returns true, or an asymmetric matcher. */
// biome-ignore lint/suspicious/noExplicitAny: the runners type their asymmetric matchers as any or as records of any
export type Wanted<T> = T | RegExp | Asymmetric | ((actual: any) => boolean) | AnyOf;
/** Playwright's type of an asymmetric matcher. */
type AnyOf = { readonly $$typeof: symbol };

/** Expected members by name, or one matcher for all of them. */
export type WantedMembers<T> = Readonly<Record<string, Wanted<T>>> | Asymmetric | AnyOf;
/** Expected members of a list, or one matcher for the list. */
export type WantedList<T> = readonly T[] | Asymmetric | AnyOf;

/** How often something must happen. Default: at least once. `times: 0` means never. */
export interface Times {
  /** Exactly this many times. */
  times?: number | undefined;
  /** At least this many times. */
  atLeast?: number | undefined;
  /** At most this many times. */
  atMost?: number | undefined;
}

/** Conditions on a call: those of a rule, and values of the test runner. */
export interface Received extends Times, Pick<CallConditions, "path" | "method" | "document" | "tool"> {
  /** Members that the body must have, at any depth. Lists must match member by member. Names that begin with `$` are JSON paths with a matcher. */
  body?: unknown;
  /** Conditions on query parameters, by name. */
  query?: Readonly<Record<string, Wanted<string> | Matcher>> | undefined;
  /** Conditions on headers, by name. */
  headers?: Readonly<Record<string, Wanted<string> | Matcher>> | undefined;
  /** The HTTP status of the sandbox's answer. */
  status?: Wanted<number> | Matcher | undefined;
  /** The id of the document that the call is about. */
  document_id?: Wanted<string> | undefined;
}

/** Conditions on a webhook delivery. */
export interface Delivered extends Times {
  /** The id of the document. */
  document_id?: Wanted<string> | undefined;
  /** The document's status in the event, such as `document.completed`. */
  status?: Wanted<DocumentStatus> | undefined;
  /** How far the delivery is. Default: `delivered`, so the subscriber acknowledged it. */
  state?: DeliveryState | undefined;
  /** The signature of the last attempt. */
  signature?: "valid" | "invalid" | "missing" | "old_key" | "similar" | "short" | undefined;
  /** The number of attempts. */
  attempts?: Wanted<number> | undefined;
  /** The address of the subscription. */
  url?: Wanted<string> | undefined;
  /** Members that the event's data must have. */
  data?: unknown;
}

/** Conditions on an event that a webhook receiver accepted. */
export interface InboxEvent extends Times {
  /** The id of the document. */
  document_id?: Wanted<string> | undefined;
  /** The document's status in the event. */
  status?: Wanted<DocumentStatus> | undefined;
  /** The document's name. */
  name?: Wanted<string> | undefined;
  /** The email address of the recipient who completed the document. */
  recipient?: Wanted<string> | undefined;
  /** Whether the signature is right. */
  signature?: "valid" | "invalid" | "missing" | undefined;
  /** True for an event whose id arrived before. */
  duplicate?: boolean | undefined;
  /** Members that the event's data must have. */
  data?: unknown;
}

/** Conditions on a document. */
export interface ExpectedDocument extends Times {
  /** The document's id. */
  id?: Wanted<string> | undefined;
  /** The document's name. */
  name?: Wanted<string> | undefined;
  /** The document's status. */
  status?: Wanted<DocumentStatus> | undefined;
  /** The template's name or id. */
  template?: Wanted<string> | undefined;
  /** The document must have each of these recipients, in any order. */
  recipients?: WantedList<{ [Name in keyof SandboxRecipient]?: Wanted<SandboxRecipient[Name]> } | Asymmetric | AnyOf> | undefined;
  /** Values of fields, by field name. */
  fields?: WantedMembers<FieldValue> | undefined;
  /** The document's metadata, by key. */
  metadata?: WantedMembers<string> | undefined;
  /** Values of template variables, by name. */
  tokens?: WantedMembers<string> | undefined;
  /** The document must have each of these tags. */
  tags?: WantedList<Wanted<string>> | undefined;
}

/** Conditions on a mail or text message. */
export interface Mailed extends Times {
  /** The subject line. */
  subject?: Wanted<string> | undefined;
  /** The plain text of the message. */
  text?: Wanted<string> | undefined;
  /** The kind of message. Examples: `sent`, `reminder`, `completed`. */
  kind?: Wanted<string> | undefined;
  /** How the message is sent: as a mail or a text message. */
  channel?: "email" | "sms" | undefined;
  /** The id of the document that the mail is about. */
  document_id?: Wanted<string> | undefined;
  /** The receiver's name. */
  to_name?: Wanted<string> | undefined;
  /** The address behind the button. */
  link?: Wanted<string | null> | undefined;
}

export interface CleanOptions {
  /** Kinds of findings to ignore. */
  except?: readonly FindingKind[] | undefined;
}

/** The matchers of `expect` in vitest, Jest and Playwright. A failure shows the nearest miss. */
export interface DocdoubleMatchers<R = unknown> {
  /**
   * Expects that the sandbox received calls of an operation, at least one by default.
   * @example
   * expect(sandbox).toHaveReceived("createDocument", { body: { name: "Offer 42" }, times: 1 });
   */
  toHaveReceived(operationId: OperationId | PageName, expected?: Received): R;
  /** Expects that the sandbox delivered an event and that the subscriber acknowledged it, at least once by default. */
  toHaveDelivered(event: EventName, expected?: Delivered): R;
  /** Expects that the webhook receiver accepted an event, at least once by default. */
  toHaveReceivedEvent(event: EventName, expected?: InboxEvent): R;
  /**
   * Expects that the sandbox has a matching document, at least one by default.
   * @example
   * expect(sandbox).toHaveDocument({ id, status: "document.completed", fields: { Company: "Client Ltd" } });
   */
  toHaveDocument(expected?: ExpectedDocument): R;
  /** Expects that the sandbox sent a mail to an address or a text message to a number, at least one by default. */
  toHaveMailed(to: Wanted<string>, expected?: Mailed): R;
  /** Expects that client lint finds nothing. */
  toBeClean(options?: CleanOptions): R;
}

export interface Verdict {
  /** True if the expectation holds. */
  pass: boolean;
  /** Names the expected count, the actual count, and the nearest miss. */
  message(): string;
}
