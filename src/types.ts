/** The public types of the library. They import no implementation, so that the package's types need no other package. */
import type { JournalEntry } from "./engine/journal.ts";
import type { RequestPattern } from "./admin/wiremock/pattern-types.ts";
import type {
  Faults,
  Inbox,
  NewContact,
  NewDocument,
  NewSubscription,
  NewTemplate,
  ReceiverOptions,
  SandboxContact,
  SandboxSubscription,
  SandboxTemplate,
  Scenarios,
  WebhookRules,
} from "./kit/types.ts";
import type { Act, AssumeFile, DocumentStatus, EventName, FixturesFile, RuleFile, ScenarioFile } from "./scenario/file-types.ts";

export type * from "./kit/types.ts";
export type { PartPattern, ValueMatcher } from "./admin/wiremock/pattern-types.ts";
export type { Act, DocumentStatus, EventName, JournalEntry, RequestPattern };

/** How far to advance: ms, a duration such as `3d`, an instant, the next timer, or until no timer is left. */
export type AdvanceGoal = number | string | { to: string | number } | { until: "next" | "idle" };

/** A job that ran because time moved. */
export interface Fired {
  kind: string;
  /** Epoch ms. */
  at: number;
  payload: Record<string, unknown>;
  /** The reason why an actor's step was refused. */
  refused?: string;
}

export type FieldValue = string | boolean | number | { [key: string]: unknown } | null;

export interface SandboxRecipient {
  id: string;
  type: "recipient" | "recipient_group";
  recipient_type: "signer" | "CC" | "approver";
  email: string | null;
  phone: string | null;
  first_name: string;
  last_name: string;
  role: string;
  roles: string[];
  signing_order: number | null;
  has_completed: boolean;
  /** Epoch ms. */
  signature_date: number | null;
}

export interface SandboxField {
  uuid: string;
  field_id: string;
  name: string;
  title: string;
  placeholder: string;
  type: string;
  value: FieldValue;
  recipient_id: string | null;
  role: string | null;
}

/** A stored document. Instants are epoch milliseconds. */
export interface SandboxDocument {
  id: string;
  workspace_id: string;
  name: string;
  status: DocumentStatus;
  version: string | null;
  ref_number: string;
  date_created: number;
  date_modified: number;
  date_sent: number | null;
  date_completed: number | null;
  date_declined: number | null;
  expiration_date: number | null;
  /** Ids of users and members. */
  created_by: string;
  owner: string;
  sent_by: string | null;
  template: { id: string; name: string } | null;
  form_id: string | null;
  folder_uuid: string | null;
  metadata: Record<string, string>;
  tags: string[];
  tokens: { name: string; value: string }[];
  recipients: SandboxRecipient[];
  fields: SandboxField[];
  /** Number and size of the pages, in points. */
  pages: { width: number; height: number }[];
}

/** An outgoing mail or text message. */
export interface Email {
  id: string;
  workspace_id: string;
  kind: string;
  channel: "email" | "sms";
  /** An address, or a phone number. */
  to: string;
  to_name: string;
  from: { email: string; name: string };
  reply_to: string | null;
  subject: string;
  text: string;
  /** The target of the button: the signing page for a recipient. */
  link: string | null;
  document_id: string | null;
  document_name: string | null;
  recipient_id: string | null;
  /** Epoch ms. */
  created: number;
}

export type DeliveryState = "pending" | "delivered" | "failed" | "dropped";

/** One attempt of a delivery. */
export interface Attempt {
  /** Epoch ms on the tenant's clock. */
  at: number;
  /** HTTP status; null without an answer. */
  status: number | null;
  error: "INTERNAL_ERROR" | "NOT_VALID_URL" | "CONNECT_ERROR" | "TIMEOUT_ERROR" | null;
  reason: string | null;
  /** Wall milliseconds. */
  duration_ms: number;
  signature: string;
  signed: "valid" | "invalid" | "missing" | "old_key";
  response_body: string | null;
  response_headers: Record<string, string> | null;
}

/** One event on its way to one subscriber. */
export interface Delivery {
  id: string;
  event: string;
  event_id: string;
  /** The id of the event's document or template. */
  subject: string;
  status: string | null;
  subscriber: string;
  subscriber_name: string;
  url: string;
  /** The exact bytes that are posted and signed. */
  body: string;
  /** Epoch ms. */
  created: number;
  state: DeliveryState;
  attempts: Attempt[];
}

/** One condition of a pattern that a call does not meet. */
export interface Difference {
  criterion: string;
  expected: unknown;
  actual: unknown;
}

/** A failed expectation of a scenario. */
export interface Unmet {
  part: "requests" | "documents" | "deliveries" | "emails" | "rules_used" | "unmatched" | "contract";
  /** The expectation's `note`, or a description of its match. */
  text: string;
  expected: string;
  found: string;
}

/** The input of an act. */
export interface ActInput {
  /** Id, e-mail or role of the acting recipient. Default: the recipient who signs next. */
  recipient?: string | undefined;
  /** Field values by name, for fill and sign. */
  fields?: Record<string, FieldValue> | undefined;
  reason?: string | undefined;
  /** The text, for comment and review. */
  text?: string | undefined;
  /** The new recipient, for forward. `reassign` also reassigns the fields. */
  to?:
    | { email: string; first_name?: string | undefined; last_name?: string | undefined; reassign?: boolean | undefined }
    | undefined;
  /** A member, for approve, reject and lock; by membership id or e-mail. */
  member?: string | undefined;
  /** When schedule sends the document: an instant, or a duration from now such as `2h`. */
  at?: string | undefined;
  /** How long a lock lasts, as a duration such as `30s`. Default 5m. */
  expires_in?: string | undefined;
}

/** Clock, rules, journal, webhooks, documents and mails of one tenant, without HTTP. */
export interface Handles {
  readonly clock: {
    /** Epoch ms. */
    now(): number;
    /** Runs all jobs that fall due, waits for the deliveries they cause, and returns what ran. */
    advance(goal: AdvanceGoal): Promise<Fired[]>;
    set(change: { mode?: "real" | "frozen"; now?: string | number; speed?: number }): void;
    /** Waits for all work that is due now. */
    settle(): Promise<void>;
  };
  readonly rules: {
    /** Adds a rule before all others, in the format of scenario files. @throws ScenarioError */
    add(rule: RuleFile): void;
    remove(name: string): boolean;
    /** Removes the rules that were added at run time. */
    clear(): void;
    /** Names of rules that acted less often than expected. */
    pending(): string[];
  };
  readonly journal: {
    /** The oldest first. */
    all(): JournalEntry[];
    find(pattern: RequestPattern): JournalEntry[];
    count(pattern: RequestPattern): number;
    /** The call nearest to a pattern, and the differences. */
    nearest(pattern: RequestPattern): { exchange: JournalEntry; differences: Difference[] } | undefined;
    clear(): void;
  };
  readonly webhooks: {
    /** Subscribes an address to events. @throws SettingsError */
    subscribe(subscription: NewSubscription): SandboxSubscription;
    /**
     * Opens a webhook receiver: subscribes, verifies signatures, answers 200, and keeps what it receives. @throws SettingsError
     *
     * @example
     * const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
     * const event = await inbox.next("document_state_changed", { status: "document.completed" });
     */
    receiver(options?: ReceiverOptions): Promise<Inbox>;
    /** Rules for deliveries, as scenario files declare them under `webhooks`. */
    readonly rules: WebhookRules;
    /** `status` is the document's status in the event. */
    deliveries(match?: { event?: EventName; document_id?: string; status?: string; state?: DeliveryState }): Delivery[];
    /** Sends an event by hand to all its subscribers. */
    trigger(event: EventName, options?: { document_id?: string; data?: Record<string, unknown> }): Delivery[];
    redeliver(id: string): void;
  };
  readonly documents: {
    /**
     * Creates a document in any status, by the steps that the service allows: it sends webhooks and mails. The PDF of a finished
     * document is ready. Time does not move. @throws SettingsError when the status cannot be reached
     *
     * @example
     * const document = await sandbox.documents.create({ template: "One signer", status: "document.sent" });
     */
    create(document?: NewDocument): Promise<SandboxDocument>;
    all(): SandboxDocument[];
    get(id: string): SandboxDocument | undefined;
    /** Performs an act of a counterparty. @throws the service's refusal */
    simulate(id: string, act: Act, input?: ActInput): SandboxDocument;
  };
  readonly emails: {
    /** The newest last. */
    all(): Email[];
    find(match: { to?: string; kind?: string; document_id?: string; channel?: string; q?: string }): Email[];
    clear(): void;
  };
  readonly templates: {
    /** Adds a processed template, as a fixtures file declares it. Sends no webhook. @throws SettingsError */
    create(template: NewTemplate): SandboxTemplate;
  };
  readonly contacts: {
    /** Adds a contact, or changes the contact that has the e-mail address. @throws SettingsError */
    create(contact: NewContact): SandboxContact;
  };
  /** Faults on demand, without a scenario file. */
  readonly faults: Faults;
  /** Scenarios, loaded while the sandbox runs. */
  readonly scenarios: Scenarios;
  /** State, jobs, clock, rules, deliveries and mails together. `restore` may be called more than once. */
  snapshot(): { restore(): void };
  /** Checks the expectations of the loaded scenarios. @throws VerificationError */
  verify(): Promise<void>;
}

/** A file name, or the value of a scenario file. */
export type ScenarioSource = string | ScenarioFile;

/** Readings of assumptions: a map, `ID=VALUE`, or the name of a file. */
export type AssumeSource = string | AssumeFile;

export interface SandboxOptions {
  /** The port to listen on; 0 picks a free one. Without a port, call `fetch`. */
  port?: number;
  /** Default 127.0.0.1. Beyond loopback an `adminToken` is required. */
  host?: string;
  /** The base address of links, sessions and downloads. Default: from host and port. */
  publicUrl?: string;
  /** Scenario files or their values, loaded in this order. */
  scenario?: ScenarioSource | readonly ScenarioSource[];
  /** A fixtures file or its value. Replaces the built-in workspace. */
  fixtures?: string | FixturesFile;
  /** Determines ids and jitter. Default: random. */
  seed?: number | string;
  clock?: "real" | "frozen";
  clockSpeed?: number;
  /** ISO 8601 instant to start the clock at. */
  now?: string;
  /** A file that keeps the state. Default: memory only. One server at a time may use a file. */
  data?: string;
  /** The readings of assumptions (docs/assumptions.md), over those of the profile and of scenarios. */
  assume?: AssumeSource | readonly AssumeSource[];
  /** A set of readings: `strict` refuses what the real service may refuse, `lenient` accepts what it may accept. */
  profile?: "default" | "strict" | "lenient";
  /** The same as the assumption `rate_limit.profile`. */
  rateLimit?: "none" | "sandbox" | "production";
  /** `auto` approves at once, `interactive` shows the consent page. Default `auto`. */
  oauth?: "auto" | "interactive";
  /** Delays in ms before each webhook retry. Default 1, 5 and 30 minutes. The same as the assumption `webhook.retry_schedule`. */
  webhookRetries_ms?: readonly number[];
  /** Wall milliseconds that a webhook receiver has to answer. Default 20 seconds (spec). */
  webhookTimeout_ms?: number;
  /** Refuse http webhook targets even on loopback, as the service does. The same as the assumption `webhook.https_only`. */
  httpsWebhooks?: boolean;
  /** On a server beyond loopback, allow webhooks and files by URL to reach private addresses and this machine. */
  allowPrivateTargets?: boolean;
  adminToken?: string;
  /** The number of tenants above which the least recently used is evicted. Default 5000. */
  tenantsMax?: number;
  /** Wall milliseconds without a call until a tenant is evicted. With `data` tenants are kept. Default two hours. */
  tenantIdle_ms?: number;
  /** Called with each evicted tenant and the reason. */
  onGiveBack?: (tenant: string, why: string) => void;
  /** Check every answer against its schema and freeze every row. For docdouble's own tests. */
  strict?: boolean;
  /** Called with each answered call to the service and its tenant. */
  onExchange?: (exchange: JournalEntry, tenant: string) => void;
  /** Called with bugs of docdouble. Default: standard error. */
  onBug?: (error: unknown) => void;
  /** Called with warnings, such as a data file that cannot be written. Default: standard error. */
  onNotice?: (text: string) => void;
}

/** A running test double. */
export interface Sandbox extends AsyncDisposable, Handles {
  /** The base address. A real one with `port`. */
  readonly url: string;
  /** A production key of the default workspace. */
  readonly apiKey: string;
  /** The seed of ids. */
  readonly seed: string;
  /** Answers without a socket. Takes absolute URLs or paths. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** A separate tenant, by the `test-*` key that names it. */
  tenant(key: string): Handles;
  /** Reads the scenario and fixtures files again. Rules, actors and timers change; the state stays. @throws SettingsError, ScenarioError, and then changes nothing */
  reload(): void;
  /** The scenario and fixtures files, included ones too. */
  files(): string[];
  /** Restores the initial state. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
