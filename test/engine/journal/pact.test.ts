/** The journal as a Pact of specification 4. `test/system/formats/pact.test.ts` shows it to the real verifier. */
import { expect, test } from "vitest";
import { expectationOf } from "../../../src/engine/journal/pact/expectation.ts";
import { aDraft, anUploadedDocument, succeed } from "../../support/stories.ts";
import { testWorld } from "../../support/world.ts";

const rule = (...matchers: object[]) => ({ combine: "AND", matchers });

test("a call becomes an interaction with its request, and with the forms of its answer", async () => {
  const { sandbox, call } = await testWorld({ seed: 7 });
  await call("createContact", { body: { email: "pat@client.example", first_name: "Pat" } });
  const { metadata, ...pact } = sandbox.pact({ consumer: "shop" });
  expect(metadata).toEqual({
    pactSpecification: { version: "4.0" },
    docdouble: { version: expect.any(String), seed: "7", left_out: [], dropped_calls: 0 },
  });
  const { id } = (pact.interactions[0]?.response.body?.content ?? {}) as { id?: string };
  expect(pact).toEqual({
    consumer: { name: "shop" },
    provider: { name: "PandaDoc" },
    interactions: [
      {
        type: "Synchronous/HTTP",
        key: expect.stringMatching(/^[0-9a-f]{16}$/),
        description: "createContact answers 201",
        pending: false,
        request: {
          method: "POST",
          path: "/public/v1/contacts",
          headers: { Authorization: ["API-Key docdouble-key"], "Content-Type": ["application/json"] },
          body: {
            content: { email: "pat@client.example", first_name: "Pat" },
            contentType: "application/json",
            encoded: false,
          },
          matchingRules: {
            header: { Authorization: rule({ match: "regex", regex: "^(API-Key|Bearer) \\S+$" }) },
            body: { $: rule({ match: "type" }) },
          },
        },
        response: {
          status: 201,
          headers: { "Content-Type": ["application/json"] },
          body: {
            content: { id, email: "pat@client.example", first_name: "Pat" },
            contentType: "application/json",
            encoded: false,
          },
          matchingRules: {
            header: { "Content-Type": rule({ match: "regex", regex: "^application\\/json(;.*)?$" }) },
            body: {
              "$.id": rule({ match: "regex", regex: "^[A-Za-z][A-Za-z0-9]{21}$" }),
              "$.email": rule({ match: "type" }),
              "$.first_name": rule({ match: "type" }),
            },
          },
        },
      },
    ],
  });
});

test("a call about a document has its status as a state, and takes the id from the verifier", async () => {
  const world = await testWorld();
  const id = await aDraft(world);
  await succeed(world.call("sendDocument", { params: { id }, body: { silent: true } }));
  const send = world.sandbox.pact().interactions.at(-1);
  const params = { document: id, name: world.sandbox.documents.get(id)?.name };
  expect(send?.providerStates).toEqual([{ name: "the document is document.draft", params }]);
  expect(send?.request).toMatchObject({
    path: `/public/v1/documents/${id}/send`,
    matchingRules: { path: rule({ match: "regex", regex: "^\\/public\\/v1\\/documents\\/[^/]+\\/send$" }) },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the verifier fills it
    generators: { path: { type: "ProviderState", expression: "/public/v1/documents/${document}/send" } },
  });
});

test("equal reads count once, and reads let time pass where the client waited", async () => {
  const world = await testWorld();
  const id = await anUploadedDocument(world);
  const read = () => world.call("statusDocument", { params: { id } });
  for (let i = 0; i < 5; i++) await read();
  await world.advance("1m");
  for (let i = 0; i < 5; i++) await read();
  const { interactions } = world.sandbox.pact();
  expect(interactions.map((one) => `${one.description}${one.comments ? " (added)" : ""}`)).toEqual([
    "createDocument answers 201",
    "statusDocument answers 200",
    "statusDocument lets the document become document.draft (added)",
    "statusDocument lets the document become document.draft, 2 (added)",
    "statusDocument lets the document become document.draft, 3 (added)",
    "statusDocument answers 200, 2",
  ]);
  const names = interactions.map((one) => JSON.stringify([one.description, one.providerStates]));
  expect(new Set(names).size).toBe(names.length);
});

test("a pact holds no key, token or link that grants access, wherever it stood", async () => {
  const key = "real-Key-0123456789abcdef";
  const world = await testWorld({
    fixtures: { api_keys: [{ key, member: "m@client.example" }], members: [{ email: "m@client.example" }] },
  });
  const secret = "hunter2-hunter2-hunter2";
  const headers = { authorization: `API-Key ${key}`, cookie: `session=${secret}`, "x-api-key": secret };
  await world.request("GET", `/public/v1/contacts?api_key=${secret}&email=${key}`, { headers, key: null });
  const body = { name: "hook", url: `https://user:${secret}@hook.example/`, active: true, triggers: ["document_updated"] };
  await world.request("POST", "/public/v1/webhook-subscriptions", { body, headers, key: null });
  const form = new URLSearchParams({ grant_type: "authorization_code", client_id: "c", client_secret: secret, code: secret });
  await world.request("POST", "/oauth2/access_token", {
    body: form.toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    key: null,
  });
  await world.request("GET", "/public/v1/contacts", { headers: { authorization: `Bearer ${secret}` }, key: null });
  const [subscription] = world.tenant.store.subscriptions.all();
  const pact = world.sandbox.pact();
  const text = JSON.stringify(pact);
  expect(pact.interactions.map((one) => one.description)).toEqual([
    "listContacts answers 200",
    "createWebhookSubscription answers 201",
    "listContacts answers 401",
  ]);
  for (const hidden of [key, secret, subscription?.shared_key ?? ""]) {
    expect(hidden).not.toBe("");
    expect(text).not.toContain(hidden);
  }
  expect(pact.metadata.docdouble.left_out).toEqual([{ reason: "the request is a secret", calls: 1 }]);
});

test("a call that a rule answered is left out with the reason, and a lost answer promises its status alone", async () => {
  const world = await testWorld();
  const busy = { name: "busy", when: { operation: "listContacts" }, then: { error: "throttled" } };
  await succeed(world.admin("POST", "/rules", busy));
  world.sandbox.faults.lostAnswer("createDocument");
  await world.call("listContacts");
  await anUploadedDocument(world).catch(() => undefined);
  await world.request("GET", "/public/v1/no-such-path");
  const { interactions, metadata } = world.sandbox.pact();
  expect(interactions.map(({ description, response }) => [description, response])).toEqual([
    ["createDocument answers 201", { status: 201 }],
  ]);
  expect(metadata.docdouble.left_out).toEqual([
    { reason: "a rule prevented the operation", calls: 1 },
    { reason: "no operation has the path", calls: 1 },
  ]);
});

test("an upload of a PDF sends an empty PDF, and another file is left out", async () => {
  const { sandbox, call } = await testWorld();
  const pdf = new File(["%PDF-1.7"], 'of"fer.pdf', { type: "application/pdf" });
  await call("createDocumentFromUpload", { parts: { file: pdf, data: { name: "Offer" } } });
  const image = new File(["x"], "photo.heic", { type: "image/heic" });
  await call("createDocumentFromUpload", { parts: { file: image } });
  const { interactions, metadata } = sandbox.pact();
  expect(interactions).toHaveLength(1);
  const { content, contentType, encoded } = interactions[0]?.request.body ?? {};
  expect([contentType, encoded]).toEqual(["multipart/form-data; boundary=docdouble-pact", "base64"]);
  const form = await new Response(Buffer.from(String(content), "base64"), {
    headers: { "content-type": String(contentType) },
  }).formData();
  expect(form.get("data")).toBe('{"name":"Offer"}');
  const file = form.get("file") as File;
  expect([file.name, file.type, (await file.text()).slice(0, 8)]).toEqual(['of"fer.pdf', "application/pdf", "%PDF-1.4"]);
  expect(metadata.docdouble.left_out).toEqual([{ reason: "the journal does not keep the body", calls: 1 }]);
});

test("a pact says how many calls left a full journal", async () => {
  const { sandbox, request } = await testWorld({ journalMax: 2 });
  for (let i = 0; i < 5; i++) await request("GET", `/public/v1/contacts?email=${i}@client.example`);
  expect(sandbox.pact().metadata.docdouble.dropped_calls).toBe(3);
});

test.each(["", " ", " shop", "shop ", "a/b", "..\\b", "..", "a\nb", "a\u0000b", "a\u202eb", "\u200b", "x".repeat(101)])(
  "the name %j of a client is refused, because tools name files after it",
  async (consumer) => {
    const { sandbox, admin } = await testWorld();
    expect((await admin("GET", `/pact?${new URLSearchParams({ consumer })}`)).status).toBe(400);
    expect(() => sandbox.pact({ consumer })).toThrow(/consumer/);
  },
);

test.each(["shop", "Shöp der Größe 5", "店", "@acme shop", "..shop", '"; drop', "<b>"])(
  "the name %j of a client stays as it is",
  async (consumer) => {
    const { sandbox, admin } = await testWorld();
    const { status, body } = await admin("GET", `/pact?${new URLSearchParams({ consumer })}`);
    expect([status, body.consumer]).toEqual([200, { name: consumer }]);
    expect(sandbox.pact({ consumer }).consumer).toEqual({ name: consumer });
  },
);

test("each tenant has its own pact", async () => {
  const world = await testWorld();
  await world.call("listContacts");
  await anUploadedDocument(world, { key: "test-other" });
  const { body } = await world.admin("GET", "/pact", undefined, "test-other");
  expect(body.interactions.map((one: { description: string }) => one.description)).toEqual(["createDocument answers 201"]);
  expect(JSON.stringify(body)).not.toContain("test-other");
});

test("an answer promises what all items of a list share, and nothing where there was no value", () => {
  expect(
    expectationOf({
      list: [
        { id: "a", when: "2026-03-02T09:00:00Z", only: 1, none: null, "odd-name": true },
        { id: "b", when: "2026-03-02T09:00:00.5Z", none: 2, "odd-name": false },
      ],
      mixed: [1, "a"],
      empty: [],
      nothing: null,
      map: {},
      "it's": 1,
      status: "parcel.sent",
      total: 1.5,
    }),
  ).toEqual({
    content: {
      list: [{ id: "a", when: "2026-03-02T09:00:00Z", "odd-name": true }],
      mixed: [],
      empty: [],
      map: {},
      status: "parcel.sent",
      total: 1.5,
    },
    rules: {
      "$.list": rule({ match: "type", min: 1 }),
      "$.list[*].id": rule({ match: "type" }),
      "$.list[*].when": rule({ match: "regex", regex: expect.stringMatching(/^\^\\d\{4\}/) }),
      "$.list[*]['odd-name']": rule({ match: "type" }),
      "$.mixed": rule({ match: "type" }),
      "$.empty": rule({ match: "type" }),
      "$.map": rule({ match: "type" }),
      "$.status": rule({ match: "regex", regex: "^parcel\\.[a-z_]+$" }),
      "$.total": rule({ match: "number" }),
    },
  });
  expect(expectationOf(null)).toBeUndefined();
});
