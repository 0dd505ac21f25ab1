/** The matchers: the values that each accepts, the message of a failure, and the values that each refuses. */
import { AssertionError } from "node:assert";
import { describe, expect, test } from "vitest";
import {
  assertClean,
  assertDelivered,
  assertDocument,
  assertMailed,
  assertReceived,
  assertReceivedEvent,
} from "../../src/node-test.ts";
import { useSandbox } from "../../src/vitest.ts";
import { CLIENT, TEMPLATES } from "../support/stories.ts";

const sandbox = useSandbox({ seed: 7, clock: "frozen", port: undefined as never });

function call(method: string, path: string, body?: unknown, key = sandbox.apiKey): Promise<Response> {
  const headers = { authorization: `API-Key ${key}`, "content-type": "application/json" };
  return sandbox.fetch(`/public/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const create = (more: object = {}) =>
  call("POST", "/documents", {
    template_uuid: TEMPLATES.oneSigner,
    name: "Deal",
    recipients: [CLIENT],
    metadata: { deal: "42" },
    ...more,
  });

describe("calls", () => {
  test("toHaveReceived compares body, query, headers, status and document, with asymmetric matchers at any depth", async () => {
    await create();
    await call("GET", "/documents?status=2&count=5");
    const [{ id } = { id: "" }] = sandbox.documents.all();
    await call("GET", `/documents/${id}/details`);
    expect(sandbox).toHaveReceived("createDocument", {
      body: {
        name: /^De/,
        metadata: expect.objectContaining({ deal: expect.any(String) }),
        recipients: [{ email: CLIENT.email }],
      },
      headers: { "content-type": expect.stringContaining("json"), Authorization: { contains: "API-Key" } },
      status: 201,
      times: 1,
    });
    expect(sandbox).toHaveReceived("listDocuments", { query: { status: "2", count: (count: string) => Number(count) > 4 } });
    expect(sandbox).toHaveReceived("createDocument", { document_id: id });
    expect(sandbox).toHaveReceived("detailsDocument", { document_id: id, status: expect.any(Number) });
    expect(sandbox).not.toHaveReceived("listDocuments", { query: { status: "3" } });
  });

  test("a failure shows the nearest call and each different member, without secrets", async () => {
    await create({ name: "Deal", metadata: { deal: "41", access_token: "top-secret-value" } });
    await create({ name: "Other", metadata: {} });
    const wanted = {
      body: {
        name: "Deal",
        metadata: { deal: expect.stringMatching(/^42$/), access_token: "x" },
        recipients: [{ email: "x", role: expect.any(String) }],
      },
      headers: { authorization: /^Bearer/ },
      query: { draft: "1" },
    };
    expect(() => expect(sandbox).toHaveReceived("createDocument", { ...wanted, query: {} })).toThrow(
      [
        "expected at least 1 call of createDocument, found 0 among 2",
        "The nearest call was POST /public/v1/documents → 201:",
        '  body.metadata.deal: expected StringMatching(/^42$/), was "41"',
        '  body.metadata.access_token: expected "x", was "***alue"',
        `  body.recipients[0].email: expected "x", was "${CLIENT.email}"`,
        '  headers.authorization: expected /^Bearer/, was "API-Key ***-key"',
        "Other calls:",
        "  POST /public/v1/documents → 201",
      ].join("\n"),
    );
    expect(() => expect(sandbox).toHaveReceived("createDocument", wanted)).toThrow(/query\.draft: expected "1", was nothing/);
    expect(() => expect(sandbox).toHaveReceived("createDocument", { times: 1 })).toThrow(/found 2 among 2\nThe calls found:/);
    expect(() => expect(sandbox).not.toHaveReceived("createDocument", { status: 201 })).toThrow(
      /expected not to find at least 1 call of createDocument, found 2\n/,
    );
  });
});

describe("documents", () => {
  test("toHaveDocument compares status, template, recipients, fields, metadata, tokens and tags", async () => {
    const { id } = await sandbox.documents.create({
      template: "One signer",
      name: "Offer 42",
      status: "document.sent",
      recipients: [CLIENT],
      metadata: { deal: "42" },
      tags: ["new", "big"],
    });
    sandbox.documents.simulate(id, "sign", { fields: { Company: "Client Ltd" } });
    expect(sandbox).toHaveDocument({
      id,
      name: expect.stringContaining("42"),
      status: "document.completed",
      template: "One signer",
      recipients: [{ role: "Client", has_completed: true, signature_date: expect.any(Number) }],
      fields: { Company: /Ltd$/ },
      metadata: { deal: "42" },
      tags: ["big"],
      times: 1,
    });
    expect(sandbox).toHaveDocument({ template: TEMPLATES.oneSigner, metadata: expect.objectContaining({ deal: "42" }) });
    expect(sandbox).not.toHaveDocument({ status: "document.declined" });
    expect(sandbox).toHaveDocument({ status: "document.declined", times: 0 });
  });

  test("a failure shows the nearest document, with its nearest recipient", async () => {
    await sandbox.documents.create({ name: "Other" });
    const { id } = await sandbox.documents.create({ template: "One signer", name: "Offer 42", recipients: [CLIENT] });
    expect(() =>
      expect(sandbox).toHaveDocument({
        name: "Offer 42",
        status: "document.completed",
        recipients: [{ role: "Client", has_completed: true }],
        fields: { Company: "Client Ltd", Nothing: "x" },
        metadata: { deal: "42" },
      }),
    ).toThrow(
      [
        'expected at least 1 document "Offer 42", document.completed, found 0 among 2',
        `The nearest document was "Offer 42" (document.draft, ${id}):`,
        '  status: expected "document.completed", was "document.draft"',
        "  recipients[0].has_completed: expected true, was false",
        '  fields.Company: expected "Client Ltd", was null',
        '  fields.Nothing: expected "x", was nothing',
        '  metadata.deal: expected "42", was nothing',
        "Other documents:",
      ].join("\n"),
    );
    expect(() => expect(sandbox).toHaveDocument({ id: "nobody" })).toThrow(/\n {2}id: expected "nobody", was /);
  });
});

describe("webhooks and mails", () => {
  test("toHaveDelivered compares status, data, signature and attempts, and toHaveReceivedEvent compares received events", async () => {
    const inbox = await sandbox.webhooks.receiver({
      events: ["document_state_changed", "recipient_completed"],
      payload: ["metadata"],
    });
    sandbox.faults.next("recipient_completed", "webhook_forged");
    const { id } = await sandbox.documents.create({
      template: "One signer",
      name: "Offer 42",
      status: "document.completed",
      metadata: { deal: "42" },
    });
    await sandbox.clock.settle();
    expect(sandbox).toHaveDelivered("document_state_changed", {
      document_id: id,
      status: "document.completed",
      signature: "valid",
      attempts: 1,
      url: inbox.url,
      data: { name: "Offer 42", metadata: { deal: expect.stringMatching(/^\d+$/) } },
      times: 1,
    });
    expect(inbox).toHaveReceivedEvent("document_state_changed", {
      status: "document.completed",
      document_id: id,
      signature: "valid",
    });
    expect(inbox).toHaveReceivedEvent("document_state_changed", {
      data: { metadata: { deal: "42" } },
      duplicate: false,
      atLeast: 2,
    });
    expect(inbox).not.toHaveReceivedEvent("recipient_completed");
    expect(() => expect(inbox).toHaveReceivedEvent("recipient_completed")).toThrow(
      /It refused:\n {2}recipient_completed \(document\.completed\) of \w+, answered 401 \(signature invalid\)/,
    );
    expect(() =>
      expect(inbox).toHaveReceivedEvent("document_state_changed", { status: "document.completed", name: "Offer 43" }),
    ).toThrow(
      `The nearest event was document_state_changed (document.completed) of ${id}:\n  name: expected "Offer 43", was "Offer 42"`,
    );
    expect(() => expect(sandbox).toHaveDelivered("recipient_completed", { state: "failed" })).toThrow(
      /state: expected "failed", was "pending".*\nSome deliveries are pending: call `await sandbox\.clock\.settle\(\)` first, or advance the clock/s,
    );
  });

  test("toHaveMailed compares subject, kind and document", async () => {
    const { id } = await sandbox.documents.create({
      status: "document.sent",
      template: "One signer",
      name: "Offer 42",
      recipients: [CLIENT],
    });
    expect(sandbox).toHaveMailed(CLIENT.email.toUpperCase(), {
      subject: /Offer 42/,
      document_id: id,
      link: expect.any(String),
      times: 1,
    });
    expect(sandbox).toHaveMailed(expect.stringContaining("@client"));
    expect(sandbox).not.toHaveMailed("nobody@client.example");
    expect(() => expect(sandbox).toHaveMailed(CLIENT.email, { kind: "reminder" })).toThrow(
      /expected at least 1 mail to ivo\.marek@client\.example, found 0 among 1\nThe nearest mail was \w+ to ivo\.marek@client\.example: ".*":\n {2}kind: expected "reminder", was /,
    );
  });
});

describe("client lint", () => {
  test("toBeClean lists the findings, and ignores kinds on request", async () => {
    expect(sandbox).toBeClean();
    await create({ foo: 1 });
    expect(sandbox).not.toBeClean();
    expect(sandbox).toBeClean({ except: ["unknown_field"] });
    expect(() => expect(sandbox).toBeClean()).toThrow(/expected client lint to find nothing, found 1:\n {2}unknown_field: .*foo/);
  });
});

describe("misuse", () => {
  test("a matcher names the value that it expects", () => {
    for (const [value, got] of [
      [{}, "an empty object"],
      [undefined, "undefined"],
      [sandbox.apiKey, 'the string "docdouble-key"'],
      [Promise.resolve(1), "a promise: await it first"],
    ] as const) {
      expect(() => expect(value as never).toHaveReceived("sendDocument")).toThrow(
        `toHaveReceived: it checks a sandbox, as createSandbox or useSandbox returns it, not ${got}`,
      );
      for (const matcher of ["toHaveDelivered", "toHaveDocument", "toHaveMailed", "toBeClean"] as const)
        expect(() => (expect(value as never) as unknown as Record<string, () => void>)[matcher]?.()).toThrow(
          `${matcher}: it checks a sandbox`,
        );
    }
    expect(() => expect(sandbox).toHaveReceivedEvent("recipient_completed")).toThrow(
      "toHaveReceivedEvent: it checks a webhook receiver, as await sandbox.webhooks.receiver() returns it, not an empty object",
    );
  });
});

test("the assertion functions make the same checks with the same messages", async () => {
  const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });
  await sandbox.documents.create({ status: "document.sent", template: "One signer", recipients: [CLIENT] });
  await sandbox.clock.settle();
  assertReceived(sandbox, "sendDocument", { times: 0 });
  assertDelivered(sandbox, "document_state_changed", { status: "document.sent" });
  assertReceivedEvent(inbox, "document_state_changed", { status: "document.sent" });
  assertDocument(sandbox, { status: "document.sent" });
  assertMailed(sandbox, CLIENT.email);
  assertClean(sandbox);
  const failing: [run: () => void, message: RegExp][] = [
    [() => assertReceived(sandbox, "sendDocument"), /expected at least 1 call of sendDocument/],
    [() => assertDelivered(sandbox, "document_state_changed", { times: 0 }), /expected exactly 0 deliveries/],
    [() => assertReceivedEvent(inbox, "document_state_changed", { status: "document.paid" }), /The nearest event was/],
    [() => assertDocument(sandbox, { status: "document.paid" }), /The nearest document was/],
    [() => assertMailed(sandbox, "nobody@client.example"), /The nearest mail was/],
  ];
  for (const [run, message] of failing) {
    expect(run).toThrow(AssertionError);
    expect(run).toThrow(message);
  }
  await create({ foo: 1 });
  expect(() => assertClean(sandbox)).toThrow(AssertionError);
});
