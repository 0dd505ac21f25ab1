/** Mistakes that `check` finds beyond the schema. */
import { service } from "../../src/service/service.ts";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { filesIn } from "../../docs/gather.ts";
import { blocksOf } from "../support/snippets.ts";
import { checkFile } from "../../src/cli/check.ts";
import type { JsonSchema } from "../../src/engine/scenario/describe-schema.ts";
import { scenarioJsonSchema } from "../../src/engine/scenario/json-schema.ts";
import { operationIds } from "../../src/service/nouns/index.ts";
import { temporary } from "../support/data-file.ts";

async function found(text: string): Promise<{ mistakes: string[]; warnings: string[] }> {
  const file = temporary("scenario.yaml");
  writeFileSync(file, text);
  const { mistakes, warnings } = await checkFile(text, file, false);
  const lines = (list: typeof mistakes) => list.map(({ line, column, message }) => `${line}:${column} ${message}`);
  return { mistakes: lines(mistakes), warnings: lines(warnings) };
}

const linesOf = async (text: string) => (await found(text)).mistakes;
const CLEAN = { mistakes: [], warnings: [] };

test("check names a template of the world that does not exist, with its line and column", async () => {
  expect(await found("version: 1\nworld:\n  documents:\n    - { name: Deal, template: One sigher }\n")).toEqual({
    mistakes: ['4:7 world.documents.0: is refused: no template "One sigher" in this workspace; did you mean "One signer"?'],
    warnings: [],
  });
});

test("check reports all mistakes at once: refused documents, and names of actors", async () => {
  const text = `version: 1
world:
  documents:
    - { name: One, template: Two signer }
    - { name: Two, template: One sigher }
actors:
  - { name: signer, on: document.sent, recipient: { role: Clint }, steps: [{ do: sign }] }
`;
  expect(await linesOf(text)).toEqual([
    expect.stringMatching(/^4:7 world.documents.0: is refused: no template "Two signer"/),
    expect.stringMatching(/^5:7 world.documents.1: is refused: no template "One sigher"/),
    '7:59 actors.0.recipient.role: no template and no document of this world has the role "Clint"; did you mean "Client"?',
  ]);
});

test("check names a path that lacks the prefix of the service", async () => {
  const rule = (path: string) => `version: 1\nrules:\n  - { name: a, when: { path: "${path}" }, then: { error: throttled } }\n`;
  expect(await linesOf(rule("/documents/*/send"))).toEqual([
    '3:30 rules.0.when.path: no operation has the path "/documents/*/send"; did you mean "/public/v1/documents/*/send"?',
  ]);
  for (const path of [
    "/public/v1/documents/*/send",
    "/public/v1/doc**",
    "**/send",
    "/public/*/documents/abc/",
    "/oauth2/**",
    "/s/**",
    "/document/**",
    "/oauth2/authorize",
  ])
    expect(await found(rule(path)), path).toEqual(CLEAN);
});

test("check names the path of a rule that fits no operation", async () => {
  const rule = (when: string) => `version: 1\nrules:\n  - { name: a, when: ${when}, then: { error: throttled } }\n`;
  expect(await linesOf(rule("{ path: /public/v1/documnts }"))).toEqual([
    '3:30 rules.0.when.path: no operation and no page has the path "/public/v1/documnts"; did you mean "/public/v1/documents"?',
  ]);
  expect(await linesOf(rule("{ path: { in: [/public/v1/documents, /x/abc] } }"))).toEqual([
    '3:59 rules.0.when.path.in.1: no operation and no page has the path "/x/abc"',
  ]);
  expect(await linesOf(rule("{ operation: sendDocument, path: /public/v1/documents }"))).toEqual([
    '3:55 rules.0.when.path: the operation has the path /public/v1/documents/{id}/send, so "/public/v1/documents" never fits',
  ]);
});

test("check names a path of an expectation without the prefix, and warns about a path that nothing serves", async () => {
  const expectation = (path: string) => `version: 1\nexpect:\n  requests:\n    - { match: { path: "${path}" }, never: true }\n`;
  expect(await found(expectation("/documents/*/send"))).toEqual({
    mistakes: [
      '4:24 expect.requests.0.match.path: no operation has the path "/documents/*/send"; did you mean "/public/v1/documents/*/send"?',
    ],
    warnings: [],
  });
  // The journal also holds calls of unknown paths, so a client may make this call.
  expect(await found(expectation("/public/v9/things"))).toEqual({
    mistakes: [],
    warnings: ['4:24 expect.requests.0.match.path: no operation and no page has the path "/public/v9/things"'],
  });
  expect(await found(expectation("/s/*"))).toEqual(CLEAN);
});

test("check names a member that no body of the operation has, and a name that no query has", async () => {
  const expectation = (match: string) => `version: 1\nexpect:\n  requests:\n    - { match: { ${match} }, never: true }\n`;
  const rule = (when: string) => `version: 1\nrules:\n  - { name: a, when: { ${when} }, then: { error: throttled } }\n`;
  const withoutPlace = (line: string) => line.replace(/^\d+:\d+ /, "");
  const unplaced = async (text: string) => (await linesOf(text)).map(withoutPlace);
  expect(await found(expectation('operation: createDocument, body: { "$.recipients[0].emial": pat@client.example }'))).toEqual({
    mistakes: [
      '4:78 expect.requests.0.match.body.$.recipients[0].emial: the body of createDocument has no "$.recipients[0].emial"; did you mean "email"?',
    ],
    warnings: [],
  });
  expect(await unplaced(rule('operation: createDocument, body: { "$.recipients[*].emial": x }'))).toEqual([
    'rules.0.when.body.$.recipients[*].emial: the body of createDocument has no "$.recipients[*].emial"; did you mean "email"?',
  ]);
  expect(await unplaced(rule("operation: listDocuments, query: { statuz: a }"))).toEqual([
    'rules.0.when.query.statuz: the query of listDocuments has no "statuz"; did you mean "status"?',
  ]);
  const { mistakes, warnings } = await found(expectation("operation: [updateDocument, sendDocument], body: { $.blue: 1 }"));
  expect([mistakes, warnings.map(withoutPlace)]).toEqual([
    [],
    [
      'expect.requests.0.match.body.$.blue: the body of updateDocument and sendDocument has no "$.blue"; only a client that sends it fits',
    ],
  ]);
  for (const when of [
    'operation: createDocument, body: { "$.name": a, "$.metadata.any": b, "$.recipients[*].email": c }',
    'operation: createDocument, body: { "$..emial": a, "$.fields.Any.value": b, "$.*": c, "$": d }',
    'operation: createDocument, query: { editor_ver: "ev1" }',
    "operation: createDocumentFromUpload, body: { $.anything: a }",
    "body: { $.emial: a }, query: { statuz: a }",
  ])
    expect(await found(rule(when)), when).toEqual(CLEAN);
});

test("check finds mistakes in the paths of included files, at their own place", async () => {
  const file = temporary("whole.yaml");
  const part = join(dirname(file), "part.yaml");
  writeFileSync(part, "version: 1\nrules:\n  - { name: a, when: { path: /documents }, then: { error: throttled } }\n");
  const text = "version: 1\ninclude: [part.yaml]\n";
  writeFileSync(file, text);
  expect(await checkFile(text, file, false)).toEqual({
    mistakes: [
      {
        file: part,
        line: 3,
        column: 30,
        message: 'rules.0.when.path: no operation has the path "/documents"; did you mean "/public/v1/documents"?',
      },
    ],
    warnings: [],
  });
});

test("check names roles, templates, members and fields that are a slip of a known name", async () => {
  const text = `version: 1
world:
  documents:
    - { name: Deal, as: deal, template: One signer, recipients: [{ email: pat@client.example, role: Client }] }
  webhook_subscriptions:
    - { name: Billing, url: "http://127.0.0.1:9/hook", triggers: [document_state_changed] }
  templates:
    - { id: TemplateInNoFolderxxxx, name: Lost, folder: FolderContractsxxxxx }
  folders:
    - { id: FolderContractsxxxxxx, kind: template, name: Contracts }
actors:
  - name: signer
    on: document.sent
    document: { as: dael }
    recipient: { role: Clint }
    steps:
      - { do: sign, with: { recipient: Klient, fields: { Signatur: x } } }
      - { do: approve, with: { member: sam.od@northpeak.example } }
instead:
  - { recipient: { role: { in: [Client, client] } }, do: nothing }
timers:
  - { at: +1d, do: view, document: { template: One sigher }, with: { recipient: Clienf } }
webhooks:
  - { name: late, when: { subscription: Biling }, then: { delay: 1h } }
`;
  expect(await found(text)).toEqual({
    mistakes: [
      '8:57 world.templates.0.folder: this world has no folder "FolderContractsxxxxx"; did you mean "FolderContractsxxxxxx"?',
      '14:21 actors.0.document.as: no document of this world is called "dael"; did you mean "deal"?',
      '15:24 actors.0.recipient.role: no template and no document of this world has the role "Clint"; did you mean "Client"?',
      '17:40 actors.0.steps.0.with.recipient: no template and no document of this world has the role "Klient"; did you mean "Client"?',
      '17:68 actors.0.steps.0.with.fields.Signatur: no template and no document of this world has the field "Signatur"; did you mean "Signature"?',
      '18:40 actors.0.steps.1.with.member: this world has no member "sam.od@northpeak.example"; did you mean "sam.ode@northpeak.example"?',
      '20:41 instead.0.recipient.role.in.1: no template and no document of this world has the role "client"; did you mean "Client"?',
      '22:48 timers.0.document.template: this world has no template "One sigher"; did you mean "One signer"?',
      '22:81 timers.0.with.recipient: no template and no document of this world has the role "Clienf"; did you mean "Client"?',
      '24:41 webhooks.0.when.subscription: this world has no webhook subscription "Biling"; did you mean "Billing"?',
    ],
    warnings: [],
  });
});

test("check warns about names that a client may bring, and the file stays right", async () => {
  const actor = (recipient: string) =>
    `version: 1\nactors:\n  - { name: a, on: document.sent, recipient: ${recipient}, steps: [{ do: view }] }\n`;
  const warning = "no template and no document of this world has the role";
  expect(await found(actor("{ role: Landlord }"))).toEqual({
    mistakes: [],
    warnings: [`3:54 actors.0.recipient.role: ${warning} "Landlord"; a client must bring it`],
  });
  // A number or one letter makes another role of an uploaded document, not a slip.
  for (const role of ["Client 2", "Client B"]) expect((await found(actor(`{ role: ${role} }`))).mistakes, role).toEqual([]);
  expect(await found(actor("{ email: lee@buyer.example }"))).toEqual(CLEAN);
  expect(await found(actor("{ role: { regex: '^Land' } }"))).toEqual(CLEAN);
});

test("check names a rule that an earlier rule shadows", async () => {
  const rules = (...lines: string[]) => `version: 1\nrules:\n${lines.map((line) => `  - ${line}\n`).join("")}`;
  const shadowed = (name: string) =>
    `never acts, because the rule "${name}" comes first and takes all of its calls; move it up, or add fallthrough: true to "${name}"`;
  const second = "{ name: b, when: { operation: sendDocument, body: { $.silent: true } }, then: { error: locked } }";
  for (const when of ["{}", "{ operation: sendDocument }", "{ operation: send* }", "{ path: /public/v1/** }", "{ method: POST }"])
    expect(await linesOf(rules(`{ name: a, when: ${when}, then: { delay: 1ms } }`, second)), when).toEqual([
      `4:5 rules.1: ${shadowed("a")}`,
    ]);
  for (const [when, then] of [
    ["{ operation: sendDocument }", "{ error: throttled, times: 1 }"],
    ["{ operation: sendDocument }", "{ delay: 1ms, fallthrough: true }"],
    ["{ operation: sendDocument, call: { first: 2 } }", "{ error: throttled }"],
    ["{ operation: sendDocument, document: { name: Deal } }", "{ error: throttled }"],
    ["{ path: /public/v1/documents/abc/send }", "{ error: throttled }"],
    ["{ method: GET }", "{ error: throttled }"],
  ])
    expect(await linesOf(rules(`{ name: a, when: ${when}, then: ${then} }`, second)), `${when} ${then}`).toEqual([]);
});

test("check names a webhook rule that an earlier rule shadows", async () => {
  const rules = (first: string, second: string) => `version: 1\nwebhooks:\n  - ${first}\n  - ${second}\n`;
  const drop = "{ name: drop, when: { event: document_state_changed }, then: { drop: true } }";
  const late = "{ name: late, when: { event: document_state_changed, status: document.sent }, then: { delay: 1h } }";
  const forged = "{ name: forged, when: { event: document_state_changed }, then: { signature: invalid } }";
  expect(await linesOf(rules(drop, late))).toEqual([
    '4:5 webhooks.1: never acts, because the rule "drop" comes first and takes all of its calls; move it up, or add fallthrough: true to "drop"',
  ]);
  expect(await linesOf(rules(late, drop))).toEqual([]);
  expect(await linesOf(rules(late, forged))).toEqual([]);
});

test("check refuses texts that an expectation could never meet", async () => {
  const expectation = (part: string, match: string) =>
    `version: 1\nexpect:\n  ${part}:\n    - { match: ${match}, never: true }\n`;
  const first = async (part: string, match: string) => (await linesOf(expectation(part, match)))[0];
  expect(await first("deliveries", "{ event: document_state_chnaged }")).toBe(
    '4:25 expect.deliveries.0.match.event: there is no event "document_state_chnaged"; did you mean "document_state_changed"?',
  );
  expect(await first("deliveries", "{ state: { in: [delivred] } }")).toContain('there is no state of a delivery "delivred"');
  expect(await first("deliveries", "{ status: document.sen }")).toContain('there is no document status "document.sen"');
  expect(await first("emails", "{ kind: remindr }")).toContain('there is no kind of mail "remindr"; did you mean "reminder"?');
  expect(await first("requests", "{ method: post }")).toContain('there is no method "post"; did you mean "POST"?');
  expect(await first("requests", "{ status: 2000 }")).toContain("no answer has the status 2000");
  for (const match of ["{ method: { ne: GET } }", "{ status: { gt: 399 } }", '{ status: "404" }'])
    expect(await found(expectation("requests", match)), match).toEqual(CLEAN);
});

test("check reads a fragment through the files that include it", async () => {
  const file = temporary("whole.yaml");
  const parts = join(dirname(file), "parts");
  mkdirSync(parts);
  const part = join(parts, "part.yaml");
  const fragment = `version: 1
world:
  documents: [{ name: Deal, template: Ours }]
actors:
  - { name: a, on: document.sent, recipient: { role: Tenannt }, steps: [{ do: sign }] }
`;
  writeFileSync(part, fragment);
  expect((await checkFile(fragment, part, false)).mistakes.map(({ message }) => message)).toEqual([
    'world.documents.0: is refused: no template "Ours" in this workspace',
  ]);
  writeFileSync(
    file,
    "version: 1\ninclude: [parts/part.yaml]\nworld: { templates: [{ name: Ours, roles: [{ name: Tenant }] }] }\n",
  );
  expect((await checkFile(fragment, part, false)).mistakes.map(({ message }) => message)).toEqual([
    'actors.0.recipient.role: no template and no document of this world has the role "Tenannt"; did you mean "Tenant"?',
  ]);
});

test("the JSON Schema marks a text in place of a time, and accepts each time that check accepts", async () => {
  const root = scenarioJsonSchema(service.language) as JsonSchema;
  const { TimerFile, ActInputFile } = root.$defs as Record<string, JsonSchema>;
  const cases: [member: JsonSchema | undefined, good: string[], bad: string[]][] = [
    [
      TimerFile?.properties?.at,
      ["+30d", "3d", " 2h ", "2026-03-02T09:00:00Z", "2026-03-02"],
      ["2 sec", "tomorrow", "+", "3 days"],
    ],
    [ActInputFile?.properties?.at, ["2h", "2026-03-02T09:00:00+01:00"], ["soon", "in 2h"]],
    [ActInputFile?.properties?.expires_in, ["10m"], ["10 minutes", "2026-03-02"]],
    [root.properties?.clock?.properties?.now, ["2026-03-02T09:00:00Z", "2026-03-02"], ["3d", "now"]],
  ];
  for (const [member, good, bad] of cases) {
    const pattern = new RegExp(String(member?.pattern));
    expect([good.filter((text) => !pattern.test(text)), bad.filter((text) => pattern.test(text))]).toEqual([[], []]);
  }
  const timer = (at: string) => `version: 1\ntimers:\n  - { at: "${at}", do: expire }\n`;
  for (const at of ["+30d", "3d", "2026-03-02T09:00:00Z"]) expect(await found(timer(at)), at).toEqual(CLEAN);
});

test("the JSON Schema proposes the operations, and marks an unknown operation", () => {
  // biome-ignore lint/suspicious/noExplicitAny: a JSON Schema of many forms
  const root = scenarioJsonSchema(service.language, operationIds().sort()) as any;
  const [ids, pattern] = root.$defs.OperationName.anyOf;
  expect(ids.enum).toEqual(operationIds().sort());
  expect(new RegExp(pattern.pattern).test("send*")).toBe(true);
  expect(new RegExp(pattern.pattern).test("sendDocumnt")).toBe(false);
  const name = { $ref: "#/$defs/OperationName" };
  const { when } = root.$defs.RuleFile.properties;
  expect(when.description).toMatch(/^[A-Z].+\.$/);
  expect(when.properties.operation.anyOf).toEqual([name, { type: "array", minItems: 1, items: name }]);
  expect(root.$defs.ExpectFile.properties.requests.items.properties.match.properties.operation.anyOf[0]).toEqual(name);
});

test("check accuses no ready-made scenario and no example", async () => {
  const files = ["scenarios", "examples/starter"].flatMap((folder) =>
    readdirSync(folder)
      .filter((one) => one.endsWith(".yaml"))
      .map((one) => `${folder}/${one}`),
  );
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) expect(await checkFile(readFileSync(file, "utf8"), file, false), file).toEqual(CLEAN);
});

test("check accuses no scenario of the documentation", async () => {
  const scenarios = filesIn("docs", ".md").flatMap((page) =>
    blocksOf(readFileSync(page, "utf8")).scenarios.map((text) => ({ page, text })),
  );
  expect(scenarios.length).toBeGreaterThan(3);
  for (const { page, text } of scenarios) {
    // Some blocks include files that the page only names.
    const { mistakes } = await found(text);
    expect(
      mistakes.filter((line) => !line.includes("cannot read")),
      `${page}\n${text}`,
    ).toEqual([]);
  }
});
