/** Functions of the user that docdouble calls, and what runners and `console.log` show. */
import { inspect } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSandbox, type SandboxOptions } from "../../src/index.ts";
import { intercept } from "../../src/intercept.ts";
import { useSandbox as useMochaSandbox } from "../../src/mocha.ts";
import { endTest, sandboxOfFile } from "../../src/library/testing.ts";

async function sandboxOf(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z", ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

test("the error of an async onCall reaches onBug, and the call stays committed", async () => {
  const bugs: unknown[] = [];
  const broken = new Error("broken");
  const sandbox = await sandboxOf({
    onCall: async () => {
      throw broken;
    },
    onBug: async (error) => {
      bugs.push(error);
    },
  });
  const body = JSON.stringify({ email: "pat@client.example" });
  const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
  expect((await sandbox.fetch("/public/v1/contacts", { method: "POST", headers, body })).status).toBe(201);
  expect(sandbox.journal.count({ operation: "createContact" })).toBe(1);
  await vi.waitFor(() => expect(bugs).toEqual([broken]));
});

test("an onBug that fails itself is printed, and the call is answered", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => printed.mockRestore());
  const sandbox = await sandboxOf({
    onCall: () => {
      throw new Error("first");
    },
    onBug: async () => {
      throw new Error("second");
    },
  });
  expect((await sandbox.fetch("/public/v1/contacts")).status).toBe(401);
  await vi.waitFor(() => expect(printed).toHaveBeenCalledWith(new Error("second")));
});

test("a function of inbox.next that throws or returns a promise fails the test, and the delivery arrives", async () => {
  const sandbox = await sandboxOf();
  const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
  const thrown = inbox.next("document_state_changed", () => {
    throw new TypeError("not a function");
  });
  const refused = expect(thrown).rejects.toThrow("not a function");
  await sandbox.documents.create({ status: "document.sent" });
  await sandbox.clock.settle();
  await refused;
  expect(inbox.received.length).toBeGreaterThan(0);
  const promised = inbox.next("document_state_changed", (async () => false) as never);
  await expect(promised).rejects.toThrow("inbox.next: the function returned a promise");
});

test("the second stop of a followed clock does not wake automatic time under another one", async () => {
  const sandbox = await sandboxOf({ clock: "auto" });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const first = sandbox.clock.follow(vi);
  first();
  const second = sandbox.clock.follow(vi);
  first();
  await sandbox.documents.create({ status: "document.sent" });
  const before = sandbox.clock.now();
  vi.useRealTimers();
  await new Promise((resolve) => setImmediate(resolve));
  expect(sandbox.clock.now()).toBe(before);
  second();
});

test("console.log of a sandbox or tenant is one line", async () => {
  const sandbox = await sandboxOf();
  await sandbox.documents.create();
  expect(inspect(sandbox)).toBe(
    "Sandbox at http://docdouble.test: 1 document, 0 calls, clock frozen at 2026-03-02T09:00:00.000000Z",
  );
  expect(inspect(sandbox.tenant("test-a"))).toMatch(/^Tenant test-a: 0 documents, 0 calls, clock frozen at [^\n]*$/);
});

test("before the first test, the sandbox of useSandbox can be printed, and intercept names the place", () => {
  const hooks = { before: () => {}, afterEach: () => {}, after: () => {} };
  const sandbox = sandboxOfFile({}, hooks);
  expect(inspect(sandbox)).toBe("Sandbox that starts before the first test");
  expect(() => intercept(sandbox)).toThrow(
    "intercept: the sandbox of useSandbox starts before the first test. Use it inside a test or a hook such as beforeAll.",
  );
  expect(() => sandbox.url).toThrow("sandbox.url: the sandbox of useSandbox starts before the first test.");
});

test("a failed test gets the calls with their reasons, the deliveries and the findings, and then the sandbox resets", async () => {
  const sandbox = await sandboxOf();
  const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
  await sandbox.webhooks.receiver({ events: ["document_state_changed"], handler: () => new Response("", { status: 503 }) });
  await sandbox.fetch("/public/v1/documents", { method: "POST", headers, body: '{"template_uuid":"nobody"}' });
  for (let i = 0; i < 3; i++) await sandbox.fetch("/public/v1/contacts?cuont=1", { headers });
  await sandbox.documents.create({ status: "document.sent" });
  await sandbox.clock.settle();
  const error = new Error("expected 201");
  await endTest(sandbox, [error, "no error", undefined]);
  expect(error.message).toMatch(/^expected 201\n\nWhat happened in docdouble:\n {2}POST \/public\/v1\/documents → 400 \(.+\)\n/);
  expect(error.message).toContain("GET /public/v1/contacts?cuont=1 → 200, 3 times\n");
  expect(error.message).toMatch(/document_state_changed \(document\.sent\) to https:\/\/receiver-1\.docdouble\.test\/\S* → 503/);
  expect(error.message).toMatch(/What docdouble found:\n {2}unknown_field: listContacts has no query parameter "cuont"/);
  expect(error.stack).toContain("What happened in docdouble:");
  expect(sandbox.journal.all()).toEqual([]);
  const silent = new Error("nothing");
  await endTest(sandbox, [silent]);
  expect(silent.message).toBe("nothing\n\nWhat happened in docdouble:\n  It received no call. Does your code call sandbox.url?");
});

test("docdouble/mocha tells the story to the test that failed", async () => {
  const hooks: Record<string, (this: unknown) => Promise<void>> = {};
  for (const name of ["before", "afterEach", "after"]) {
    vi.stubGlobal(name, (run: () => Promise<void>) => {
      hooks[name] = run;
    });
  }
  onTestFinished(() => void vi.unstubAllGlobals());
  useMochaSandbox({ port: undefined });
  await hooks.before?.call({});
  const err = new Error("no");
  await hooks.afterEach?.call({ currentTest: {} });
  await hooks.afterEach?.call({ currentTest: { err } });
  await hooks.after?.call({});
  expect(err.message).toContain("What happened in docdouble:");
});
