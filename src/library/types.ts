/** The public types of the library. They import no implementation, so that users need no other package for them. */
import type { AdvanceGoal, AutoClock, ClockMode, FakeTimers, Fired } from "./clock-types.ts";
import type { FindingKind, LintFinding, LintPlace } from "../inspector/lint/finding.ts";
import type { Unmet } from "../engine/runtime/scenario-runs/unmet.ts";
import type { Difference, JournalEntry } from "../engine/journal/entry.ts";
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
  TriggerOptions,
  WebhookRules,
} from "./kit/types.ts";
import type { Email, FieldValue, SandboxDocument } from "../service/words.ts";
import type { Delivery, DeliveryState } from "../engine/jobs/delivery-types.ts";
import type {
  Act,
  AssumeFile,
  DocumentStatus,
  EventName,
  FixturesFile,
  OperationId,
  Matcher,
  RuleFile,
  ScenarioFile,
} from "./file-types.ts";
import type { Har } from "../engine/journal/har.ts";
import type { HandledCall } from "../engine/runtime/call-handlers.ts";

export type { Email, FieldValue, SandboxDocument, SandboxField, SandboxRecipient } from "../service/words.ts";
export type * from "../engine/jobs/delivery-types.ts";
export type * from "./clock-types.ts";
export type * from "./kit/types.ts";
export type { Difference } from "../engine/journal/entry.ts";
export type { Har, HarEntry, HarPair } from "../engine/journal/har.ts";
export type { HandledCall } from "../engine/runtime/call-handlers.ts";
export type { Act, DocumentStatus, EventName, FindingKind, JournalEntry, LintFinding, LintPlace, Unmet };

/** Conditions on a call, as in the `when` of a rule. All must hold. */
export interface CallConditions extends Omit<NonNullable<RuleFile["when"]>, "call" | "tenant"> {
  /** The HTTP status of the answer. */
  status?: Matcher | undefined;
}

/** The input of an act. */
export interface ActInput {
  /** Who acts: a recipient's id, email address or role. Default: the recipient who signs next. */
  recipient?: string | undefined;
  /** Values of fields by name, for `fill` and `sign`. */
  fields?: Record<string, FieldValue> | undefined;
  /** Why the recipient or member acts, for example for `decline`. */
  reason?: string | undefined;
  /** The text for `comment` and `review`. */
  text?: string | undefined;
  /** The new recipient for `forward`. `reassign` also gives the fields to the new recipient. */
  to?:
    | { email: string; first_name?: string | undefined; last_name?: string | undefined; reassign?: boolean | undefined }
    | undefined;
  /** The member who acts, for `approve`, `reject` and `lock`: a membership id or email address. */
  member?: string | undefined;
  /** When `schedule` sends the document: an instant, or a duration from now such as `2h`. */
  at?: string | undefined;
  /** How long a lock lasts, as a duration such as `30s`. Default: `5m`. */
  expires_in?: string | undefined;
}

/** What a handler of `sandbox.on` returns. `headers` are optional. */
export type CallAnswer = { status: number; body?: unknown; headers?: Record<string, string> } | { patch: readonly object[] };

/** A function of a test that answers calls. It may return a promise. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler may return nothing
export type CallHandler = (call: HandledCall) => CallAnswer | undefined | void | Promise<CallAnswer | undefined | void>;

/** Conditions on deliveries. All must hold. */
export interface DeliveryMatch {
  /** The name of the event. */
  event?: EventName;
  /** The id of the document or template. */
  document_id?: string;
  /** The id of the subscription. */
  subscription?: string;
  /** The document's status in the event. */
  status?: string;
  /** How far the delivery is. */
  state?: DeliveryState;
  /** Only this many, the latest ones. */
  limit?: number;
}

/** Clock, rules, journal, webhooks, documents and mails of one tenant, without HTTP. */
export interface Handles {
  /** The tenant's clock. */
  readonly clock: {
    /** The current instant, in epoch ms. */
    now(): number;
    /** Moves the clock, runs all due jobs, and waits for the deliveries they cause. Returns the jobs that ran. */
    advance(goal: AdvanceGoal): Promise<Fired[]>;
    /** How time passes now. */
    readonly mode: ClockMode;
    /** Changes mode, instant, speed, or where automatic time stops. @throws ClockError, SettingsError */
    set(change: { mode?: ClockMode; now?: string | number; speed?: number; stopAt?: string | number | null }): void;
    /**
     * Stops automatic time at this instant, or after this duration from now. `null` removes the stop. `advance` may move past it.
     * @example
     * sandbox.clock.stopAt("2h");
     */
    stopAt(moment: string | number | null): void;
    /**
     * Moves fake timers and this clock together: advancing one advances the other, and their timers run in order. Automatic time
     * rests meanwhile. Call the returned function to stop.
     * @throws SettingsError unless fake timers are in place
     * @example
     * vi.useFakeTimers();
     * const stop = sandbox.clock.follow(vi);
     * await vi.advanceTimersByTimeAsync(60_000);
     */
    follow(fakes: FakeTimers): () => void;
    /** Waits for all work that is due now. */
    settle(): Promise<void>;
  };
  /** Rules for calls: faults and prepared answers. */
  readonly rules: {
    /** Adds a rule before all other rules, in the format of scenario files. @throws ScenarioError */
    add(rule: RuleFile): void;
    /** Removes a rule by name. Returns false for an unknown name. */
    remove(name: string): boolean;
    /** Removes the rules that were added at run time. */
    clear(): void;
    /** The names of rules that acted less often than expected. */
    pending(): string[];
  };
  /** All calls that the sandbox received. */
  readonly journal: {
    /** All calls, oldest first. */
    all(): JournalEntry[];
    /** The calls that meet all conditions. @throws SettingsError when the journal dropped calls that may meet them */
    find(match: CallConditions): JournalEntry[];
    /** The number of calls that meet all conditions. @throws SettingsError as `find`, unless a count survives */
    count(match: CallConditions): number;
    /** The call nearest to the conditions, and the conditions that it misses. Of equally near calls, the latest. */
    nearest(match: CallConditions): { exchange: JournalEntry; differences: Difference[] } | undefined;
    /** Forgets all calls. */
    clear(): void;
  };
  /** Webhook subscriptions and deliveries. */
  readonly webhooks: {
    /** Subscribes an address to events. @throws SettingsError */
    subscribe(subscription: NewSubscription): SandboxSubscription;
    /**
     * Opens a webhook receiver: it subscribes, verifies signatures, answers 200, and keeps the events.
     * @throws SettingsError
     * @example
     * const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
     * const event = await inbox.next("document_state_changed", { status: "document.completed" });
     */
    receiver(options?: ReceiverOptions): Promise<Inbox>;
    /** Rules for deliveries, as under `webhooks` in a scenario file. */
    readonly rules: WebhookRules;
    /** The deliveries that meet all conditions, oldest first. */
    deliveries(match?: DeliveryMatch): Delivery[];
    /** Sends an event now, about the newest document that fits it, or about a new one. @throws SettingsError without a subscription */
    trigger(event: EventName, options?: TriggerOptions): Delivery[];
    /** Sends a delivery again. @throws SettingsError when its subscription is gone */
    redeliver(id: string): void;
    /**
     * Sends each receiver its latest delivery again, once with a wrong signature and once without. Waits for the answers, and
     * returns a finding for each receiver that accepts a copy. Call it at the end of a test, because a receiver without checks
     * takes the copies for real events.
     */
    probeSignatures(): Promise<LintFinding[]>;
  };
  /**
   * Findings of client lint: mistakes of the client that the service accepts.
   * @example
   * expect(sandbox.lint()).toEqual([]);
   */
  lint(): LintFinding[];
  /** The tenant's documents. */
  readonly documents: {
    /**
     * Creates a document in any status, by the steps that the service allows. The steps send webhooks and mails. The PDF of a
     * finished document is ready. The clock does not move.
     * @throws SettingsError when the document cannot reach the status
     * @example
     * const document = await sandbox.documents.create({ template: "One signer", status: "document.sent" });
     */
    create(document?: NewDocument): Promise<SandboxDocument>;
    /** Copies of all documents except deleted documents. */
    all(): SandboxDocument[];
    /** A copy of the document with this id, or undefined. Changing it changes nothing in the sandbox. */
    get(id: string): SandboxDocument | undefined;
    /** The address of a recipient's signing page. Name the recipient by role, email address or id. @throws SettingsError */
    link(id: string, recipient: string): string;
    /** Performs an act for a recipient or member. @throws the service's refusal */
    simulate(id: string, act: Act, input?: ActInput): SandboxDocument;
  };
  /** Outgoing mails and text messages. They never leave this machine. */
  readonly emails: {
    /** All mails and text messages, newest last. */
    all(): Email[];
    /** The mails and text messages that meet all conditions. */
    find(match: { to?: string; kind?: string; document_id?: string; channel?: string; q?: string }): Email[];
    /** Forgets all mails and text messages. */
    clear(): void;
  };
  /** The tenant's templates. */
  readonly templates: {
    /** Adds a processed template, written as in a fixtures file. Sends no webhook. @throws SettingsError */
    create(template: NewTemplate): SandboxTemplate;
  };
  /** The tenant's contacts. */
  readonly contacts: {
    /** Adds a contact, or changes the contact with the same email address. @throws SettingsError */
    create(contact: NewContact): SandboxContact;
  };
  /** Faults for tests, without a scenario file. */
  readonly faults: Faults;
  /** Scenarios that load while the sandbox runs. */
  readonly scenarios: Scenarios;
  /** Saves rows, jobs, clock, rules, deliveries and mails. You can call `restore` more than once. */
  snapshot(): { restore(): void };
  /**
   * Answers calls of an operation in code. A handler gets each call with valid credentials, before the rules. It returns nothing to leave the
   * call alone, `{ status, body }` to replace it, or `{ patch }` to change the operation's own answer by JSON Patch. The newest handler comes
   * first. A reset removes handlers. Returns a function that removes this one.
   * @throws SettingsError for an unknown operation
   * @example
   * const remove = sandbox.on("sendDocument", ({ nth }) => (nth === 2 ? { status: 403, body: { detail: "No." } } : undefined));
   */
  on(operation: OperationId, handler: CallHandler): () => void;
  /** The calls of the journal as HAR 1.2, oldest first, or those about one document. Secrets are hidden as in the journal. */
  har(options?: { document?: string }): Har;
  /** The whole state as a file, for another process: rows, clock, jobs, journal, rules, readings and counters of ids. */
  readonly world: {
    /**
     * Waits for the work that is due now, and saves. The result is lines of JSON. It holds keys and mails, so keep it private.
     * @example
     * writeFileSync("shop.world", await sandbox.world.save(), { mode: 0o600 });
     */
    save(): Promise<Uint8Array>;
    /**
     * Replaces the state by what `save` returned, by its text, or by a file with this name. `gzip` may have packed it.
     * @throws SettingsError for a file that is damaged, cut, foreign or newer, and then changes nothing
     */
    load(world: string | Uint8Array): Promise<void>;
  };
  /** Checks what the loaded scenarios expect. @throws VerificationError */
  verify(): Promise<void>;
}

/** The name of a scenario file, or its content as a value. */
export type ScenarioSource = string | ScenarioFile;

/** Readings of assumptions: a map, `ID=VALUE`, the name of a profile, or the name of a file. */
export type AssumeSource = string | AssumeFile;

export interface SandboxOptions {
  /** The port to listen on; 0 picks a free port. Without a port, call `fetch`. */
  port?: number;
  /** The address to listen on. Default: 127.0.0.1. Other machines can call only with an `adminToken`. */
  host?: string;
  /** The base address of links, sessions and downloads. Default: host and port. */
  publicUrl?: string;
  /** Scenario files or values, loaded in this order. */
  scenario?: ScenarioSource | readonly ScenarioSource[];
  /** A fixtures file or value. It replaces the built-in workspace. */
  fixtures?: string | FixturesFile;
  /** Determines ids and jitter. Default: random. */
  seed?: number | string;
  /**
   * How time passes. `real` flows, `frozen` stands until `clock.advance`, `auto` moves while the client waits. Default: `real`.
   * @example
   * const sandbox = await createSandbox({ clock: "auto" });
   */
  clock?: ClockMode | AutoClock;
  /** How many times faster than real time a `real` clock runs. Default: 1. */
  clockSpeed?: number;
  /** The instant at which the clock starts, in ISO 8601. */
  now?: string;
  /** A file that keeps the state. Default: memory only. One server at a time can use a file. */
  data?: string;
  /** A saved world to begin with: the name of its file, or its content. Clock, seed and rules come from it. */
  world?: string | Uint8Array;
  /** Readings of assumptions (`docdouble assumptions` lists them). They override the profile and the scenarios. */
  assume?: AssumeSource | readonly AssumeSource[];
  /** A set of readings: `strict` refuses what the real service may refuse. */
  profile?: "default" | "strict";
  /** `auto` approves at once, `interactive` shows the consent page. Default: `auto`. */
  oauth?: "auto" | "interactive";
  /** Real milliseconds in which a webhook receiver must answer. Default: 20 seconds (spec). */
  webhookTimeout_ms?: number;
  /** Lets webhooks and files by URL reach private addresses and this machine, from a server that other machines can call. */
  allowPrivateTargets?: boolean;
  /** The token that the admin API requires. */
  adminToken?: string;
  /** The largest number of tenants. Beyond it, the tenant that was not used for longest goes. Default: 5000. */
  tenantsMax?: number;
  /** The largest number of calls in the journal of each tenant. Above it, the oldest calls are dropped. Default: 10,000. */
  journalMax?: number;
  /** Checks each answer against its schema and freezes each row. For docdouble's own tests. */
  strict?: boolean;
  /** Called with each answered call and its tenant. */
  onCall?: (entry: JournalEntry, tenant: string) => void;
  /** Called with errors inside docdouble. Default: prints to standard error. */
  onBug?: (error: unknown) => void;
  /** Called with warnings, such as a data file that cannot be written. Default: prints to standard error. */
  onNotice?: (text: string) => void;
}

/** A running test double. */
export interface Sandbox extends AsyncDisposable, Handles {
  /** The base address. With `port`, it accepts connections. */
  readonly url: string;
  /** A production API key of the default workspace. */
  readonly apiKey: string;
  /** The seed of ids and jitter. */
  readonly seed: string;
  /** Answers a call without a socket. Takes absolute URLs or paths. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The separate tenant that a `test-*` API key names. */
  tenant(key: string): Handles;
  /**
   * Reads scenario and fixtures files again. Rules, actors and timers change, and the state stays. @throws SettingsError,
   * ScenarioError, and then changes nothing
   */
  reload(): void;
  /** The scenario and fixtures files, with included files. */
  files(): string[];
  /** Restores the initial state. */
  reset(): Promise<void>;
  /** Finishes the calls in progress, then ends the sandbox. */
  close(): Promise<void>;
}
