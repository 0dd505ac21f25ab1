/** The files for coding agents name tools, commands and pages that exist. */
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { program } from "../../src/cli/commands.ts";

test.each(["SKILL.md", "llms.txt"])("%s is in the package, has under 80 lines, and has only valid links and commands", (file) => {
  const text = readFileSync(file, "utf8");
  expect(JSON.parse(readFileSync("package.json", "utf8")).files).toContain(file);
  expect(text.split("\n").length).toBeLessThan(80);
  const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link ?? "");
  expect(links.length).toBeGreaterThan(4);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
  for (const [, name] of text.matchAll(/npx docdouble (\w+)/g))
    expect.soft(program.commands.map((one) => one.name())).toContain(name);
});
