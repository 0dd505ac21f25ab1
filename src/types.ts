/**
 * What users of the library hold, as types alone. Hand-written and closed: nothing here leads into the inside, so that the
 * package's types need no other package.
 */
import type { JournalEntry } from "./engine/journal.ts";
import type { RequestPattern } from "./admin/wiremock/pattern-types.ts";
import type { Act, DocumentStatus, EventName, FixturesFile, RuleFile, ScenarioFile } from "./scenario/file-types.ts";

export type { PartPattern, ValueMatcher } from "./admin/wiremock/pattern-types.ts";
export type { Act, DocumentStatus, EventName, JournalEntry, RequestPattern };

/** How far to advance: ms, a duration such as `3d`, an instant, or until the next timer or none is due. */
export type AdvanceGoal = number | string | { to: string | number } | { until: "next" | "idle" };

/** Something that happened because time moved. */
export interface Fired {
  kind: string;
  /** Epoch ms. */
  at: number;
  payload: Record<string, unknown>;
  /** Why an actor's step was refused. */
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

/** A document as it is kept. Instants are epoch milliseconds. */
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
  /** How many and how large, in points. */
  pages: { width: number; height: number }[];
}

/** A message that would have gone out. */
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
  /** Where its button leads: the signing page for a recipient. */
  link: string | null;
  document_id: string | null;
  document_name: string | null;
  recipient_id: string | null;
  /** Epoch ms. */
  created: number;
}

export type DeliveryState = "pending" | "delivered" | "failed" | "dropped";

/** One try at telling one subscriber. */
export interface Attempt {
  /** Epoch ms on the tenant's clock. */
  at: number;
  /** HTTP status, null when no answer came. */
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
  /** What it is about: a document's id, or a template's. */
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

/** One thing that a pattern asks for and an exchange does not have. */
export interface Difference {
  criterion: string;
  expected: unknown;
  actual: unknown;
}

/** One expectation of a scenario that does not hold. */
export interface Unmet {
  part: "requests" | "documents" | "deliveries" | "emails" | "rules_used" | "unmatched" | "contract";
  /** The note of the file, or what was matched. */
  text: string;
  expected: string;
  found: string;
}

/** What an act is done with. */
export interface ActInput {
  /** Who acts: id, e-mail or role. Default: whose turn it is. */
  recipient?: string | undefined;
  /** Field values by name, for fill and sign. */
  fields?: Record<string, FieldValue> | undefined;
  reason?: string | undefined;
  /** What is said, for comment and review. */
  text?: string | undefined;
  /** Whom to forward to; `reassign` hands over the fields too. */
  to?:
    | { email: string; first_name?: string | undefined; last_name?: string | undefined; reassign?: boolean | undefined }
    | undefined;
  /** A member, for approve, reject and lock; by membership id or e-mail. */
  member?: string | undefined;
  /** When schedule sends the document: an instant, or a duration from now such as `2h`. */
  at?: string | undefined;
  /** How long a lock holds, as a duration such as `30s`. Default 5m. */
  expires_in?: string | undefined;
}

/** Clock, rules, journal, webhooks, documents and mails of one tenant, without HTTP. */
export interface Handles {
  readonly clock: {
    /** Epoch ms. */
    now(): number;
    /** Runs all that falls due on the way, waits for the deliveries it caused, and tells what fired. */
    advance(goal: AdvanceGoal): Promise<Fired[]>;
    set(change: { mode?: "real" | "frozen"; now?: string | number; speed?: number }): void;
    /** Waits until what is due now has been done. */
    settle(): Promise<void>;
  };
  readonly rules: {
    /** Adds a rule before all others, as a scenario file writes it. @throws ScenarioError */
    add(rule: RuleFile): void;
    remove(name: string): boolean;
    /** Takes away the rules that were added at run time. */
    clear(): void;
    /** Names of rules that have not acted as often as they were meant to. */
    pending(): string[];
  };
  readonly journal: {
    /** The oldest first. */
    all(): JournalEntry[];
    find(pattern: RequestPattern): JournalEntry[];
    count(pattern: RequestPattern): number;
    /** The exchange that comes nearest to a pattern, and what differs. */
    nearest(pattern: RequestPattern): { exchange: JournalEntry; differences: Difference[] } | undefined;
    clear(): void;
  };
  readonly webhooks: {
    /** `status` is the document's, as the event tells it. */
    deliveries(match?: { event?: EventName; document_id?: string; status?: string; state?: DeliveryState }): Delivery[];
    /** Sends an event by hand to all that subscribed to it. */
    trigger(event: EventName, options?: { document_id?: string; data?: Record<string, unknown> }): Delivery[];
    redeliver(id: string): void;
  };
  readonly documents: {
    all(): SandboxDocument[];
    get(id: string): SandboxDocument | undefined;
    /** A counterparty acts. @throws the service's refusal */
    simulate(id: string, act: Act, input?: ActInput): SandboxDocument;
  };
  readonly emails: {
    /** The newest last. */
    all(): Email[];
    find(match: { to?: string; kind?: string; document_id?: string; channel?: string; q?: string }): Email[];
    clear(): void;
  };
  /** State, jobs, clock, rules, deliveries and mails together; `restore` may be called more than once. */
  snapshot(): { restore(): void };
  /** Checks what the loaded scenarios expect. @throws VerificationError */
  verify(): Promise<void>;
}

/** A scenario: a file, or what would stand in one. */
export type ScenarioSource = string | ScenarioFile;

export interface SandboxOptions {
  /** Listen on this port; 0 takes a free one. Without it there is no socket and `fetch` is the way in. */
  port?: number;
  /** Default 127.0.0.1. Beyond loopback an `adminToken` is required. */
  host?: string;
  /** What links, sessions and downloads advertise. Default: from host and port. */
  publicUrl?: string;
  /** Scenario files, or what would stand in them, loaded in this order. */
  scenario?: ScenarioSource | readonly ScenarioSource[];
  /** A fixtures file, or what would stand in it, in place of the built-in workspace. */
  fixtures?: string | FixturesFile;
  /** Of ids and jitter. Default: random. */
  seed?: number | string;
  clock?: "real" | "frozen";
  clockSpeed?: number;
  /** ISO 8601 instant to start the clock at. */
  now?: string;
  /** A file that keeps the state over restarts; memory without it. One server at a time may have it. */
  data?: string;
  rateLimit?: "none" | "sandbox" | "production";
  /** Whether the authorize page agrees at once or asks. Default `auto`. */
  oauth?: "auto" | "interactive";
  /** Delays in ms before each webhook retry. Default 1, 5 and 30 minutes (assumed). */
  webhookRetries_ms?: readonly number[];
  /** Wall milliseconds that a webhook receiver has to answer. Default 20 seconds (spec). */
  webhookTimeout_ms?: number;
  /** Refuse http webhook targets even on loopback, as the service does. */
  httpsWebhooks?: boolean;
  /** Beyond loopback, let webhooks and files by URL lead to private addresses and this machine all the same. */
  allowPrivateTargets?: boolean;
  adminToken?: string;
  /** How many tenants there may be before the one that was not used for longest is given back. Default 5000. */
  tenantsMax?: number;
  /** Wall milliseconds without a call until a tenant is given back; never with `data`. Default two hours. */
  tenantIdle_ms?: number;
  /** Told of each tenant that is given back, and why. */
  onGiveBack?: (tenant: string, why: string) => void;
  /** Check every answer against its schema and freeze every row. For docdouble's own tests. */
  strict?: boolean;
  /** Told of each call to the service as it is answered, with the tenant it belongs to. */
  onExchange?: (exchange: JournalEntry, tenant: string) => void;
  /** Told of bugs in docdouble. Default: standard error. */
  onBug?: (error: unknown) => void;
  /** Told in a sentence what its owner should know, such as a data file that cannot be written. Default: standard error. */
  onNotice?: (text: string) => void;
}

/** A running test double. */
export interface Sandbox extends AsyncDisposable, Handles {
  /** Where it is reached: a real address when it listens. */
  readonly url: string;
  /** A production key of the default workspace. */
  readonly apiKey: string;
  /** What ids are drawn from. */
  readonly seed: string;
  /** Answers without a socket. Takes absolute URLs or paths. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** A tenant of its own, by the `test-*` key that names it. */
  tenant(key: string): Handles;
  /** Reads the scenario and fixtures files again: rules, actors and timers change, the state stays. @throws and changes nothing when a file is bad */
  reload(): void;
  /** Every file it was started from. */
  files(): string[];
  /** Back to the seed. */
  reset(): Promise<void>;
  close(): Promise<void>;
}
