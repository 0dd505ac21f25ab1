/** The twelve tests of `docs/library.md`, written once and translated for each runner. */

/** The syntax of a runner. Arguments are source text. */
export interface Dialect {
  /** The lines before the tests. `ts` says whether types may follow. */
  imports: readonly string[];
  test: string;
  equal(actual: string, expected: string): string;
  rejects(promise: string): string;
  claim(matcher: Matcher, ...args: readonly string[]): string;
}

type Matcher = "Received" | "Delivered" | "ReceivedEvent" | "Document" | "Mailed" | "Clean";

const MATCHERS: Readonly<Record<Matcher, string>> = {
  Received: "toHaveReceived",
  Delivered: "toHaveDelivered",
  ReceivedEvent: "toHaveReceivedEvent",
  Document: "toHaveDocument",
  Mailed: "toHaveMailed",
  Clean: "toBeClean",
};

const inWords = {
  test: "test",
  equal: (actual: string, expected: string) => `expect(${actual}).toEqual(${expected});`,
  rejects: (promise: string) => `await expect(${promise}).rejects.toThrow();`,
  claim: (matcher: Matcher, subject: string, ...args: string[]) => `expect(${subject}).${MATCHERS[matcher]}(${args.join(", ")});`,
};
const byFunctions = {
  equal: (actual: string, expected: string) => `assert.deepEqual(${actual}, ${expected});`,
  rejects: (promise: string) => `await assert.rejects(${promise});`,
  claim: (matcher: Matcher, ...args: string[]) => `assert${matcher}(${args.join(", ")});`,
};

const FUNCTIONS = "assertClean, assertDelivered, assertDocument, assertMailed, assertReceived, assertReceivedEvent";
const importing = (names: string, from: string) => `import ${names} from "${from}";`;
const requiring = (names: string, from: string) => `const ${names.replaceAll(" as ", ": ")} = require("${from}");`;
const SANDBOX = 'const sandbox = useSandbox({ clock: "frozen", seed: 7 });';

type Load = (names: string, from: string) => string;

function withExpect(runner: string, load: Load, globals: string | undefined): Dialect {
  return {
    ...inWords,
    imports: [
      ...(globals === undefined ? [] : [load("{ expect, test }", globals)]),
      load("{ intercept }", "docdouble/intercept"),
      load("{ useSandbox }", `docdouble/${runner}`),
      SANDBOX,
    ],
  };
}

function withFunctions(runner: string, load: Load, test: readonly string[], name: string): Dialect {
  return {
    ...byFunctions,
    test: name,
    imports: [
      load("assert", "node:assert/strict"),
      ...test,
      load("{ intercept }", "docdouble/intercept"),
      load(`{ ${FUNCTIONS}, useSandbox }`, `docdouble/${runner}`),
      SANDBOX,
    ],
  };
}

export const DIALECTS = {
  vitest: withExpect("vitest", importing, "vitest"),
  jest: withExpect("jest", importing, "@jest/globals"),
  jestCommonJs: withExpect("jest", requiring, undefined),
  nodeTest: withFunctions("node-test", importing, [importing("{ test }", "node:test")], "test"),
  nodeTestCommonJs: withFunctions("node-test", requiring, [requiring("{ test }", "node:test")], "test"),
  mocha: withFunctions("mocha", importing, [], "it"),
  mochaCommonJs: withFunctions("mocha", requiring, [], "it"),
  playwright: {
    ...inWords,
    imports: [
      importing("{ intercept }", "docdouble/intercept"),
      importing("{ expect, test }", "docdouble/playwright"),
      'test.use({ sandboxOptions: { clock: "frozen", seed: 7 } });',
    ],
  },
} as const satisfies Record<string, Dialect>;

/** `/*: T*\/` is a type for TypeScript, and a comment for JavaScript. */
export const HELPERS = `
const offer = { name: "Offer 42", template_uuid: "TemplateOneSignerxxxxx", recipients: [{ email: "pat@client.example", role: "Client" }], metadata: { deal: "42" } };

async function call(sandbox/*: Pick<Sandbox, "fetch" | "url" | "apiKey">*/, method/*: string*/, path/*: string*/, body/*?: unknown*/, key/*?: string*/, signal/*?: AbortSignal*/) {
  const headers = { authorization: "API-Key " + (key ?? sandbox.apiKey), "content-type": "application/json" };
  const answer = await fetch(sandbox.url + "/public/v1" + path, { method, headers, body: body === undefined ? null : JSON.stringify(body), signal: signal ?? null });
  const text = await answer.text();
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: text === "" ? {} : JSON.parse(text) };
}
`;

interface Story {
  name: string;
  lines(d: Dialect): readonly string[];
}

const COMPLETED = '"document_state_changed", { status: "document.completed"';

export const STORIES: readonly Story[] = [
  {
    name: "the whole story",
    lines: (d) => [
      'const { body: { id } } = await call(sandbox, "POST", "/documents", offer);',
      'await sandbox.clock.advance("5s");',
      'await call(sandbox, "POST", "/documents/" + id + "/send", { silent: false });',
      'sandbox.documents.simulate(id, "sign", { fields: { Company: "Client Ltd" } });',
      d.claim("Received", "sandbox", '"createDocument"', '{ body: { name: "Offer 42", metadata: { deal: /^42$/ } }, times: 1 }'),
      d.claim("Document", "sandbox", '{ id, status: "document.completed", fields: { Company: "Client Ltd" } }'),
      d.claim("Mailed", "sandbox", '"pat@client.example"', '{ subject: /Offer 42/, kind: "sent", times: 1 }'),
      d.claim("Clean", "sandbox"),
    ],
  },
  {
    name: "429",
    lines: (d) => [
      'sandbox.faults.next("listTemplates", "throttled", { retryAfter: "2s" });',
      'const first = await call(sandbox, "GET", "/templates");',
      'const second = await call(sandbox, "GET", "/templates");',
      d.equal("[first.status, first.retryAfter, second.status]", '[429, "2", 200]'),
    ],
  },
  {
    name: "409",
    lines: (d) => [
      'const { id } = await sandbox.documents.create({ status: "document.uploaded" });',
      'const early = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
      'await sandbox.clock.advance("5s");',
      'const late = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
      d.equal("[early.status, late.status]", "[409, 200]"),
    ],
  },
  {
    name: "423",
    lines: (d) => [
      "const { id } = await sandbox.documents.create();",
      'sandbox.faults.locked(id, { for: "10m" });',
      'const locked = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
      'await sandbox.clock.advance("10m");',
      'const free = await call(sandbox, "POST", "/documents/" + id + "/send", {});',
      d.equal("[locked.status, free.status]", "[423, 200]"),
    ],
  },
  {
    name: "a lost answer",
    lines: (d) => [
      'sandbox.faults.lostAnswer("createDocument");',
      d.rejects('call(sandbox, "POST", "/documents", offer)'),
      d.claim("Document", "sandbox", '{ metadata: { deal: "42" }, times: 1 }'),
    ],
  },
  {
    name: "a duplicated webhook",
    lines: (d) => [
      'const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"], deduplicate: true });',
      `sandbox.faults.next("document_state_changed", "webhook_duplicate", { status: "document.completed" });`,
      'await sandbox.documents.create({ status: "document.completed" });',
      "await sandbox.clock.settle();",
      d.claim("Delivered", "sandbox", `${COMPLETED}, times: 2 }`),
      d.claim("ReceivedEvent", "inbox", `${COMPLETED}, signature: "valid", times: 1 }`),
    ],
  },
  {
    name: "a forged webhook",
    lines: (d) => [
      'const inbox = await sandbox.webhooks.receiver({ events: ["document_state_changed"] });',
      'sandbox.faults.next("document_state_changed", "webhook_forged", { status: "document.sent" });',
      'await sandbox.documents.create({ status: "document.sent" });',
      "await sandbox.clock.settle();",
      d.equal("inbox.refused.map((one) => [one.data.status, one.signature])", '[["document.sent", "invalid"]]'),
    ],
  },
  {
    name: "a decline",
    lines: (d) => [
      'sandbox.faults.next("Client", "recipient_declines", { delay: "2h" });',
      'const { id } = await sandbox.documents.create({ template: "One signer", status: "document.sent" });',
      'await sandbox.clock.advance("2h");',
      d.claim("Document", "sandbox", '{ id, status: "document.declined" }'),
    ],
  },
  {
    name: "expiry after 61 days",
    lines: (d) => [
      'const { id } = await sandbox.documents.create({ status: "document.sent" });',
      'await sandbox.clock.advance("61d");',
      d.claim("Document", "sandbox", '{ id, status: "document.voided" }'),
    ],
  },
  {
    name: "a timeout",
    lines: (d) => [
      'sandbox.faults.next("listTemplates", "hang");',
      d.rejects('call(sandbox, "GET", "/templates", undefined, undefined, AbortSignal.timeout(100))'),
    ],
  },
  {
    name: "parallel tenants",
    lines: (d) => [
      'const keys = ["test-one", "test-two"];',
      'await Promise.all(keys.map((key) => call(sandbox, "POST", "/documents", offer, key)));',
      d.equal("keys.map((key) => sandbox.tenant(key).documents.all().length)", "[1, 1]"),
      d.claim("Document", "sandbox", "{ times: 0 }"),
    ],
  },
  {
    name: "a fixed host",
    lines: (d) => [
      "const stop = intercept(sandbox);",
      'const answer = await fetch("https://api.pandadoc.com/public/v1/templates", { headers: { authorization: "API-Key " + sandbox.apiKey } });',
      "stop();",
      d.equal("answer.status", "200"),
      d.claim("Received", "sandbox", '"listTemplates"', "{ times: 1 }"),
    ],
  },
];

/** In addition to the twelve: the runner's asymmetric matchers, or functions and patterns, deep inside the conditions. */
function asymmetric(dialect: Dialect): readonly string[] {
  const wanted =
    dialect.claim === inWords.claim
      ? {
          body: "expect.objectContaining({ recipients: expect.arrayContaining([expect.objectContaining({ role: expect.stringMatching(/^Cli/) })]), metadata: { deal: expect.any(String) } })",
          document:
            '{ metadata: expect.objectContaining({ deal: expect.anything() }), recipients: [expect.objectContaining({ role: "Client" })] }',
          wrong: "{ metadata: { deal: expect.any(Number) } }",
          refused: (claim: string) => `expect(() => { ${claim} }).toThrow(/body.metadata.deal: expected Any/);`,
        }
      : {
          body: "{ name: /^Offer/, recipients: [{ role: (role: string) => role.startsWith('Cli') }] }",
          document: '{ metadata: { deal: { asymmetricMatch: (value: unknown) => value === "42" } } }',
          wrong: "{ metadata: { deal: /^7/ } }",
          refused: (claim: string) => `assert.throws(() => { ${claim} }, /body.metadata.deal: expected/);`,
        };
  return [
    'await call(sandbox, "POST", "/documents", offer);',
    dialect.claim("Received", "sandbox", '"createDocument"', `{ body: ${wanted.body}, times: 1 }`),
    dialect.claim("Document", "sandbox", wanted.document),
    wanted.refused(dialect.claim("Received", "sandbox", '"createDocument"', `{ body: ${wanted.wrong} }`)),
  ];
}

/** The number of tests in `testFile`. */
export const TESTS: number = STORIES.length + 1;

/** A test file with all twelve, and one of asymmetric matchers. */
export function testFile(dialect: Dialect, language: "ts" | "js"): string {
  const isPlaywright = dialect === DIALECTS.playwright;
  const fixture = isPlaywright ? "{ sandbox }" : "";
  const types = language === "ts" ? 'import type { Sandbox } from "docdouble";\n' : "";
  const helpers = language === "ts" ? HELPERS.replace(/\/\*(\??: .*?)\*\//g, "$1") : HELPERS;
  const withTypes = (line: string) => (language === "ts" ? line : line.replace(/\((\w+): (?:string|unknown)\)/g, "($1)"));
  const all = [...STORIES, { name: "asymmetric matchers at any depth", lines: asymmetric }];
  const tests = all.map(
    ({ name, lines }) =>
      `${dialect.test}("${name}", async (${fixture}) => {\n${lines(dialect)
        .map((line) => `  ${withTypes(line)}\n`)
        .join("")}});\n`,
  );
  return `${types}${dialect.imports.join("\n")}\n${helpers}\n${tests.join("\n")}`;
}

/** The lines that a user writes for a story, without the helpers that all share. */
export function linesOf(story: Story): number {
  return story.lines(DIALECTS.nodeTest).length;
}
