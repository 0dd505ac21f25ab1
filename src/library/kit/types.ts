import type {
  DocumentStatus,
  Duration,
  EventName,
  FixturesFile,
  OperationId,
  RuleFile,
  ScenarioFile,
  TemplateFile,
  WebhookRuleFile,
} from "../file-types.ts";

type Row<Name extends keyof FixturesFile> = NonNullable<FixturesFile[Name]>[number];

/** A template as in a fixtures file: name, roles, fields, approval, payment … */
export type NewTemplate = TemplateFile;
/** A contact as in a fixtures file. */
export type NewContact = Row<"contacts">;
/** A recipient as in API requests: email, first_name, last_name, role, signing_order … */
export type NewRecipient = NonNullable<NonNullable<Row<"documents">["recipients"]>[number]>;

/** Describes the document that `documents.create` makes. */
export interface NewDocument {
  /** The template's name or id. Default: the first template that can reach the status. */
  template?: string | undefined;
  /** The document's name. Default: the template's name. */
  name?: string | undefined;
  /** The status that the new document reaches. Default: `document.draft`. */
  status?: DocumentStatus | undefined;
  /** The recipients. A recipient without a role takes the next free role. Default: one recipient for each role. */
  recipients?: readonly NewRecipient[] | undefined;
  /** Values of fields, by field name. */
  fields?: Record<string, string | number | boolean> | undefined;
  /** Values of template variables, by name. */
  tokens?: Record<string, string> | undefined;
  /** The document's metadata, by key. */
  metadata?: Record<string, string> | undefined;
  /** The document's tags. */
  tags?: readonly string[] | undefined;
  /** The id of the folder for the document. */
  folder?: string | undefined;
  /** When `document.scheduled` sends the document: an instant, or a duration from now. Default: `1d`. */
  sendAt?: string | undefined;
}

/** A stored template. */
export interface SandboxTemplate {
  /** The template's id. */
  id: string;
  /** The template's name. */
  name: string;
  /** The roles that recipients can take. */
  roles: { id: string; name: string; signing_order: number | null }[];
  /** The fields that recipients fill in. */
  fields: { uuid: string; field_id: string; name: string; type: string; role: string | null }[];
}

/** A stored contact. */
export interface SandboxContact {
  /** The contact's id. */
  id: string;
  /** The contact's email address. */
  email: string | null;
  /** The contact's first name. */
  first_name: string | null;
  /** The contact's last name. */
  last_name: string | null;
  /** The contact's company. */
  company: string | null;
  /** The contact's phone number. */
  phone: string | null;
}

/** A kind of data that a subscription can add to its events. */
export type PayloadKind = "metadata" | "fields" | "products" | "tokens" | "pricing";

export interface NewSubscription {
  /** The address that receives the events. */
  url: string;
  /** The events to send. Default: all events. */
  events?: readonly EventName[] | undefined;
  /** The name of the subscription. Default: `docdouble test kit`. */
  name?: string | undefined;
  /** Data that the service adds to each event. */
  payload?: readonly PayloadKind[] | undefined;
  /** The key that signs deliveries. Default: a key that the service makes. */
  sharedKey?: string | undefined;
}

/** What `webhooks.trigger` sends. */
export interface TriggerOptions {
  /** The id of the document, template or library item. Default: the newest that fits the event, or a new one. */
  document_id?: string | undefined;
  /** Members that replace those of the document. Without `document_id`, the whole data. */
  data?: Record<string, unknown> | undefined;
  /** The id of the only subscription that gets the event. Default: all that take it. */
  subscription?: string | undefined;
}

/** A stored webhook subscription. */
export interface SandboxSubscription {
  /** The subscription's id. */
  id: string;
  /** The subscription's name. */
  name: string;
  /** The address that receives the events. */
  url: string;
  /** The events that the service sends. */
  events: EventName[];
  /** Data that the service adds to each event. */
  payload: PayloadKind[];
  /** The key that signs deliveries. */
  sharedKey: string;
}

/** A fault that a call can meet. */
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
  | "slow_processing"
  | "patched"
  | "stale_read"
  | "held";

/** A fault that a webhook delivery can meet. */
export type WebhookFault = "webhook_duplicate" | "webhook_late" | "webhook_reordered" | "webhook_lost" | "webhook_forged";

/** What a recipient does instead of signing, or what happens to the document when the recipient's turn begins. */
export type RecipientFault = "recipient_declines" | "recipient_forwards" | "document_expires";

export interface CallFaultOptions {
  /** The number of calls that meet the fault. Default: 1. */
  times?: number | undefined;
  /** Only calls about the document with this id meet the fault. */
  document?: string | undefined;
  /** How long `throttled` and `pdf_not_ready` tell the client to wait, in whole seconds. Default: `5s`. */
  retryAfter?: Duration | undefined;
  /**
   * For `slow`: the real time of the answer, at most 30s. Default: `1s`. For `slow_processing`: how long the service processes the
   * document, on the sandbox's clock. Default: `1m`. For `stale_read`: how old the answer is, on the sandbox's clock. Default: `2s`. For
   * `held`: the longest wait, at most 30s. Default: `5s`.
   */
  delay?: Duration | undefined;
  /** How long the lock of `locked` lasts. Default: `5m`. */
  for?: Duration | undefined;
  /** Replaces the text of the error. */
  detail?: string | undefined;
  /** The JSON Patch that `patched` applies to the operation's own answer. */
  patch?: NonNullable<RuleFile["then"]["patch"]> | undefined;
  /** The call that `held` waits for. `nth` counts from now. Default: 1. */
  until?: { operation: OperationId | OperationId[]; nth?: number | undefined } | undefined;
  /** Allows a status that the API description does not list for the operation. */
  undeclared?: boolean | undefined;
}

export interface WebhookFaultOptions {
  /** The number of deliveries that meet the fault. Default: 1. */
  times?: number | undefined;
  /** Only events about the document with this id meet the fault. */
  document?: string | undefined;
  /** Only events with this document status meet the fault. */
  status?: DocumentStatus | undefined;
  /** How late the event of `webhook_late` arrives, on the sandbox's clock. Default: `1h`. */
  delay?: Duration | undefined;
  /** `webhook_reordered` holds the event back until this event arrives. */
  after?: EventName | { event: EventName; status?: DocumentStatus | undefined } | undefined;
}

export interface RecipientFaultOptions {
  /** The number of turns that meet the fault. Default: 1. */
  times?: number | undefined;
  /** Only turns in the document with this id meet the fault. */
  document?: string | undefined;
  /** How long after the turn begins the fault happens, on the sandbox's clock. Default: `1m`. */
  delay?: Duration | undefined;
  /** The reason that the recipient gives for declining. */
  reason?: string | undefined;
  /** Who gets the document from `recipient_forwards`. Default: `somebody.else@client.example`. */
  to?: { email: string; first_name?: string | undefined; last_name?: string | undefined } | undefined;
}

/** Faults for tests, without a scenario file. */
export interface Faults {
  /**
   * Lets the next calls of an operation meet a fault. Later calls work again. Faults of one operation apply in the order of these
   * calls.
   */
  next(operation: OperationId, fault: CallFault, options?: CallFaultOptions): void;
  /** Lets the next deliveries of an event meet a fault. */
  next(event: EventName, fault: WebhookFault, options?: WebhookFaultOptions): void;
  /** Lets the next turns of a recipient end in a fault. Name the recipient by role or email address. */
  next(recipient: string, fault: RecipientFault, options?: RecipientFaultOptions): void;
  /** Runs the operation but loses its answer: `next(operation, "reset_after")`. */
  lostAnswer(operation: OperationId, options?: { times?: number | undefined; document?: string | undefined }): void;
  /** Locks a document, as a member does who edits it. `for` is a duration on the sandbox's clock. Default: `5m`. */
  locked(documentId: string, options?: { for?: Duration | undefined }): void;
  /** Unlocks a document. */
  unlock(documentId: string): void;
  /** Names of faults that have not yet met all their calls, deliveries or turns. */
  pending(): string[];
  /** Removes all faults that `next` and `lostAnswer` added. */
  clear(): void;
}

/** Scenarios of the running sandbox. */
export interface Scenarios {
  /** Loads a scenario from a file or a value. Replaces a scenario with the same name. @throws ScenarioError */
  load(source: string | ScenarioFile): Promise<{ name: string }>;
  /** Removes a scenario with its rules, actors and timers. Its rows stay. Returns false for an unknown name. */
  unload(name: string): boolean;
  /** The names of the loaded scenarios. */
  names(): string[];
  /** Checks what the loaded scenarios expect. @throws VerificationError */
  verify(): Promise<void>;
}

/** Rules for webhook deliveries, as under `webhooks` in a scenario file. */
export interface WebhookRules {
  /** Adds a rule before all other rules. Replaces a rule with the same name. @throws ScenarioError */
  add(rule: WebhookRuleFile): void;
  /** Removes a rule by name. Returns false for an unknown name. */
  remove(name: string): boolean;
  /** Removes the rules that were added at run time. */
  clear(): void;
  /** The names of rules that have not acted as often as expected. */
  pending(): string[];
}

/** Options of `webhooks.receiver`. */
export interface ReceiverOptions {
  /** The events to receive. Default: all events. */
  events?: readonly EventName[] | undefined;
  /** Data that the service adds to each event. */
  payload?: readonly PayloadKind[] | undefined;
  /** The name of the subscription. */
  name?: string | undefined;
  /** The key that signs deliveries. Default: a key that the service makes. */
  sharedKey?: string | undefined;
  /** The port on loopback. Default: a free port. */
  port?: number | undefined;
  /** Keeps an event out of `received` if its id arrived before. */
  deduplicate?: boolean | undefined;
  /** Answers each delivery in this process, without a socket. Return nothing to answer 200. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is fine
  handler?: ((request: Request) => Response | void | Promise<Response | void>) | undefined;
}

/** An event that arrived at a receiver. */
export interface ReceivedEvent {
  /** The name of the event. Example: `document_state_changed`. */
  event: EventName;
  /** The document or template that the event is about. */
  data: {
    /** The id of the document or template. */
    id: string;
    /** The document's name. */
    name?: string;
    /** The document's status in the event. */
    status?: DocumentStatus;
    /** The document's metadata, by key. */
    metadata?: Record<string, string>;
    /** The recipient who completed the document, in `recipient_completed`. */
    action_by?: { id: string; email: string; first_name: string; last_name: string };
    // biome-ignore lint/suspicious/noExplicitAny: the members depend on the event and the payload
    [name: string]: any;
  };
  /** The event's id. Duplicates share it. */
  id: string;
  /** Whether the signature is right. */
  signature: "valid" | "invalid" | "missing";
  /** True if an event with this id arrived before. */
  duplicate: boolean;
  /** The HTTP status that the receiver answered. */
  status: number;
  /** When the event arrived, in epoch ms on the sandbox's clock. */
  at: number;
  /** The exact text of the delivery. */
  body: string;
  /** The headers of the delivery, by name in lower case. */
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
  /** The address that receives the events. */
  readonly url: string;
  /** The subscription of the receiver. */
  readonly subscription: SandboxSubscription;
  /** Events that the receiver accepted, oldest first. */
  readonly received: readonly ReceivedEvent[];
  /** Events that the receiver answered with 400 or more, such as events with a forged signature. */
  readonly refused: readonly ReceivedEvent[];
  /**
   * Returns the first matching event that no earlier call returned. Waits up to 3000 real milliseconds by default.
   * @throws InboxTimeoutError with a list of the events that arrived instead
   * @example
   * const event = await inbox.next("document_state_changed", { status: "document.completed" });
   */
  next(
    event?: EventName,
    match?: EventMatch | ((event: ReceivedEvent) => boolean),
    options?: { timeout?: number | undefined },
  ): Promise<ReceivedEvent>;
  /** Answers the next `times` deliveries with this status. Without `times`, answers all later deliveries so. */
  answer(status: number, options?: { times?: number | undefined; body?: string | undefined }): void;
  /** Forgets all events in `received` and `refused`. */
  clear(): void;
  /** Unsubscribes and stops listening. */
  close(): Promise<void>;
}
