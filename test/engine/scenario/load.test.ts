/** Tests the content of scenario files, and the report of their mistakes: each mistake, its place and the nearest right name. */
import { service } from "../../../src/service/service.ts";
import { describe, expect, test } from "vitest";
import { readFixtures, readRule, readScenario } from "../../../src/engine/scenario/load.ts";
import { ScenarioError } from "../../../src/engine/scenario/error.ts";

function load(text: string, file = "one.yaml") {
  return readScenario(text, file, service.language);
}

/** The mistakes of a file as `line:column message`. */
function mistakesIn(text: string, read: (text: string) => unknown = load): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof ScenarioError) return error.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);
    throw error;
  }
  return [];
}

const rule = (when: string, then: string) => `version: 1\nrules:\n  - name: one\n    when: ${when}\n    then: ${then}\n`;

describe("a valid file", () => {
  test("is read completely, with names and defaults", () => {
    const scenario = load(
      [
        "version: 1",
        "name: all",
        "description: Everything at once",
        "seed: 7",
        "clock: { mode: frozen, now: 2026-03-02T09:00:00Z, speed: 2 }",
        "transitions: { document.processing: { polls: 3 }, document.pdf: { time: 2s } }",
        "rules:",
        "  - name: locked",
        "    when: { operation: [updateDocument, 'delete*'], document: { status: document.draft }, call: { nth: 2, per: document } }",
        "    then: { error: locked, lock: { expires_in: 30s }, times: 2 }",
        "actors:",
        "  - { name: signer, on: document.sent, recipient: { role: Client }, steps: [{ after: 2h, do: sign }] }",
      ].join("\n"),
    );
    expect(scenario).toMatchObject({
      name: "all",
      description: "Everything at once",
      seed: "7",
      clock: { mode: "frozen", now: "2026-03-02T09:00:00Z", speed: 2 },
      transitions: {
        "document.processing": { progression: "polls", times: 3 },
        "document.pdf": { progression: "time", seconds: 2 },
      },
      actors: [
        {
          name: "signer",
          on: ["document.sent"],
          recipient: { role: { eq: "Client" } },
          steps: [{ after: 7_200_000, do: "sign" }],
        },
      ],
    });
    expect(scenario.rules).toHaveLength(1);
    expect(scenario.rules[0]).toMatchObject({
      id: "all/locked",
      source: "all",
      call: { nth: 2, per: "subject" },
      times: 2,
      effect: { error: "locked", phase: "before", lock: { expires_in: 30_000 } },
    });
    expect(scenario.rules[0]?.when.operation?.in).toEqual(
      expect.arrayContaining(["updateDocument", "deleteDocument", "deleteWebhookSubscription"]),
    );
  });

  test("takes its name from the file name when it has no name", () => {
    expect(load("version: 1\n", "/some/where/quiet-day.yml").name).toBe("quiet-day");
  });

  test("can be JSON", () => {
    const text = JSON.stringify({
      version: 1,
      rules: [{ name: "r", when: { operation: "sendDocument" }, then: { error: "throttled" } }],
    });
    expect(load(text, "one.json").rules.map((one) => one.name)).toEqual(["r"]);
  });

  test("reads a range of delays, and a matcher for each kind of condition", () => {
    const when = [
      "{ path: { regex: '^/public' }, method: POST, query: { upload: { exists: true } }, headers: { X-Trace: { contains: ab } },",
      "body: { '$.recipients[0].email': pat@example.test, $.name: { in: [a, b] } }, document: { metadata.order: { gt: 5 }, tag: null } }",
    ].join(" ");
    const [one] = load(rule(when, "{ delay: { min: 1s, max: 2s } }")).rules;
    expect(one?.effect.delay).toEqual({ min: 1000, max: 2000 });
    expect(one?.when).toEqual({
      path: { regex: "^/public" },
      method: { eq: "POST" },
      "query.upload": { exists: true },
      "headers.x-trace": { contains: "ab" },
      "body.$.recipients[0].email": { eq: "pat@example.test" },
      "body.$.name": { in: ["a", "b"] },
      "subject.metadata.order": { gt: 5 },
      "subject.tag": { exists: false },
    });
  });
});

const actor = (step: string) => `version: 1\nactors: [{ name: a, on: document.sent, steps: [${step}] }]`;
const expected = (rest: string) => `version: 1\nexpect: { requests: [{ ${rest} }] }`;
const recipient = (one: string) => `version: 1\nworld: { documents: [{ name: D, template: T, recipients: [${one}] }] }`;

describe("mistakes", () => {
  test("of all kinds are reported together, in the order of the file", () => {
    expect(
      mistakesIn(
        [
          "version: 2",
          "rules:",
          "  - name: a",
          "    when: { operation: sendDocumnt }",
          "    then: { error: locked }",
          "  - name: b",
          "    when: { operaton: sendDocument }",
          "    then: { error: lockd, times: 0 }",
          "  - name: c",
          "    when: { operation: statusDocument }",
          "    then: { error: locked }",
          "actor: []",
        ].join("\n"),
      ),
    ).toEqual([
      expect.stringMatching(/^1:10 version: must be 1/),
      '4:24 rules.0.when.operation: unknown operation "sendDocumnt"; did you mean "sendDocument"?',
      '7:13 rules.1.when: unknown name "operaton"; did you mean "operation"?',
      expect.stringMatching(/^8:20 rules\.1\.then\.error: ".*" is unknown; did you mean "locked"\? It must be one of locked, /),
      expect.stringMatching(/^8:34 rules\.1\.then\.times: /),
      "11:20 rules.2.then.error: statusDocument does not declare 423, only 200, 401, 403, 404, 429; to allow it, add undeclared: true",
      '12:1 unknown name "actor"; did you mean "actors"?',
    ]);
  });

  test.each([
    [
      "an undeclared status in a response",
      rule("{ operation: listDocuments }", "{ respond: { status: 418 } }"),
      "listDocuments does not declare 418",
    ],
    ["a glob that matches no operation", rule("{ operation: 'send*Fax' }", "{ error: locked }"), 'no operation fits "send*Fax"'],
    ["two kinds of answer", rule("{}", "{ error: locked, network: reset }"), "write only one of error and network"],
    [
      "a rule without an effect",
      rule("{}", "{ times: 2 }"),
      "does nothing; give one of error, respond, network, patch, stale, hold, delay, rate_limit",
    ],
    ["a number as a duration", rule("{}", "{ delay: 5 }"), "delay"],
    ["an invalid duration", rule("{}", "{ delay: soon }"), '"soon" is not a duration. Write 250ms, 3s, 5m, 2h or 5d.'],
    [
      "an invalid regular expression",
      rule("{ path: { regex: '(' } }", "{ error: locked }"),
      'The regular expression "(" is invalid: Unterminated group',
    ],
    [
      "an unknown member of a document",
      rule("{ document: { staus: x } }", "{ error: locked }"),
      'unknown document member "staus"',
    ],
    [
      "an unknown name in a matcher",
      rule("{ path: { contans: a } }", "{ error: locked }"),
      'unknown name "contans"; did you mean "contains"?',
    ],
    [
      "an unknown event",
      "version: 1\nactors: [{ name: a, on: document.snt, steps: [{ do: sign }] }]",
      'did you mean "document.sent"?',
    ],
    ["an actor without steps", "version: 1\nactors: [{ name: a, on: document.sent, steps: [] }]", "steps"],
    ["an unknown act", "version: 1\nactors: [{ name: a, on: document.sent, steps: [{ do: sing }] }]", 'did you mean "sign"?'],
    ["an unknown model", "version: 1\ntransitions: { document.procesing: manual }", "document.procesing"],
    ["an unknown progression", "version: 1\ntransitions: { document.processing: sometimes }", "transitions.document.processing"],
    ["an invalid instant", "version: 1\nclock: { now: yesterday }", "is not an ISO 8601 instant"],
    ["a missing version", "name: x", "version"],
    ["an empty file", "", "must be a map of names; it is empty"],
    ["a list in place of a map", "- a\n- b", "must be a map of names"],
    ["an unknown document status", rule("{ document: { status: sent } }", "{ error: locked }"), 'did you mean "document.sent"?'],
    [
      "call counts that exclude each other",
      rule("{ call: { nth: 2, first: 3 } }", "{ error: locked }"),
      "write nth, or first, but not both",
    ],
    [
      "call counts that match no call",
      rule("{ call: { first: 2, from: 3 } }", "{ error: locked }"),
      "matches no call: first ends at call 2, and from begins at call 3",
    ],
    ["a call condition without a count", rule("{ call: { per: key } }", "{ error: locked }"), "rules.0.when.call: says nothing"],
    ["an empty matcher", rule("{ path: {} }", "{ error: locked }"), "rules.0.when.path: says nothing; give one of eq"],
    [
      "a delay of more than 30 seconds",
      rule("{}", "{ delay: { min: 1s, max: 5m } }"),
      "rules.0.then.delay: is real time, and at most 30s",
    ],
    [
      "`undeclared` without an error or a response",
      rule("{}", "{ delay: 1s, undeclared: true }"),
      "undeclared needs error or respond",
    ],
    [
      "an input that the act does not take",
      actor("{ do: sign, with: { reason: x } }"),
      "0.with.reason: sign takes recipient, fields, pricing only",
    ],
    [
      "an input for a timer's act without inputs",
      "version: 1\ntimers: [{ at: 1h, do: expire, with: { text: x } }]",
      "expire takes nothing",
    ],
    [
      "a dropped delivery with a duplicate",
      "version: 1\nwebhooks: [{ name: a, then: { drop: true, duplicate: 1 } }]",
      "cannot combine drop with duplicate",
    ],
    ["`never` together with `times`", expected("never: true, times: 2"), "times: write only one of never and times"],
    ["`at_least` above `at_most`", expected("at_least: 2, at_most: 1"), "at_most: at_most is less than at_least"],
    ["a call count in an expectation", expected("match: { call: { nth: 2 } }"), 'match: unknown name "call"'],
    ["an exception for an unknown rule", "version: 1\nexpect: { rules_used: { except: [x] } }", 'except.0: there is no rule "x"'],
    ["an unknown name in a recipient", recipient("{ email: a@b.example, rol: Client }"), 'did you mean "role"?'],
    ["a duplicate key", "version: 1\nname: a\nname: b", "Map keys must be unique"],
    ["broken YAML", "version: 1\nrules: [", "must be sufficiently indented and end with a ]"],
  ])("include %s", (_, text, message) => {
    const mistakes = mistakesIn(text);
    expect(mistakes.length).toBeGreaterThan(0);
    expect(mistakes.join("\n")).toContain(message);
    for (const mistake of mistakes) expect(mistake).toMatch(/^\d+:\d+ \S/);
  });

  test("include a duplicate rule name", () => {
    const text = "version: 1\nrules:\n  - { name: a, then: { error: locked } }\n  - { name: a, then: { error: locked } }\n";
    expect(mistakesIn(text)).toEqual(["4:13 rules.1.name: the rule name a is taken"]);
  });

  test("an undeclared status is accepted with `undeclared: true`", () => {
    expect(mistakesIn(rule("{ operation: listDocuments }", "{ error: locked, undeclared: true }"))).toEqual([]);
    expect(mistakesIn(rule("{ operation: listDocuments }", "{ respond: { status: 503 }, undeclared: true }"))).toEqual([]);
  });
});

describe("rules of the admin API and fixtures", () => {
  test("a rule of the admin API is read like a rule in a file", () => {
    expect(readRule({ name: "a", then: { error: "locked" } }, service.language)).toMatchObject({
      id: "runtime/a",
      effect: { error: "locked", phase: "before" },
    });
    const read = (text: string) => readRule(JSON.parse(text), service.language);
    expect(mistakesIn('{"name":"a","then":{"eror":"locked"}}', read).join()).toContain(
      'unknown name "eror"; did you mean "error"?',
    );
    expect(mistakesIn('{"name":"a","when":{"operation":"x"},"then":{"error":"locked"}}', read)).toEqual([
      '4:18 when.operation: unknown operation "x"',
    ]);
  });

  test.each([
    ["rule", undefined],
    ["document", "subject"],
    ["key", "key"],
    [undefined, undefined],
  ])("per: %s counts calls together by the fact %s", (per, fact) => {
    const when = { call: { nth: 2, ...(per === undefined ? {} : { per }) } };
    expect(readRule({ name: "a", when, then: { error: "locked" } }, service.language).call).toEqual({ nth: 2, per: fact });
  });

  test("mistakes in fixtures are reported in the same way", () => {
    const read = (text: string) => readFixtures(text, "data.yaml", service.language);
    expect(mistakesIn("templates:\n  - name: One\n    feilds: []\n", read)).toEqual([
      '3:5 templates.0: unknown name "feilds"; did you mean "fields"?',
    ]);
    expect(
      mistakesIn("webhook_subscriptions:\n  - { url: 'https://a.example', triggers: [document_updatd] }\n", read).join(),
    ).toContain('did you mean "document_updated"?');
  });
});

test("a mistake names the right place of a misplaced name, a missing member, or the only allowed value", () => {
  const text = ["version: 2", "rules:", "  - name: r", "    when: { operation: statusDocument }", "    call: { nth: 2 }"].join(
    "\n",
  );
  expect(mistakesIn(text)).toEqual([
    "1:10 version: must be 1",
    "3:5 rules.0.then: is missing",
    '5:5 rules.0: unknown name "call"; it belongs inside "when"',
  ]);
});
