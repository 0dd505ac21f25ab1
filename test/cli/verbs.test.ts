/** `docdouble do`: the commands of the control verbs follow from their records. */
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { expect, onTestFinished, test } from "vitest";
import { commandVerb, readCall, VERB_NAMES } from "../../src/cli/verbs.ts";
import type { Verb } from "../../src/engine/core/verb.ts";
import { requestOf } from "../../src/engine/verbs/define.ts";
import { adminOperations, verbGroups } from "../../src/library/surfaces.ts";
import { CASES, type Case } from "../engine/verbs/cases.ts";

const verbs = verbGroups.flatMap((group) => group.verbs as readonly Verb<never>[]);

/** The call that `docdouble do` sends, or the text that it prints. */
function told(...words: string[]): unknown {
  let text = "";
  const print = (part: string) => {
    text += part;
  };
  const self = new Command("do").exitOverride().configureOutput({ writeOut: print, writeErr: print });
  try {
    const call = readCall(self, words);
    return call ?? text;
  } catch {
    return text;
  }
}

test("a verb has no member that is a flag of each verb", () => {
  for (const name of VERB_NAMES)
    for (const member of commandVerb(name).members)
      expect(["url", "key", "adminToken", "json", "help"]).not.toContain(member.name);
});

test("a flag may also be written as name=value", () => {
  expect(told("journal.list", "limit=2")).toEqual(told("journal.list", "--limit", "2"));
  expect(told("clock.set", "stop-at=3d")).toEqual(told("clock.set", "--stop-at", "3d"));
  expect(told("journal.list", "limt=2")).toContain("error: too many arguments");
});

/** How a user would write the input: texts as they are, and everything else as JSON. */
function wordsFor(verb: Verb<never>, input: Readonly<Record<string, unknown>>): string[] {
  const inPath = [...(verb.admin?.route ?? "").matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const flags = Object.entries(input).filter(([name, value]) => !inPath.includes(name) && value !== undefined);
  const kebab = (name: string) => name.replace(/_/g, "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return [
    verb.name,
    ...inPath.map((name) => text(input[name])),
    ...flags.flatMap(([name, value]) => [`--${kebab(name)}`, text(value)]),
  ];
}

const rows = verbs
  .filter((verb) => VERB_NAMES.includes(verb.name))
  .flatMap((verb) => {
    const cases = (CASES as Readonly<Record<string, readonly Case[]>>)[verb.name] ?? [];
    return cases.filter((one) => !one.refused).map((one) => [verb.name, one.input as Record<string, unknown>, verb] as const);
  });

test.each(rows)("do %s with %j sends what the admin API takes", (name, input, verb) => {
  const operation = adminOperations.find((one) => one.id === verb.admin?.id);
  if (!operation) throw new Error(`${name} has no operation`);
  const { method, path, body } = requestOf(operation, input);
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const wanted = { method, path, body: body === undefined || isRaw ? body : JSON.stringify(body) };
  expect(meantBy(told(...wordsFor(verb, input)))).toEqual(meantBy(wanted));
});

/** Without the order of members, which means nothing. */
function meantBy(call: unknown): unknown {
  if (typeof call === "string") return call;
  const { method, path, body } = call as { method: string; path: string; body: unknown };
  const { pathname, searchParams } = new URL(path, "http://docdouble.test");
  const isJson = typeof body === "string" && /^[[{"]/.test(body);
  return { method, pathname, query: Object.fromEntries(searchParams), body: isJson ? JSON.parse(body) : body };
}

test("a value @FILE is the content of the file", () => {
  const file = join(tmpdir(), `docdouble-rule-${process.pid}.json`);
  onTestFinished(() => rmSync(file, { force: true }));
  const rule = { name: "busy", when: { method: "POST" }, then: { error: "locked" } };
  writeFileSync(file, JSON.stringify(rule));
  const call = { method: "POST", path: "/__admin/rules", body: JSON.stringify(rule) };
  expect(told("rules.add", "--rule", `@${file}`)).toEqual(call);
  writeFileSync(file, "version: 1\nname: busy\n");
  const scenario = { method: "POST", path: "/__admin/scenarios", body: "version: 1\nname: busy\n" };
  expect(told("scenarios.load", "--scenario", `@${file}`)).toEqual(scenario);
  expect(told("world.load", "--world", file)).toMatchObject({ method: "PUT", body: Buffer.from("version: 1\nname: busy\n") });
  rmSync(file);
  expect(told("rules.add", "--rule", `@${file}`)).toContain(`error: cannot read ${file}: ENOENT`);
});

test.each([
  [["clock.advnce"], "error: there is no verb clock.advnce; did you mean clock.advance?\n"],
  [["clock.advance", "--buy", "3d"], "error: unknown option '--buy'\n(Did you mean --by?)\n"],
  [["clock.set", "--mode", "fast"], "Allowed choices are real, frozen, auto."],
  [["rules.show"], "error: missing required argument 'id'\n"],
  [["rules.add"], "error: required option '--rule <json>' not specified\n"],
  [["rules.add", "--rule", "{busy}"], "error: rule is JSON, and this text is not: "],
])("do %j is refused before any call", (words, message) => {
  expect(told(...words)).toContain(message);
});

test("the help of a verb shows its sentence, its arguments and its flags", () => {
  const { does } = commandVerb("webhooks.redeliver");
  const help = String(told("webhooks.redeliver", "--help"));
  expect(help).toContain(`Usage: do webhooks.redeliver [options] <id>\n\n${does}\n`);
  expect(String(told("clock.advance", "-h"))).toContain("  --until <text>  next: the next job; idle: until only deadlines wait");
});
