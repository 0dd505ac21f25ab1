/** A world with something on every page, for screenshots. */
import { createSandbox } from "../../src/index.ts";
import type { Sandbox } from "../../src/library/types.ts";

interface Shown {
  name: string;
  path: string;
  /** Selector to wait for. */
  ready?: string;
}

const CLIENT = { email: "pat.lee@client.example", first_name: "Pat", last_name: "Lee", role: "Client" };

export async function busyWorld(): Promise<{ sandbox: Sandbox; pages: Shown[] }> {
  const sandbox = await createSandbox({ port: 0, seed: 7, clock: "frozen", now: "2026-03-02T09:00:00Z" });
  const headers = { authorization: `API-Key ${sandbox.apiKey}`, "content-type": "application/json" };
  const call = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await sandbox.fetch(path, init);
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
    return answer.json().catch(() => null) as Promise<any>;
  };
  const documents = "/public/v1/documents";
  const inbox = await sandbox.webhooks.receiver({ name: "Web shop" });
  const input = {
    name: "Offer 42",
    template_uuid: "TemplatePricingxxxxxxx",
    metadata: { team: "sales", order: "42" },
    tags: ["offer"],
  };
  const { id } = await call("POST", documents, { ...input, recipients: [CLIENT] });
  for (let i = 0; i < 3; i++) await call("GET", `${documents}/${id}`);
  await sandbox.clock.advance("5s");
  sandbox.faults.next("sendDocument", "throttled");
  await call("POST", `${documents}/${id}/send`, { subject: "Your offer", message: "Please sign." });
  await sandbox.clock.advance("5s");
  await call("POST", `${documents}/${id}/send`, { subject: "Your offer", message: "Please sign." });
  await call("GET", `${documents}/${id}/details`);
  await sandbox.clock.advance("2h");
  sandbox.documents.simulate(id, "view");
  sandbox.documents.simulate(id, "comment", { text: "Could we start in April?" });
  inbox.answer(500, { times: 2 });
  await call("POST", documents, { name: "Wrong", template_uuid: "nothing", recipients: [CLIENT] });
  const two = { ...CLIENT, email: "ivo.marek@client.example", first_name: "Ivo", last_name: "Marek" };
  const create = async (
    template: string,
    name: string,
    status: "document.viewed" | "document.completed" | "document.sent" | "document.waiting_approval",
  ) =>
    (
      await sandbox.documents.create({
        template,
        name,
        status,
        recipients: [template === "TemplateEveryFieldxxxx" ? { ...two, role: "Signer" } : two],
      })
    ).id;
  await create("TemplatePaymentxxxxxxx", "Workshop in May", "document.viewed");
  const done = await create("TemplateOneSignerxxxxx", "Non-disclosure agreement", "document.completed");
  await create("TemplateApprovalxxxxxx", "Framework contract", "document.waiting_approval");
  const fields = await create("TemplateEveryFieldxxxx", "Every kind of field", "document.sent");
  const quote = await create("TemplateQuotexxxxxxxxx", "Subscription for 20 seats", "document.sent");
  await sandbox.scenarios.load({
    version: 1,
    name: "throttled",
    description: "The second send of each document is throttled.",
    rules: [{ name: "second send", when: { operation: "sendDocument", call: { nth: 2 } }, then: { error: "throttled" } }],
    webhooks: [{ name: "twice", when: { event: "recipient_completed" }, then: { duplicate: 1 } }],
    expect: { requests: [{ match: { operation: "sendDocument" }, times: 3 }] },
  });
  await sandbox.fetch("/__admin/assumptions", { method: "PUT", headers, body: JSON.stringify({ "delete.second": 404 }) });
  await careless(call, documents, sandbox);
  for (let i = 1; i <= 250; i++) {
    const long = { ...headers, authorization: "API-Key test-long" };
    const order = { name: `Order ${i}`, template_uuid: "TemplateOneSignerxxxxx", recipients: [CLIENT] };
    await sandbox.fetch(documents, { method: "POST", headers: long, body: JSON.stringify(order) });
  }
  for (const [key, body] of [
    ["test-shop", { name: "Order 7", template_uuid: "TemplateOneSignerxxxxx", recipients: [CLIENT] }],
    ["test-empty", undefined],
  ] as const) {
    const other = { ...headers, authorization: `API-Key ${key}` };
    if (body) await sandbox.fetch(documents, { method: "POST", headers: other, body: JSON.stringify(body) });
    else await sandbox.fetch("/__admin/clock", { headers: other });
  }
  await sandbox.clock.advance("1s");
  const link = (documentId: string) =>
    new URL(sandbox.emails.find({ document_id: documentId, kind: "sent" })[0]?.link ?? "").pathname;
  const [wrong] = sandbox.journal.find({ status: 400 });
  const [delivery] = sandbox.webhooks.deliveries({ state: "pending" });
  const [mail] = sandbox.emails.all();
  const admin = (query: string) => `/__admin/?${query}`;
  return {
    sandbox,
    pages: [
      { name: "landing", path: "/" },
      { name: "reference", path: "/reference#createDocument", ready: "#createDocument[open]" },
      { name: "documents", path: admin("view=documents") },
      { name: "document", path: admin(`view=documents&id=${id}`) },
      { name: "document-open", path: admin(`view=documents&id=${id}&open=call-${sandbox.journal.all()[4]?.id}`) },
      { name: "clock", path: admin("view=clock") },
      { name: "journal", path: admin("view=journal") },
      { name: "call", path: admin(`view=journal&id=${(wrong ?? sandbox.journal.all()[0])?.id}`) },
      { name: "deliveries", path: admin(`view=deliveries&open=${delivery?.id}`) },
      { name: "mails", path: admin(`view=mails&open=${mail?.id}`) },
      { name: "rules", path: admin("view=rules") },
      { name: "scenarios", path: admin("view=scenarios") },
      { name: "assumptions", path: admin("view=assumptions") },
      { name: "unknown-tenant", path: admin("tenant=test-shpo") },
      { name: "tenants", path: admin("view=tenants") },
      { name: "assumptions-search", path: admin("view=assumptions&q=webhook&open=webhook.shared_link") },
      { name: "mails-text", path: admin(`view=mails&open=${mail?.id}&as=text`) },
      { name: "mails-empty", path: admin("view=mails&tenant=test-empty") },
      { name: "journal-empty", path: admin("view=journal&tenant=test-empty") },
      { name: "lint", path: admin("view=lint") },
      { name: "lint-open", path: admin("view=lint&open=lint-0") },
      { name: "signing", path: link(fields), ready: "form" },
      { name: "signing-pricing", path: link(id), ready: "form" },
      { name: "signing-quote", path: link(quote), ready: "form" },
      { name: "signing-done", path: link(done), ready: "main" },
      { name: "documents-empty", path: admin("view=documents&tenant=test-empty") },
      { name: "deliveries-empty", path: admin("view=deliveries&tenant=test-empty") },
      { name: "scenarios-empty", path: admin("view=scenarios&tenant=test-empty") },
      { name: "documents-long", path: admin("view=documents&tenant=test-long") },
    ],
  };
}

type Call = (method: string, path: string, body?: unknown) => Promise<{ id: string }>;

/** Makes the mistakes that client lint finds: a misspelled member, an early send, the same create twice, and fast polls. */
async function careless(call: Call, documents: string, sandbox: Sandbox): Promise<void> {
  const order = { name: "Order 9", template_uuid: "TemplateOneSignerxxxxx", recipients: [CLIENT], tokenz: [] };
  const { id } = await call("POST", documents, order);
  await call("POST", `${documents}/${id}/send`, {});
  const second = await call("POST", documents, order);
  for (let i = 0; i < 12; i++) {
    await call("GET", `${documents}/${id}`);
    await call("GET", `${documents}/${second.id}`);
    await sandbox.clock.advance("200ms");
  }
}
