/** A world that is saved at any point gives the same answers in another process. */
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { Ids } from "../../../src/engine/core/ids.ts";
import { hostOf } from "../../../src/library/sandbox.ts";
import { openSavedWorld } from "../../../src/library/saved-world.ts";
import type { Sandbox, SandboxOptions } from "../../../src/library/types.ts";
import { CLIENT, TEMPLATES } from "../../support/stories.ts";
import { callsOver, strictSandbox, type Calls } from "../../support/world.ts";

interface Side extends Calls {
  sandbox: Sandbox;
}

async function side(options: SandboxOptions): Promise<Side> {
  const sandbox = await strictSandbox(options);
  return { sandbox, ...callsOver((path, init) => sandbox.fetch(path, init)) };
}

const RULES = [
  { name: "every third create", when: { operation: "createDocument", call: { every: 3 } }, then: { error: "throttled" } },
  {
    name: "second status",
    when: { operation: "statusDocument", call: { nth: 2, per: "document" } },
    then: { error: "not_found" },
  },
];

/** A read answers as the world was two seconds ago, so the world of two seconds ago is in the file. */
const STALE = { name: "stale list", when: { operation: "listDocuments", call: { every: 2 } }, then: { stale: "2s" } };

const SCENARIO = {
  version: 1,
  name: "slow-signer",
  assume: { "delete.second": 404 },
  rules: [{ name: "busy send", when: { operation: "sendDocument", call: { every: 4 } }, then: { error: "throttled" } }],
  webhooks: [{ name: "late", when: { event: "document_updated", nth: 2 }, then: { delay: "90s" } }],
  actors: [
    {
      name: "pat",
      on: "document.sent",
      steps: [
        { after: "2h", do: "view" },
        { after: "5h", do: "sign" },
      ],
    },
  ],
};

/** One step of a random story. It asks the world for ids, so both sides take the same step only while they are equal. */
async function step(side: Side, chance: Ids, ids: string[]): Promise<unknown> {
  const answer = await oneStep(side, chance, ids);
  // A delivery that is due runs after the answer, and not always before the next call.
  await side.sandbox.clock.settle();
  return answer;
}

async function oneStep({ sandbox, call, request, admin, advance }: Side, chance: Ids, ids: string[]): Promise<unknown> {
  const id = ids[chance.between(0, Math.max(0, ids.length - 1))] ?? "none";
  const params = { id };
  switch (chance.between(0, 15)) {
    case 0:
    case 1:
    case 2: {
      const template_uuid = [TEMPLATES.oneSigner, TEMPLATES.pricing, TEMPLATES.quote][chance.between(0, 2)];
      const made = await call("createDocument", { body: { template_uuid, name: `Offer ${ids.length}`, recipients: [CLIENT] } });
      if (made.status === 201) ids.push(made.body.id);
      return made;
    }
    case 3:
    case 4:
      return call("sendDocument", { params, body: { subject: "Please sign" } });
    case 5:
      return call("statusDocument", { params });
    case 6:
      return call("detailsDocument", { params });
    case 7:
      return call("listDocuments", { query: { order_by: "date_status_changed" } });
    case 8:
      return call("deleteDocument", { params });
    case 9:
      return advance(["3s", "40s", "2h", "6d"][chance.between(0, 3)] ?? "1s");
    case 10:
      return admin("POST", `/documents/${id}/simulate/${["view", "sign", "decline"][chance.between(0, 2)]}`, {});
    case 11:
      return call("createContact", { body: { email: `p${chance.between(1, 30)}@client.example`, first_name: "Pat" } });
    case 12:
      return request("GET", "/public/v1/no-such-path");
    case 13:
      return call("createDocumentLink", { params, body: { recipient: CLIENT.email, lifetime: 900 } });
    case 14:
      return call("updateDocument", { params, body: { name: `Renamed ${chance.between(1, 99)}` } });
    default:
      return sandbox.webhooks.deliveries().map((one) => [one.id, one.event, one.state, one.attempts.length, one.body]);
  }
}

/** What a caller of the admin API sees of a world. */
async function seen({ sandbox, admin }: Side): Promise<unknown> {
  const { journal } = hostOf(sandbox).defaultTenant;
  const paths = ["/clock", "/rules", "/webhooks/deliveries", "/emails", "/documents", "/assumptions", "/scenarios"];
  const answers = await Promise.all(paths.map(async (path) => (await admin("GET", path)).body));
  return { answers, calls: journal.all(), total: journal.total };
}

/** Attempts at delivery take real time, which differs. */
function plain(answer: unknown): string {
  const { headers, ...rest } = answer as { headers?: Headers };
  const whole = headers === undefined ? answer : { ...rest, headers: [...headers].sort() };
  return timeless(JSON.stringify(whole, null, 1));
}

function timeless(text: string): string {
  return text.replace(/"duration_ms": ?\d+/g, '"duration_ms":0');
}

async function worldOf({ sandbox }: Side): Promise<unknown> {
  return JSON.parse(timeless(Buffer.from(await sandbox.world.save()).toString()));
}

async function begin(options: SandboxOptions): Promise<Side> {
  const first = await side(options);
  for (const rule of [...RULES, STALE]) first.sandbox.rules.add(rule as never);
  await first.sandbox.scenarios.load(SCENARIO as never);
  // Nothing listens there, so deliveries fail and wait for a retry.
  first.sandbox.webhooks.subscribe({ url: "http://127.0.0.1:9/hook", events: ["document_state_changed", "document_updated"] });
  return first;
}

/** The client polls at once, so only polls move the automatic clock. */
const CLOCKS = ["frozen", { mode: "auto", idle: 60_000 }] as const;

test.each(Array.from({ length: 10 }, (_, i) => i))(
  "a story saved at random point %i goes on equally in another process",
  async (round) => {
    const chance = new Ids(`drill ${round}`);
    const clock = CLOCKS[round % 2] as (typeof CLOCKS)[number];
    const first = await begin({ clock, seed: round });
    const ids: string[] = [];
    for (let i = chance.between(5, 40); i > 0; i--) await step(first, chance, ids);

    const file = await first.sandbox.world.save();
    const second = await side({ seed: "another", clock, now: "2031-01-01T00:00:00Z" });
    await second.sandbox.world.load(file);
    expect(plain(await seen(second))).toEqual(plain(await seen(first)));

    const after = chance.state;
    const [firstIds, secondIds] = [[...ids], [...ids]];
    for (let i = 0; i < 30; i++) {
      const [one, other] = [new Ids(0), new Ids(0)];
      one.state = other.state = chance.state;
      const expected = plain(await step(first, one, firstIds));
      expect(plain(await step(second, other, secondIds)), `step ${i} of round ${round}`).toEqual(expected);
      chance.state = one.state;
    }
    expect(after).not.toEqual(chance.state);
    await first.advance("70d");
    await second.advance("70d");
    expect(plain(await seen(second))).toEqual(plain(await seen(first)));
    expect(await worldOf(second)).toEqual(await worldOf(first));
  },
);

async function saved(): Promise<Buffer> {
  const { sandbox, call } = await begin({});
  await call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, name: "Offer", recipients: [CLIENT] } });
  return Buffer.from(await sandbox.world.save());
}

test("a world names its format and version within its first 2,000 characters, and is JSON", async () => {
  const file = await saved();
  expect(file.subarray(0, 2000).toString()).toMatch(/"format":"docdouble-world","version":1/);
  expect(JSON.parse(file.toString())).toMatchObject({ tenant: "default", rows: expect.anything() });
});

test("a world that is damaged, cut, foreign or newer is refused in one sentence, and nothing changes", async () => {
  const file = await saved();
  const other = await side({ seed: "another" });
  await other.call("createDocument", { body: { template_uuid: TEMPLATES.oneSigner, name: "Kept", recipients: [CLIENT] } });
  const before = await other.sandbox.world.save();
  const text = file.toString();
  const incomplete = (change: object) => Buffer.from(JSON.stringify({ ...JSON.parse(text), ...change }));
  const cases: [Buffer, RegExp][] = [
    [Buffer.from(text.replace('"tenant":', '"tenant"')), /^the world is damaged or cut: it is not complete JSON\.$/],
    [file.subarray(0, file.length - 2), /^the world is damaged or cut/],
    [file.subarray(0, 60), /^the world is damaged or cut/],
    [Buffer.concat([file, Buffer.from("{}\n")]), /^the world is damaged or cut/],
    [incomplete({ rows: 5 }), /^the world holds no complete world\.$/],
    [incomplete({ kept: [] }), /^the world holds no complete world\.$/],
    [incomplete({ tenant: undefined }), /^the world holds no complete world\.$/],
    [incomplete({ kept: {} }), /^the world cannot be loaded: it has no clock\.$/],
    [
      incomplete({ rows: { ...JSON.parse(text).rows, parcels: {} } }),
      /^the world was written by a newer docdouble: it holds parcels/,
    ],
    [Buffer.from('[["default","rows","documents","a",{"id":"a"}]]\n'), /^the world is a data file, not a world/],
    [Buffer.from('{"openapi":"3.1.0"}'), /^the world is not a world of docdouble\.$/],
    [Buffer.from("%PDF-1.7"), /^the world is not a world of docdouble\.$/],
    [Buffer.alloc(0), /^the world is not a world of docdouble\.$/],
    [
      Buffer.from(text.replace('"version":1', '"version":4')),
      /^the world was written by a newer docdouble: its format has version 4, and this one reads 1\.$/,
    ],
    [gzipSync(file).subarray(0, 400), /^the world is damaged: gunzip cannot read it\.$/],
    [gzipSync(gzipSync(file)), /^the world is not a world of docdouble\.$/],
  ];
  for (const [content, sentence] of cases) {
    const detail = String(sentence.source).replace("the world", "The world");
    const answer = await other.sandbox.fetch("/__admin/world", { method: "PUT", body: new Uint8Array(content) });
    const { status, body } = { status: answer.status, body: await answer.json() };
    expect.soft(status, sentence.source).toBe(400);
    expect.soft(body, sentence.source).toMatchObject({ type: "docdouble_invalid", detail: expect.stringMatching(detail) });
    await expect
      .soft(other.sandbox.world.load(content))
      .rejects.toThrow(new RegExp(sentence.source.replace("^", "world.load: ")));
  }
  expect(Buffer.from(await other.sandbox.world.save()).equals(before)).toBe(true);
});

test("PUT takes what GET gave, and a key of a tenant replaces that tenant only", async () => {
  const { sandbox, call, admin } = await side({ seed: 7 });
  const KEYS = { authorization: "API-Key test-copy" };
  const made = await call("createDocument", {
    body: { template_uuid: TEMPLATES.oneSigner, name: "Offer", recipients: [CLIENT] },
  });
  const given = await sandbox.fetch("/__admin/world");
  expect(given.status).toBe(200);
  expect(given.headers.get("content-type")).toBe("application/json");
  const body = await given.arrayBuffer();
  const put = await sandbox.fetch("/__admin/world", { method: "PUT", headers: KEYS, body });
  expect({ status: put.status, body: await put.json() }).toEqual({
    status: 200,
    body: { now: "2026-03-02T09:00:00.000000Z", calls: 1, jobs: 1 },
  });
  const params = { id: made.body.id };
  await admin("POST", "/clock/advance", { by: "1h" }, "test-copy");
  expect(await call("statusDocument", { params, key: "test-copy" })).toMatchObject({
    status: 200,
    body: { status: "document.draft" },
  });
  expect(await call("statusDocument", { params })).toMatchObject({ status: 200, body: { status: "document.uploaded" } });
  // Its key has the place of the key that saved the world.
  expect(await call("statusDocument", { params, key: "test-copy" })).toMatchObject({ status: 200 });
});

/** A call whose body arrives when the test says so. */
function held(sandbox: Sandbox, method: string, path: string, key: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
  const answer = sandbox.fetch(path, { method, headers, body: readable, duplex: "half" } as RequestInit);
  const end = async (body: Uint8Array) => {
    await writer.write(body);
    await writer.close();
    const { status, json } = await answer.then((one) => ({ status: one.status, json: one.json() }));
    return { status, body: await json };
  };
  return { end };
}

test("a call that is under way when the loaded world replaces the old one has no effect", async () => {
  const { sandbox } = await side({ strict: false });
  const calling = held(sandbox, "POST", "/public/v1/contacts", "docdouble-key");
  await sandbox.world.load(await saved());
  expect(await calling.end(Buffer.from('{"email":"held@client.example"}'))).toMatchObject({
    status: 503,
    body: { type: "docdouble_reset" },
  });
  const { contacts } = hostOf(sandbox).defaultTenant.store;
  expect(contacts.all().some(({ email }) => email === "held@client.example")).toBe(false);
});

test("a reset after a load begins with the fixtures of this server and the seed of the file", async () => {
  const first = await side({ seed: 7 });
  const second = await side({ seed: "another" });
  await second.sandbox.world.load(await first.sandbox.world.save());
  const ids = [];
  for (const { sandbox, call } of [first, second]) {
    await sandbox.reset();
    const made = await call("createDocument", {
      body: { template_uuid: TEMPLATES.oneSigner, name: "Offer", recipients: [CLIENT] },
    });
    ids.push([made.body.id, sandbox.journal.all()[0]?.id]);
  }
  expect(ids[1]).toEqual(ids[0]);
});

test("a world that is only looked at has a clock that stands, and delivers nothing", async () => {
  const sandbox = await openSavedWorld(await saved());
  onTestFinished(() => sandbox.close());
  expect(sandbox.documents.all()).toMatchObject([{ name: "Offer" }]);
  expect(sandbox.clock.mode).toBe("frozen");
  expect((await sandbox.fetch("/__admin/?view=journal")).status).toBe(200);
  await sandbox.clock.advance("30d");
  expect(sandbox.webhooks.deliveries().flatMap((one) => one.attempts)).toEqual([]);
});

test("a server begins with a saved world, its key and its clock", async () => {
  const first = await side({ clock: "frozen", now: "2024-02-29T10:00:00Z" });
  const world = await first.sandbox.world.save();
  const { sandbox } = await side({ world, clock: "auto", now: "2031-01-01T00:00:00Z" });
  expect([sandbox.clock.mode, sandbox.clock.now(), sandbox.apiKey]).toEqual([
    "frozen",
    Date.parse("2024-02-29T10:00:00Z"),
    "docdouble-key",
  ]);
});
