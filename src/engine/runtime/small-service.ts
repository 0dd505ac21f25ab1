/**
 * Makes a whole `Service` from the little that a small one has to say: its noun, its tables, its operations and its jobs. It adds API
 * keys, webhook subscriptions, and usual answers to everything else that the engine asks. `test/second-service/` uses it.
 */
import * as z from "zod";
import { Switches } from "../assumptions/switches.ts";
import { iso } from "../core/clock.ts";
import { ApiError, credentialsWrong, notFound } from "../core/errors.ts";
import { errorsOf, type Group, lazy, type Operation, parseRoute, type Schema } from "../core/operation.ts";
import type { JobHandlers } from "../jobs/scheduler.ts";
import type { Language } from "../scenario/language.ts";
import { table } from "../store/collection.ts";
import type { Row } from "../store/row.ts";
import type { Store, Tables } from "../store/store.ts";
import type { Service, Subject } from "./service.ts";
import { engineTables } from "../jobs/rows.ts";
import type { EngineWorld, Tables as EngineTables } from "./world.ts";

/** A key that clients send as `Authorization: API-Key KEY` or `Bearer KEY`. */
export interface KeyRow extends Row {
  revoked: boolean;
}

/** Somebody who receives the events of the service. `key` signs each delivery. */
export interface SubscriptionRow extends Row {
  name: string;
  url: string;
  key: string;
  active: boolean;
}

const smallTables = {
  api_keys: table<KeyRow>()(),
  subscriptions: table<SubscriptionRow>()(),
};

/** The world of a small service with these tables. */
export interface SmallWorld<T extends Tables> extends Omit<EngineWorld, "store"> {
  readonly store: Store<T & typeof smallTables & EngineTables>;
}

/** Without the tables of the service. */
interface BareWorld extends Omit<EngineWorld, "store"> {
  readonly store: Store<typeof smallTables & EngineTables>;
}

interface Subjects {
  readonly size: number;
  all(): readonly Subject[];
  get(id: string): Subject | undefined;
  delete(id: string): void;
}

export interface SmallSubject {
  /** Names the subject in files and addresses. Its plural, with an `s`, names its collection. Example: `parcel`. */
  noun: string;
  /** All statuses. The first is that of a new subject. */
  statuses: readonly string[];
  /** The operations that create a subject. */
  creators: readonly string[];
  /** The member of the row that names it for people. Default: `id`. */
  label?: string;
  /** Members of the row, and of the input that creates it, which conditions may ask about. Default: `id` and `status`. */
  facts?: readonly string[];
  /** Statuses from which nothing good can come. */
  deadEnds?: readonly string[];
}

export interface SmallService<T extends Tables> {
  name: string;
  /** Paths of the service begin with it. Example: `/v1`. */
  prefix: string;
  subject: SmallSubject;
  /** Names of events that webhooks tell. */
  events: readonly string[];
  tables: T;
  groups: readonly Group<SmallWorld<T>>[];
  jobs: JobHandlers<SmallWorld<T>>;
  /** The shape of one subject in a file of fixtures, and how it becomes a row. */
  fixture: { shape: Schema; add(world: SmallWorld<T>, one: never): void };
}

const DEFAULT_KEY = "docdouble-key";

/** The engine asks for these readings in the handling of a call. */
const SWITCHES = new Switches(
  {
    "json.types": { readings: ["strict", "convert"], default: "strict" },
    "query.empty_values": { readings: ["check", "refuse", "ignore"], default: "check" },
    "webhook.retry_schedule": { readings: "durations", default: [60_000, 300_000, 1_800_000] },
  },
  ["json.types", "convert"],
);

/** Announces an event about a subject to every active subscription. Each delivery has the same body. */
export function announce<T extends Tables>(world: SmallWorld<T>, event: string, subject: Subject, data: object): void {
  const { store, ids, outbox } = world as unknown as BareWorld;
  world.emitHappening({ name: subject.status, subject: subject.id });
  world.emitHappening({ name: event, subject: subject.id });
  for (const one of store.subscriptions.all().filter(({ active }) => active)) {
    const event_id = ids.uuid();
    const body = JSON.stringify({ event, event_id, at: iso(world.clock.now()), data });
    outbox.enqueue({
      id: event_id,
      event,
      event_id,
      subject: subject.id,
      status: subject.status,
      subscriber: one.id,
      subscriber_name: one.name,
      url: one.url,
      body,
    });
  }
}

/** Hands the engine a whole service. The engine asks each function with the world and the rows of this service. */
export function smallService<T extends Tables>(given: SmallService<T>): Service {
  const { name, prefix, subject, groups } = given;
  const operations = groups.flatMap((one) => one.operations) as unknown as Operation<EngineWorld>[];
  const language = languageOf(given, operations);
  const store = (world: EngineWorld) => (world as unknown as BareWorld).store;
  const collection = `${subject.noun}s`;
  const rows = (world: EngineWorld) => (world.store as unknown as Record<string, Subjects>)[collection] as Subjects;
  const fact = (of: object, member: string) =>
    language.subjectFacts.names.includes(member) ? (of as Record<string, unknown>)[member] : undefined;
  return {
    name,
    prefixes: [prefix],
    groups: groups as unknown as readonly Group<EngineWorld>[],
    operations,
    unserved: [],
    pageIds: [],
    tables: { ...engineTables, ...smallTables, ...given.tables },
    jobs: given.jobs as unknown as JobHandlers<EngineWorld>,
    models: [],
    switches: SWITCHES,
    language,
    ledger: async () => [],
    extend: (world) => ({ world, close() {} }),
    systemCaller: () => ({ kind: "system", credential: "" }),
    seed: {
      before(world, fixtures) {
        const { api_keys = [], subscriptions = [] } = fixtures as SmallFixtures;
        for (const key of api_keys) store(world).api_keys.put({ id: key, revoked: false });
        for (const { url, key, name: of = "fixtures" } of subscriptions)
          store(world).subscriptions.put({ id: world.ids.uuid(), name: of, url, key, active: true });
      },
      subjects(world, fixtures) {
        const all = (fixtures as Record<string, readonly never[] | undefined>)[collection] ?? [];
        for (const one of all) given.fixture.add(world as unknown as SmallWorld<T>, one);
      },
      standard: (fixtures = {}) => ({ api_keys: [DEFAULT_KEY], ...fixtures }),
      withKey: (fixtures, key) => ({ ...fixtures, api_keys: [...((fixtures as SmallFixtures).api_keys ?? []), key] }),
      keyOf: (fixtures) => (fixtures as SmallFixtures).api_keys?.[0] ?? DEFAULT_KEY,
    },
    parts: {},
    access: {
      credentials: credentialsOf,
      authenticate(world, header) {
        const secret = credentialsOf(header)?.secret;
        if (secret === undefined) return credentialsWrong("send `Authorization: API-Key <key>`", "The API key is missing.");
        const row = store(world).api_keys.get(secret);
        if (!row || row.revoked) return credentialsWrong("no such API key; use one of the fixtures, or any test-<name>");
        return { kind: "api_key", credential: secret };
      },
      scopeRefusal: () => undefined,
      rateLimitOf: () => undefined,
      endCredentials(world, { credential }) {
        const row = store(world).api_keys.get(credential);
        if (row) store(world).api_keys.put({ ...row, revoked: true });
      },
      keys: {},
      adopt(world, from, to) {
        const row = store(world).api_keys.get(from);
        if (row) store(world).api_keys.delete(from);
        store(world).api_keys.put({ id: to, revoked: false });
      },
      keyIn: (world) => store(world).api_keys.first()?.id ?? DEFAULT_KEY,
      secrets: ["api_keys"],
      ends: () => [],
    },
    subjects: {
      find: (world, id) => rows(world).get(id),
      live: (world, id) => rows(world).get(id),
      require(world, id) {
        const row = rows(world).get(id);
        if (!row) throw notFound(`no ${subject.noun} ${id}`);
        return row;
      },
      all: (world) => rows(world).all(),
      every: (world) => rows(world).all(),
      count: (world) => rows(world).size,
      describe: (row) => ({
        name: String((row as unknown as Record<string, unknown>)[subject.label ?? "id"]),
        path: pathOf(row),
        origin: null,
        metadata: {},
        isDeleted: false,
      }),
      creators: subject.creators,
      parameterOf: (path) => new RegExp(`/${collection}/\\{(\\w+)\\}`).exec(path)?.[1],
      attributes: (row) => (member) => fact(row, member),
      attributesOfInput: (input) => (member) => fact(input, member),
      remove: (world, row) => rows(world).delete(row.id),
      delayProcessing: () => false,
      conflict: (row, { detail }, why) =>
        new ApiError("conflict", detail ?? `The ${subject.noun} is in the wrong status.`, {
          why,
          members: row && { status: row.status },
        }),
      locked: (_, { by, expires_at, detail }, why) =>
        new ApiError("locked", detail ?? `The ${subject.noun} is locked.`, {
          why,
          members: { ...(by === undefined ? {} : { by }), expires_at: iso(expires_at) },
        }),
      faults: () => undefined,
      withFaultGiven() {},
      isFirstStatus: (status) => status === subject.statuses[0],
      isStatus: (status) => subject.statuses.includes(status),
      otherWords: {},
      deadEnds: subject.deadEnds ?? [],
    },
    acts: {
      does: `Lets a person act on a ${subject.noun}. ${name} has no acts.`,
      names: [],
      input: language.actInput,
      members: {},
      perform(_, id, act) {
        throw notFound(`nobody can ${act} the ${subject.noun} ${id}`);
      },
      result: (_, row) => row,
      participantsOf: () => [],
      turnsOf: () => [],
      actingParticipant: () => undefined,
      asked: () => [],
    },
    messages: { all: () => [] },
    deliveries: {
      headers: { "content-type": "application/json", "user-agent": `${name} webhooks` },
      idHeader: "x-event-id",
      retries: "webhook.retry_schedule",
      subscriber(world, id) {
        const row = store(world).subscriptions.get(id);
        return row && { url: row.url, key: row.key, oldKey: null, accepts: row.active };
      },
      subscriberStatus(world, id) {
        const row = store(world).subscriptions.get(id);
        return row && (row.active ? "active" : "inactive");
      },
      attempted() {},
      hasSubscribers: (world) => store(world).subscriptions.size > 0,
      isListening: (world) =>
        store(world)
          .subscriptions.all()
          .some(({ active }) => active),
    },
  };
}

interface SmallFixtures {
  api_keys?: readonly string[];
  subscriptions?: readonly { url: string; key: string; name?: string }[];
}

/** A row may keep its past statuses as `path`. */
function pathOf(row: Subject & { path?: readonly string[] }): readonly string[] {
  return row.path ?? [row.status];
}

function credentialsOf(header: string | undefined): { scheme: string; secret: string } | undefined {
  const [, secret] = /^(?:api-key|bearer) +(\S+)$/i.exec(header ?? "") ?? [];
  return secret === undefined ? undefined : { scheme: "api-key", secret };
}

function languageOf<T extends Tables>(given: SmallService<T>, operations: readonly Operation[]): Language {
  const { noun, statuses, facts = ["id", "status"] } = given.subject;
  const members = {
    api_keys: () => z.array(z.string().min(1)).optional(),
    subscriptions: () =>
      z.array(z.strictObject({ url: z.string(), key: z.string().min(1), name: z.string().optional() })).optional(),
    [`${noun}s`]: () => z.array(given.fixture.shape()).optional(),
  };
  const fixtures = lazy(() => z.strictObject(Object.fromEntries(Object.entries(members).map(([name, make]) => [name, make()]))));
  const find = (id: string) => operations.find((one) => one.id === id);
  return {
    words: { subject: noun, participant: "person", message: "message", messages: "messages" },
    subjectFacts: { names: facts },
    participantFacts: [],
    ids: () => operations.map(({ id }) => id),
    statusesOf(id) {
      const operation = find(id);
      return operation && [...Object.keys(operation.responses).map(Number), ...errorsOf(operation)];
    },
    answersOf: (id) => Object.values(find(id)?.responses ?? {}).flatMap((one) => (typeof one === "function" ? [one()] : [])),
    isRead: (id) => parseRoute(find(id)?.route ?? "").method === "GET",
    statuses,
    events: given.events,
    triggers: [...statuses, ...given.events],
    messageKinds: [],
    tools: [],
    models: [],
    acts: [],
    actInput: lazy(() => z.strictObject({})) as Language["actInput"],
    actMembers: {},
    fixtures,
    fixturesFor: fixtures,
    fixtureParts: {},
    switches: SWITCHES,
  };
}
