/** A hostile service before the account of an owner. A probe of it must leave every thing of the owner as it was. */
import type { CallAnswer, CallRequest } from "../../src/tools/compare/exchange.ts";
import { clean, type CleanReport } from "../../src/tools/probe/clean.ts";
import { type JournalLine, readJournal } from "../../src/tools/probe/journal.ts";
import { Pacing } from "../../src/tools/probe/pacing.ts";
import { probe, type ProbeReport } from "../../src/tools/probe/probe.ts";
import { hostOf } from "../../src/library/sandbox.ts";
import { realSide } from "./probe.ts";
import { SANDBOX_KEY } from "./world.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;
type Send = (request: CallRequest) => Promise<CallAnswer>;

/** Answers a call, with or without the account behind it. `nth` counts calls from 1, and `now` is the time of the account. */
export type Hostility = (
  send: Send,
  request: CallRequest,
  at: { nth: number; now: number; state: Map<string, Json> },
) => Promise<CallAnswer>;

const RUN = "hostile";
const URL_OF_DOUBLE = "https://double.example";
const OWNERS: Record<string, string> = {
  documents: "OwnerDocumentxxxxxxxxx",
  contacts: "OwnerContactxxxxxxxxxx",
  templates: "OwnerTemplatexxxxxxxxx",
  "webhook-subscriptions": "0b8f7c7e-1111-4222-8333-444455556666",
  "product-catalog/items": "0b8f7c7e-7777-4888-8999-aaaabbbbcccc",
};
const TEMPLATE = { name: "Owner's template", roles: [{ name: "Client" }] };

/** Things that resemble those of the probe: the owner's own address in other letters, and names of other runs. */
const WORLD = {
  workspaces: [{ id: "WorkspaceMainxxxxxxxxx", name: "Northpeak", settings: { payment_app: false } }],
  contacts: [
    { id: "OwnerContactxxxxxxxxxx", email: "NORA.LIND@northpeak.example", first_name: "Nora", company: "Northpeak" },
    { id: "OwnerContact2xxxxxxxxx", email: "docdouble-probe-other-1@example.com", company: "docdouble probe other-1" },
    { id: "OwnerContact3xxxxxxxxx", email: "ann@acme.example", last_name: "Acme" },
  ],
  templates: [
    { id: OWNERS.templates, ...TEMPLATE },
    { id: "OwnerTemplate2xxxxxxxx", ...TEMPLATE, name: "docdouble probe other-2" },
  ],
  folders: [
    { kind: "document", name: "Deals" },
    { kind: "template", name: "Offers" },
  ],
  catalog_items: [
    {
      id: OWNERS["product-catalog/items"],
      title: "Owner's item",
      type: "regular",
      price_configuration: { currency: "USD", price: 1, pricing_method: 0, billing_type: "one_time" },
    },
  ],
  content_library_items: [{ name: "Terms" }, { name: "Delivery" }],
  webhook_subscriptions: [
    {
      id: OWNERS["webhook-subscriptions"],
      name: "Owner's hook",
      url: "https://owner.example/hook",
      triggers: ["document_deleted"],
      active: false,
    },
  ],
  documents: [
    { id: OWNERS.documents, name: "Owner's offer", template: "Owner's template", status: "document.draft" },
    { id: "OwnerDocument2xxxxxxxx", name: "docdouble probe other-3", template: "Owner's template", status: "document.draft" },
  ],
};

const json = (answer: CallAnswer): Json => {
  try {
    return JSON.parse(answer.body.toString("utf8"));
  } catch {
    return undefined;
  }
};
const withJson = (answer: CallAnswer, body: Json): CallAnswer => ({ ...answer, body: Buffer.from(JSON.stringify(body)) });
const gives = (status: number, body: object = {}): CallAnswer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(body)),
});
const LOST: CallAnswer = { status: 0, headers: {}, body: Buffer.alloc(0), failure: "ECONNRESET" };

const GROUP = /^\/public\/v[12]\/(documents|contacts|templates|webhook-subscriptions|product-catalog\/items)(\/search)?(?:\?|$)/;
const groupOf = ({ target }: CallRequest) => GROUP.exec(target)?.[1];
const isList = (request: CallRequest) => request.method === "GET" && groupOf(request) !== undefined;
const isCreation = ({ method, target }: CallRequest) =>
  method === "POST" && (groupOf({ method, target } as CallRequest) !== undefined || target.endsWith("/duplicate"));

function changed(answer: CallAnswer, change: (name: string, value: Json) => Json): CallAnswer {
  const text = answer.body.toString("utf8");
  const body = json(answer);
  return body === undefined || text === ""
    ? answer
    : withJson(
        answer,
        JSON.parse(text, (name, value) => change(name, value)),
      );
}

/** Hides what was created less than `ms` ago from lists. */
const late =
  (ms: number): Hostility =>
  async (send, request, { now, state }) => {
    const answer = await send(request);
    if (!isList(request) || answer.status !== 200) return answer;
    const hide = (list: Json[]) =>
      list.filter((one) => {
        const id = one.uuid ?? one.id;
        if (!state.has(id)) state.set(id, state.has("started") ? now : 0);
        return now - state.get(id) >= ms;
      });
    const body = json(answer);
    for (const member of ["results", "items"]) if (Array.isArray(body?.[member])) body[member] = hide(body[member]);
    return withJson(answer, body);
  };

const wrongId =
  (idOf: (group: string) => string): Hostility =>
  async (send, request) => {
    const answer = await send(request);
    const group = groupOf(request) ?? "templates";
    if (!isCreation(request) || answer.status >= 300) return answer;
    const body = json(answer);
    return withJson(answer, { ...body, ...(body?.uuid ? { uuid: idOf(group) } : { id: idOf(group) }) });
  };

/** The answers to successful changes. */
const afterSuccess =
  (isMeant: (request: CallRequest) => boolean, answered: CallAnswer): Hostility =>
  async (send, request) => {
    const answer = await send(request);
    return isMeant(request) && answer.status < 300 ? answered : answer;
  };

export const HOSTILITIES: Record<string, Hostility> = {
  "answers truly": (send, request) => send(request),
  "ignores filters": (send, request) =>
    send(isList(request) ? { ...request, target: request.target.replace(/([?&])(?:email|q|query)=[^&]*/g, "$1") } : request),
  "hides everything behind filters": async (send, request) =>
    isList(request) && /[?&](?:email|q|query)=/.test(request.target) ? gives(200, { results: [], items: [] }) : send(request),
  "lists late": late(45_000),
  "lists late and loses the answers to creations": async (send, request, at) => {
    const answer = await late(45_000)(send, request, at);
    return isCreation(request) && answer.status < 300 ? LOST : answer;
  },
  "lists nothing": async (send, request) => (isList(request) ? gives(200, { results: [], items: [] }) : send(request)),
  "lists nothing and loses the answers to creations": async (send, request) => {
    const answer = isList(request) ? gives(200, { results: [], items: [] }) : await send(request);
    return isCreation(request) ? LOST : answer;
  },
  "refuses lists": async (send, request) => (isList(request) ? gives(403, { detail: "No." }) : send(request)),
  "writes addresses in capitals": async (send, request) =>
    changed(await send(request), (name, value) =>
      name === "email" && typeof value === "string" ? ` ${value.toUpperCase()} ` : value,
    ),
  "answers with ids of the owner": wrongId((group) => OWNERS[group] as string),
  "answers with unknown ids": wrongId(() => "docdoubleUnknownxxxxxx"),
  "answers with paths as ids": wrongId((group) => `../${group}/${OWNERS[group]}`),
  "lists ids of the owner under names of the probe": async (send, request) => {
    const answer = await send(request);
    const group = groupOf(request);
    if (!isList(request) || group === undefined) return answer;
    return changed(answer, (name, value) => (["id", "uuid"].includes(name) && typeof value === "string" ? OWNERS[group] : value));
  },
  "loses the answers to creations": afterSuccess(isCreation, LOST),
  "answers 502 after each change": afterSuccess(({ method }) => method !== "GET", gives(502)),
  "answers 400 after each creation": afterSuccess(isCreation, gives(400, { detail: "No." })),
  "answers 429 after the first creation": async (send, request, { state }) => {
    const answer = await send(request);
    if (!isCreation(request) || state.has("429")) return answer;
    state.set("429", true);
    return { ...gives(429), headers: { "content-type": "application/json", "retry-after": "1" } };
  },
  "answers HTML after each creation": afterSuccess(isCreation, {
    status: 201,
    headers: { "content-type": "text/html" },
    body: Buffer.from("<p>"),
  }),
  "loses the answers to deletions": afterSuccess(({ method }) => method === "DELETE", LOST),
  "refuses deletions": async (send, request) => (request.method === "DELETE" ? gives(403, { detail: "No." }) : send(request)),
  "says that it deleted": async (send, request) => (request.method === "DELETE" ? gives(204) : send(request)),
};

/** Behind these services something may stay, so the report must name it. */
export const HIDES_THINGS = [
  "lists nothing",
  "lists nothing and loses the answers to creations",
  "refuses lists",
  "lists ids of the owner under names of the probe",
  "refuses deletions",
  "says that it deleted",
];

export class Crash extends Error {}

interface Ended {
  report: ProbeReport | undefined;
  calls: number;
  lines: JournalLine[];
}

export interface HostileAccount {
  /** Every thing of the owner, as rows. */
  owned(): object;
  /** Names and addresses of things that the probe left. */
  left(): string[];
  reset(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** With `crash`, the process ends at this call: before the service receives it, or after the service carried it out. */
  probe(only: string[], hostility?: Hostility, crash?: { nth: number; isAfter: boolean }): Promise<Ended>;
  clean(lines: readonly JournalLine[], hostility?: Hostility): Promise<CleanReport>;
}

export async function hostileAccount(): Promise<HostileAccount> {
  const { sandbox } = await realSide({
    scenario: { version: 1, webhooks: [{ name: "nobody listens", then: { attempt_result: 500 } }], world: WORLD as never },
  });
  const clock = { now: () => sandbox.clock.now(), wait: async (ms: number) => void (await sandbox.clock.advance(ms)) };
  const rows = () => {
    const { store } = hostOf(sandbox).defaultTenant;
    const alive = <T extends { internal: { deleted_at: number | null } }>(all: readonly T[]) =>
      all.filter((one) => one.internal.deleted_at === null);
    return {
      documents: alive(store.documents.all()),
      templates: alive(store.templates.all()),
      contacts: store.contacts.all(),
      subscriptions: store.subscriptions.all(),
      catalogItems: store.catalog_items.all(),
      libraryItems: store.library_items.all(),
      folders: store.folders.all(),
      users: store.users.all(),
      members: store.members.all(),
      workspaces: store.workspaces.all(),
    };
  };
  const idsOf = (all: readonly object[]) => all.map((one) => ("id" in one ? one.id : "uuid" in one ? one.uuid : ""));
  const before = new Set(Object.values(rows()).flatMap(idsOf));
  const isOwners = (one: object) => before.has(idsOf([one])[0]);
  const send: Send = async ({ method, target, headers, body }) => {
    const response = await sandbox.fetch(target, { method, headers, ...(body.length > 0 ? { body: new Uint8Array(body) } : {}) });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    };
  };
  const options = () => ({ url: URL_OF_DOUBLE, key: SANDBOX_KEY, pacing: new Pacing(clock, 60), now: clock.now });
  const through = (hostility: Hostility = (next, request) => next(request)) => {
    const state = new Map<string, Json>();
    let nth = 0;
    return (request: CallRequest) => {
      nth++;
      if (isCreation(request)) state.set("started", true);
      return hostility(send, request, { nth, now: clock.now(), state });
    };
  };
  return {
    owned: () => structuredClone(Object.fromEntries(Object.entries(rows()).map(([name, all]) => [name, all.filter(isOwners)]))),
    left: () =>
      Object.values(rows())
        .flat()
        .filter((one) => !isOwners(one))
        .map((one: Json) => one.email ?? one.company ?? one.title ?? one.name),
    reset: () => sandbox.reset(),
    advance: clock.wait,
    async probe(only, hostility, crash) {
      const lines: JournalLine[] = [];
      const carry = through(hostility);
      let calls = 0;
      let isDead = false;
      const report = await probe({
        ...options(),
        only,
        run: RUN,
        journal: (line) => {
          if (!isDead) lines.push(structuredClone(line));
        },
        async carry(request) {
          calls++;
          if (isDead) throw new Crash();
          if (calls !== crash?.nth) return carry(request);
          isDead = true;
          if (crash.isAfter) await carry(request);
          throw new Crash();
        },
      }).catch((error: unknown) => {
        if (error instanceof Crash) return undefined;
        throw error;
      });
      return { report, calls, lines };
    },
    clean: (lines, hostility) => {
      const runs = readJournal(lines.map((one) => JSON.stringify(one)).join("\n"), "the journal");
      return clean(runs, { ...options(), carry: through(hostility), journalOf: () => () => {} });
    },
  };
}

/** What is left and stands in no line of the report. */
export function unnamed(left: readonly string[], named: readonly string[] = []): string[] {
  return left.filter(
    (one) => !named.some((line) => line.toLowerCase().includes(String(one).replace("[DEV] ", "").toLowerCase())),
  );
}
