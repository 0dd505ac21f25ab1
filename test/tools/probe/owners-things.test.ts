/** H2: a probe deletes and changes only what its own creates made, whatever the service answers. */
import { describe, expect, test } from "vitest";
import { hostOf } from "../../../src/library/sandbox.ts";
import type { CallAnswer, CallRequest } from "../../../src/tools/compare/exchange.ts";
import { Pacing } from "../../../src/tools/probe/pacing.ts";
import { probe } from "../../../src/tools/probe/probe.ts";
import { scriptsFor } from "../../../src/tools/probe/scripts/index.ts";
import { realSide } from "../../support/probe.ts";
import { NOW, SANDBOX_KEY } from "../../support/world.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;
type Send = (request: CallRequest) => Promise<CallAnswer>;
type Hostility = (send: Send, request: CallRequest) => Promise<CallAnswer>;

const OWNERS: Record<string, string> = {
  documents: "OwnerDocumentxxxxxxxxx",
  contacts: "OwnerContactxxxxxxxxxx",
  templates: "OwnerTemplatexxxxxxxxx",
  "webhook-subscriptions": "0b8f7c7e-1111-4222-8333-444455556666",
};

/** Things that resemble those of the probe: the owner's own address in other letters, and names of other runs. */
const WORLD = {
  contacts: [
    { id: OWNERS.contacts, email: "NORA.LIND@northpeak.example", first_name: "Nora", company: "Northpeak" },
    { id: "OwnerContact2xxxxxxxxx", email: "docdouble-probe-other-1@example.com" },
  ],
  templates: [{ id: OWNERS.templates, name: "docdouble probe other-2", roles: [{ name: "Client" }] }],
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
    { id: OWNERS.documents, name: "docdouble probe other-3", template: "docdouble probe other-2", status: "document.draft" },
  ],
};

const GROUP = /^\/public\/v1\/(documents|contacts|templates|webhook-subscriptions)(\/[\w-]+)?/;
const isCreation = ({ method, target }: CallRequest) => method === "POST" && GROUP.exec(target)?.[2] === undefined;
const json = ({ body }: CallAnswer): Json => JSON.parse(body.toString("utf8"));
const withJson = (answer: CallAnswer, body: Json): CallAnswer => ({ ...answer, body: Buffer.from(JSON.stringify(body)) });
const LOST: CallAnswer = { status: 0, headers: {}, body: Buffer.alloc(0), failure: "ECONNRESET" };

/** Answers to creations have the ids of the owner's things. */
const wrongIds: Hostility = async (send, request) => {
  const answer = await send(request);
  if (!isCreation(request) || answer.status >= 300) return answer;
  const id = OWNERS[GROUP.exec(request.target)?.[1] ?? ""];
  const body = json(answer);
  return withJson(answer, { ...body, ...(body.uuid ? { uuid: id } : { id }) });
};

const HOSTILITIES: Record<string, Hostility> = {
  "answers truly": (send, request) => send(request),
  "answers creations with ids of the owner": wrongIds,
  "answers creations with ids of the owner, and reads without names": async (send, request) => {
    const answer = await wrongIds(send, request);
    if (request.method !== "GET" || answer.status >= 300 || !answer.headers["content-type"]?.includes("json")) return answer;
    const { name: _, email: __, ...rest } = json(answer);
    return withJson(answer, request.target.endsWith("/current") ? { ...rest, email: __ } : rest);
  },
  "ignores filters": (send, request) =>
    send({
      ...request,
      target: request.method === "GET" ? request.target.replace(/([?&])(?:q|status)=[^&]*/g, "$1") : request.target,
    }),
  "loses the answers to creations": async (send, request) => {
    const answer = await send(request);
    return isCreation(request) && answer.status < 300 ? LOST : answer;
  },
  "loses the answers to deletions": async (send, request) => {
    const answer = await send(request);
    return request.method === "DELETE" ? LOST : answer;
  },
};

/** Its hundred calls only read. */
const STORIES = [...scriptsFor(SANDBOX_KEY).keys()].filter((one) => one !== "rate_limit.profile");

describe("a probe of an owner's account", () => {
  test.each(Object.entries(HOSTILITIES))(
    "changes nothing of the owner, and names all that is left, when the service %s",
    async (_, hostility) => {
      const { sandbox } = await realSide({ port: undefined, now: NOW, scenario: { version: 1, world: WORLD } as never });
      const { store } = hostOf(sandbox).defaultTenant;
      const rows = (): Json[] => [
        ...store.documents.all().filter((one) => one.internal.deleted_at === null),
        ...store.contacts.all(),
        ...store.templates.all().filter((one) => one.internal.deleted_at === null),
        ...store.subscriptions.all(),
      ];
      const before = new Set(rows().map((one) => one.id));
      const owned = () => structuredClone(rows().filter((one) => before.has(one.id)));
      const untouched = owned();
      const send: Send = async ({ method, target, headers, body }) => {
        const response = await sandbox.fetch(target, {
          method,
          headers,
          ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
        });
        const bytes = Buffer.from(await response.arrayBuffer());
        return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
      };
      const clock = { now: () => sandbox.clock.now(), wait: async (ms: number) => void (await sandbox.clock.advance(ms)) };
      for (const story of STORIES) {
        await sandbox.reset();
        const { left_behind = [] } = await probe({
          url: "the double",
          key: SANDBOX_KEY,
          pacing: new Pacing(clock, 60),
          run: "hostile",
          only: [story],
          carry: (request) => hostility(send, request),
        });
        expect(owned(), story).toEqual(untouched);
        const left = rows()
          .filter((one) => !before.has(one.id))
          .map((one) => String(one.email ?? one.name).replace("[DEV] ", ""));
        expect(
          left.filter((name) => !left_behind.some((line) => line.includes(`"${name}"`))),
          story,
        ).toEqual([]);
        if (hostility === HOSTILITIES["answers truly"]) expect([left, left_behind], story).toEqual([[], []]);
      }
    },
  );
});
