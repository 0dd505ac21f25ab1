/** Faults of `sandbox.faults` as clients meet them: fetch over a socket, axios, the official client and a webhook receiver. */
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type OperationId, type Sandbox, type SandboxOptions } from "../../src/index.ts";
import type { CallFault, CallFaultOptions } from "../../src/library/kit/types.ts";

async function sandboxOf(options: SandboxOptions = {}) {
  const sandbox = await createSandbox({ seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z", ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

function call(sandbox: Sandbox, path: string, method = "GET", body?: unknown): Promise<Response> {
  return fetch(`${sandbox.url}${path}`, {
    method,
    headers: { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(20_000),
  });
}

const offer = {
  name: "Offer",
  template_uuid: "TemplateOneSignerxxxxx",
  recipients: [{ email: "pat@client.example", role: "Client" }],
};

describe("faults.next", () => {
  test.each<[CallFault, OperationId, CallFaultOptions, number, Record<string, string>]>([
    ["throttled", "statusDocument", { retryAfter: "2s" }, 429, { "retry-after": "2" }],
    ["conflict", "detailsDocument", {}, 409, {}],
    ["locked", "sendDocument", { for: "1m" }, 423, {}],
    ["unauthorized", "statusDocument", {}, 401, {}],
    ["forbidden", "statusDocument", {}, 403, {}],
    ["not_found", "statusDocument", { detail: "Gone" }, 404, {}],
    ["invalid", "sendDocument", { undeclared: true }, 400, {}],
    ["gateway_error", "statusDocument", {}, 502, { "content-type": "text/html" }],
    ["pdf_not_ready", "downloadDocument", { retryAfter: "3s" }, 202, { "retry-after": "3" }],
  ])("%s answers only the next call of %s", async (fault, operation, options, status, headers) => {
    const sandbox = await sandboxOf({ port: 0 });
    const { id } = await sandbox.documents.create();
    const paths: Partial<Record<OperationId, [string, string?, unknown?]>> = {
      statusDocument: [`/public/v1/documents/${id}`],
      detailsDocument: [`/public/v1/documents/${id}/details`],
      downloadDocument: [`/public/v1/documents/${id}/download`],
      sendDocument: [`/public/v1/documents/${id}/send`, "POST", {}],
    };
    sandbox.faults.next(operation, fault, options);
    const answer = await call(sandbox, ...(paths[operation] as [string]));
    expect([answer.status, Object.fromEntries(Object.keys(headers).map((name) => [name, answer.headers.get(name)]))]).toEqual([
      status,
      headers,
    ]);
    expect((await call(sandbox, ...(paths[operation] as [string]))).status).toBe(200);
  });

  test("document limits a fault to calls about one document, and clear removes faults but no rules", async () => {
    const sandbox = await sandboxOf({ port: 0 });
    const [first, second] = [await sandbox.documents.create(), await sandbox.documents.create()];
    sandbox.rules.add({ name: "own", when: { operation: "listContacts" }, then: { error: "throttled" } });
    sandbox.faults.next("statusDocument", "not_found", { document: second.id });
    sandbox.faults.next("statusDocument", "not_found", { document: second.id });
    const status = async ({ id }: { id: string }) => (await call(sandbox, `/public/v1/documents/${id}`)).status;
    expect([await status(first), await status(second)]).toEqual([200, 404]);
    sandbox.faults.clear();
    expect([await status(second), (await call(sandbox, "/public/v1/contacts")).status]).toEqual([200, 429]);
  });

  test("reset_before loses the call, lostAnswer loses the answer, and truncated loses half of it", async () => {
    const sandbox = await sandboxOf({ port: 0 });
    sandbox.faults.next("createDocument", "reset_before");
    await expect(call(sandbox, "/public/v1/documents", "POST", offer)).rejects.toThrow("fetch failed");
    expect(sandbox.documents.all()).toHaveLength(0);
    sandbox.faults.lostAnswer("createDocument");
    await expect(call(sandbox, "/public/v1/documents", "POST", offer)).rejects.toThrow("fetch failed");
    expect(sandbox.documents.all()).toHaveLength(1);
    sandbox.faults.next("listDocuments", "truncated");
    const half = await call(sandbox, "/public/v1/documents");
    await expect(half.text()).rejects.toThrow("terminated");
  });

  test("slow_processing keeps the created document in document.uploaded on the sandbox's clock", async () => {
    const sandbox = await sandboxOf({ port: 0 });
    sandbox.faults.next("createDocument", "slow_processing", { delay: "10m" });
    const [slow, normal] = [
      await call(sandbox, "/public/v1/documents", "POST", offer),
      await call(sandbox, "/public/v1/documents", "POST", offer),
    ];
    const ids = await Promise.all([slow, normal].map(async (one) => ((await one.json()) as { id: string }).id));
    const statuses = () => ids.map((id) => sandbox.documents.get(id)?.status);
    await sandbox.clock.advance("9m");
    expect(statuses()).toEqual(["document.uploaded", "document.draft"]);
    await sandbox.clock.advance("1m");
    expect(statuses()).toEqual(["document.draft", "document.draft"]);
    expect(sandbox.faults.pending()).toEqual([]);
  });

  test.each([
    ["recipient_declines", "Client", { reason: "Too dear" }, "document.declined"],
    ["recipient_declines", "PAT@client.example", {}, "document.declined"],
    ["document_expires", "Client", {}, "document.voided"],
    ["recipient_forwards", "Client", { to: { email: "new@client.example" } }, "document.viewed"],
  ] as const)("%s applies only to the next turn of %s", async (fault, recipient, options, status) => {
    const sandbox = await sandboxOf();
    sandbox.faults.next("Nobody", "recipient_declines");
    sandbox.faults.next(recipient, fault, { delay: "2h", ...options });
    const wanted = {
      template: "One signer",
      status: "document.sent",
      recipients: [{ email: "pat@client.example", role: "Client" }],
    } as const;
    const hit = await sandbox.documents.create(wanted);
    const spared = await sandbox.documents.create(wanted);
    await sandbox.clock.advance("119m");
    expect(sandbox.documents.get(hit.id)?.status).toBe("document.sent");
    await sandbox.clock.advance("1m");
    expect([hit, spared].map(({ id }) => sandbox.documents.get(id)?.status)).toEqual([status, "document.sent"]);
    if (fault === "recipient_forwards")
      expect(sandbox.documents.get(hit.id)?.recipients.map((one) => one.email)).toContain("new@client.example");
    expect(sandbox.faults.pending()).toEqual(["Nobody recipient_declines"]);
    sandbox.faults.clear();
    expect(sandbox.faults.pending()).toEqual([]);
  });

  test("a call can meet a patched answer, a stale read and a wait for another call", async () => {
    const sandbox = await sandboxOf({ port: 0 });
    const { id } = await sandbox.documents.create({ template: "One signer", status: "document.draft" });
    const status = async () => ((await (await call(sandbox, `/public/v1/documents/${id}`)).json()) as { status?: string }).status;
    await sandbox.clock.advance("1m");
    sandbox.faults.next("statusDocument", "patched", { patch: [{ op: "replace", path: "/status", value: "document.new" }] });
    sandbox.faults.next("statusDocument", "stale_read", { delay: "1h" });
    expect([await status(), await status(), await status()]).toEqual(["document.new", undefined, "document.draft"]);
    sandbox.faults.next("statusDocument", "held", { until: { operation: "listContacts" }, delay: "30s" });
    const held = status();
    await call(sandbox, "/public/v1/contacts");
    expect([await held, sandbox.faults.pending()]).toEqual(["document.draft", []]);
    const next = (fault: string, options: object) => () => sandbox.faults.next("statusDocument", fault as never, options);
    expect(next("patched", {})).toThrow("faults.next: patch: is missing");
    expect(next("held", {})).toThrow("faults.next: until: is missing");
    expect(next("patched", { patch: [{ op: "replace", path: "/staus", value: 1 }] })).toThrow('did you mean "status"?');
    expect(next("held", { until: { operation: "sendDocumen" } })).toThrow('did you mean "sendDocument"?');
  });
});
