/** What the matchers take. Public types: they import nothing from the implementation. */
import type { PartPattern, RequestPattern, ValueMatcher } from "../../admin/wiremock/pattern-types.ts";
import type { FindingKind } from "../../admin/lint/finding.ts";
import type { DocumentStatus, EventName, OperationId, PageName } from "../../scenario/file-types.ts";
import type { DeliveryState, FieldValue, SandboxRecipient } from "../../types.ts";

export type { FindingKind, PartPattern, ValueMatcher };

/** An asymmetric matcher of a test runner, such as `expect.any(String)`. */
export interface Asymmetric {
  /** Whether a value matches. */
  asymmetricMatch(actual: unknown): boolean;
}

/** A value, a regular expression for a text, a function that returns true, or an asymmetric matcher. */
// biome-ignore lint/suspicious/noExplicitAny: the runners type their asymmetric matchers as any or as records of any
export type Wanted<T> = T | RegExp | Asymmetric | ((actual: any) => boolean) | AnyOf;
/** Playwright's type of an asymmetric matcher. */
type AnyOf = { readonly $$typeof: symbol };

/** Wanted members by name, or one matcher for all of them. */
export type WantedMembers<T> = Readonly<Record<string, Wanted<T>>> | Asymmetric | AnyOf;
/** Wanted members of a list, or one matcher for the list. */
export type WantedList<T> = readonly T[] | Asymmetric | AnyOf;

/** How often something has to happen. Default: at least once. `times: 0` means never. */
export interface Times {
  /** Exactly this many. */
  times?: number | undefined;
  /** This many or more. */
  atLeast?: number | undefined;
  /** This many or fewer. */
  atMost?: number | undefined;
}

/** Conditions on a call: the members below, and those of a WireMock pattern. */
export interface Received extends Times, Omit<RequestPattern, "operationId" | "status" | "headers"> {
  /** Members that the JSON body has, also nested. Lists are compared member by member. */
  body?: unknown;
  /** Query parameters. */
  query?: Readonly<Record<string, Wanted<string>>> | undefined;
  /** Conditions on headers, by name. */
  headers?: Readonly<Record<string, Wanted<string> | ValueMatcher>> | undefined;
  /** The status that the sandbox answered. */
  status?: Wanted<number> | undefined;
  /** The id of the document that the call is about. */
  document_id?: Wanted<string> | undefined;
}

/** Conditions on a delivery to a subscriber. */
export interface Delivered extends Times {
  /** The id of the document. */
  document_id?: Wanted<string> | undefined;
  /** The document's status in the event, such as `document.completed`. */
  status?: Wanted<DocumentStatus> | undefined;
  /** Default: `delivered`, which means that the subscriber acknowledged it. */
  state?: DeliveryState | undefined;
  /** The signature of the last attempt. */
  signature?: "valid" | "invalid" | "missing" | "old_key" | undefined;
  /** How often docdouble tried. */
  attempts?: Wanted<number> | undefined;
  /** The subscribed address. */
  url?: Wanted<string> | undefined;
  /** Members that the event's data has. */
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
  /** Whether the signature was right. */
  signature?: "valid" | "invalid" | "missing" | undefined;
  /** Whether the event arrived before. */
  duplicate?: boolean | undefined;
  /** Members that the event's data has. */
  data?: unknown;
}

/** Conditions on a document. */
export interface ExpectedDocument extends Times {
  /** The id. */
  id?: Wanted<string> | undefined;
  /** The name. */
  name?: Wanted<string> | undefined;
  /** The document's status. */
  status?: Wanted<DocumentStatus> | undefined;
  /** The template, by name or id. */
  template?: Wanted<string> | undefined;
  /** Each of these is one of the document's recipients, in any order. */
  recipients?: WantedList<{ [Name in keyof SandboxRecipient]?: Wanted<SandboxRecipient[Name]> } | Asymmetric | AnyOf> | undefined;
  /** Values by the field's name. */
  fields?: WantedMembers<FieldValue> | undefined;
  /** Metadata by key. */
  metadata?: WantedMembers<string> | undefined;
  /** Values by the token's name. */
  tokens?: WantedMembers<string> | undefined;
  /** Each of these is one of the document's tags. */
  tags?: WantedList<Wanted<string>> | undefined;
}

/** Conditions on a mail or text message. */
export interface Mailed extends Times {
  /** The subject of the mail. */
  subject?: Wanted<string> | undefined;
  /** The text. */
  text?: Wanted<string> | undefined;
  /** Such as `sent`, `reminder` or `completed`. */
  kind?: Wanted<string> | undefined;
  /** Mail, or text message. */
  channel?: "email" | "sms" | undefined;
  /** The id of the document. */
  document_id?: Wanted<string> | undefined;
  /** The name of the receiver. */
  to_name?: Wanted<string> | undefined;
  /** The target of the button. */
  link?: Wanted<string | null> | undefined;
}

export interface CleanOptions {
  /** Kinds of findings to leave out. */
  except?: readonly FindingKind[] | undefined;
}

/** The matchers of `expect` in vitest, Jest and Playwright. A failure shows the nearest miss. */
export interface DocdoubleMatchers<R = unknown> {
  /**
   * The sandbox received calls of an operation, by default at least one.
   *
   * @example
   * expect(sandbox).toHaveReceived("createDocument", { body: { name: "Offer 42" }, times: 1 });
   */
  toHaveReceived(operationId: OperationId | PageName, expected?: Received): R;
  /** The sandbox delivered an event to a subscriber, by default at least once and acknowledged. */
  toHaveDelivered(event: EventName, expected?: Delivered): R;
  /** The webhook receiver accepted an event, by default at least once. */
  toHaveReceivedEvent(event: EventName, expected?: InboxEvent): R;
  /**
   * The sandbox has a document, by default at least one.
   *
   * @example
   * expect(sandbox).toHaveDocument({ id, status: "document.completed", fields: { Company: "Client Ltd" } });
   */
  toHaveDocument(expected?: ExpectedDocument): R;
  /** The sandbox sent a mail or text message to an address or number, by default at least one. */
  toHaveMailed(to: Wanted<string>, expected?: Mailed): R;
  /** Client lint finds nothing. */
  toBeClean(options?: CleanOptions): R;
}

export interface Verdict {
  /** Whether the expectation holds. */
  pass: boolean;
  /** Names the expected and the actual count, and the nearest miss. */
  message(): string;
}
