/** The public types of the test kit. They import nothing from the implementation. */
import type {
  DocumentStatus,
  Duration,
  EventName,
  FixturesFile,
  OperationId,
  ScenarioFile,
  TemplateFile,
  WebhookRuleFile,
} from "../scenario/file-types.ts";

type Row<Name extends keyof FixturesFile> = NonNullable<FixturesFile[Name]>[number];

/** A template as a fixtures file declares it: name, roles, fields, approval, payment … */
export type NewTemplate = TemplateFile;
/** A contact as a fixtures file declares it. */
export type NewContact = Row<"contacts">;
/** A recipient as the API takes it: email, first_name, last_name, role, signing_order … */
export type NewRecipient = NonNullable<NonNullable<Row<"documents">["recipients"]>[number]>;

/** The document that `documents.create` makes. */
export interface NewDocument {
  /** The template, by name or id. Default: the first template that can reach the status. */
  template?: string | undefined;
  /** The document's name. Default: the template's. */
  name?: string | undefined;
  /** The status to reach. Default: `document.draft`. */
  status?: DocumentStatus | undefined;
  /** Recipients. One without a role takes the next free role. Default: one recipient for each role. */
  recipients?: readonly NewRecipient[] | undefined;
  /** Values of fields, by name. */
  fields?: Record<string, string | number | boolean> | undefined;
  /** Values of tokens, by name. */
  tokens?: Record<string, string> | undefined;
  /** Metadata by key. */
  metadata?: Record<string, string> | undefined;
  /** The tags. */
  tags?: readonly string[] | undefined;
  /** The id of a folder. */
  folder?: string | undefined;
  /** When a scheduled document is sent: an instant, or a duration from now. Default: `1d`. */
  sendAt?: string | undefined;
}

/** A stored template. */
export interface SandboxTemplate {
  /** The id. */
  id: string;
  /** The name. */
  name: string;
  /** The roles that recipients take. */
  roles: { id: string; name: string; signing_order: number | null }[];
  /** The fields of the template. */
  fields: { uuid: string; field_id: string; name: string; type: string; role: string | null }[];
}

/** A stored contact. */
export interface SandboxContact {
  /** The id. */
  id: string;
  /** The email address. */
  email: string | null;
  /** The first name. */
  first_name: string | null;
  /** The last name. */
  last_name: string | null;
  /** The company. */
  company: string | null;
  /** The phone number. */
  phone: string | null;
}

/** A kind of data that an event carries on request. */
export type PayloadKind = "metadata" | "fields" | "products" | "tokens" | "pricing";

export interface NewSubscription {
  /** The address that receives the events. */
  url: string;
  /** Default: all events. */
  events?: readonly EventName[] | undefined;
  /** Default: `docdouble test kit`. */
  name?: string | undefined;
  /** Data that events carry beside the document. */
  payload?: readonly PayloadKind[] | undefined;
  /** The key of the signatures. Default: a key that the service makes. */
  sharedKey?: string | undefined;
}

/** A stored webhook subscription. */
export interface SandboxSubscription {
  /** The id. */
  id: string;
  /** The name. */
  name: string;
  /** The address that receives the events. */
  url: string;
  /** The events that are sent. */
  events: EventName[];
  /** Data that events carry beside the document. */
  payload: PayloadKind[];
  /** The key of the signatures. */
  sharedKey: string;
}

/** A fault of a call. */
export type CallFault =
  | "throttled"
  | "conflict"
  | "locked"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "invalid"
  | "gateway_error"
  | "reset_before"
  | "reset_after"
  | "truncated"
  | "slow"
  | "hang"
  | "pdf_not_ready"
  | "slow_processing";

/** A fault of a webhook delivery. */
export type WebhookFault = "webhook_duplicate" | "webhook_late" | "webhook_reordered" | "webhook_lost" | "webhook_forged";

/** What a recipient does instead of signing, or what happens to the document when the recipient's turn begins. */
export type RecipientFault = "recipient_declines" | "recipient_forwards" | "document_expires";

export interface CallFaultOptions {
  /** How many calls it hits. Default 1. */
  times?: number | undefined;
  /** Only calls about the document with this id. */
  document?: string | undefined;
  /** The wait that `throttled` and `pdf_not_ready` ask for, in full seconds. Default `5s`. */
  retryAfter?: Duration | undefined;
  /**
   * The real time that `slow` takes, at most 30s, by default `1s`. How long the service processes a document after
   * `slow_processing`, on the sandbox's clock, by default `1m`.
   */
  delay?: Duration | undefined;
  /** How long the lock of `locked` lasts. Default `5m`. */
  for?: Duration | undefined;
  /** Replaces the text of the refusal. */
  detail?: string | undefined;
  /** Allows a status that the operation does not declare. */
  undeclared?: boolean | undefined;
}

export interface WebhookFaultOptions {
  /** How many deliveries it hits. Default 1. */
  times?: number | undefined;
  /** Only events about the document with this id. */
  document?: string | undefined;
  /** Only events in which the document has this status. */
  status?: DocumentStatus | undefined;
  /** How late `webhook_late` is, on the sandbox's clock. Default `1h`. */
  delay?: Duration | undefined;
  /** `webhook_reordered` holds the event until this one arrived. */
  after?: EventName | { event: EventName; status?: DocumentStatus | undefined } | undefined;
}

export interface RecipientFaultOptions {
  /** How many turns it hits. Default 1. */
  times?: number | undefined;
  /** Only turns in the document with this id. */
  document?: string | undefined;
  /** The time between the turn's beginning and the fault, on the sandbox's clock. Default `1m`. */
  delay?: Duration | undefined;
  /** Why the recipient declines. */
  reason?: string | undefined;
  /** Who gets the document from `recipient_forwards`. Default: `somebody.else@client.example`. */
  to?: { email: string; first_name?: string | undefined; last_name?: string | undefined } | undefined;
}

/** Faults on demand, without a scenario file. */
export interface Faults {
  /** The next calls of an operation meet a fault, later ones do not. Faults of one operation apply in the order of these calls. */
  next(operation: OperationId, fault: CallFault, options?: CallFaultOptions): void;
  /** The next deliveries of an event meet a fault. */
  next(event: EventName, fault: WebhookFault, options?: WebhookFaultOptions): void;
  /** The next turns of a recipient end in a fault. Name the recipient by role or email address. */
  next(recipient: string, fault: RecipientFault, options?: RecipientFaultOptions): void;
  /** The operation succeeds, and its answer is lost: `next(operation, "reset_after")`. */
  lostAnswer(operation: OperationId, options?: { times?: number | undefined; document?: string | undefined }): void;
  /** Locks a document for editing, as a member does who edits it. `for` is a duration on the sandbox's clock, by default `5m`. */
  locked(documentId: string, options?: { for?: Duration | undefined }): void;
  /** Ends the lock of a document. */
  unlock(documentId: string): void;
  /** The names of faults that have not hit as often as asked. */
  pending(): string[];
  /** Removes all faults that `next` and `lostAnswer` added. */
  clear(): void;
}

/** Scenarios of the running sandbox. */
export interface Scenarios {
  /** Loads a scenario file, or the value of one, into the running world. Replaces the scenario of the same name. @throws ScenarioError */
  load(source: string | ScenarioFile): Promise<{ name: string }>;
  /** Removes a scenario with its rules, actors and timers. Its rows stay. */
  unload(name: string): boolean;
  /** The names of the loaded scenarios. */
  names(): string[];
  /** Checks the expectations of the loaded scenarios. @throws VerificationError */
  verify(): Promise<void>;
}

/** Rules for webhook deliveries, as a scenario file declares them under `webhooks`. */
export interface WebhookRules {
  /** Adds a rule before all others. A rule of the same name is replaced. @throws ScenarioError */
  add(rule: WebhookRuleFile): void;
  /** Removes a rule by name. Returns false for an unknown name. */
  remove(name: string): boolean;
  /** Removes the rules that were added at run time. */
  clear(): void;
  /** The names of rules that have not acted as often as expected. */
  pending(): string[];
}

/** The options of `webhooks.receiver`. */
export interface ReceiverOptions {
  /** Default: all events. */
  events?: readonly EventName[] | undefined;
  /** Data that events carry beside the document. */
  payload?: readonly PayloadKind[] | undefined;
  /** The name of the subscription. */
  name?: string | undefined;
  /** The key of the signatures. Default: a key that the service makes. */
  sharedKey?: string | undefined;
  /** The port to listen on, on loopback. Default: a free one. */
  port?: number | undefined;
  /** Leaves events out of `received` whose id arrived before. */
  deduplicate?: boolean | undefined;
  /** Takes each delivery in this process, without a socket, and answers it. Without an answer: 200. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is fine
  handler?: ((request: Request) => Response | void | Promise<Response | void>) | undefined;
}

/** An event that a receiver received. */
export interface ReceivedEvent {
  /** The name of the event. */
  event: EventName;
  /** What the event is about. */
  data: {
    /** The id of the document or template. */
    id: string;
    /** The document's name. */
    name?: string;
    /** The document's status in the event. */
    status?: DocumentStatus;
    /** Metadata by key. */
    metadata?: Record<string, string>;
    /** Who completed a document, in `recipient_completed`. */
    action_by?: { id: string; email: string; first_name: string; last_name: string };
    // biome-ignore lint/suspicious/noExplicitAny: the members depend on the event and the payload
    [name: string]: any;
  };
  /** The id of the event. A duplicate has the same one. */
  id: string;
  /** Whether the signature was right. */
  signature: "valid" | "invalid" | "missing";
  /** Whether this event arrived before. */
  duplicate: boolean;
  /** The status that the receiver answered. */
  status: number;
  /** Epoch ms on the sandbox's clock. */
  at: number;
  /** The exact text of the delivery. */
  body: string;
  /** Headers by name, in lower case. */
  headers: Record<string, string>;
}

/** Conditions on an event. All must hold. */
export interface EventMatch {
  /** The document's status in the event. */
  status?: DocumentStatus | undefined;
  /** The id of the document. */
  document_id?: string | undefined;
  /** The document's name. */
  name?: string | undefined;
  /** The email address of the recipient who completed the document. */
  recipient?: string | undefined;
}

/** A webhook receiver. It closes with the sandbox, and at a reset. */
export interface Inbox extends AsyncDisposable {
  /** The address that is subscribed. */
  readonly url: string;
  /** The subscription of the receiver. */
  readonly subscription: SandboxSubscription;
  /** Accepted events, the oldest first. */
  readonly received: readonly ReceivedEvent[];
  /** Events that the receiver answered with 400 or more, such as forged ones. */
  readonly refused: readonly ReceivedEvent[];
  /**
   * The first event that fits and was not returned before. Waits for it, by default 3000 real milliseconds.
   * @throws InboxTimeoutError with a list of what arrived instead
   *
   * @example
   * const event = await inbox.next("document_state_changed", { status: "document.completed" });
   */
  next(
    event?: EventName,
    match?: EventMatch | ((event: ReceivedEvent) => boolean),
    options?: { timeout?: number | undefined },
  ): Promise<ReceivedEvent>;
  /** Answers the next `times` deliveries with this status; without `times` all that follow. */
  answer(status: number, options?: { times?: number | undefined; body?: string | undefined }): void;
  /** Forgets what was received. */
  clear(): void;
  /** Unsubscribes and stops listening. */
  close(): Promise<void>;
}
