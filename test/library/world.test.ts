/** Verbs that set up the world of a test in one line: documents in any status, templates, contacts, subscriptions, scenarios. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type DocumentStatus, type SandboxOptions, SettingsError, VerificationError } from "../../src/index.ts";
import { STATUSES, TRANSITIONS } from "../../src/service/nouns/documents/status-machine.ts";

async function sandboxOf(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z", strict: true, ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const caller =
  (sandbox: { fetch: (path: string, init?: RequestInit) => Promise<Response>; apiKey: string }) =>
  (path: string, init: RequestInit = {}) =>
    sandbox.fetch(path, { ...init, headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" } });

describe("documents.create", () => {
  test.each(STATUSES)("reaches %s by legal steps, and the API shows it", async (status) => {
    const sandbox = await sandboxOf();
    const call = caller(sandbox);
    const before = sandbox.clock.now();
    const document = await sandbox.documents.create({ status });
    expect(document.status).toBe(status);
    expect(sandbox.clock.now()).toBe(before);
    expect(await (await call(`/public/v1/documents/${document.id}`)).json()).toMatchObject({ id: document.id, status });
    const { path } = (document as unknown as { internal: { path: DocumentStatus[] } }).internal;
    for (const [i, to] of path.entries()) {
      if (i === 0) continue;
      const from = path[i - 1] as DocumentStatus;
      const legal = Object.values(TRANSITIONS).some((one) => one.to === to && (one.from as readonly string[]).includes(from));
      expect([from, to, legal]).toEqual([from, to, true]);
    }
  });

  test("accepts recipients, fields, tokens, metadata and tags, and a recipient without a role gets the next free role", async () => {
    const sandbox = await sandboxOf();
    const document = await sandbox.documents.create({
      template: "TemplateTwoSignersxxxx",
      name: "Offer 42",
      status: "document.sent",
      recipients: [
        { email: "ada@client.example", role: "Director" },
        { email: "pat@client.example", first_name: "Pat" },
      ],
      fields: { ClientName: "Pat Lee" },
      metadata: { deal: "42" },
      tags: ["urgent"],
    });
    expect(document).toMatchObject({ name: "Offer 42", metadata: { deal: "42" }, tags: ["urgent"] });
    expect(document.recipients.map((one) => [one.email, one.role])).toEqual([
      ["ada@client.example", "Director"],
      ["pat@client.example", "Client"],
    ]);
    expect(document.fields.find((one) => one.name === "ClientName")?.value).toBe("Pat Lee");
    expect(sandbox.emails.find({ document_id: document.id }).map((mail) => mail.to)).toEqual(["pat@client.example"]);
  });

  test("a template with an image URL waits for the image", async () => {
    const sandbox = await sandboxOf();
    sandbox.templates.create({
      name: "Logo",
      roles: [{ name: "Client" }],
      images: [{ name: "Logo", urls: ["http://127.0.0.1:9/logo.png"] }],
      fields: [{ name: "S", type: "signature", role: "Client" }],
    });
    expect(await sandbox.documents.create({ template: "Logo", status: "document.viewed" })).toMatchObject({
      status: "document.viewed",
    });
    await expect(sandbox.documents.create({ template: "Logo", status: "document.completed", recipients: [] })).rejects.toThrow(
      "documents.create: Cannot reach document.completed: no recipient has these fields: S of the role Client",
    );
    expect(sandbox.documents.all()).toHaveLength(1);
  });

  test.each([
    [{ template: "One singer" }, 'documents.create: there is no template "One singer"; did you mean "One signer"?'],
    [
      { status: "document.send" },
      'documents.create: status: "document.send" is unknown; did you mean "document.sent"? It must be one of document.draft',
    ],
    [{ statuss: "document.sent" }, 'documents.create: unknown name "statuss"; did you mean "status"?'],
    [{ name: 4 }, "documents.create: name: "],
    [{ recipients: [{ mail: "x@y.example" }] }, 'documents.create: recipients.0: unknown name "mail"; did you mean "email"?'],
    [{ recipients: [{ email: "x@y.example", role: "Clientt" }] }, "documents.create: Cannot reach document.draft: "],
    [{ fields: { Company: null } }, "documents.create: fields.Company: must be"],
    [{ tokens: { a: 1 } }, "documents.create: tokens.a: "],
    [{ metadata: { a: 1 } }, "documents.create: metadata.a: "],
    [{ tags: "a" }, "documents.create: tags: "],
    [{ folder: "nowhere" }, "documents.create: Cannot reach document.draft: "],
    [{ sendAt: "2h" }, "documents.create: sendAt needs the status document.scheduled; the status is document.draft"],
    [{ status: "document.scheduled", sendAt: "soon" }, "documents.create: Cannot reach document.scheduled: "],
    [
      { template: "One signer", status: "document.approved" },
      'documents.create: Cannot reach document.approved: the template "One signer" has no approval. Use one of "Approval before sending".',
    ],
    [
      { template: "One signer", status: "document.paid" },
      'Cannot reach document.paid: the template "One signer" has no payment. Use one of "Signature and payment".',
    ],
    [
      { template: "Signature and payment", status: "document.completed" },
      'Cannot reach document.completed: the template "Signature and payment" has a payment, so its documents end in document.paid.',
    ],
    [
      { status: "document.viewed", recipients: [] },
      "documents.create: Cannot reach document.viewed: no recipient has these fields: Signature of the role Client",
    ],
    [
      { status: "document.completed", recipients: [] },
      "documents.create: Cannot reach document.completed: no recipient has these fields: Signature of the role Client",
    ],
  ])("refuses %j, names the mistake, and changes nothing", async (wish, message) => {
    const sandbox = await sandboxOf();
    const refused = sandbox.documents.create(wish as never);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toBeInstanceOf(SettingsError);
    expect([sandbox.documents.all(), sandbox.emails.all()]).toEqual([[], []]);
  });

  test("names the template to create when no template can reach the status", async () => {
    const sandbox = await sandboxOf({ fixtures: { templates: [{ name: "Own", roles: [{ name: "Client" }] }] } });
    await expect(sandbox.documents.create({ status: "document.rejected" })).rejects.toThrow(
      "documents.create: no template can reach document.rejected. Create one with templates.create({ name, roles, approval: { steps: [[member]] } }).",
    );
  });

  test("works in each tenant, but not in a closed sandbox", async () => {
    const sandbox = await sandboxOf();
    const own = sandbox.tenant("test-own");
    const { id } = await own.documents.create({ status: "document.sent" });
    expect([own.documents.get(id)?.status, sandbox.documents.get(id)]).toEqual(["document.sent", undefined]);
    own.faults.next("listContacts", "throttled");
    const list = (key: string) => sandbox.fetch("/public/v1/contacts", { headers: { authorization: `API-Key ${key}` } });
    expect([(await list(sandbox.apiKey)).status, (await list("test-own")).status]).toEqual([200, 429]);
    await sandbox.close();
    await expect(own.documents.create()).rejects.toThrow("this sandbox is closed");
    expect(() => own.faults.clear()).toThrow("this sandbox is closed");
    expect(() => own.templates.create({ name: "x" })).toThrow("this sandbox is closed");
    await expect(own.scenarios.load({ version: 1 })).rejects.toThrow("this sandbox is closed");
  });
});

describe("templates, contacts and subscriptions", () => {
  test("a subscription receives all events by default, and accepts a shared key", async () => {
    const sandbox = await sandboxOf();
    const all = sandbox.webhooks.subscribe({ url: "http://127.0.0.1:9/" });
    expect(all.events).toContain("quote_updated");
    const own = sandbox.webhooks.subscribe({
      url: "http://127.0.0.1:9/",
      events: ["document_updated"],
      payload: ["fields"],
      sharedKey: "k",
      name: "Mine",
    });
    const answer = await caller(sandbox)(`/public/v1/webhook-subscriptions/${own.id}`);
    expect(await answer.json()).toMatchObject({
      name: "Mine",
      shared_key: "k",
      triggers: ["document_updated"],
      payload: ["fields"],
      status: "ACTIVE",
    });
  });
});

describe("scenarios", () => {
  const busy = {
    version: 1 as const,
    name: "busy",
    rules: [{ name: "r", when: { operation: "listContacts" }, then: { error: "throttled" as const, times: 1 } }],
    expect: { rules_used: "all" as const },
  };

  test("load accepts a value or a file, verify names unmet expectations, and unload ends the scenario", async () => {
    const sandbox = await sandboxOf();
    const call = caller(sandbox);
    expect(await sandbox.scenarios.load(busy)).toEqual({ name: "busy" });
    await expect(sandbox.scenarios.verify()).rejects.toThrow(VerificationError);
    expect((await call("/public/v1/contacts")).status).toBe(429);
    await sandbox.scenarios.verify();
    const folder = mkdtempSync(join(tmpdir(), "docdouble-kit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "locked.yaml");
    writeFileSync(
      file,
      "version: 1\nrules:\n  - name: l\n    when: { operation: listTemplates }\n    then: { error: throttled }\n",
    );
    await sandbox.scenarios.load(file);
    expect(sandbox.scenarios.names()).toEqual(["busy", "locked"]);
    expect((await call("/public/v1/templates")).status).toBe(429);
    expect([sandbox.scenarios.unload("locked"), sandbox.scenarios.unload("locked")]).toEqual([true, false]);
    expect((await call("/public/v1/templates")).status).toBe(200);
    await sandbox.reset();
    expect(sandbox.scenarios.names()).toEqual([]);
  });
});
