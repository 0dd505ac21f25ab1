import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CallCount,
  explain,
  isExhausted,
  type Matcher,
  matches,
  matchesAttribute,
  type Rule,
  RUNTIME,
  Rules,
} from "../../../src/engine/rules/rules.ts";
import { law } from "../../support/law.ts";

function rule(id: string, part: Partial<Rule<string>> = {}): Rule<string> {
  return { id, name: id, when: {}, effect: id, source: "file", ...part };
}

const facts = (values: Record<string, unknown>) => (name: string) => values[name];
const acting = (rules: Rules<string>, values: Record<string, unknown> = {}) => rules.match(facts(values)).map((one) => one.id);

describe("matchers", () => {
  test.each<[string, unknown, Matcher, boolean]>([
    ["eq: the same", "a", { eq: "a" }, true],
    ["eq: another", "a", { eq: "b" }, false],
    ["eq: a number and its text", 5, { eq: "5" }, true],
    ["eq: a boolean and its text", "true", { eq: true }, true],
    ["eq: one of a list", ["a", "b"], { eq: "b" }, true],
    ["eq: none of a list", ["a", "b"], { eq: "c" }, false],
    ["eq: absent", undefined, { eq: "undefined" }, false],
    ["eq null: null", null, { eq: null }, true],
    ["eq null: a text", "null", { eq: null }, false],
    ["ne: another", "a", { ne: "b" }, true],
    ["ne: the same", "a", { ne: "a" }, false],
    ["ne: absent", undefined, { ne: "a" }, true],
    ["ne: one of a list is enough to fail", ["a", "b"], { ne: "a" }, false],
    ["in: contained", "b", { in: ["a", "b"] }, true],
    ["in: not contained", "c", { in: ["a", "b"] }, false],
    ["in: an empty list", "a", { in: [] }, false],
    ["in: two lists with a common value", ["x", "b"], { in: ["a", "b"] }, true],
    ["contains: within", "agreement", { contains: "gree" }, true],
    ["contains: not within", "agreement", { contains: "Gree" }, false],
    ["contains: absent", undefined, { contains: "a" }, false],
    ["contains: a number's digits", 1234, { contains: "23" }, true],
    ["regex: found", "NDA 2026", { regex: "^NDA \\d+$" }, true],
    ["regex: not found", "An NDA", { regex: "^NDA" }, false],
    ["regex: by code point", "💶", { regex: "^.$" }, true],
    ["gt: above", 6, { gt: 5 }, true],
    ["gt: equal", 5, { gt: 5 }, false],
    ["gt: a number as text", "10", { gt: 9 }, true],
    ["gt: no number", "ten", { gt: 9 }, false],
    ["gt: absent", undefined, { gt: -1 }, false],
    ["gt: texts by order", "2026-03-02", { gt: "2026-01-01" }, true],
    ["lt: below", 4, { lt: 5 }, true],
    ["lt: equal", 5, { lt: 5 }, false],
    ["lt: null", null, { lt: 5 }, false],
    ["exists: an empty text", "", { exists: true }, true],
    ["exists: null counts as absent", null, { exists: true }, false],
    ["exists: absent", undefined, { exists: false }, true],
    ["exists: an empty list counts as absent", [], { exists: false }, true],
    ["exists false: zero counts as present", 0, { exists: false }, false],
    ["one condition of a matcher fails", 7, { gt: 5, lt: 6 }, false],
    ["all conditions of a matcher hold", 7, { gt: 5, lt: 8, ne: 6 }, true],
    ["no condition", "anything", {}, true],
  ])("%s", (_, value, matcher, expected) => {
    expect(matchesAttribute(value, matcher)).toBe(expected);
  });

  test("when: each fact must match", () => {
    const when = { a: { eq: 1 }, b: { exists: true } };
    expect(matches(when, facts({ a: 1, b: "x" }))).toBe(true);
    expect(matches(when, facts({ a: 1 }))).toBe(false);
    expect(matches({}, facts({}))).toBe(true);
  });

  test("eq and ne of the same value never hold together", () => {
    law(
      fc.property(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())), fc.string(), (value, wanted) => {
        expect(matchesAttribute(value, { eq: wanted })).toBe(!matchesAttribute(value, { ne: wanted }));
      }),
    );
  });
});

describe("call counts", () => {
  test.each<[string, CallCount | undefined, number[]]>([
    ["no count", undefined, [1, 2, 3, 4, 5, 6, 7]],
    ["nth", { nth: 3 }, [3]],
    ["first", { first: 2 }, [1, 2]],
    ["from", { from: 5 }, [5, 6, 7]],
    ["every", { every: 3 }, [3, 6]],
    ["from and every", { from: 4, every: 2 }, [4, 6]],
    ["from and first: a window", { from: 2, first: 3 }, [2, 3]],
  ])("%s", (_, call, expected) => {
    const rules = new Rules<string>();
    rules.put(rule("r", call ? { call } : {}));
    const hit = [1, 2, 3, 4, 5, 6, 7].filter(() => acting(rules).length > 0);
    expect(hit).toEqual(expected);
    expect(rules.get("r")).toMatchObject({ matched: 7, hits: expected.length });
  });

  test("a rule counts only the calls that match it", () => {
    const rules = new Rules<string>();
    rules.put(rule("r", { when: { a: { eq: 1 } }, call: { nth: 2 } }));
    expect([acting(rules, { a: 1 }), acting(rules, { a: 2 }), acting(rules, { a: 1 })]).toEqual([[], [], ["r"]]);
  });

  test("per: each value of the fact has its own count, also names of built-in members", () => {
    const rules = new Rules<string>();
    rules.put(rule("r", { call: { nth: 2, per: "who" } }));
    const who = ["a", "b", "a", "constructor", "__proto__", "b", "__proto__", "constructor", "a", undefined, undefined];
    expect(who.map((one) => acting(rules, { who: one }).length)).toEqual([0, 0, 1, 0, 0, 1, 1, 1, 0, 0, 1]);
    const copy = new Rules<string>();
    copy.load(JSON.parse(JSON.stringify(rules.snapshot())));
    expect(acting(copy, { who: "__proto__" })).toEqual([]);
  });

  test("times: a rule is exhausted after so many hits, and later rules act then", () => {
    const rules = new Rules<string>();
    rules.arm("file", [rule("once", { times: 1 }), rule("always")]);
    expect([acting(rules), acting(rules)]).toEqual([["once"], ["always"]]);
    expect(rules.list().map(isExhausted)).toEqual([true, false]);
    expect(rules.get("once")).toMatchObject({ matched: 1, hits: 1 });
  });

  test("the first rule that acts ends the search, unless it has fallthrough or only counts", () => {
    const rules = new Rules<string>();
    rules.arm("file", [
      rule("counting", { call: { nth: 9 } }),
      rule("slow", { fallthrough: true }),
      rule("fail"),
      rule("never reached"),
    ]);
    expect(acting(rules)).toEqual(["slow", "fail"]);
    expect(rules.get("never reached")).toMatchObject({ matched: 0 });
    expect(rules.get("counting")).toMatchObject({ matched: 1, hits: 0 });
  });
});

describe("order of rules", () => {
  test("run-time rules precede rules of files, newest first, whenever a file is armed", () => {
    const rules = new Rules<string>();
    rules.arm("a.yaml", [rule("a1", { source: "a.yaml" }), rule("a2", { source: "a.yaml" })]);
    rules.put(rule("r1", { source: RUNTIME }));
    rules.put(rule("r2", { source: RUNTIME }));
    rules.arm("b.yaml", [rule("b1", { source: "b.yaml" })]);
    expect(rules.list().map((one) => one.id)).toEqual(["r2", "r1", "a1", "a2", "b1"]);
    rules.arm("a.yaml", [rule("a3", { source: "a.yaml" })]);
    expect(rules.list().map((one) => one.id)).toEqual(["r2", "r1", "b1", "a3"]);
  });

  test("queue puts a rule behind the earlier ones of its kind, and ahead of all others when there are none", () => {
    const rules = new Rules<string>();
    const isFault = ({ id }: Rule<string>) => id.startsWith("fault");
    for (const id of ["other", "fault1", "fault2"]) rules.queue(rule(id), isFault);
    rules.put(rule("first"));
    rules.queue(rule("fault3"), isFault);
    expect(rules.list().map((one) => one.id)).toEqual(["first", "fault1", "fault2", "fault3", "other"]);
  });

  test("put replaces a rule in its place, with zero counters", () => {
    const rules = new Rules<string>();
    rules.put(rule("old"));
    rules.put(rule("new"));
    acting(rules);
    rules.put(rule("new", { effect: "changed" }));
    expect(rules.list().map((one) => one.id)).toEqual(["new", "old"]);
    expect(rules.get("new")).toMatchObject({ effect: "changed", matched: 0, hits: 0 });
  });

  test("arming a file again keeps the counters of unchanged rules, and resets those of changed rules", () => {
    const rules = new Rules<string>();
    const both = [rule("same", { times: 2, fallthrough: true }), rule("other", { call: { first: 3 } })];
    rules.arm("file", both);
    acting(rules);
    rules.arm("file", structuredClone([both[0] as Rule<string>, rule("other", { call: { first: 4 } })]));
    expect(rules.get("same")).toMatchObject({ hits: 1 });
    expect(rules.get("other")).toMatchObject({ hits: 0 });
    acting(rules);
    expect(isExhausted(rules.get("same") as never)).toBe(true);
  });

  test("arming a file keeps the counters of a restored snapshot", () => {
    const rules = new Rules<string>();
    rules.arm("file", [rule("r", { times: 2 })]);
    acting(rules);
    rules.load(rules.snapshot());
    rules.arm("file", [rule("r", { times: 2 })]);
    expect(rules.get("r")).toMatchObject({ hits: 1 });
  });

  test("remove deletes a rule, and clear deletes the rules of a file or all rules", () => {
    const rules = new Rules<string>();
    rules.arm("file", [rule("a"), rule("b")]);
    rules.put(rule("r", { source: RUNTIME }));
    expect([rules.remove("a"), rules.remove("a")]).toEqual([true, false]);
    rules.clear("file");
    expect(rules.list().map((one) => one.id)).toEqual(["r"]);
    rules.clear();
    expect(rules.list()).toEqual([]);
  });

  test("a call's attribute is found once for all rules", () => {
    const rules = new Rules<string>();
    rules.arm("file", [
      rule("invoice", { when: { "body.name": { eq: "Invoice" } } }),
      rule("offer", { when: { "body.name": { eq: "Offer" } } }),
      rule("long", { when: { "body.name": { regex: "^.{9,}$" } } }),
    ]);
    const asked: string[] = [];
    const names = (call: string) =>
      rules
        .match((name) => {
          asked.push(name);
          return name === "body.name" ? call : undefined;
        })
        .map(({ id }) => id);
    expect([names("Agreement"), names("Offer")]).toEqual([["long"], ["offer"]]);
    expect(asked.filter((name) => name === "body.name")).toHaveLength(2);
  });

  test("a rule of an operation acts when its other conditions match too, also after the rule changes", () => {
    const rules = new Rules<string>();
    const creates = { operation: { eq: "createDocument" } };
    rules.put(rule("r", { when: { ...creates, name: { eq: "Offer" } } }));
    const call = (operation: string, name: string) => acting(rules, { operation, name });
    expect([call("createDocument", "Offer"), call("createDocument", "NDA"), call("sendDocument", "Offer")]).toEqual([
      ["r"],
      [],
      [],
    ]);
    rules.put(rule("r", { when: { ...creates, name: { eq: "NDA" } } }));
    expect([call("createDocument", "Offer"), call("createDocument", "NDA"), call("sendDocument", "NDA")]).toEqual([
      [],
      ["r"],
      [],
    ]);
  });
});

describe("reports about rules", () => {
  test("pending lists the rules that still have to act", () => {
    const rules = new Rules<string>();
    rules.arm("file", [
      rule("twice", { times: 2, fallthrough: true }),
      rule("any", { fallthrough: true }),
      rule("never", { when: { a: { eq: 1 } } }),
    ]);
    acting(rules);
    expect(rules.pending().map((one) => one.id)).toEqual(["twice", "never"]);
    acting(rules);
    expect(rules.pending().map((one) => one.id)).toEqual(["never"]);
  });

  test("explain describes the conditions and the progress of a rule", () => {
    const rules = new Rules<string>();
    rules.put(
      rule("r", {
        when: { operation: { eq: "sendDocument" }, "body.name": { ne: "x", exists: true } },
        call: { from: 2, every: 3, per: "document" },
        times: 1,
      }),
    );
    const text = () => explain(rules.get("r") as never);
    expect(text()).toBe(
      'acts when operation is "sendDocument" and body.name is not "x" and exists true on from call 2, every 3. call per document, 1 time; matched 0, acted 0',
    );
    for (let i = 0; i < 3; i++) acting(rules, { operation: "sendDocument", "body.name": "y" });
    expect(text()).toMatch(/; matched 3, acted 1; spent$/);
    expect(explain({ ...rule("any"), matched: 0, hits: 0, counts: {}, call: { nth: 2 }, times: 2 })).toBe(
      "acts when any call comes on call 2, 2 times; matched 0, acted 0",
    );
    expect(explain({ ...rule("any"), matched: 0, hits: 0, counts: {}, call: { first: 2 } })).toBe(
      "acts when any call comes on the first 2; matched 0, acted 0",
    );
  });
});
