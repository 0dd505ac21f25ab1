/** Tests hostile files and unusual defects: each ends in mistakes with their places, and never in a crash. */
import { service } from "../../../src/service/service.ts";
import { describe, expect, test } from "vitest";
import { readScenario } from "../../../src/engine/scenario/load.ts";
import { readText } from "../../../src/engine/scenario/yaml.ts";
import { ScenarioError } from "../../../src/engine/scenario/error.ts";

function read(text: string, others: Record<string, string> = {}) {
  return readScenario(text, "one.yaml", service.language, (path) => {
    const other = others[path];
    if (other === undefined) throw new Error(`no ${path}`);
    return other;
  });
}

function mistakes(text: string, others: Record<string, string> = {}): string[] {
  try {
    read(text, others);
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split("\n");
    throw error;
  }
  return [];
}

const lines = (...all: string[]) => `version: 1\n${all.join("\n")}\n`;
const ten = (name: string) => `[${Array(10).fill(`*${name}`).join()}]`;

describe("JSON", () => {
  test.each<[string, string, string | undefined]>([
    ["an extra comma", '{"version": 1,\n "name": "a",,}', "one.yaml:2:14 Unexpected , in flow map"],
    ["a name that stands twice", '{"version": 1, "name": "a",\n "name": "\\u003a"}', "one.yaml:2:2 Map keys must be unique"],
    ["a misspelled name", '{"version": 1,\n "nmae": "a:\\"b\\""}', 'one.yaml:2:2 unknown name "nmae"; did you mean "name"?'],
    ["colons and quotation marks in texts", '{"version": 1, "name": "a: \\"b\\": {c}", "description": ":::"}', undefined],
  ])("a JSON file with %s is checked correctly", (_, text, mistake) => {
    expect(mistakes(text)[0]).toBe(mistake);
  });

  test("a JSON file with 20,000 names is read within the time limit, with the result of JSON.parse", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `"name ${i}": { "a": [${i}, "b: ${i}\\u003a"], "\\u00e9": null }`);
    const text = `{${names.join(",\n")}}`;
    // The YAML parser would need half a minute for this file.
    expect(readText(text, "one.json").raw).toEqual(JSON.parse(text));
  });
});

describe("YAML", () => {
  test.each<[string, string, string]>([
    [
      "an alias bomb",
      lines("a: &a [x, x]", `b: &b ${ten("a")}`, `c: &c ${ten("b")}`, `d: &d ${ten("c")}`, `e: &e ${ten("d")}`, `f: ${ten("e")}`),
      "one.yaml:1:1 Excessive alias count indicates a resource exhaustion attack",
    ],
    [
      "an alias without an anchor",
      lines("name: *nope"),
      "one.yaml:2:7 Unresolved alias (the anchor must be set before the alias): nope",
    ],
    ["a name that stands twice", lines("name: a", "name: b"), "one.yaml:3:1 Map keys must be unique"],
    ["very deep brackets", lines(`name: ${"[".repeat(30_000)}`), "one.yaml:1:1 The file is nested deeper than 100 levels."],
    [
      "very deep dashes",
      lines(`name:\n  ${"- ".repeat(20_000)}a`),
      expect.stringMatching(/^one\.yaml:3:\d+ Maximum call stack size exceeded$/),
    ],
    [
      "two documents",
      lines("---", "version: 1"),
      "one.yaml:2:1 Source contains multiple documents; please use YAML.parseAllDocuments()",
    ],
    ["tabs", "version: 1\nrules:\n\t- name: a\n", "one.yaml:3:1 Tabs are not allowed as indentation"],
    ["the name __proto__", lines("__proto__: { a: 1 }"), "one.yaml:2:1 A member cannot be named __proto__. Choose another name."],
    ["binary data in place of a text", lines("name: !!binary aGVsbG8="), "one.yaml:2:16 name: must be a text, not Buffer"],
  ])("a YAML file with %s is refused at the place of the mistake", (_, text, mistake) => {
    expect(mistakes(text)[0]).toEqual(mistake);
  });
});

describe("include", () => {
  const RULE = "rules: [{ name: x, then: { error: throttled } }]";

  test("a file counts once, even when several files include it", () => {
    const scenario = read(lines("include: [b.yaml, c.yaml, sub/../c.yaml]"), {
      "b.yaml": lines("include: [c.yaml, c.yaml]"),
      "c.yaml": lines(RULE),
    });
    expect(scenario.rules.map((rule) => rule.name)).toEqual(["x"]);
    expect(scenario.files).toEqual(["one.yaml", "b.yaml", "c.yaml"]);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ["itself", "include: [./one.yaml]", {}, "one.yaml:2:11 include.0: ./one.yaml includes itself"],
    [
      "itself through another file",
      "include: [a/b.yaml]",
      { "a/b.yaml": lines("name: b", "include: [../one.yaml]") },
      "a/b.yaml:3:11 include.0: ../one.yaml includes itself",
    ],
    ["a missing file", "include: [a.yaml, b.yaml]", { "a.yaml": "version: 1" }, "one.yaml:2:19 include.1: cannot read b.yaml"],
    [
      "a file with a mistake",
      "include: [a.yaml]",
      { "a.yaml": "version: 1\nruls: []" },
      'a.yaml:2:1 unknown name "ruls"; did you mean "rules"?',
    ],
    [
      "two files with the same rule name",
      "include: [a.yaml, b.yaml]",
      { "a.yaml": lines(RULE), "b.yaml": lines(RULE) },
      "one.yaml:2:19 include.1: the rule name x of b.yaml is taken by a.yaml",
    ],
    [
      "a file that repeats a rule name of the including file",
      `include: [a.yaml]\n${RULE}`,
      { "a.yaml": lines(RULE) },
      "one.yaml:3:17 rules.0.name: the rule name x is taken",
    ],
    [
      "a file with a mistake at an absolute path",
      "include: [/x/a.yaml]",
      { "/x/a.yaml": "ruls: []" },
      "/x/a.yaml:1:1 version: must be 1",
    ],
  ])("an include of %s is refused at the place of the mistake", (_, text, others, mistake) => {
    expect(mistakes(lines(text), others)[0]).toBe(mistake);
  });
});

describe("members without effect", () => {
  const rule = (then: string) => lines("rules:", `  - { name: a, then: ${then} }`);

  test.each<[string, string]>([
    ["{ error: locked, retry_after: 5s }", "one.yaml:3:52 rules.0.then.retry_after: retry_after needs error: throttled"],
    ["{ error: throttled, lock: { by: x } }", "one.yaml:3:48 rules.0.then.lock: lock needs error: locked"],
    ["{ network: reset, detail: x }", "one.yaml:3:48 rules.0.then.detail: detail needs error"],
    ["{ delay: { min: 2s, max: 1s } }", "one.yaml:3:47 rules.0.then.delay.max: max is less than min"],
    ["{ error: throttled, times: }", "one.yaml:3:49 rules.0.then.times: must be a number, not null"],
    [
      "{ error: 5 }",
      "one.yaml:3:31 rules.0.then.error: must be one of locked, conflict, throttled, not_found, forbidden, unauthorized, invalid",
    ],
  ])("the effect %s is refused", (then, mistake) => {
    expect(mistakes(rule(then))).toEqual([mistake]);
  });

  test.each(["drop: true", "delay: 1s", "duplicate: 1", "after_event: quote_updated", "batch: { window: 1s }", "retries: [1s]"])(
    "a webhook rule for one attempt refuses %s",
    (then) => {
      const [name = ""] = then.split(":");
      expect(mistakes(lines("webhooks:", `  - { name: a, when: { attempt: 2 }, then: { ${then} } }`))).toEqual([
        expect.stringMatching(
          new RegExp(`^one\\.yaml:3:\\d+ webhooks\\.0\\.then\\.${name}: docdouble decides ${name} before the first attempt`),
        ),
      ]);
    },
  );

  test("suggestions name only members and values that the place allows", () => {
    expect(mistakes(lines("assume: { webhook.retry: [1s] }"))).toEqual([
      'one.yaml:2:11 assume: unknown name "webhook.retry"; did you mean "webhook.retry_schedule"?',
    ]);
    expect(mistakes(rule("{ error: locked }").replace("then:", "when: { status: 200 }, then:"))).toEqual([
      'one.yaml:3:24 rules.0.when: unknown name "status"; there are operation, path, method, query, headers, body, document, call, tenant, tool',
    ]);
    expect(mistakes(lines("rules: [{ name: a, when: { operation: 5 }, then: { error: locked } }]"))).toEqual([
      "one.yaml:2:39 rules.0.when.operation: must be a text or a list",
    ]);
  });
});
