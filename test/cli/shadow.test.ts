/** A rule counts as shadowed only if no call reaches it. Random pairs of rules and random calls prove it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { canFit } from "../../src/cli/file-checks/path-pattern.ts";
import { type Matcher, type Rule, Rules } from "../../src/engine/rules/rules.ts";
import { shadowOf } from "../../src/cli/file-checks/shadowed.ts";
import { globSource } from "../../src/engine/scenario/matchers-schema.ts";
import { followsFromOperation } from "../../src/cli/file-checks/paths.ts";
import { parseRoute } from "../../src/engine/core/operation.ts";
import { operations } from "../../src/service/nouns/index.ts";
import { law } from "../support/law.ts";

const scalar = fc.constantFrom<unknown>("a", "ab", "b", "", "1", 1, 2, 10, true, "true", null);
const text = fc.constantFrom("", "a", "b", "ab", "1");
const bound = fc.constantFrom<number | string>(0, 1, 2, "1", "a", "b");
const matcher: fc.Arbitrary<Matcher> = fc
  .record(
    {
      eq: scalar,
      ne: scalar,
      in: fc.array(scalar, { maxLength: 3 }),
      contains: text,
      regex: fc.constantFrom("^a", "b", "^$", "."),
      gt: bound,
      lt: bound,
      exists: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map((one) => Object.fromEntries(Object.entries(one).slice(0, 2)) as Matcher);
const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant(undefined));
const single = fc.oneof(scalar, fc.constant(undefined));

const NAMES = ["operation", "tenant", "body.x", "document.tag"];
const when = fc.record({ operation: matcher, tenant: matcher, "body.x": matcher, "document.tag": matcher }, { requiredKeys: [] });
const count = fc.record(
  { nth: fc.constantFrom(1, 2), first: fc.constantFrom(1, 2), from: fc.constantFrom(1, 2), every: fc.constantFrom(1, 2) },
  { requiredKeys: [] },
);
const ruleOf = (id: string) =>
  fc
    .record(
      { when, call: fc.oneof(fc.constant(undefined), count), times: fc.constantFrom(undefined, 1, 2), fallthrough: fc.boolean() },
      { requiredKeys: ["when"] },
    )
    .map((one): Rule<null> => ({ ...one, id, name: id, source: "test", effect: null }));
const call = fc.record({ operation: single, tenant: single, "body.x": value, "document.tag": value });

/** Half of the pairs share conditions, so that many of them shadow. */
const pair = fc.oneof(
  fc.tuple(ruleOf("first"), ruleOf("second")),
  fc
    .tuple(ruleOf("first"), ruleOf("second"))
    .map(([first, second]): [Rule<null>, Rule<null>] => [first, { ...second, when: { ...second.when, ...first.when } }]),
);

test("a rule that counts as shadowed never acts", () => {
  let proved = 0;
  law(
    fc.property(pair, fc.array(call, { minLength: 1, maxLength: 12 }), ([first, second], calls) => {
      const rules = new Rules<null>();
      rules.arm("test", [first, second]);
      for (const one of calls) rules.match((name) => (one as Record<string, unknown>)[name]);
      if (shadowOf(second, [first]) === undefined) return;
      proved++;
      expect(rules.get("second")?.hits, JSON.stringify([first, second, calls])).toBe(0);
    }),
    { numRuns: 20_000 },
  );
  expect(proved).toBeGreaterThan(200);
});

test("a rule with the same conditions, or with more of them, is shadowed", () => {
  law(
    fc.property(when, when, (wide, more) => {
      const narrow = Object.fromEntries(NAMES.map((name) => [name, wide[name as never] ?? more[name as never]]));
      const conditions = Object.fromEntries(Object.entries(narrow).filter(([, one]) => one !== undefined));
      const of = (id: string, given: Rule<null>["when"]): Rule<null> => ({ id, name: id, source: "", when: given, effect: null });
      const emptied = Object.values(wide).some((one) => one.in?.length === 0);
      if (!emptied) expect(shadowOf(of("b", conditions), [of("a", wide)])?.name, JSON.stringify([wide, conditions])).toBe("a");
    }),
    { numRuns: 2000 },
  );
});

test("two rules shadow a rule of the operations of both", () => {
  const rule = (name: string, ...ids: string[]): Rule<null> => {
    return { id: name, name, source: "", when: { operation: { in: ids } }, effect: null };
  };
  const [a, b] = [rule("a", "sendDocument"), rule("b", "documentStatus", "listDocuments")];
  expect(shadowOf(rule("c", "sendDocument", "listDocuments"), [a, b])?.name).toBe("a");
  expect(shadowOf(rule("c", "sendDocument", "deleteDocument"), [a, b])).toBeUndefined();
});

const piece = fc.constantFrom("/", "public", "v1", "documents", "*", "**", "a", "send", "{id}");
const glob = fc.array(piece, { minLength: 1, maxLength: 7 }).map((parts) => `/${parts.join("")}`);
const segment = fc.constantFrom("a", "v1", "documents", "send", "xyz", "0.1");

test("a path that fits a pattern and a route proves that both can fit", () => {
  law(
    fc.property(
      glob,
      fc.constantFrom(...operations),
      fc.array(segment, { minLength: 3, maxLength: 3 }),
      (pattern, one, values) => {
        const { path } = parseRoute(one.route);
        const real = path.replace(/\{\w+\}/g, () => values.pop() as string);
        if (new RegExp(globSource(pattern)).test(real)) expect(canFit(pattern, path), `${pattern} ${path} ${real}`).toBe(true);
        expect(canFit(real, path)).toBe(true);
        if (followsFromOperation("path", { regex: globSource(pattern) }, { operation: { in: [one.id] } }))
          expect(real, pattern).toMatch(new RegExp(globSource(pattern)));
      },
    ),
    { numRuns: 5000 },
  );
  expect(canFit("/public/v1/documents/*/send", "/public/v1/documents/{id}")).toBe(false);
  expect(canFit("/public/v1/d*s", "/public/v1/documents")).toBe(true);
  expect(canFit("/public/v1/d*z", "/public/v1/documents")).toBe(false);
  expect(canFit("**", "/s/{session}")).toBe(true);
  expect(canFit("/public/*", "/public/v1/documents")).toBe(false);
});
