import { parseLeniently } from "../../engine/core/text.ts";
import { isoMillis } from "../../engine/core/clock.ts";
import type { JournalEntry } from "../../engine/journal/journal.ts";
import { shownBody, shownUrl } from "../../engine/journal/redacted-call.ts";
import type { DeliveryRow } from "../../engine/jobs/rows.ts";
import { type DocumentRow, type Tenant, lifecycle } from "../../service/service.ts";
import { AnswerIds, toCode } from "./answer-ids.ts";
import { deliveryRules, faultRules } from "./rules.ts";
import { fileNameOf, oneLine } from "./scenario-file.ts";
import { isAutomatic, statusPath, type Story, type StoryStep } from "./story.ts";

export const RUNNERS = ["vitest", "jest", "node"] as const;
export type Runner = (typeof RUNNERS)[number];

const HEADS: Readonly<Record<Runner, string>> = {
  vitest: 'import { createSandbox } from "docdouble";\nimport { expect, test } from "vitest";',
  // Jest runs ES modules only with a flag of Node.
  jest: 'const { expect, test } = require("@jest/globals");\nconst { createSandbox } = require("docdouble");',
  node: 'import { createSandbox } from "docdouble";\nimport assert from "node:assert/strict";\nimport test from "node:test";',
};

export function testText(tenant: Tenant, story: Story, runner: Runner): string {
  const equal = (actual: string, expected: string) =>
    runner === "node" ? `assert.deepEqual(${actual}, ${expected});` : `expect(${actual}).toEqual(${expected});`;
  const play = new Play(story, equal);
  const steps = play.lines();
  const receivers = receiversOf(tenant, story);
  const options = optionsOf(tenant, story);
  return `// What happened to ${oneLine(story.name)}, saved by docdouble. Change it as you like.
${HEADS[runner]}

test(${JSON.stringify(`${oneLine(story.name)}: ${statusPath(story)}`)}, async () => {
  const sandbox = await createSandbox(${indent(toCode(options), 2)});
  try {
    const call = async (method, path, body) => {
      const json = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
      const headers = { authorization: \`API-Key \${sandbox.apiKey}\`, ...(json.body && { "content-type": "application/json" }) };
      const answer = await sandbox.fetch(path, { method, headers, ...json });
      const text = await answer.text();
      return { status: answer.status, body: answer.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text };
    };
${play.usesNames ? "    const idOf = (name) => sandbox.documents.all().find((one) => one.name === name).id;\n" : ""}${play.usesLost ? '    // The answer of such a call never arrives.\n    const lost = (answer) => answer.then(() => ({ status: "answered" }), () => ({ status: "lost" }));\n' : ""}${receivers}
${steps.map((line) => `    ${indent(line, 4)}`).join("\n")}
    await sandbox.clock.settle();

${outcome(tenant, story, equal)
  .map((line) => `    ${indent(line, 4)}`)
  .join("\n")}
  } finally {
    await sandbox.close();
  }
});
`;
}

export function testFileName(story: Story, runner: Runner): string {
  return `${fileNameOf(story)}.test.${runner === "jest" ? "cjs" : "mjs"}`;
}

type Equal = (actual: string, expected: string) => string;

function indent(code: string, by: number): string {
  return code.replaceAll("\n", () => `\n${" ".repeat(by)}`);
}

/** Steps end processing and the making of PDFs, so each document takes as long as before. */
function optionsOf(tenant: Tenant, story: Story) {
  const { profile, assume } = tenant.readings.changes;
  const rules = faultRules(tenant, story);
  const webhooks = deliveryRules(tenant, story);
  return {
    clock: "frozen",
    now: isoMillis(story.start),
    ...(profile === undefined ? {} : { profile }),
    ...(assume && Object.keys(assume).length > 0 ? { assume } : {}),
    scenario: {
      version: 1,
      transitions: { "document.processing": "manual", "document.pdf": "manual" },
      ...(rules.length > 0 ? { rules } : {}),
      ...(webhooks.length > 0 ? { webhooks } : {}),
    },
  };
}

function receiversOf(tenant: Tenant, { deliveries }: Story): string {
  const all = tenant.store.subscriptions.all().filter((one) => deliveries.some((row) => row.subscriber === one.id));
  return all
    .map((one) => {
      const received = deliveries.filter((row) => row.subscriber === one.id);
      const answers = received
        .flatMap((row) => row.attempts)
        .sort((a, b) => a.at - b.at)
        .map(({ status }) => status ?? 503);
      const isFine = answers.every((status) => status < 300);
      const events = [...new Set(received.map((row) => row.event))];
      const handler = isFine ? "" : `, handler: () => new Response(null, { status: answers.shift() ?? 200 })`;
      return `${isFine ? "" : `    const answers = ${JSON.stringify(answers)};\n`}    await sandbox.webhooks.receiver({ name: ${JSON.stringify(one.name)}, events: ${JSON.stringify(events)}${handler} });\n`;
    })
    .map((text) => (text.includes("const answers") && all.length > 1 ? `    {\n${text}    }\n` : text))
    .join("");
}

class Play {
  readonly #story: Story;
  readonly #equal: Equal;
  readonly #ids: AnswerIds;
  #now: number;
  usesNames = false;
  usesLost = false;

  constructor(story: Story, equal: Equal) {
    this.#story = story;
    this.#equal = equal;
    this.#now = story.start;
    this.#ids = new AnswerIds((id) => this.#byName(id));
  }

  lines(): string[] {
    const lines = this.#story.steps.flatMap((step) => {
      const text = this.#step(step);
      return text === undefined ? [] : [...this.#wait(step.at), text];
    });
    return [...lines, ...this.#wait(this.#story.end)];
  }

  #wait(at: number): string[] {
    if (at <= this.#now) return [];
    this.#now = at;
    return [`await sandbox.clock.advance({ to: ${JSON.stringify(isoMillis(at))} });`];
  }

  #byName(id: string): string | undefined {
    const row = this.#story.documents.find((one) => one.id === id);
    if (!row) return undefined;
    this.usesNames = true;
    return `idOf(${JSON.stringify(row.name)})`;
  }

  #idOf(document: DocumentRow): string {
    return this.#ids.expression(document.id) ?? JSON.stringify(document.id);
  }

  #step(step: StoryStep): string | undefined {
    switch (step.kind) {
      case "call":
        return this.#call(step.call);
      case "create":
        return this.#create(step.document);
      case "act": {
        const input = { ...(step.recipient === undefined ? {} : { recipient: step.recipient }), ...step.input };
        const rest = Object.keys(input).length === 0 ? "" : `, ${toCode(input)}`;
        return `sandbox.documents.simulate(${this.#idOf(step.document)}, ${JSON.stringify(step.act)}${rest});`;
      }
      case "change":
        return this.#change(step);
    }
  }

  #call(call: JournalEntry): string | undefined {
    const operation = call.operationId ?? "call";
    // The receivers above replace subscriptions.
    if (/WebhookSubscription/.test(operation)) return undefined;
    if (call.parts)
      return `// ${call.method} ${shownUrl(call)} sent a file, which the journal does not keep. Make the call here.`;
    const body = call.body === "" ? "" : `, ${this.#body(shownBody(call))}`;
    const request = `call(${JSON.stringify(call.method)}, ${this.#ids.template(shownUrl(call))}${body})`;
    const name = this.#ids.variable(operation);
    if (call.status === undefined || call.networkFault !== undefined) {
      this.usesLost = true;
      return `const ${name} = await lost(${request});\n${this.#equal(`${name}.status`, '"lost"')}`;
    }
    if (!call.injected && call.status < 300) this.#ids.remember(name, call.responseBody);
    return `const ${name} = await ${request};\n${this.#equal(`${name}.status`, String(call.status))}`;
  }

  #body(text: string): string {
    const value = parseLeniently(text);
    return value === undefined ? JSON.stringify(text) : this.#ids.code(value);
  }

  #create(document: DocumentRow): string {
    const recipients = document.recipients.map(({ email, first_name, last_name, role }) => ({
      email,
      first_name,
      last_name,
      role,
    }));
    const wish = {
      template: document.template?.name,
      name: document.name,
      status: "document.uploaded",
      recipients,
      metadata: {},
    };
    const name = this.#ids.variable("document");
    this.#ids.remember(name, JSON.stringify({ id: document.id }), "");
    return `const ${name} = await sandbox.documents.create(${toCode(wish)});`;
  }

  #change(step: Extract<StoryStep, { kind: "change" }>): string | undefined {
    const id = this.#idOf(step.document);
    const { trigger } = step;
    if (trigger === "process") return `sandbox.documents.simulate(${id}, "process");\nawait sandbox.clock.settle();`;
    const actedAlready = this.#story.steps.some(
      (one) => one.kind === "act" && one.act === "fail" && one.document === step.document,
    );
    if (trigger === "fail" && !actedAlready)
      return `sandbox.documents.simulate(${id}, "fail", ${toCode({ reason: step.document.internal.failure?.detail ?? "" })});`;
    const path = (end: string) => `\`/public/v1/documents/\${${id}}/${end}\``;
    if (isAutomatic(step)) return undefined;
    if (trigger === "revert") return `await call("POST", ${path("draft")});`;
    const code = Object.entries(lifecycle.manualTriggers).find(([, manual]) => manual === trigger)?.[0];
    if (code !== undefined) return `await call("PATCH", ${path("status")}, { status: ${code} });`;
    return `await call("POST", ${path("send")}, {});`;
  }
}

function outcome(tenant: Tenant, { documents, deliveries, emails }: Story, equal: Equal): string[] {
  const names = new Set(documents.map((row) => row.name));
  const nameOf = (id: string | null) => (id === null ? undefined : tenant.store.documents.get(id)?.name);
  const isAlone = names.size === 1;
  const line = (row: { subject: string } & Pick<DeliveryRow, "subscriber_name" | "event" | "status" | "state">) => [
    row.subscriber_name,
    row.event,
    row.status,
    row.state,
    ...(isAlone ? [] : [nameOf(row.subject)]),
  ];
  const left = documents.filter((row) => row.internal.deleted_at === null);
  return [
    equal(
      "sandbox.documents.all().map((one) => [one.name, one.status]).sort()",
      toCode(left.map((row) => [row.name, row.status]).sort()),
    ),
    ...(deliveries.length === 0
      ? []
      : [
          `const nameOf = (id) => sandbox.documents.get(id)?.name;`,
          equal(
            `sandbox.webhooks.deliveries().filter((one) => nameOf(one.subject) !== undefined).map((one) => [one.subscriber_name, one.event, one.status, one.state${isAlone ? "" : ", nameOf(one.subject)"}]).sort()`,
            toCode(deliveries.map(line).sort()),
          ),
        ]),
    equal(
      "sandbox.emails.all().filter((one) => one.document_id !== null).map((one) => [one.kind, one.to]).sort()",
      toCode(emails.map((mail) => [mail.kind, mail.to]).sort()),
    ),
  ];
}
