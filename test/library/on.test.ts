/** Rules in code: `sandbox.on`. */
import { expect, test } from "vitest";
import { aDraft, anUploadedDocument } from "../support/stories.ts";
import { testWorld } from "../support/world.ts";

test("a handler replaces a call before it runs, and the journal names it", async () => {
  const world = await testWorld();
  const id = await aDraft(world);
  const remove = world.sandbox.on("sendDocument", async () => ({ status: 402, body: { detail: "Pay first." } }));
  const refused = await world.call("sendDocument", { params: { id }, body: {} });
  expect({ status: refused.status, body: refused.body }).toEqual({ status: 402, body: { detail: "Pay first." } });
  expect(refused.headers.get("x-docdouble-rule")).toBe('sandbox.on("sendDocument")');
  expect((await world.call("statusDocument", { params: { id } })).body.status).toBe("document.draft");
  expect(world.sandbox.journal.all().find((one) => one.operationId === "sendDocument")).toMatchObject({
    rule: 'sandbox.on("sendDocument")',
    injected: true,
    own: undefined,
  });
  remove();
  expect((await world.call("sendDocument", { params: { id }, body: {} })).status).toBe(200);
});

test("a patch acts on the own answer, before the patches of rules, and spares a refusal", async () => {
  const world = await testWorld();
  const id = await aDraft(world);
  world.sandbox.rules.add({
    name: "more",
    when: { operation: "statusDocument" },
    then: { patch: [{ op: "replace", path: "/name", value: "Newest" }] },
  });
  world.sandbox.on("statusDocument", () => ({
    patch: [{ op: "replace", path: "/name", value: "New" }],
  }));
  expect((await world.call("statusDocument", { params: { id } })).body).toMatchObject({ id, name: "Newest" });
  expect((await world.call("statusDocument", { params: { id: "none" } })).body).toMatchObject({ type: "request_error" });
});

test("the newest handler comes first, and handlers come before the rules", async () => {
  const world = await testWorld();
  world.sandbox.rules.add({ name: "busy", when: { operation: "listContacts" }, then: { error: "throttled" } });
  world.sandbox.on("listContacts", () => ({ status: 200, body: "older" }));
  world.sandbox.on("listContacts", ({ nth }) =>
    nth === 1 ? { status: 200, body: "newer", headers: { "content-type": "text/plain" } } : undefined,
  );
  const texts = [];
  for (let i = 0; i < 2; i++)
    texts.push(
      await (await world.sandbox.fetch("/public/v1/contacts", { headers: { authorization: "API-Key docdouble-key" } })).text(),
    );
  expect(texts).toEqual(["newer", "older"]);
  expect(world.sandbox.rules.pending()).toEqual(["busy"]);
  await world.sandbox.reset();
  expect((await world.call("listContacts")).status).toBe(200);
});

test("a handler is not asked without a valid key, and has the tenant of its handle only", async () => {
  const world = await testWorld();
  const asked: string[] = [];
  world.sandbox.on("listContacts", () => void asked.push("default"));
  world.sandbox.tenant("test-a").on("listContacts", () => void asked.push("test-a"));
  await world.call("listContacts", { key: "wrong" });
  await world.call("listContacts", { key: null });
  expect(asked).toEqual([]);
  await world.call("listContacts", { key: "test-a" });
  expect(asked).toEqual(["test-a"]);
});

const WRONG: readonly [unknown, string][] = [
  [5, 'The handler of sandbox.on("createDocument") returned 5. Return nothing, { status, body } or { patch }.'],
  [{ status: 99 }, "returned {"],
  [{ status: 200, boddy: {} }, "boddy"],
  [{ patch: [] }, "patch"],
  [{ patch: [{ op: "replace", path: "name", value: 1 }] }, "a path begins with"],
  [{ patch: [{ op: "remove", path: "/no_such" }] }, "returned a patch that does not fit the answer: remove"],
];

test.each(WRONG)("a handler that returns %j gets a docdouble_error that names it", async (answer, text) => {
  const world = await testWorld();
  world.sandbox.on("createDocument", () => answer as undefined);
  const failed = await anUploadedDocument(world).then(
    () => undefined,
    (error: Error) => error,
  );
  expect(failed).toBeDefined();
  const [entry] = world.sandbox.journal.all();
  expect(entry?.status).toBe(500);
  const body = JSON.parse(entry?.responseBody ?? "");
  expect(body).toEqual({
    type: "docdouble_error",
    detail: expect.stringContaining('The handler of sandbox.on("createDocument")'),
  });
  expect(body.detail).toContain(text);
});

const circular: { self?: unknown } = {};
circular.self = circular;

/** Answers that only show when docdouble reads or sends them, or errors without a message. */
const UNUSABLE: readonly [string, () => unknown, RegExp][] = [
  ["a body in a circle", () => ({ status: 200, body: circular }), /failed: Converting circular structure/],
  ["a body that JSON cannot hold", () => ({ status: 200, body: { n: 1n } }), /failed: Do not know how to serialize a BigInt/],
  [
    "a patch that JSON cannot hold",
    () => ({ patch: [{ op: "add", path: "/n", value: 1n }] }),
    /does not fit the answer: .*BigInt/,
  ],
  [
    "a member that throws",
    () => ({
      get status() {
        throw new Error("no status");
      },
    }),
    /failed: no status/,
  ],
  ["a header with a line break", () => ({ status: 200, headers: { "x-a": "b\r\nc: d" } }), /holds U\+000D/],
  ["a false length", () => ({ status: 200, body: {}, headers: { "Content-Length": "1" } }), /sends Content-Length itself/],
  [
    "an error without a message",
    () => {
      throw Object.create(null);
    },
    /failed: an error without a message/,
  ],
];

test.each(UNUSABLE)(
  "a handler with %s gets a docdouble_error that names it, and the next call works",
  async (_, handler, text) => {
    const world = await testWorld();
    const remove = world.sandbox.on("listContacts", handler as () => undefined);
    const { status, body } = await world.call("listContacts");
    remove();
    expect({ status, body }).toEqual({ status: 500, body: { type: "docdouble_error", detail: expect.stringMatching(text) } });
    expect(body.detail).toContain('sandbox.on("listContacts")');
    expect(body.detail).not.toContain("bug in docdouble");
    expect((await world.call("listContacts")).status).toBe(200);
  },
);

test("a handler that throws or rejects gets a docdouble_error with its message", async () => {
  const world = await testWorld();
  for (const handler of [
    () => {
      throw new Error("no stock");
    },
    async () => Promise.reject(new Error("no stock")),
  ]) {
    const remove = world.sandbox.on("listContacts", handler);
    const { status, body } = await world.call("listContacts");
    remove();
    expect({ status, body }).toEqual({
      status: 500,
      body: { type: "docdouble_error", detail: 'The handler of sandbox.on("listContacts") failed: no stock.' },
    });
  }
});
