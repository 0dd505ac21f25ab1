/** The token of a tenant reaches its own tenant only, through every operation of the admin API. */
import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import type { AdminOperation } from "../../../src/engine/core/verb.ts";
import { parseRoute } from "../../../src/engine/core/operation.ts";
import { requestOf } from "../../../src/engine/verbs/define.ts";
import { saveWorld } from "../../../src/engine/runtime/tenants/saved-world.ts";
import { adminOperations } from "../../../src/library/surfaces.ts";
import { hostOf } from "../../../src/library/sandbox.ts";
import type { AdminCall } from "../../../src/library/types.ts";
import { aSubscription } from "../../support/stories.ts";
import { receiver } from "../../support/receiver.ts";
import { type Answer, type TestWorld, testWorld } from "../../support/world.ts";
import { CASES, type Case } from "../verbs/cases.ts";

const SERVER = "token-of-the-server";
const TOKENS = { "test-own": "token-of-tenant-own", "test-borneo": "token-of-tenant-borneo" } as const;
const [OWN, FOREIGN] = ["test-own", "test-borneo"] as const;
const OPEN = ["health", "adminHealth", "adminReady"];

interface Request {
  method: string;
  path: string;
  body?: unknown;
}

type Headers = Record<string, string>;

const withToken = (token: string, key?: string): Headers => ({
  "x-docdouble-admin-token": token,
  ...(key === undefined ? {} : { authorization: `API-Key ${key}` }),
});

async function sharedWorld(calls: AdminCall[] = []): Promise<TestWorld> {
  const world = await testWorld({
    adminToken: SERVER,
    tenants: "listed",
    port: 0,
    publicUrl: "http://docdouble.test",
    onAdminCall: (call) => calls.push(call),
  });
  for (const [id, admin_token] of Object.entries(TOKENS)) {
    const made = await world.request("POST", "/__admin/tenants", { headers: withToken(SERVER), body: { id, admin_token } });
    expect(made).toMatchObject({ status: 201, body: { id, api_key: id, admin_token } });
  }
  return world;
}

/** Texts that only the tenant `test-borneo` holds, by what they name. */
type Marks = Record<string, string>;

const asAdmin = (world: TestWorld, tenant: keyof typeof TOKENS) => async (method: string, path: string, body?: unknown) => {
  const answer = await world.request(method, `/__admin${path}`, { key: tenant, headers: withToken(TOKENS[tenant]), body });
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};

/** Fills a tenant with everything that its admin API shows. Returns the ids. */
async function inhabit(world: TestWorld, tenant: keyof typeof TOKENS, word: string): Promise<Marks> {
  const admin = asAdmin(world, tenant);
  const hook = await receiver();
  await world.request("POST", "/public/v1/contacts", {
    key: tenant,
    body: { email: `${word}@client.example`, first_name: word },
  });
  const subscription = await aSubscription(world, hook, { name: `${word}-hook`, triggers: ["document_state_changed"] }, tenant);
  const { id: document } = await admin("POST", "/documents", { name: `${word} offer`, status: "document.sent" });
  await admin("POST", "/rules", { name: `${word}-rule`, when: { operation: "sendDocument" }, then: { error: "locked" } });
  await admin("POST", "/webhooks/rules", { name: `${word}-drop`, when: { event: "document_updated" }, then: { drop: true } });
  await admin("POST", "/scenarios", { version: 1, name: `${word}-scenario` });
  await admin("POST", "/snapshots", { name: `${word}-snapshot` });
  await admin("POST", "/clock/advance", { by: "3s" });
  const { deliveries } = await admin("GET", "/webhooks/deliveries");
  const { emails } = await admin("GET", "/emails");
  const { requests } = await admin("GET", "/requests");
  return {
    document,
    subscription,
    delivery: deliveries[0].id,
    email: emails[0].id,
    request: requests[0].id,
    rule: `${word}-rule`,
    drop: `${word}-drop`,
    scenario: `${word}-scenario`,
    snapshot: `${word}-snapshot`,
    name: `${word} offer`,
    contact: `${word}@client.example`,
  };
}

function bodyless({ route }: AdminOperation<never>): Request {
  const { method, path } = parseRoute(route);
  return { method, path };
}

/** What fills a parameter of this path. */
function idFor(path: string, name: string, marks: Marks): string {
  if (name === "act") return "view";
  if (path.includes("/webhooks/rules")) return marks.drop as string;
  if (path.includes("/deliveries")) return marks.delivery as string;
  for (const part of ["rule", "scenario", "snapshot", "email", "request", "document"])
    if (path.includes(`/${part}s/`)) return marks[part] as string;
  return path.includes("/tenants/") ? FOREIGN : (marks.document as string);
}

/** Without these members, a call waits in real time, or for ever. */
function quickly({ verb }: AdminOperation<never>): object {
  const shape = verb?.input?.().shape ?? {};
  const known = { timeoutMs: 0, by: "0s" };
  return Object.fromEntries(Object.entries(known).filter(([name]) => name in shape));
}

/** Calls of an operation that name things of the tenant with these marks. */
function requestsFor(operation: AdminOperation<never>, marks: Marks): Request[] {
  const known = operation.verb ? (CASES as Readonly<Record<string, readonly Case[]>>)[operation.verb.name] : undefined;
  const filled = known
    ?.filter((one) => !one.refused)
    .map(({ input }) => JSON.parse(JSON.stringify(input).replace(/\$(\w+)/g, (text, name: string) => marks[name] ?? text)))
    .filter((input) => (parseRoute(operation.route).path.match(/\{\w+\}/g) ?? []).every((one) => one.slice(1, -1) in input))
    .map((input) => requestOf(operation, input) as Request);
  const { method, path } = bodyless(operation);
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(idFor(path, name, marks)));
  const asked = [`tenant=${FOREIGN}`, `tenant=${FOREIGN}&document=${marks.document}`, `tenant=default`, ""];
  const more = asked.map((query) => ({ method, path: query ? `${named}?${query}` : named }));
  const quick = quickly(operation);
  const bodies = method === "GET" ? [undefined] : [quick, { ...quick, tenant: FOREIGN, document_id: marks.document }];
  return [...(filled ?? []), ...more.flatMap((one) => bodies.map((body) => ({ ...one, body })))];
}

function textOf({ body, headers }: Answer): string {
  const content = body instanceof Uint8Array ? Buffer.from(body).toString() : JSON.stringify(body ?? null);
  return `${content}\n${JSON.stringify([...headers])}`;
}

/** The marks in an answer that its request did not name. */
function leaksOf(answer: Answer, request: Request, marks: Marks): string[] {
  const asked = `${decodeURIComponent(request.path)} ${JSON.stringify(request.body ?? "")}`;
  const text = textOf(answer);
  return Object.values(marks).filter((mark) => !asked.includes(mark) && text.includes(mark));
}

const send = (world: TestWorld, { method, path, body }: Request, headers: Headers) =>
  world.request(method, path, { key: null, headers, body });

const named = (request: Request) => `${request.method} ${request.path} ${JSON.stringify(request.body ?? "")}`;

/** Operations that only look come first, and those that take things away come last, so that most have something to act on. */
const inOrder = [...(adminOperations as unknown as readonly AdminOperation<never>[])].sort(
  (a, b) => ruin(a.route) - ruin(b.route),
);

function ruin(route: string): number {
  if (route.startsWith("GET ")) return 0;
  return /^(DELETE|PUT) |reset|restore|remove/.test(route) ? 2 : 1;
}

describe("the token of a tenant", () => {
  let world: TestWorld;
  let marks: Marks;
  let own: Marks;
  let before: Record<string, Buffer>;
  const saved = async () => {
    const host = hostOf(world.sandbox);
    return Object.fromEntries(
      await Promise.all(
        ["default", FOREIGN].map(async (id) => [id, await saveWorld(host.find(id) as NonNullable<ReturnType<typeof host.find>>)]),
      ),
    );
  };

  test("reaches its own tenant alone, through every operation of the admin API", async () => {
    world = await sharedWorld();
    marks = await inhabit(world, FOREIGN, "borneo");
    own = await inhabit(world, OWN, "own");
    before = await saved();
    const token = TOKENS[OWN];
    const passed = new Set<string>();
    for (const operation of inOrder) {
      const isOpen = OPEN.includes(operation.id) || operation.security === "none";
      for (const [i, request] of [...requestsFor(operation, marks), ...requestsFor(operation, { ...marks, ...own })].entries()) {
        const isFirst = i === 0;
        const unproven = await send(world, request, {});
        if (!isOpen) expect.soft(unproven.status, `without a token: ${named(request)}`).toBe(401);
        expect.soft(leaksOf(unproven, request, marks), `without a token: ${named(request)}`).toEqual([]);
        for (const key of isFirst ? [FOREIGN, "test-nobody", "docdouble-key"] : [FOREIGN]) {
          const foreign = await send(world, request, withToken(token, key));
          if (!isOpen) expect.soft(foreign.status, `with the key ${key}: ${named(request)}`).toBe(403);
          expect.soft(leaksOf(foreign, request, marks), `with the key ${key}: ${named(request)}`).toEqual([]);
        }
        const all = [withToken(token), withToken(token, OWN), { authorization: `Bearer ${token}` }];
        for (const headers of isFirst ? all : all.slice(0, 1)) {
          const answer = await send(world, request, headers);
          expect.soft(answer.status, named(request)).not.toBe(401);
          expect.soft(leaksOf(answer, request, marks), named(request)).toEqual([]);
          if (answer.status < 300) passed.add(operation.id);
        }
      }
    }
    const after = await saved();
    for (const [id, bytes] of Object.entries(before)) expect(after[id]?.equals(bytes), `${id} changed`).toBe(true);
    expect([...hostOf(world.sandbox).tenants()].map((one) => one.id)).toEqual(["default", OWN, FOREIGN]);
    // Otherwise, the checks of answers would check refusals only.
    expect(passed.size).toBeGreaterThan(inOrder.length * 0.8);
  });
});
