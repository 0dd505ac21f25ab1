/** The public types of the library. They import no implementation, so that the package's types need no other package. */
import type { FindingKind, LintFinding, LintPlace } from "./admin/lint/finding.ts";
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
import type { FieldValue, SandboxDocument, Email, DeliveryState, Delivery } from "./kit/row-types.ts";
import type { Act, AssumeFile, DocumentStatus, EventName, FixturesFile, RuleFile, ScenarioFile } from "./scenario/file-types.ts";

export type * from "./kit/row-types.ts";
export type * from "./kit/types.ts";
export type { PartPattern, ValueMatcher } from "./admin/wiremock/pattern-types.ts";
export type { Act, DocumentStatus, EventName, FindingKind, JournalEntry, LintFinding, LintPlace, RequestPattern };

/** How far to advance: ms, a duration such as `3d`, an instant, the next timer, or until no timer is left. */
export type AdvanceGoal = number | string | { to: string | number } | { until: "next" | "idle" };

/** How time passes. */
export type ClockMode = "real" | "frozen" | "auto";

/** Automatic time and how it moves. */
export interface AutoClock {
  /** The mode. */
  mode: ClockMode;
  /** Real milliseconds without a call until time moves for a client that waits. Default 25. */
  idle?: number;
  /** How much time passes on the clock between two polls, as a duration. Default `1s`. */
  poll?: string;
}

/** Fake timers: `vi` of Vitest, `jest` of Jest, `mock.timers` of node:test, or a clock of `@sinonjs/fake-timers`. */
export type FakeTimers =
  | { advanceTimersByTimeAsync(ms: number): Promise<unknown>; useFakeTimers(...options: never[]): unknown }
  | { tick(ms: number): void; runAll(): void; enable(...options: never[]): void }
  | { readonly now: number; tickAsync(ms: number): Promise<unknown> };

/** A job that ran because time moved. */
export interface Fired {
  /** The kind of job. */
  kind: string;
  /** Epoch ms. */
  at: number;
  /** The input of the job. */
  payload: Record<string, unknown>;
  /** The reason why an actor's step was refused. */
  refused?: string;
}

/** One condition of a pattern that a call does not meet. */
export interface Difference {
  /** The condition. */
  criterion: string;
  /** What was expected. */
  expected: unknown;
  /** What the call has. */
  actual: unknown;
}

/** A failed expectation of a scenario. */
export interface Unmet {
  /** The part of `expect`. */
  part: "requests" | "documents" | "deliveries" | "emails" | "rules_used" | "unmatched" | "contract" | "client";
  /** The expectation's `note`, or a description of its match. */
  text: string;
  /** What was expected. */
  expected: string;
  /** What was found. */
  found: string;
}

/** The input of an act. */
export interface ActInput {
  /** Id, email or role of the acting recipient. Default: the recipient who signs next. */
  recipient?: string | undefined;
  /** Field values by name, for fill and sign. */
  fields?: Record<string, FieldValue> | undefined;
  /** The reason of the act. */
  reason?: string | undefined;
  /** The text, for comment and review. */
  text?: string | undefined;
  /** The new recipient, for forward. `reassign` also reassigns the fields. */
  to?:
    | { email: string; first_name?: string | undefined; last_name?: string | undefined; reassign?: boolean | undefined }
    | undefined;
  /** A member, for approve, reject and lock; by membership id or email. */
  member?: string | undefined;
  /** When schedule sends the document: an instant, or a duration from now such as `2h`. */
  at?: string | undefined;
  /** How long a lock lasts, as a duration such as `30s`. Default 5m. */
  expires_in?: string | undefined;
}

/** Clock, rules, journal, webhooks, documents and mails of one tenant, without HTTP. */
export interface Handles {
  /** The clock of the sandbox. */
  readonly clock: {
    /** Epoch ms. */
    now(): number;
    /** Runs all jobs that fall due, waits for the deliveries they cause, and returns what ran. */
    advance(goal: AdvanceGoal): Promise<Fired[]>;
    /** `auto` once a clock moves while the client waits. */
    readonly mode: ClockMode;
    /** Changes mode, instant or speed. @throws ClockError, TimeLimitError */
    set(change: { mode?: ClockMode; now?: string | number; speed?: number }): void;
    /**
     * Automatic time does not pass this instant, or this duration from now. `null` lets it go on. `advance` may pass it.
     *
     * @example
     * sandbox.clock.stopAt("2h");
     */
    stopAt(moment: string | number | null): void;
    /**
     * Lets fake timers and this clock move together: advancing one advances the other, and their timers run in order. Automatic
     * time rests meanwhile. Returns a function that ends it. @throws SettingsError unless fake timers are in place
     *
     * @example
     * vi.useFakeTimers();
     * const stop = sandbox.clock.follow(vi);
     * await vi.advanceTimersByTimeAsync(60_000);
     */
    follow(fakes: FakeTimers): () => void;
    /** Waits for all work that is due now. */
    settle(): Promise<void>;
  };
  /** Faults and answers for calls. */
  readonly rules: {
    /** Adds a rule before all others, in the format of scenario files. @throws ScenarioError */
    add(rule: RuleFile): void;
    /** Removes a rule by name. Returns false for an unknown name. */
    remove(name: string): boolean;
    /** Removes the rules that were added at run time. */
    clear(): void;
    /** Names of rules that acted less often than expected. */
    pending(): string[];
  };
  /** All calls. */
  readonly journal: {
    /** The oldest first. */
    all(): JournalEntry[];
    /** Those that match. All conditions must hold. */
    find(pattern: RequestPattern): JournalEntry[];
    /** The number of calls that match. */
    count(pattern: RequestPattern): number;
    /** The call nearest to a pattern, and the differences. */
    nearest(pattern: RequestPattern): { exchange: JournalEntry; differences: Difference[] } | undefined;
    /** Removes all of them. */
    clear(): void;
  };
  /** Subscriptions and deliveries. */
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
    /** Sends a delivery once more. */
    redeliver(id: string): void;
    /**
     * Sends each receiver its latest delivery once with a wrong signature and once without. Waits for the answers and returns a
     * finding for each receiver that accepts one. Call it at the end of a test, as a receiver without checks takes the copies
     * for real events.
     */
    probeSignatures(): Promise<LintFinding[]>;
  };
  /**
   * The findings of client lint: mistakes of the client that the service accepts.
   *
   * @example
   * expect(sandbox.lint()).toEqual([]);
   */
  lint(): LintFinding[];
  /** The documents. */
  readonly documents: {
    /**
     * Creates a document in any status, by the steps that the service allows: it sends webhooks and mails. The PDF of a finished
     * document is ready. Time does not move. @throws SettingsError when the status cannot be reached
     *
     * @example
     * const document = await sandbox.documents.create({ template: "One signer", status: "document.sent" });
     */
    create(document?: NewDocument): Promise<SandboxDocument>;
    /** All documents that are not deleted. */
    all(): SandboxDocument[];
    /** A document by id. */
    get(id: string): SandboxDocument | undefined;
    /** The address of the signing page of a recipient, named by role, email address or id. @throws SettingsError */
    link(id: string, recipient: string): string;
    /** Performs an act of a counterparty. @throws the service's refusal */
    simulate(id: string, act: Act, input?: ActInput): SandboxDocument;
  };
  /** Outgoing mails and text messages. None leaves this machine. */
  readonly emails: {
    /** The newest last. */
    all(): Email[];
    /** Those that match. All conditions must hold. */
    find(match: { to?: string; kind?: string; document_id?: string; channel?: string; q?: string }): Email[];
    /** Removes all of them. */
    clear(): void;
  };
  /** The templates. */
  readonly templates: {
    /** Adds a processed template, as a fixtures file declares it. Sends no webhook. @throws SettingsError */
    create(template: NewTemplate): SandboxTemplate;
  };
  /** The contacts. */
  readonly contacts: {
    /** Adds a contact, or changes the contact that has the email address. @throws SettingsError */
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
  /**
   * How time passes. `real` flows, `frozen` moves by `clock.advance` alone, `auto` stands and moves while the client waits.
   * Default `real`.
   *
   * @example
   * const sandbox = await createSandbox({ clock: "auto" });
   */
  clock?: ClockMode | AutoClock;
  /** How many times faster than real time a real clock runs. Default 1. */
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
  /** The token that the admin API requires. */
  adminToken?: string;
  /** The number of tenants above which the least recently used is evicted. Default 5000. */
  tenantsMax?: number;
  /** Wall milliseconds without a call until a tenant is evicted. With `data` tenants are kept. Default two hours. */
  tenantIdle_ms?: number;
  /** Called with each evicted tenant and the reason. */
  onEviction?: (tenant: string, why: string) => void;
  /** @deprecated Use `onEviction`. */
  onGiveBack?: (tenant: string, why: string) => void;
  /** Check every answer against its schema and freeze every row. For docdouble's own tests. */
  strict?: boolean;
  /** Called with each answered call to the service and its tenant. */
  onCall?: (entry: JournalEntry, tenant: string) => void;
  /** @deprecated Use `onCall`. */
  onExchange?: (entry: JournalEntry, tenant: string) => void;
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
  /** Ends the sandbox, after the calls in progress. */
  close(): Promise<void>;
}
