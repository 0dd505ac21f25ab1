import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/service/files/blocks.ts";
import { tagsIn } from "../../../src/service/domain/content/field-tags.ts";
import { compilePattern, patternProblem } from "../../../src/engine/rules/pattern.ts";
import { matchesAttribute } from "../../../src/engine/rules/rules.ts";
import { testWorld } from "../../support/world.ts";

/** A backtracking engine hangs on each of these with a few dozen letters. */
const ENDLESS = ["^(a+)+$", "^(a|a)*$", "^(.*a){30}$", "^(\\w+\\s?)*$"];

describe("patterns from users", () => {
  test("no pattern hangs, and each answer is right", () => {
    for (const source of ENDLESS) expect(compilePattern(source).test(`${"a".repeat(60)}!`), source).toBe(false);
    expect(compilePattern("^(a+)+$").test("aaaa")).toBe(true);
  });

  test("a pattern of a rule uses the same engine", () => {
    expect(matchesAttribute(`${"a".repeat(60)}!`, { regex: "^(a+)+$" })).toBe(false);
    expect(matchesAttribute("aaaa", { regex: "^(a+)+$" })).toBe(true);
  });

  test("a journal search with such a pattern is answered", async () => {
    const world = await testWorld();
    await world.call("listContacts", { query: { email: `${"a".repeat(60)}!` } });
    const { status, body } = await world.admin("POST", "/requests/find", { urlPattern: ".*email=(a+)+" });
    expect({ status, requests: body.requests }).toEqual({ status: 200, requests: [] });
  });

  test.each([
    ["literal", ["literal", "a literal text", "LITERAL", "", "x\nliteral"]],
    ["^/public/v1", ["/public/v1", "/public/v1/documents", "x/public/v1"]],
    ["\\.example$", ["client.example", "client.example\n", "clientxexample"]],
    ["^exact$", ["exact", "exactly", "inexact"]],
    ["", ["", "a"]],
    [".*", ["", "a", "a\nb"]],
    [".*needle.*", ["needle", "a needle b", "a\nneedle", "nothing"]],
    ["start.*", ["start", "started", "start\nend", "restart"]],
    [".*end", ["end", "the end", "ended", "x\nend"]],
  ])("%s takes the path without an engine, and matches like JavaScript's engine", (source, texts) => {
    for (const text of texts) {
      expect(compilePattern(source).test(text), text).toBe(new RegExp(source, "u").test(text));
      const whole = `^(?:${source})$`;
      expect(compilePattern(source, { whole: true }).test(text), text).toBe(new RegExp(whole, "u").test(text));
      expect(compilePattern(source, { whole: true, dotAll: true }).test(text), text).toBe(new RegExp(whole, "us").test(text));
    }
  });

  test.each([
    [
      "(?=a)b",
      'Look-ahead is not available at character 1 ((?=) of the regular expression "(?=a)b". Patterns have the syntax of RE2.',
    ],
    [
      "x(?<!a)b",
      'Negative look-behind is not available at character 2 ((?<!) of the regular expression "x(?<!a)b". Patterns have the syntax of RE2.',
    ],
    [
      "(a)\\1",
      'A back-reference is not available at character 4 (\\1) of the regular expression "(a)\\\\1". Patterns have the syntax of RE2.',
    ],
    ["(", 'The regular expression "(" is invalid: missing closing ). Patterns have the syntax of RE2.'],
    [
      "ab[z-a]",
      'The regular expression "ab[z-a]" is invalid at character 4 (z-a): invalid character class range. Patterns have the syntax of RE2.',
    ],
    [
      "a{1001}",
      'The regular expression "a{1001}" repeats too often at character 2 ({1001}). Here at most 1000 repeats are allowed.',
    ],
    [
      `(?:${"ab".repeat(100)}){500}`,
      expect.stringMatching(/repeats too often at character 205 \(\{500\}\)\. Here at most 95 repeats/),
    ],
    ["\\pL{1000}".repeat(10), expect.stringContaining("is too large: write shorter repeats or fewer classes.")],
    ["x".repeat(501), expect.stringContaining("The regular expression has 501 characters. At most 500 are allowed")],
  ])("%s is refused with the reason and the place", (source, message) => {
    expect(patternProblem(source)).toEqual(message);
  });

  test("named groups, Unicode escapes and brackets in classes are supported", () => {
    expect(compilePattern("^(?<year>\\d{4})-\\u0041[(?=]$").test("2026-A(")).toBe(true);
  });
});

describe("texts that cost quadratic time in a naive parser", () => {
  const many = 200_000;
  test.each([
    ["a table's rule", `a|b\n${"-".repeat(many)}x`],
    ["a heading", `# ${" #".repeat(many)}x`],
    ["brackets", "[".repeat(many)],
    ["stars", "**a ".repeat(many)],
    ["underscores", `_a${"_".repeat(many)}`],
  ])("Markdown: %s", (_, markdown) => {
    expect(parseMarkdown(markdown).length).toBeGreaterThan(0);
  });

  test("field tags", () => {
    expect(tagsIn(`{text:${"_".repeat(many)}x:${"_".repeat(many)}}`)).toMatchObject([
      { role: `${"_".repeat(many)}x`, optId: "" },
    ]);
    expect(tagsIn("{a:".repeat(many))).toEqual([]);
  });
});
