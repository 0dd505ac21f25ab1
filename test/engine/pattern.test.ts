import { describe, expect, test } from "vitest";
import { parseMarkdown } from "../../src/core/blocks.ts";
import { tagsIn } from "../../src/domain/field-tags.ts";
import { fits, PatternTooSlow } from "../../src/engine/pattern.ts";
import { meets } from "../../src/engine/rules.ts";
import { testWorld } from "../support/world.ts";

/** Each takes for ever with one letter more than a few dozen. */
const ENDLESS = ["^(a+)+$", "^(a|a)*$", "^(.*a){30}$", "^(\\w+\\s?)*$"];

describe("patterns that others wrote", () => {
  test("one that would not end is stopped", () => {
    for (const source of ENDLESS) expect(() => fits(new RegExp(source), `${"a".repeat(60)}!`)).toThrow(PatternTooSlow);
    expect(fits(/^(a+)+$/, "aaaa")).toBe(true);
    expect(fits(/b$/, `${"a".repeat(1000)}b`)).toBe(false);
  });

  test("a rule whose pattern takes too long is not met", () => {
    expect(meets(`${"a".repeat(60)}!`, { regex: "^(a+)+$" })).toBe(false);
    expect(meets("aaaa", { regex: "^(a+)+$" })).toBe(true);
  });

  test("a search of the journal with such a pattern is a 400 that names it", async () => {
    const world = await testWorld();
    await world.call("listContacts", { query: { email: `${"a".repeat(60)}!` } });
    const { status, body } = await world.admin("POST", "/requests/find", { urlPattern: ".*email=(a+)+" });
    expect({ status, detail: body.detail }).toEqual({ status: 400, detail: expect.stringContaining("takes too long") });
  });
});

describe("texts that take the square of their length", () => {
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
