/** The twelve tests as users wrote them before the kit: with sandbox, clock, rules and acts only. They serve the count of lines. */

const SENT = [
  'const { body: { id } } = await call(sandbox, "POST", "/documents", offer);',
  'await sandbox.clock.advance("5s");',
  'await call(sandbox, "POST", "/documents/" + id + "/send", {});',
];
/** A receiver that verifies signatures, and its subscription. */
const RECEIVER = [
  "const received = [], refused = [], ids = new Set();",
  "const server = createServer(async (request, response) => {",
  "  const body = Buffer.concat(await request.toArray());",
  '  const signature = new URL(request.url, "http://localhost").searchParams.get("signature") ?? "";',
  '  const isValid = signature === createHmac("sha256", key).update(body).digest("hex");',
  '  const eventId = request.headers["x-pandadoc-webhook-event-id"];',
  "  if (!isValid) refused.push(...JSON.parse(body));",
  "  else if (!ids.has(eventId)) received.push(...JSON.parse(body));",
  "  if (isValid) ids.add(eventId);",
  "  response.writeHead(isValid ? 200 : 401).end();",
  '}).listen(0, "127.0.0.1");',
  'await once(server, "listening");',
  'const url = "http://127.0.0.1:" + server.address().port + "/";',
  'const made = await call(sandbox, "POST", "/webhook-subscriptions", { name: "app", url, triggers: ["document_state_changed"] });',
  "const key = made.body.shared_key;",
];
const withRule = (name: string, status: string, effect: string) =>
  `const sandbox = await createSandbox({ port: 0, clock: "frozen", scenario: { version: 1, webhooks: [{ name: "${name}", when: { event: "document_state_changed", status: "${status}" }, then: ${effect} }] } });`;
const SIGN = 'sandbox.documents.simulate(id, "sign");';
const END = ["server.close();", "server.closeAllConnections();", "await sandbox.close();"];

export const BEFORE: Readonly<Record<string, readonly string[]>> = {
  "the whole story": [
    'const { body: { id } } = await call(sandbox, "POST", "/documents", offer);',
    'await sandbox.clock.advance("5s");',
    'await call(sandbox, "POST", "/documents/" + id + "/send", { silent: false });',
    'sandbox.documents.simulate(id, "sign", { fields: { Company: "Client Ltd" } });',
    'const [created] = sandbox.journal.find({ operationId: "createDocument" });',
    'assert.equal(sandbox.journal.count({ operationId: "createDocument" }), 1);',
    "const sent = JSON.parse(created.body);",
    'assert.deepEqual([sent.name, sent.metadata.deal], ["Offer 42", "42"]);',
    "const document = sandbox.documents.get(id);",
    'assert.equal(document.status, "document.completed");',
    'assert.equal(document.fields.find((one) => one.name === "Company").value, "Client Ltd");',
    'const mails = sandbox.emails.find({ to: "pat@client.example", kind: "sent" });',
    "assert.equal(mails.length, 1);",
    "assert.match(mails[0].subject, /Offer 42/);",
    'const lint = await sandbox.fetch("/__admin/contract", { headers: { authorization: "API-Key " + sandbox.apiKey } });',
    "assert.equal((await lint.json()).clean, true);",
  ],
  429: [
    "sandbox.rules.add({",
    '  name: "busy",',
    '  when: { operation: "listTemplates" },',
    '  then: { error: "throttled", retry_after: "2s", times: 1 },',
    "});",
    'const first = await call(sandbox, "GET", "/templates");',
    'const second = await call(sandbox, "GET", "/templates");',
    'assert.deepEqual([first.status, first.retryAfter, second.status], [429, "2", 200]);',
  ],
  409: [
    'const { body: { id } } = await call(sandbox, "POST", "/documents", offer);',
    'const early = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
    'await sandbox.clock.advance("5s");',
    'const late = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
    "assert.deepEqual([early.status, late.status], [409, 200]);",
  ],
  423: [
    'const { body: { id } } = await call(sandbox, "POST", "/documents", offer);',
    'await sandbox.clock.advance("5s");',
    'sandbox.documents.simulate(id, "lock", { expires_in: "10m" });',
    'const locked = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
    'await sandbox.clock.advance("10m");',
    'const free = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
    "assert.deepEqual([locked.status, free.status], [423, 200]);",
  ],
  "a lost answer": [
    "sandbox.rules.add({",
    '  name: "lost",',
    '  when: { operation: "createDocument" },',
    '  then: { network: "reset", phase: "after", times: 1 },',
    "});",
    'await assert.rejects(call(sandbox, "POST", "/documents", offer));',
    'assert.deepEqual(sandbox.documents.all().map((one) => one.metadata.deal), ["42"]);',
  ],
  "a duplicated webhook": [
    withRule("twice", "document.completed", "{ duplicate: 1, times: 1 }"),
    ...RECEIVER,
    ...SENT,
    SIGN,
    "await sandbox.clock.settle();",
    'const deliveries = sandbox.webhooks.deliveries({ status: "document.completed", state: "delivered" });',
    "assert.equal(deliveries.length, 2);",
    'assert.equal(received.filter((one) => one.data.status === "document.completed").length, 1);',
    ...END,
  ],
  "a forged webhook": [
    withRule("forged", "document.sent", '{ signature: "invalid", times: 1 }'),
    ...RECEIVER,
    ...SENT,
    "await sandbox.clock.settle();",
    'assert.deepEqual(refused.map((one) => one.data.status), ["document.sent"]);',
    ...END,
  ],
  "a decline": [
    ...SENT,
    'await sandbox.clock.advance("2h");',
    'sandbox.documents.simulate(id, "decline", { recipient: "Client" });',
    'assert.equal(sandbox.documents.get(id).status, "document.declined");',
  ],
  "expiry after 61 days": [
    ...SENT,
    'await sandbox.clock.advance("61d");',
    'assert.equal(sandbox.documents.get(id).status, "document.voided");',
  ],
  "a timeout": [
    'sandbox.rules.add({ name: "hang", when: { operation: "listTemplates" }, then: { network: "hang", times: 1 } });',
    'await assert.rejects(call(sandbox, "GET", "/templates", undefined, undefined, AbortSignal.timeout(100)));',
  ],
  "parallel tenants": [
    'const keys = ["test-one", "test-two"];',
    'await Promise.all(keys.map((key) => call(sandbox, "POST", "/documents", offer, key)));',
    "assert.deepEqual(keys.map((key) => sandbox.tenant(key).documents.all().length), [1, 1]);",
    "assert.equal(sandbox.documents.all().length, 0);",
  ],
  "a fixed host": [
    "const real = globalThis.fetch;",
    "globalThis.fetch = (input, init) => {",
    "  const url = new URL(input instanceof Request ? input.url : input);",
    '  if (url.hostname !== "api.pandadoc.com") return real(input, init);',
    "  return sandbox.fetch(url.pathname + url.search, init);",
    "};",
    'const answer = await fetch("https://api.pandadoc.com/public/v1/templates", { headers: { authorization: "API-Key " + sandbox.apiKey } });',
    "globalThis.fetch = real;",
    "assert.equal(answer.status, 200);",
    'assert.equal(sandbox.journal.count({ operationId: "listTemplates" }), 1);',
  ],
};

/** A file for node:test. Stories that need a separate sandbox shadow the shared one. */
export function beforeFile(helpers: string): string {
  const tests = Object.entries(BEFORE).map(
    ([name, lines]) => `test("${name}", async () => {\n${lines.map((line) => `  ${line}\n`).join("")}});\n`,
  );
  return `import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { createSandbox } from "docdouble";
import { useSandbox } from "docdouble/node-test";
const sandbox = useSandbox({ clock: "frozen", seed: 7 });
${helpers}
${tests.join("\n")}`;
}
