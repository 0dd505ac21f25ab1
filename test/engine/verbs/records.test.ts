/** What has no record, with its reason. A new admin operation or tool needs a record, or a line here. */
import { expect, test } from "vitest";
import { adminOperations, verbs } from "../../../src/library/surfaces.ts";
import { TOOLS } from "../../../src/tools/mcp/tools.ts";

const OPERATIONS = {
  adminInspector: "a page for people",
};

const TOOLS_WITHOUT = {
  start: "begins a server in the process of the agent",
  attach: "chooses the server",
  seed: "joins scenarios.load and stories.load",
  add_fault: "joins faults.next and rules.add",
  read_requests: "joins journal.list and journal.show, shortened",
  explain: "joins several verbs that only read",
  explore: "runs a program",
  save_world: "writes a file of world.save",
  load_world: "reads a file for world.load",
  show_world: "shows a file without a server",
  save_har: "writes a file of har",
  verify: "joins scenarios.verify and journal.verify",
};

test("each operation of the admin API comes from a record, except the listed pages", () => {
  const own = adminOperations.filter((one) => one.verb === undefined).map((one) => one.id);
  expect(own.sort()).toEqual(Object.keys(OPERATIONS).sort());
});

test("each tool of docdouble mcp comes from a record, except the listed ones", () => {
  const made = new Set(verbs.map((verb) => verb.tool?.name));
  const own = TOOLS.map((one) => one.name).filter((name) => !made.has(name));
  expect(own.sort()).toEqual(Object.keys(TOOLS_WITHOUT).sort());
});
