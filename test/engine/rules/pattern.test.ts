import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../../src/service/files/blocks.ts";
import { tagsIn } from "../../../src/service/nouns/content/field-tags.ts";
import { compilePattern, patternProblem } from "../../../src/engine/rules/pattern.ts";
import { matchesAttribute } from "../../../src/engine/rules/rules.ts";
import { testWorld } from "../../support/world.ts";

const SYNTAX = "Patterns are JavaScript's, with the flag u.";

describe("patterns from users", () => {
  test("a pattern of a rule or of a search reads the whole text", async () => {
    expect(matchesAttribute(`${"a".repeat(100_000)}!`, { regex: "^a+!$" })).toBe(true);
    expect(matchesAttribute("aaaa", { regex: "^(a+)b$" })).toBe(false);
    const world = await testWorld();
    await world.call("listContacts", { query: { email: "aaab" } });
    const calls = async (regex: string) =>
      (await world.admin("POST", "/requests/count", { query: { email: { regex } } })).body.count;
    expect([await calls("^(a+)+$"), await calls("^(a+)+b$")]).toEqual([0, 1]);
  });

  test.each([
    ["needle", {}, ["needle", "a needle b"], ["need"]],
    ["start|end.", { whole: true }, ["start", "ends"], ["starts", "end", "end\n"]],
    ["end.", { whole: true, dotAll: true }, ["ends", "end\n"], ["the end."]],
    ["^(?<year>\\d{4})-\\u0041[(?=]$", {}, ["2026-A("], ["2026-B("]],
    ["^(a)(?!b)\\1\\p{L}.$", {}, ["aaé😀"], ["aa1x"]],
  ])("%s with %j matches what JavaScript matches", (source, options, hits, misses) => {
    const pattern = compilePattern(source, options);
    for (const text of hits) expect(pattern.test(text), text).toBe(true);
    for (const text of misses) expect(pattern.test(text), text).toBe(false);
  });

  test.each([
    ["(", `The regular expression "(" is invalid: Unterminated group. ${SYNTAX}`],
    ["a:[z-a]", `The regular expression "a:[z-a]" is invalid: Range out of order in character class. ${SYNTAX}`],
    ["(?i)a", `The regular expression "(?i)a" is invalid: Invalid group. ${SYNTAX}`],
    ["\\-", expect.stringContaining("is invalid: Invalid escape.")],
    ["x".repeat(501), expect.stringContaining("The regular expression has 501 characters. At most 500 are allowed")],
    ["x".repeat(500), undefined],
  ])("the problem of %s is told with its reason", (source, message) => {
    expect(patternProblem(source)).toEqual(message);
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
