/**
 * What the engine asks of a service. It is the only way from the engine to one. `service/service.ts` holds it.
 */
import type { AssumptionRecord } from "../assumptions/record.ts";
import type { ReadingValue, Switches } from "../assumptions/switches.ts";
import type { ApiError } from "../core/errors.ts";
import type { Group, Operation, Schema } from "../core/operation.ts";
import type { Subscriber } from "../jobs/outbox.ts";
import type { DeliveryRow } from "../jobs/rows.ts";
import type { JobHandlers } from "../jobs/scheduler.ts";
import type { Language } from "../scenario/language.ts";
import type { ActInput } from "../scenario/schema.ts";
import type { RequestContext } from "../rules/rules.ts";
import type { Row } from "../store/row.ts";
import type { EngineTables } from "../jobs/rows.ts";
import type { Tables } from "../store/store.ts";
import type { Caller, EngineWorld, Happening, PersonAct } from "./world.ts";

/** A row that calls, rules and actors are about, such as a document. */
export interface Subject extends Row {
  status: string;
}

/** Somebody who may act on a subject. */
export interface Participant {
  /** The id that acts name. */
  id: string;
  /** What conditions may ask about the participant: `participantFacts` of the language. */
  facts: Readonly<Record<string, readonly string[] | string | null | undefined>>;
  /** How reports name the participant. */
  label: string;
}

/** What reports show of a subject. `path` lists the statuses that it has had, and `origin` is the id of what it was made from. */
export interface SubjectFacts {
  name: string;
  path: readonly string[];
  origin: string | null;
  metadata: Readonly<Record<string, string>>;
  isDeleted: boolean;
}

/** How an answer shows a refusal. */
export interface Refused {
  /** A form that the service names. */
  dialect: string;
  /** The `type` of field errors. */
  invalidType?: string | undefined;
  /** The JSON that the client sent. */
  sent?: unknown;
  /** The reading of an assumption about the form, which the answer then names. */
  decide(id: string): ReadingValue;
}

interface ErrorForms {
  /** The form of errors at a path. */
  dialectAt(path: string): string;
  body(error: ApiError, refused: Refused): unknown;
  /** Further headers of a refusal. */
  headers(status: number, requestId: string): Readonly<Record<string, string>> | undefined;
}

export interface Service {
  /** Paths of the service begin with one of these, such as `/public`. */
  readonly prefixes: readonly string[];
  /** How refusals look. */
  readonly errors: ErrorForms;
  readonly groups: readonly Group<EngineWorld>[];
  readonly operations: readonly Operation<EngineWorld>[];
  /** Pages for people that the journal names as it names operations. */
  readonly pageIds: readonly string[];
  /** Operations that answer 501. */
  readonly unserved: readonly { readonly id: string; readonly route: string }[];
  /** With those of the engine. */
  readonly tables: Tables & EngineTables;
  readonly jobs: JobHandlers<EngineWorld>;
  /** The name of the row with this id, in lists and the log. */
  nameOf(world: EngineWorld, id: string): string | undefined;
  /** Names of asynchronous steps whose progress can be chosen. */
  readonly models: readonly string[];
  readonly switches: Switches;
  readonly language: Language;
  /** All assumptions, those without a switch too. */
  ledger(): Promise<readonly AssumptionRecord[]>;

  /** Adds members of the service to the world of a tenant, and returns how to end them. */
  extend(world: EngineWorld): { world: EngineWorld; close(): void };
  /** Who acts when no call does, such as a job or the library. */
  systemCaller(world: EngineWorld): Caller;

  /** Turns fixtures into rows: `before` the subjects, then the `subjects` themselves. @throws FixtureError */
  readonly seed: {
    before(world: EngineWorld, fixtures: object): void;
    subjects(world: EngineWorld, fixtures: object): void;
    /** Adds what a world cannot be without. Without a value, the fixtures of a world that nobody described. */
    standard(fixtures: object | undefined): object;
    /** The same fixtures with another key, which selects a tenant. */
    withKey(fixtures: object, key: string): object;
    /** The key that a sandbox gives its user. */
    keyOf(fixtures: object): string;
  };
  /** Parts of a reset beside those of the engine, by name. */
  readonly parts: Readonly<Record<string, (world: EngineWorld) => void>>;

  readonly access: {
    /** Scheme and secret of an Authorization header. */
    credentials(header: string | undefined): { scheme: string; secret: string } | undefined;
    /** Returns the refusal of unknown credentials. */
    authenticate(world: EngineWorld, header: string | undefined): Caller | ApiError;
    scopeRefusal(caller: Caller, method: string, operation: string): ApiError | undefined;
    /** Members of a caller that the journal keeps. */
    describe(caller: Caller): Readonly<Record<string, string>>;
    /** Those of them that the admin API shows. */
    readonly shown: readonly string[];
    /** `as` names the operation whose limit counts, and `account` who shares it. Undefined: no limit. */
    rateLimitOf(
      world: EngineWorld,
      caller: Caller,
      operation: string,
      body: () => unknown,
    ): { limit: number; as: string; account: string; assumption?: string } | undefined;
    /** Makes a refusal of the credentials true for later calls. */
    endCredentials(world: EngineWorld, caller: Caller): void;
    /** An operation without a key, whose form tells the tenant by keys of collections. */
    readonly grant: { operation: string; keys(form: URLSearchParams): readonly (readonly [collection: string, key: string])[] };
    /** Collections whose rows tell a tenant by a token or link, beside their ids: the index of it. */
    readonly keys: Readonly<Record<string, string>>;
    /** Lets the key `to` of a tenant call a world that came from the tenant `from`. */
    adopt(world: EngineWorld, from: string, to: string): void;
    /** A key of the world, for clients that have none. */
    keyIn(world: EngineWorld): string;
    /** The collections that hold the secrets of callers. */
    readonly secrets: readonly string[];
    /** The ends of credentials after `now`, epoch ms, at which a waiting client may see a change. */
    ends(world: EngineWorld, now: number): Iterable<number>;
  };

  readonly subjects: {
    /** Also finds a deleted subject, and one that the caller may not see. */
    find(world: EngineWorld, id: string): Subject | undefined;
    /** Finds a subject that a call could find. */
    live(world: EngineWorld, id: string): Subject | undefined;
    /** @throws 404 */
    require(world: EngineWorld, id: string): Subject;
    /** All subjects that are not deleted. */
    all(world: EngineWorld): readonly Subject[];
    /** All subjects in the order of their creation, deleted ones too. */
    every(world: EngineWorld): readonly Subject[];
    count(world: EngineWorld): number;
    describe(row: Subject): SubjectFacts;
    /** The operations that create a subject. */
    readonly creators: readonly string[];
    /** The parameter of a path that holds the id of a subject. */
    parameterOf(path: string): string | undefined;
    /** What conditions of rules may ask about a subject, and about input that creates one. */
    attributes(row: Subject): RequestContext;
    attributesOfInput(input: object): RequestContext;
    /** Makes the refusal `not_found` true for later calls. */
    remove(world: EngineWorld, row: Subject): void;
    /** Delays the processing of a subject that a call has just created. Returns false when it needs none. */
    delayProcessing(world: EngineWorld, row: Subject, wait_ms: number): boolean;
    /** The refusal of a call that finds the subject in the wrong status. Without `detail`, in the words of the service. */
    conflict(
      row: Subject | undefined,
      asked: { detail: string | undefined; operation: string | undefined },
      why: string,
    ): ApiError;
    /** The refusal of a call that finds the subject locked. `by` names who holds the lock. */
    locked(
      world: EngineWorld,
      lock: { by: string | undefined; expires_at: number; detail: string | undefined },
      why: string,
    ): ApiError;
    /**
     * The faults that the data of a subject asks for, such as `locked*1,throttled*2`, and how many calls got one. The journal names `rule`
     * and `why`.
     */
    faults(row: Subject): { wanted: string; given: number; rule: string; why: string } | undefined;
    withFaultGiven(world: EngineWorld, row: Subject): void;
    /** Whether a status tells observers nothing that the call does not tell. */
    isFirstStatus(status: string): boolean;
    isStatus(name: string): boolean;
    /** Other words of clients for statuses, such as `signed`. */
    readonly otherWords: Readonly<Record<string, string>>;
    /** Statuses of subjects from which nothing good can come. */
    readonly deadEnds: readonly string[];
    /** What a conflict says about a subject that is still being processed. */
    readonly notProcessed: string;
  };

  readonly acts: {
    /** What an act does and takes, in sentences for pages, editors and agents. */
    readonly does: string;
    readonly names: readonly string[];
    readonly input: Schema;
    /** The members that the input of each act may have. */
    readonly members: Readonly<Record<string, readonly string[]>>;
    /** @throws the service's refusals */
    perform(world: EngineWorld, subject: string, act: string, input: ActInput): Subject;
    /** What the admin API answers after an act. */
    result(world: EngineWorld, row: Subject): unknown;
    participantsOf(row: Subject): readonly Participant[];
    /** Who did what, as the log tells it before the name of the subject. Undefined: nothing to tell. */
    told(row: Subject | undefined, act: PersonAct): { by: string; did: string } | undefined;
    /** The people whose turn a happening begins. */
    turnsOf(event: Happening): readonly Participant[];
    /** The participant whom `reference` names, or who is next. */
    actingParticipant(row: Subject, reference: unknown): Participant | undefined;
    /** Acts that the data of participants asks for when something happens. `participant` is an id. */
    asked(world: EngineWorld, event: Happening): readonly { actor: string; participant: string; act: string; after_ms: number }[];
  };

  /** What the service would have sent to people. */
  readonly messages: {
    all(world: EngineWorld): readonly (Row & { to: string; subject: string; kind: string })[];
  };

  readonly deliveries: {
    readonly headers: Readonly<Record<string, string>>;
    readonly idHeader: string;
    readonly retries: string;
    subscriber(world: EngineWorld, id: string): Subscriber | undefined;
    /** Undefined when the subscription is gone. */
    subscriberStatus(world: EngineWorld, id: string): string | undefined;
    attempted(world: EngineWorld, delivery: DeliveryRow): void;
    hasSubscribers(world: EngineWorld): boolean;
    /** Whether anybody would get a delivery now. */
    isListening(world: EngineWorld): boolean;
  };
}
